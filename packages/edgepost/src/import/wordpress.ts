import type { Root } from "hast"

import { parseHtml } from "../html/parse.ts"
import { attribute, findTag, hasClass, lineOf } from "../html/tree.ts"
import { decode } from "../site.ts"
import { UsageError } from "../usage-error.ts"
import { type JsonFields, isFields, listIn, textOfField } from "./data.ts"
import { attempt, type Imported, type ImportedPost, timeIn, timing } from "./post.ts"
import { oldAddresses, unreadFields, linksIn } from "./wordpress-beside.ts"
import { hidingMeta } from "./wordpress-hidden.ts"
import type { Attachment } from "./wordpress-shortcodes.ts"
import { type Parts, renderWordPress } from "./wordpress-text.ts"
import { ADVICE, metaOf, openWxr, plainIn, type ReadItem, valueIn } from "./wordpress-xml.ts"

// Reads what WordPress exports: RSS with extra fields, called WXR.

/** Returns the labels of a kind, each once: plugins write an author for each of their lists. */
const labelsOf = (item: JsonFields, domain: string): string[] => {
  const labels = listIn(item, "category").filter((label) => textOfField(label, "@domain") === domain)
  return [...new Set(labels.map((label) => plainIn(label, "#text")))]
}

/** Returns the footnotes of a post by their ids: WordPress keeps them as JSON, beside its text. */
const footnotesIn = (json: string): Map<string, string> => {
  try {
    const notes: unknown = JSON.parse(json)
    const fields = Array.isArray(notes) ? notes.filter(isFields) : []
    return new Map(fields.map((note) => [textOfField(note, "id"), textOfField(note, "content")]))
  } catch {
    return new Map()
  }
}

/** Returns the time of a post, with warnings. */
const timeOf = (item: JsonFields): { time: number; warnings: string[] } => {
  const [time = 0, local = 0] = ["wp:post_date_gmt", "wp:post_date"].map((name) => timeIn(valueIn(item, name)))
  if (!Number.isNaN(time) || Number.isNaN(local)) return { time, warnings: [] }
  return { time: local, warnings: ["It has a date without a time zone, which is taken as UTC."] }
}

/** Tells whether a kind of posts is one of WordPress itself. Matches `wp_template`, `revision`. Does not match `page`. */
const isInternal = (type: string): boolean =>
  /^(?:attachment|revision|nav_menu_item|custom_css|customize_changeset|oembed_cache|user_request|wp_.*)$/.test(type)

const isLocked = (item: JsonFields): boolean => valueIn(item, "wp:post_password") !== ""

/** Says why a post becomes a draft though it is none in WordPress; null if there is no reason. */
const hiddenBecause = (item: JsonFields, meta: Map<string, string>, part: string | undefined): string | null => {
  const status = valueIn(item, "wp:status")
  const audience = meta.get("_jetpack_newsletter_access") || "everybody"
  const field = hidingMeta(meta)
  if (isLocked(item)) return "It has a password, so it becomes a draft."
  if (!["publish", "future", "draft"].includes(status)) return `Its status is “${status}”, so it becomes a draft.`
  if (status === "draft") return null
  if (audience !== "everybody") return `Only ${audience} can read it, so it becomes a draft.`
  if (field !== undefined) return `Its field “${field}” may keep readers away, so it becomes a draft.`
  return part === undefined ? null : `It has a part that not all readers see (${part}), so it becomes a draft.`
}

/** Copies what is kept: a part of a text keeps the whole text in memory. */
const copy = structuredClone

/** Fields that the posts of an export share. */
interface Site {
  /** Its address, without a slash at the end; empty if the export does not say it. */
  url: string
  lang: string | null
  /** Names of authors by their logins. */
  authors: Map<string, string>
  attachments: Parts["attachments"]
  uploads: Parts["uploads"]
  shared: Parts["shared"]
  /** Addresses of all uploads. */
  urls: Set<string>
  /** Addresses of all pages of the old site. */
  pages: Set<string>
}

const siteOf = (channels: JsonFields[]): Site => {
  const [first = {}] = channels
  const authors = channels
    .flatMap((channel) => listIn(channel, "wp:author"))
    .map((author) => [valueIn(author, "wp:author_login"), plainIn(author, "wp:author_display_name")] as const)
  return {
    // Matches the slash at the end.
    url: (valueIn(first, "wp:base_blog_url") || valueIn(first, "link")).replace(/\/$/, ""),
    lang: valueIn(first, "language") || null,
    authors: new Map(authors),
    attachments: new Map(),
    uploads: new Map(),
    shared: new Map(),
    urls: new Set(),
    pages: new Set(),
  }
}

/** Notes what other posts may name: a page, an upload, a shared block. */
const addTo = (site: Site, item: JsonFields): void => {
  const [type, id] = [valueIn(item, "wp:post_type"), valueIn(item, "wp:post_id")]
  const isPublic = valueIn(item, "wp:status") === "publish"
  if (isPublic) site.pages.add(copy(valueIn(item, "link")))
  if (type === "wp_block" && isPublic && !isLocked(item)) site.shared.set(id, textOfField(item, "content:encoded"))
  const url = valueIn(item, "wp:attachment_url")
  if (type !== "attachment" || url === "") return
  const file: Attachment = copy({
    id,
    title: plainIn(item, "title"),
    date: valueIn(item, "wp:post_date"),
    order: Number(valueIn(item, "wp:menu_order")),
    url,
    alt: metaOf(item).get("_wp_attachment_image_alt") ?? "",
    caption: valueIn(item, "excerpt:encoded"),
  })
  const parent = copy(valueIn(item, "wp:post_parent"))
  const uploads = site.uploads.get(parent) ?? []
  uploads.push(file)
  site.attachments.set(file.id, file)
  site.uploads.set(parent, uploads)
  site.urls.add(file.url)
}

