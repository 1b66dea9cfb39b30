import useDocusaurusContext from "@docusaurus/useDocusaurusContext"
import { MDXProvider } from "@mdx-js/react"
import React from "react"

const components = {
  Details: ({ children }) => <details>{children}</details>,
  admonition: ({ title, type, children }) => (
    <div>
      {title ?? type}
      {children}
    </div>
  ),
}

/** Prints a post's data and its text. */
export default function BlogPostPage({ content: Content }) {
  const { source, permalink, title, date, tags, prevItem } = Content.metadata
  const { siteConfig, i18n } = useDocusaurusContext()
  const url = siteConfig.url
  const language = i18n.currentLocale
  const data = JSON.stringify({
    file: source.replace("@site/", ""),
    address: url + permalink,
    title,
    date,
    language,
    tags: tags.map(({ label }) => label),
    newer: prevItem && url + prevItem.permalink,
  }).replaceAll("<", "\\u003c")
  return (
    <>
      <script type="application/json" dangerouslySetInnerHTML={{ __html: data }} />
      <main>
        <MDXProvider components={components}>
          <Content />
        </MDXProvider>
      </main>
    </>
  )
}
