import { html, raw } from "hono/html"

import { blogUrl, listUrl, pageUrl, type Places } from "../addresses.ts"
import { mediaPath, sourceSet } from "../images/image.ts"
import { MAX_COUNTED_PAGES } from "../limits.ts"
import { nameOfBlog, renderDay, renderDocument } from "./layout.ts"
import { type Blog, type ListEntry, languageOf, type ListedPosts } from "./store.ts"
import { wordsFor } from "./words.ts"

export interface ListPage {
  blog: Blog
  entries: ListEntry[]
  hasOlder: boolean
  listed: ListedPosts
  /** BCP 47 code in the address, or null. Links to other pages of the list keep it. */
  lang: string | null
  places: Places
}

/** Returns the absolute address of a page of a list. @param beside the post from which it is found, if it is known */
export const addressOf = (
  { listed, blog, places }: Pick<ListPage, "listed" | "blog" | "places">,
  page: number,
  lang: string | null,
  { after, before }: Pick<ListedPosts, "after" | "before"> = {},
): string => {
  const { tag, category } = listed
  const base =
    tag !== undefined
      ? listUrl(places, blog, "tags", tag)
      : category !== undefined
        ? listUrl(places, blog, "categories", category)
        : blogUrl(places, blog)
  const query = new URLSearchParams({
    ...(lang && { lang }),
    ...(page > 1 && { page: String(page) }),
    ...(after !== undefined && { after }),
    ...(page > 1 && before !== undefined && { before }),
  })
  return query.size > 0 ? `${base}?${query.toString()}` : base
}

const entryOf = ({ blog, places }: ListPage, entry: ListEntry) => {
  const { slug, lang_code, primary_language, published_at, cover_id, cover_width, cover_height, cover_smaller } = entry
  const href = pageUrl(places, blog, slug, lang_code === primary_language ? undefined : lang_code)
  const cover =
    cover_id &&
    html`<img
      src="${mediaPath(blog.username, cover_id)}"
      ${raw(sourceSet(blog.username, { id: cover_id, width: cover_width ?? 0, smaller_widths: cover_smaller ?? [] }))}
      alt=""
      width="${cover_width}"
      height="${cover_height}"
      loading="lazy"
    />`
  return html`<li lang="${lang_code}">
    <article class="h-entry">
      <h2>
        <a class="p-name u-url" href="${href}"><bdi>${entry.title}</bdi></a>
      </h2>
      <p class="byline">${published_at && renderDay(published_at, lang_code)}</p>
      ${cover}
      <p class="p-summary"><bdi>${entry.meta_description}</bdi></p>
    </article>
  </li>`
}

const pagerOf = (page: ListPage, lang: string) => {
  const { listed, hasOlder, blog, entries } = page
  if (listed.page === 1 && !hasOlder) return null
  const words = wordsFor(lang)
  const previous = addressOf(page, listed.page - 1, page.lang, { before: entries[0]?.slug })
  const newer = listed.page > 1 && html`<a rel="next" href="${previous}">${words.newer}</a>`
  const next = addressOf(page, listed.page + 1, page.lang, { after: entries.at(-1)?.slug })
  const older = hasOlder && html`<a rel="prev" href="${next}">${words.older}</a>`
  return html`<nav class="pager" aria-label="${nameOfBlog(blog)}">${older} ${newer}</nav>`
}

const headingOf = ({ listed, blog }: ListPage): string =>
  listed.tag !== undefined ? `#${listed.tag}` : (listed.category ?? nameOfBlog(blog))

/** Renders a page of a blog's posts: all, or those with a tag or in a category. */
export const renderListPage = (page: ListPage) => {
  const { blog, entries, listed, places } = page
  const lang = languageOf(page)
  const isHome = listed.tag === undefined && listed.category === undefined
  const heading = headingOf(page)
  // Any other `?lang=` would be a second page with the same posts for search engines.
  const beside = listed.page > MAX_COUNTED_PAGES ? listed : {}
  const address = addressOf(page, listed.page, lang === blog.primary_language ? null : lang, beside)
  const head = html`<link rel="canonical" href="${address}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${heading}" />
    <meta property="og:url" content="${address}" />
    <meta property="og:site_name" content="${nameOfBlog(blog)}" />
    ${blog.blog_description && html`<meta property="og:description" content="${blog.blog_description}" />`}
    <meta name="twitter:card" content="summary" />`
  const about = isHome && blog.blog_description && html`<p class="about"><bdi>${blog.blog_description}</bdi></p>`
  const list =
    entries.length > 0
      ? html`<div class="h-feed">
          <data class="p-name" value="${heading}"></data>
          <ul class="posts">
            ${entries.map((entry) => entryOf(page, entry))}
          </ul>
        </div>`
      : html`<p>${wordsFor(lang).empty}</p>`
  return renderDocument({
    blog,
    places,
    lang,
    title: isHome ? heading : `${heading} · ${nameOfBlog(blog)}`,
    description: isHome ? blog.blog_description : null,
    head,
    content: html`<h1><bdi>${heading}</bdi></h1>
      ${about} ${list} ${pagerOf(page, lang)}`,
    isHome,
  })
}
