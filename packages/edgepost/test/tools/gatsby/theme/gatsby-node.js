const path = require("path")
const { createFilePath } = require("gatsby-source-filesystem")

// As the starters do it: a page of each text, at its own path or else at that of its file.
exports.createPages = async ({ graphql, actions, getNode }) => {
  const { data } = await graphql(`
    {
      allMarkdownRemark {
        nodes {
          id
          parent {
            id
          }
          frontmatter {
            path
            slug
          }
        }
      }
    }
  `)
  for (const node of data.allMarkdownRemark.nodes) {
    const { path: given, slug } = node.frontmatter
    const own = given ?? slug
    const address = own ? `/${own}/`.replace(/\/{2,}/g, "/") : createFilePath({ node: getNode(node.id), getNode })
    const file = path.relative(process.cwd(), getNode(node.parent.id).absolutePath)
    actions.createPage({
      path: address,
      component: require.resolve("./oracle-page.js"),
      context: { id: node.id, file },
    })
  }
}

exports.createSchemaCustomization = ({ actions }) =>
  actions.createTypes(`
    type MarkdownRemark implements Node { frontmatter: Fields }
    type Fields { title: String, path: String, slug: String, date: Date, category: String, tags: [String], lang: String }
  `)
