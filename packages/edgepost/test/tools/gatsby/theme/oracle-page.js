import { graphql } from "gatsby"
import React from "react"

export default function OraclePage({ data, location, pageContext }) {
  const { html, frontmatter } = data.markdownRemark
  const { title, date, category, tags, lang: language } = frontmatter
  const page = {
    file: pageContext.file,
    address: `https://blog.example${encodeURI(decodeURI(location.pathname))}`,
    title,
    date,
    language,
    categories: category,
    tags,
  }
  const json = JSON.stringify(page).replaceAll("<", "\\u003c")
  return React.createElement(
    "main",
    null,
    React.createElement("script", { type: "application/json", dangerouslySetInnerHTML: { __html: json } }),
    React.createElement("div", { dangerouslySetInnerHTML: { __html: html } }),
  )
}

export const query = graphql`
  query ($id: String!) {
    markdownRemark(id: { eq: $id }) {
      html
      frontmatter {
        title
        date
        category
        tags
        lang
      }
    }
  }
`
