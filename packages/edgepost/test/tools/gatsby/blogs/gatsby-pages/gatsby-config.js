module.exports = {
  siteMetadata: { title: `Page log`, siteUrl: `https://blog.example` },
  plugins: [{ resolve: "gatsby-source-filesystem", options: { name: "pages", path: "./src/pages" } }, "gatsby-transformer-remark"],
}