const nameOf = (item: JsonFields): string =>
  decode(valueIn(item, "wp:post_name")) || valueIn(item, "title") || valueIn(item, "wp:post_id")

/** Parses the text of a post. A scaled copy of an image becomes the image, as far as the export has it. */
const parseText = (html: string, { urls }: Site): Root => {
  const tree = parseHtml(html)
  for (const image of findTag(tree, "img")) {
    // Matches the size in `a-300x200.jpg`. Does not match `a-300.jpg`.
    const variants = ["", "-scaled", "-rotated"].map((end) =>
      attribute(image, "src").replace(/-\d+x\d+(?=\.\w+$)/, end),
    )
    const whole = variants.find((url) => urls.has(url))
    if (whole !== undefined) image.properties["src"] = whole
  }
  for (const span of findTag(tree, "span")) if (hasClass(span, "crayon-inline")) span.tagName = "code"
  return tree
}

/** Renders the text of a post, with what readers of the old site see beside it. */
const render = (item: JsonFields, site: Site): ReturnType<typeof renderWordPress> => {
  const content = textOfField(item, "content:encoded")
  const footnotes = footnotesIn(metaOf(item).get("footnotes") ?? "")
  const text = renderWordPress(content, { ...site, post: valueIn(item, "wp:post_id"), footnotes })
  return { ...text, html: text.html + linksIn(item, content) }
}

/** Characters of HTML that are not parsed twice. */
const SHORT_CHARS = 50_000

const readPost = (read: ReadItem, site: Site, now: Date): ImportedPost => {
  const item = read()
  const { time, warnings } = timeOf(item)
  const status = valueIn(item, "wp:status")
  const meta = metaOf(item)
  const text = render(item, site)
  const hidden = hiddenBecause(item, meta, text.hidden)
  const isDated = status !== "draft" && status !== "pending"
  const isPublic = hidden === null && status !== "draft"
  const when = timing(isDated ? time : Number.NaN, isPublic, now)
  const thumbnail = meta.get("_thumbnail_id") ?? ""
  const cover = site.attachments.get(thumbnail)
  // Plugins for several authors keep them as labels. An e-mail address must not become public.
  const several = labelsOf(item, "author").filter((name) => !name.includes("@"))
  const author = site.authors.get(valueIn(item, "dc:creator")) ?? ""
  const seo = (...keys: string[]): string | undefined =>
    // Matches a template, `%%title%%` and `#post_title`. Does not match `100%`.
    keys.map((key) => meta.get(key) ?? "").find((value) => value !== "" && !/%%|%\w+%|#\w+_\w+/.test(value))
  const fields = copy({
    ...when,
    name: nameOf(item),
    slug: decode(valueIn(item, "wp:post_name")) || null,
    title: plainIn(item, "title"),
    // WordPress gives this one to posts that have none.
    categories: labelsOf(item, "category").filter((label) => label !== "Uncategorized"),
    tags: labelsOf(item, "post_tag"),
    meta_description:
      seo("_yoast_wpseo_metadesc", "rank_math_description", "_aioseo_description") ||
      plainIn(item, "excerpt:encoded") ||
      null,
    cover: cover?.url ?? null,
    cover_alt: cover?.alt ?? "",
    cover_caption: lineOf(parseHtml(cover?.caption ?? "")),
    canonical_url: seo("_yoast_wpseo_canonical", "rank_math_canonical_url") ?? null,
    author_name: several.join(", ") || (author.includes("@") ? "" : author) || null,
    lang: site.lang,
    addresses: oldAddresses(item, site),
    warnings: [
      ...(isDated ? warnings : []),
      ...when.warnings,
      ...(hidden === null ? [] : [hidden]),
      ...(Number(thumbnail) > 0 && cover === undefined ? ["Its featured image is not in the export."] : []),
      ...text.warnings,
      ...unreadFields(meta),
    ],
  })
  return {
    ...fields,
    isShort: text.html.length <= SHORT_CHARS,
    content: () => parseText(render(read(), site).html, site),
  }
}

/** Reads an export of WordPress: one XML text, or several of one site. @throws UsageError */
export const readWordPress = (texts: Buffer[], now: Date): Imported => {
  const opened = texts.map(openWxr)
  const channels = opened.map(({ channel }) => channel)
  if (channels.some((channel) => valueIn(channel, "wp:wxr_version") === ""))
    throw new UsageError("The XML is not a WordPress export: it has no WXR version.", ADVICE)
  const site = siteOf(channels)
  const siteUrl = URL.canParse(site.url) ? site.url : null
  const imported: Imported = { id: site.url, posts: [], leftOut: [], siteUrl }
  const posts: { name: string; read: ReadItem }[] = []
  for (const read of opened.flatMap(({ items }) => items)) {
    const item = read()
    addTo(site, item)
    const [type, status] = [valueIn(item, "wp:post_type"), valueIn(item, "wp:status")]
    if (isInternal(type) || status === "auto-draft" || status === "inherit") continue
    if (type === "post" && status !== "trash") posts.push({ name: copy(nameOf(item)), read })
    else
      imported.leftOut.push({
        post: copy(nameOf(item)),
        message: type === "post" ? "It is in the trash." : `It is of the type “${type}”, and not a post.`,
      })
  }
  for (const { name, read } of posts) attempt(imported, name, () => imported.posts.push(readPost(read, site, now)))
  return imported
}
