import { html } from "hono/html"

import { blogUrl, listUrl, type Places } from "../addresses.ts"
import { nameOfBlog, renderDocument } from "./layout.ts"
import type { Blog } from "./store.ts"
import type { Topic } from "./topics-store.ts"
import { wordsFor } from "./words.ts"

interface TopicsPage {
  blog: Blog
  topics: Topic[]
  places: Places
}

/** Renders the page of a blog's categories and tags. */
export const renderTopicsPage = ({ blog, topics, places }: TopicsPage) => {
  const { primary_language: lang } = blog
  const { topics: heading, empty } = wordsFor(lang)
  const listOf = (kind: Topic["kind"]) => {
    const own = topics.filter((topic) => topic.kind === kind)
    const items = own.map(({ label, posts }) => {
      const href = listUrl(places, blog, kind === "tag" ? "tags" : "categories", label)
      return html`<li>
        <a href="${href}"><bdi>${kind === "tag" ? "#" : ""}${label}</bdi></a> ${posts}
      </li>`
    })
    return (
      own.length > 0 &&
      html`<ul class="topics">
        ${items}
      </ul>`
    )
  }
  return renderDocument({
    blog,
    places,
    lang,
    title: `${heading} · ${nameOfBlog(blog)}`,
    description: null,
    head: html`<link rel="canonical" href="${blogUrl(places, blog, "tags/")}" />`,
    content: html`<h1>${heading}</h1>
      ${topics.length === 0 && html`<p>${empty}</p>`} ${listOf("category")} ${listOf("tag")}`,
  })
}
