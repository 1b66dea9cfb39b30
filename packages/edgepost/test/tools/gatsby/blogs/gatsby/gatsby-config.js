const path = require("path")

module.exports = {
  pathPrefix: "/owls",
  siteMetadata: { title: "Owl log", siteUrl: "https://owls.example", language: "en-GB" },
  plugins: [
    {
      resolve: "gatsby-source-filesystem",
      options: { name: "blog", path: `${__dirname}/content/blog`, ignore: ["**/_*.md", "**/attic/**"] },
    },
    { resolve: `gatsby-source-filesystem`, options: { name: `notes`, path: path.join(__dirname, "content", "notes") } },
    "gatsby-transformer-remark",
  ],
}
