import { html } from "hono/html"

import { blogOrigin, blogUrl, pageUrl, type Places } from "../addresses.ts"
import { mediaPath } from "../images/image.ts"
import { nameOfAuthor, nameOfBlog } from "./layout.ts"
import { type Blog, type ListEntry, languageOf, updatedAt } from "./store.ts"

/** A blog's newest posts, at most `MAX_FEED_POSTS`, with the HTML of those that fit. `findFeed` in store.ts reads them. */
export interface Feed {
  blog: Blog
  entries: (ListEntry & { html: string | null })[]
  /** BCP 47 code in the address, or null. */
  lang: string | null
  places: Places
}

const urlOf = ({ blog, places }: Feed, { slug, lang_code, primary_language }: ListEntry): string =>
  pageUrl(places, blog, slug, lang_code === primary_language ? undefined : lang_code)

/** Returns the time of the last change in a feed; null without entries. */
export const lastChange = ({ entries }: Feed): Date | null =>
  entries.map(updatedAt).reduce<Date | null>((last, time) => (last && last > time ? last : time), null)

/** Matches a tag with a quoted attribute, `<a href="/x">`. Does not match `<p>`, `</a>`, nor a tag inside an attribute. */
const TAG_WITH_ATTRIBUTE = /<[a-z][^"<>]*(?:"[^"]*"[^"<>]*)+>/g

/** Matches the start of a relative address, ` href="/`, ` src="//` or ` cite="#`. Does not match ` href="https:`. */
const RELATIVE = / (href|src|cite)="(?![a-z][a-z0-9+.-]*:)(\/{0,2})/g

/** Returns HTML whose addresses are absolute: readers of feeds are on other sites. @param page the URL of the post */
const toAbsolute = (content: string, origin: string, page: string): string => {
  const { protocol } = new URL(origin)
  const starts: Record<string, string> = { "": page, "/": `${origin}/`, "//": `${protocol}//` }
  return content.replaceAll(TAG_WITH_ATTRIBUTE, (tag) =>
    tag.replaceAll(RELATIVE, (_, name: string, slashes: string) => ` ${name}="${starts[slashes]}`),
  )
}

/** Matches the characters that XML 1.0 forbids, such as NUL. Does not match a tab, nor half a surrogate pair, which UTF-8 replaces. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g

const addressOf = ({ blog, lang, places }: Feed, file: string): string =>
  blogUrl(places, blog, lang ? `${file}?lang=${lang}` : file)

const coverUrl = ({ blog, places }: Feed, { cover_id }: ListEntry): string | null =>
  cover_id && `${blogOrigin(places, blog)}${mediaPath(blog.username, cover_id)}`

/** Renders the cover of an entry by Media RSS, which readers know in Atom as well. */
const mediaOf = (feed: Feed, entry: ListEntry) => {
  const url = coverUrl(feed, entry)
  const { cover_width: width, cover_height: height } = entry
  return (
    url && html`<media:content url="${url}" type="image/webp" medium="image" width="${width}" height="${height}" />`
  )
}

/** Returns a text as HTML, which readers of RSS take descriptions for. Quotes stay, for those that show it as it is. */
const asHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const atomEntry = (feed: Feed, entry: Feed["entries"][number]) => {
  const { blog, places } = feed
  const url = urlOf(feed, entry)
  const content = entry.html === null ? null : toAbsolute(entry.html, blogOrigin(places, blog), url)
  return html` <entry xml:lang="${entry.lang_code}">
    <id>${url}</id>
    <title>${entry.title}</title>
    <link rel="alternate" type="text/html" href="${url}" />
    <published>${entry.published_at?.toISOString()}</published>
    <updated>${updatedAt(entry).toISOString()}</updated>
    <author><name>${nameOfAuthor(blog, entry)}</name></author>
    ${[...entry.categories, ...entry.tags].map((term) => html`<category term="${term}" />`)}
    <summary>${entry.meta_description}</summary>
    ${mediaOf(feed, entry)} ${content !== null && html`<content type="html">${content}</content>`}
  </entry>`
}

/** Renders an Atom 1.0 feed (RFC 4287). */
export const renderAtom = async (feed: Feed): Promise<string> => {
  const { blog, entries, places } = feed
  const written = await html`<feed
    xmlns="http://www.w3.org/2005/Atom"
    xmlns:media="http://search.yahoo.com/mrss/"
    xml:lang="${languageOf(feed)}"
  >
    <id>${addressOf(feed, "feed.atom")}</id>
    <title>${nameOfBlog(blog)}</title>
    ${blog.blog_description && html`<subtitle>${blog.blog_description}</subtitle>`}
    <link rel="self" type="application/atom+xml" href="${addressOf(feed, "feed.atom")}" />
    <link rel="alternate" type="text/html" href="${blogUrl(places, blog)}" />
    <updated>${(lastChange(feed) ?? new Date(0)).toISOString()}</updated>
    <author><name>${nameOfAuthor(blog)}</name></author>
    ${entries.map((entry) => atomEntry(feed, entry))}
  </feed>`
  return `<?xml version="1.0" encoding="utf-8"?>\n${written.toString().replaceAll(FORBIDDEN, "")}`
}

const rssItem = (feed: Feed, entry: Feed["entries"][number]) => {
  const { blog, places } = feed
  const url = urlOf(feed, entry)
  const content = entry.html === null ? null : toAbsolute(entry.html, blogOrigin(places, blog), url)
  return html` <item>
    <title>${entry.title}</title>
    <link>${url}</link>
    <guid>${url}</guid>
    <pubDate>${entry.published_at?.toUTCString()}</pubDate>
    <dc:creator>${nameOfAuthor(blog, entry)}</dc:creator>
    ${[...entry.categories, ...entry.tags].map((term) => html`<category>${term}</category>`)}
    <description>${asHtml(entry.meta_description ?? "")}</description>
    ${mediaOf(feed, entry)}
    ${content !== null && html`<content:encoded>${content}</content:encoded>`}
  </item>`
}

/** Renders an RSS 2.0 feed (rssboard.org), with the content and the authors in the usual modules. */
export const renderRss = async (feed: Feed): Promise<string> => {
  const { blog, entries, places } = feed
  const written = await html`<rss
    version="2.0"
    xmlns:atom="http://www.w3.org/2005/Atom"
    xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:media="http://search.yahoo.com/mrss/"
  >
    <channel>
      <title>${nameOfBlog(blog)}</title>
      <link>${blogUrl(places, blog)}</link>
      <description>${asHtml(blog.blog_description ?? nameOfBlog(blog))}</description>
      <language>${languageOf(feed)}</language>
      <lastBuildDate>${(lastChange(feed) ?? new Date(0)).toUTCString()}</lastBuildDate>
      <atom:link rel="self" type="application/rss+xml" href="${addressOf(feed, "feed.rss")}" />
      ${entries.map((entry) => rssItem(feed, entry))}
    </channel>
  </rss>`
  return `<?xml version="1.0" encoding="utf-8"?>\n${written.toString().replaceAll(FORBIDDEN, "")}`
}

const jsonItem = (feed: Feed, entry: Feed["entries"][number]) => {
  const { blog, places } = feed
  const origin = blogOrigin(places, blog)
  const url = urlOf(feed, entry)
  const image = coverUrl(feed, entry)
  return {
    id: url,
    url,
    title: entry.title,
    summary: entry.meta_description,
    ...(entry.html === null
      ? { content_text: entry.meta_description }
      : { content_html: toAbsolute(entry.html, origin, url) }),
    ...(image && { image }),
    date_published: entry.published_at?.toISOString(),
    date_modified: updatedAt(entry).toISOString(),
    authors: [{ name: nameOfAuthor(blog, entry) }],
    tags: [...entry.categories, ...entry.tags],
    language: entry.lang_code,
  }
}

/** Renders a JSON Feed 1.1 (jsonfeed.org). */
export const renderJsonFeed = (feed: Feed): string => {
  const { blog, entries, places } = feed
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: nameOfBlog(blog),
    ...(blog.blog_description && { description: blog.blog_description }),
    home_page_url: blogUrl(places, blog),
    feed_url: addressOf(feed, "feed.json"),
    language: languageOf(feed),
    authors: [{ name: nameOfAuthor(blog), url: blogUrl(places, blog) }],
    items: entries.map((entry) => jsonItem(feed, entry)),
  })
}
