// What edgepost prints for readers, as plain template strings. Posts of the bench have no cover, tags or translations.

import { ASSETS } from "../../src/ui/assets.ts"
import type { Blog, Entry, Listed, Readable } from "./bare-store.ts"

const escape = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

const DAY = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" })

const iso = (time: number): string => new Date(time).toISOString()
const day = (time: number): string =>
  `<bdi><time class="dt-published" datetime="${iso(time)}">${DAY.format(time)}</time></bdi>`
const list = (json: string): string[] => JSON.parse(json) as string[]
const nameOf = ({ blog_title, author_name, username }: Blog): string => blog_title ?? author_name ?? `@${username}`
const changed = ({ changed_at, published_at }: Entry): string => iso(Math.max(changed_at, published_at))

interface Content {
  lang: string
  title: string
  head: string
  header: string
  main: string
}

const printDocument = (blog: Blog, home: string, { lang, title, head, header, main }: Content): string => {
  const name = escape(nameOf(blog))
  return `<!doctype html>
    <html lang="${lang}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${escape(title)}</title>
        ${head}
        <link rel="alternate" type="application/atom+xml" title="${name}" href="${home}feed.atom" />
        <link rel="alternate" type="application/rss+xml" title="${name}" href="${home}feed.rss" />
        <link rel="alternate" type="application/feed+json" title="${name}" href="${home}feed.json" />
        <link rel="micropub" href="${new URL("/micropub", home).href}" />
        <link rel="stylesheet" href="${ASSETS["site.css"]}" />
        <link rel="icon" href="${ASSETS["icon.svg"]}" />
      </head>
      <body class="blog">
        ${header}
        <main>${main}</main>
        <footer class="site">
          <a href="${home}"><bdi>${name}</bdi></a> <a href="${home}tags/">Topics</a>
          <a href="${home}feed.atom">Atom</a> <a href="${home}feed.rss">RSS</a>
          <a href="${home}feed.json">JSON Feed</a>
        </footer>
      </body>
    </html>`
}

const printNeighbour = (entry: Entry | null, home: string, rel: string, word: string): string =>
  entry
    ? `<a rel="${rel}" href="${home}${entry.slug}/">
    <span>${word}</span>
    <bdi lang="${entry.lang_code}">${escape(entry.title)}</bdi>
  </a>`
    : ""

/** Returns the page of a post. */
export const printPage = ({ blog, post, older, newer }: Readable, origin: string): string => {
  const home = `${origin}/@${blog.username}/`
  const url = `${home}${post.slug}/`
  const name = escape(nameOf(blog))
  const [title, description] = [escape(post.title), escape(post.meta_description)]
  const [published, updated] = [iso(post.published_at), changed(post)]
  const categories = list(post.categories)
  const posting = {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: post.title,
    description: post.meta_description,
    inLanguage: post.lang_code,
    url,
    mainEntityOfPage: url,
    datePublished: published,
    dateModified: updated,
    author: { "@type": "Person", name: nameOf(blog), url: home },
    keywords: list(post.tags),
    articleSection: categories,
  }
  const head = `<meta name="description" content="${description}" /> <meta name="author" content="${blog.username}" />
    <link rel="canonical" href="${url}" />
    <link rel="alternate" hreflang="${post.lang_code}" href="${url}" />
    <meta property="og:type" content="article" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta property="og:site_name" content="${name}" />
    <meta property="og:locale" content="${post.lang_code}" />
    <meta property="article:published_time" content="${published}" />
    <meta property="article:modified_time" content="${updated}" />
    <meta name="twitter:card" content="summary" />
    <script type="application/ld+json">
      ${JSON.stringify(posting).replaceAll("<", "\\u003c")}
    </script>`
  const labels = categories.map(
    (category) => `<li>
        <a href="${home}categories/${encodeURIComponent(category)}/"
          ><bdi><span class="p-category">${escape(category)}</span></bdi></a
        >
      </li>`,
  )
  const main = `<article class="h-entry">
      <header>
        <h1 class="p-name">${title}</h1>
        <p class="byline">
      <span class="p-author h-card"><a rel="author" class="u-url p-name" href="${home}"
    ><bdi>@${blog.username}</bdi></a
  ></span> · ${day(post.published_at)}
    </p>
    <ul class="labels">
      ${labels.join("")}
    </ul>
      </header>
      <data class="u-url" value="${url}"></data>
      <data class="p-summary" value="${description}"></data>
      <data class="dt-updated" value="${updated}"></data>
      <div class="e-content">${post.html}</div>
    </article>
    <nav class="pager" aria-label="${name}" lang="${post.lang_code}">
    ${printNeighbour(older, home, "prev", "Older")} ${printNeighbour(newer, home, "next", "Newer")}
  </nav>`
  const header = `<header class="site">
                <a href="${home}"><bdi>${name}</bdi></a>
              </header>`
  return printDocument(blog, home, { lang: post.lang_code, title: post.title, head, header, main })
}

