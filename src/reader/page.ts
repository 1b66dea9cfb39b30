import { html, raw } from "hono/html"

import { blogOrigin, blogUrl, type ListKind, listUrl, pageUrl, type Places } from "../addresses.ts"
import type { Warning } from "../http/validate.ts"
import { mediaPath, sourceSet } from "../images/image.ts"
import { byLanguage } from "../language.ts"
import { type Readable, readableLanguages } from "../posts/post.ts"
import { renderBody } from "./body.ts"
import { nameOfAuthor, nameOfBlog, renderDay, renderDocument } from "./layout.ts"
import { type ListEntry, type PageOfPost, updatedAt } from "./store.ts"
import { wordsFor } from "./words.ts"

/** A page of a post: the post with its blog and neighbours, its text in one language, and where its other languages are. */
export interface Page extends PageOfPost {
  /** The text to show, with its HTML. */
  text: Readable["texts"][number]
  places: Places
  /** Returns the absolute address of the page in a translation, by default in the source language. */
  address: (lang?: string) => string
  /** Only readers with a link see the page: its head tells search engines nothing. */
  isPreview: boolean
  /** The warnings about the typed text of a preview. */
  warnings?: Warning[]
}

const addressIn = ({ post, address }: Page, lang: string): string =>
  address(lang === post.primary_language ? undefined : lang)

/** Returns the name of a language in that language: `Deutsch` for `de`. */
const nameOf = byLanguage((lang) => new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang)

const languagesOf = (page: Page) => {
  const { post, text } = page
  const languages = readableLanguages(post)
  if (languages.length < 2) return null
  const links = languages.map((lang) =>
    lang === text.lang_code
      ? html`<li><span aria-current="page" lang="${lang}">${nameOf(lang)}</span></li>`
      : html`<li><a href="${addressIn(page, lang)}" hreflang="${lang}" lang="${lang}">${nameOf(lang)}</a></li>`,
  )
  return html`<nav aria-label="${wordsFor(text.lang_code).languages}">
    <ul class="languages">
      ${links}
    </ul>
  </nav>`
}

/** Renders a line that a machine has translated the body, with a link to the source text, unless the account shows none. */
const translationNoteOf = (page: Page) => {
  const { post, text, blog, address } = page
  const source = post.primary_language
  if (!blog.shows_translation_note || text.lang_code === source || text.edited.includes("body")) return null
  // The words of an unknown language are English, also on a page from right to left.
  return html`<p class="byline">
    <bdi
      >${wordsFor(text.lang_code).original}
      <a href="${address()}" hreflang="${source}" lang="${source}"><bdi>${nameOf(source)}</bdi></a></bdi
    >
  </p>`
}

/** Renders links to the lists of a post's labels; of a page, which no list shows, the labels alone. */
const linksOf = ({ blog, places, post }: Page, kind: ListKind, names: string[], mark = "") =>
  names.map((name) => {
    const label = html`<bdi>${mark}<span class="p-category">${name}</span></bdi>`
    return html`<li>${post.listed ? html`<a href="${listUrl(places, blog, kind, name)}">${label}</a>` : label}</li>`
  })

const bylineOf = (page: Page) => {
  const { author, published_at, categories } = page.post
  const user = `@${author}`
  const name = nameOfAuthor(page.blog, page.post)
  const isNamed = name !== user
  const link = html`<a rel="author" class="u-url${isNamed ? "" : " p-name"}" href="${blogUrl(page.places, page.blog)}"
    ><bdi>${user}</bdi></a
  >`
  const date = published_at && html` · ${renderDay(published_at, page.text.lang_code)}`
  return html`<p class="byline">
      <span class="p-author h-card">${isNamed && html`<bdi class="p-name">${name}</bdi> `}${link}</span>${date}
    </p>
    <ul class="labels">
      ${linksOf(page, "categories", categories)}
    </ul>`
}

const coverOf = ({ post: { author, cover, cover_alt }, images }: Page) => {
  if (!cover) return null
  const stored = images.find(({ id }) => id === cover.id)
  return html`<img
    class="cover u-featured"
    src="${mediaPath(author, cover.id)}"
    ${stored && raw(sourceSet(author, stored))}
    alt="${cover_alt ?? ""}"
    width="${cover.width}"
    height="${cover.height}"
  />`
}

const tagsOf = (page: Page) =>
  page.post.tags.length > 0 &&
  html`<footer>
    <ul class="labels">
      ${linksOf(page, "tags", page.post.tags, "#")}
    </ul>
  </footer>`

const neighbourOf = ({ blog, places, text }: Page, entry: ListEntry | null, rel: "prev" | "next") => {
  if (!entry) return null
  const words = wordsFor(text.lang_code)
  const lang = entry.lang_code === entry.primary_language ? undefined : entry.lang_code
  const href = pageUrl(places, blog, entry.slug, lang)
  return html`<a rel="${rel}" href="${href}">
    <span>${rel === "prev" ? words.older : words.newer}</span>
    <bdi lang="${entry.lang_code}">${entry.title}</bdi>
  </a>`
}

