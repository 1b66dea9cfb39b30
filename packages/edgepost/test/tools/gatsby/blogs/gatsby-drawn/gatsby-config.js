module.exports = {
  siteMetadata: { title: "Drawn", siteUrl: "https://drawn.example" },
  plugins: [
    { resolve: "gatsby-source-filesystem", options: { name: "blog", path: `${__dirname}/content/blog` } },
    "gatsby-transformer-remark",
  ],
}