const printListed = (entry: Entry, home: string): string => `<li lang="${entry.lang_code}">
    <article class="h-entry">
      <h2>
        <a class="p-name u-url" href="${home}${entry.slug}/"><bdi>${escape(entry.title)}</bdi></a>
      </h2>
      <p class="byline">${day(entry.published_at)}</p>

      <p class="p-summary"><bdi>${escape(entry.meta_description)}</bdi></p>
    </article>
  </li>`

/** Returns the first page of a blog. */
export const printIndex = ({ blog, entries }: Listed, origin: string, size: number): string => {
  const home = `${origin}/@${blog.username}/`
  const name = escape(nameOf(blog))
  const head = `<link rel="canonical" href="${home}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${name}" />
    <meta property="og:url" content="${home}" />
    <meta property="og:site_name" content="${name}" />
    <meta name="twitter:card" content="summary" />`
  const shown = entries.slice(0, size).map((entry) => printListed(entry, home))
  const pager =
    entries.length > size
      ? `<nav class="pager" aria-label="${name}"><a rel="prev" href="${home}?page=2">Older</a></nav>`
      : ""
  const main = `<h1><bdi>${name}</bdi></h1>
      <div class="h-feed">
          <data class="p-name" value="${name}"></data>
          <ul class="posts">
            ${shown.join("")}
          </ul>
        </div> ${pager}`
  return printDocument(blog, home, { lang: blog.primary_language, title: nameOf(blog), head, header: "", main })
}

const printEntry = (entry: Entry & { html: string | null }, blog: Blog, home: string): string => {
  const url = `${home}${entry.slug}/`
  const terms = [...list(entry.categories), ...list(entry.tags)].map((term) => `<category term="${escape(term)}" />`)
  return ` <entry xml:lang="${entry.lang_code}">
    <id>${url}</id>
    <title>${escape(entry.title)}</title>
    <link rel="alternate" type="text/html" href="${url}" />
    <published>${iso(entry.published_at)}</published>
    <updated>${changed(entry)}</updated>
    <author><name>${escape(entry.author_name ?? nameOf(blog))}</name></author>
    ${terms.join("")}
    <summary>${escape(entry.meta_description)}</summary>
    ${entry.html === null ? "" : `<content type="html">${escape(entry.html)}</content>`}
  </entry>`
}

/** Returns the Atom feed of a blog. */
export const printFeed = ({ blog, entries }: Listed<Entry & { html: string | null }>, origin: string): string => {
  const home = `${origin}/@${blog.username}/`
  const name = escape(nameOf(blog))
  const last = Math.max(...entries.map(({ changed_at, published_at }) => Math.max(changed_at, published_at)))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${blog.primary_language}">
    <id>${home}feed.atom</id>
    <title>${name}</title>
    <link rel="self" type="application/atom+xml" href="${home}feed.atom" />
    <link rel="alternate" type="text/html" href="${home}" />
    <updated>${iso(last)}</updated>
    <author><name>${name}</name></author>
    ${entries.map((entry) => printEntry(entry, blog, home)).join("")}
  </feed>`
}