const neighboursOf = (page: Page) => {
  const { older, newer, text, blog } = page
  if (!older && !newer) return null
  const label = nameOfBlog(blog)
  return html`<nav class="pager" aria-label="${label}" lang="${text.lang_code}">
    ${neighbourOf(page, older, "prev")} ${neighbourOf(page, newer, "next")}
  </nav>`
}

/** Encodes data for a script element, which no text in it can end. */
const toJsonLd = (data: object) => raw(JSON.stringify(data).replaceAll("<", "\\u003c"))

const coverUrl = ({ post, blog, places }: Page): string | null =>
  post.cover && `${blogOrigin(places, blog)}${mediaPath(post.author, post.cover.id)}`

/** Renders what other sites and search engines read: Open Graph, Twitter's card, and a BlogPosting of schema.org. */
const socialOf = (page: Page) => {
  const { post, text, blog, places } = page
  const url = addressIn(page, text.lang_code)
  const image = coverUrl(page)
  const published = post.published_at?.toISOString()
  const updated = updatedAt({ ...post, ...text }).toISOString()
  const posting = {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: text.title,
    description: text.meta_description,
    inLanguage: text.lang_code,
    url,
    mainEntityOfPage: url,
    datePublished: published,
    dateModified: updated,
    author: { "@type": "Person", name: nameOfAuthor(blog, post), url: blogUrl(places, blog) },
    ...(image && { image }),
    keywords: post.tags,
    articleSection: post.categories,
  }
  return html`<meta property="og:type" content="article" />
    <meta property="og:title" content="${text.title}" />
    <meta property="og:description" content="${text.meta_description}" />
    <meta property="og:url" content="${url}" />
    <meta property="og:site_name" content="${nameOfBlog(blog)}" />
    <meta property="og:locale" content="${text.lang_code.replaceAll("-", "_")}" />
    <meta property="article:published_time" content="${published}" />
    <meta property="article:modified_time" content="${updated}" />
    ${post.tags.map((tag) => html`<meta property="article:tag" content="${tag}" />`)}
    ${
      image &&
      html`<meta property="og:image" content="${image}" />
        <meta property="og:image:width" content="${post.cover?.width}" />
        <meta property="og:image:height" content="${post.cover?.height}" />`
    }
    <meta name="twitter:card" content="${image ? "summary_large_image" : "summary"}" />
    <script type="application/ld+json">
      ${toJsonLd(posting)}
    </script>`
}

const headOf = (page: Page) => {
  const { post, text, blog, isPreview } = page
  const author = html`<meta name="author" content="${nameOfAuthor(blog, post)}" />`
  if (isPreview) return author
  const original = text.lang_code === post.primary_language ? post.canonical_url : null
  const languages = readableLanguages(post)
  const alternates = languages.map(
    (lang) => html`<link rel="alternate" hreflang="${lang}" href="${addressIn(page, lang)}" />`,
  )
  return html`${author}
    <link rel="canonical" href="${original ?? addressIn(page, text.lang_code)}" />
    ${alternates}
    ${languages.length > 1 && html`<link rel="alternate" hreflang="x-default" href="${page.address()}" />`}
    ${socialOf(page)}`
}

/** Renders the page of a post, with microformats (h-entry), in the language of `text`, which has its HTML. */
export const renderPage = (page: Page) => {
  const { post, text, blog, places, isPreview } = page
  const home = blogUrl(places, blog)
  const { warnings = [] } = page
  const mark = isPreview && html`<p class="preview">${wordsFor(text.lang_code).preview}</p>`
  const remarks =
    warnings.length > 0 &&
    html`<ul class="preview" lang="en" dir="ltr">
      ${warnings.map(({ message }) => html`<li>${message}</li>`)}
    </ul>`
  const shown = {
    lang: text.lang_code,
    username: blog.username,
    home,
    images: page.images,
    hasCover: post.cover !== null,
  }
  const content = html`${mark} ${remarks}
    <article class="h-entry">
      <header>
        <h1 class="p-name">${text.title}</h1>
        ${bylineOf(page)} ${translationNoteOf(page)} ${languagesOf(page)}
      </header>
      <data class="u-url" value="${addressIn(page, text.lang_code)}"></data>
      <data class="p-summary" value="${text.meta_description}"></data>
      <data class="dt-updated" value="${updatedAt({ ...post, ...text }).toISOString()}"></data>
      ${coverOf(page)}
      <div class="e-content">${raw(renderBody(text.html ?? "", shown))}</div>
      ${tagsOf(page)}
    </article>
    ${neighboursOf(page)}`
  return renderDocument({
    blog,
    places,
    lang: text.lang_code,
    title: text.title ?? "",
    description: text.meta_description,
    head: headOf(page),
    content,
  })
}
