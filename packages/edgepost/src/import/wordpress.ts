import { XMLParser } from "fast-xml-parser"

import { readDate } from "../folder/dates.ts"
import { decode } from "../site.ts"
import { UsageError } from "../usage-error.ts"
import { type Fields, fieldsIn, isFields, listIn, textIn } from "./data.ts"
import { lineOf, parseHtml } from "./html.ts"
import { type Imported, type ImportedPost, readInto, timing } from "./post.ts"
import { type Attachment, renderWordPress } from "./wordpress-text.ts"

// Reads what WordPress exports: RSS with fields of its own, called WXR.

const MAX_NESTING = 100
const ADVICE = "Export it in WordPress at Tools → Export."

/** Checks XML before it is parsed: a document type could define entities that multiply, and deep nesting takes memory. @throws UsageError */
const checkXml = (xml: string): void => {
  let depth = 0
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", at + 1)) {
    const end = xml.startsWith("<![CDATA[", at) ? "]]>" : xml.startsWith("<!--", at) ? "-->" : ">"
    const next = xml[at + 1]
    if (next === "!" && end === ">")
      throw new UsageError("The XML has a document type, which no export of WordPress has.", ADVICE)
    const close = xml.indexOf(end, at)
    if (close < 0) throw new UsageError("The XML ends within a tag.", "Download the export again.")
    if (next === "/") depth -= 1
    else if (next !== "!" && next !== "?" && xml[close - 1] !== "/") depth += 1
    if (depth > MAX_NESTING)
      throw new UsageError(`The XML is nested over ${MAX_NESTING} deep, which no export is.`, ADVICE)
    at = close
  }
}

const LISTS = new Set(["item", "category", "wp:postmeta", "wp:author"])

const parseXml = (xml: string): Fields => {
  checkXml(xml)
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseTagValue: false,
    trimValues: false,
    maxNestedTags: MAX_NESTING,
    isArray: (name) => LISTS.has(name),
    processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  })
  try {
    const data: unknown = parser.parse(xml)
    return isFields(data) ? fieldsIn(fieldsIn(data, "rss"), "channel") : {}
  } catch (error) {
    throw new UsageError(`The XML cannot be read: ${(error as Error).message.split("\n")[0]}.`, ADVICE)
  }
}

/** Returns the text of an element, with or without attributes. */
const valueIn = (item: Fields, name: string): string =>
  (textIn(item, name) || textIn(fieldsIn(item, name), "#text")).trim()

const metaOf = (item: Fields): Map<string, string> =>
  new Map(listIn(item, "wp:postmeta").map((meta) => [valueIn(meta, "wp:meta_key"), valueIn(meta, "wp:meta_value")]))

const labelsOf = (item: Fields, domain: string): string[] =>
  listIn(item, "category")
    .filter((label) => textIn(label, "@domain") === domain)
    .map((label) => textIn(label, "#text").trim())

/** Returns the time of a post, and what is to say about it. */
const timeOf = (item: Fields): { time: number; warnings: string[] } => {
  const read = (name: string): number => {
    const date = readDate(valueIn(item, name), "UTC")
    return "time" in date ? date.time : Number.NaN
  }
  const [time, local] = [read("wp:post_date_gmt"), read("wp:post_date")]
  if (!Number.isNaN(time) || Number.isNaN(local)) return { time, warnings: [] }
  return { time: local, warnings: ["It has a date without a time zone, which is taken as UTC."] }
}

/** Tells whether a kind of posts is one of WordPress itself. Matches `wp_block`, `revision`. Does not match `page`. */
const isInternal = (type: string): boolean =>
  /^(?:attachment|revision|nav_menu_item|custom_css|customize_changeset|oembed_cache|user_request|wp_.*)$/.test(type)

const STATUSES: Record<string, string> = {
  private: "It is private, and so it is a draft.",
  pending: "It waits for a review, and so it is a draft.",
}

/** Data that the posts of an export share. */
interface Site {
  lang: string | null
  /** Names of authors by their logins. */
  authors: Map<string, string>
  attachments: Map<string, Attachment>
  /** Images by the post that they were uploaded to. */
  uploads: Map<string, Attachment[]>
}

const siteOf = (channel: Fields): Site => {
  const authors = listIn(channel, "wp:author").map(
    (author) => [valueIn(author, "wp:author_login"), valueIn(author, "wp:author_display_name")] as const,
  )
  const images = listIn(channel, "item")
    .filter((item) => valueIn(item, "wp:post_type") === "attachment" && valueIn(item, "wp:attachment_url") !== "")
    .map((item) => ({
      id: valueIn(item, "wp:post_id"),
      parent: valueIn(item, "wp:post_parent"),
      url: valueIn(item, "wp:attachment_url"),
      alt: metaOf(item).get("_wp_attachment_image_alt") ?? "",
      caption: valueIn(item, "excerpt:encoded"),
    }))
  return {
    lang: valueIn(channel, "language") || null,
    authors: new Map(authors),
    attachments: new Map(images.map((image) => [image.id, image])),
    uploads: Map.groupBy(images, ({ parent }) => parent),
  }
}

const nameOf = (item: Fields): string =>
  decode(valueIn(item, "wp:post_name")) || valueIn(item, "title") || valueIn(item, "wp:post_id")

const readPost = (item: Fields, site: Site, now: Date): ImportedPost => {
  const { time, warnings } = timeOf(item)
  const status = valueIn(item, "wp:status")
  const isLocked = valueIn(item, "wp:post_password") !== ""
  const isDated = status !== "draft" && status !== "pending"
  const isPublic = (status === "publish" || status === "future") && !isLocked
  const when = timing(isDated ? time : Number.NaN, isPublic, now)
  const hidden = isLocked ? "It has a password, and so it is a draft." : STATUSES[status]
  const meta = metaOf(item)
  const uploads = site.uploads.get(valueIn(item, "wp:post_id")) ?? []
  const { html, kept } = renderWordPress(textIn(item, "content:encoded"), site.attachments, uploads)
  const author = valueIn(item, "dc:creator")
  const link = valueIn(item, "link")
  const canonical = meta.get("_yoast_wpseo_canonical") ?? ""
  return {
    ...when,
    name: nameOf(item),
    slug: decode(valueIn(item, "wp:post_name")) || null,
    title: lineOf(parseHtml(valueIn(item, "title"))),
    // WordPress gives this one to posts that have none.
    categories: labelsOf(item, "category").filter((label) => label !== "Uncategorized"),
    tags: labelsOf(item, "post_tag"),
    meta_description: meta.get("_yoast_wpseo_metadesc") || lineOf(parseHtml(valueIn(item, "excerpt:encoded"))) || null,
    cover: site.attachments.get(meta.get("_thumbnail_id") ?? "")?.url ?? null,
    canonical_url: canonical === link ? null : canonical || null,
    // A login may be an e-mail address.
    author_name: site.authors.get(author) || (author.includes("@") ? null : author) || null,
    lang: site.lang,
    addresses: status === "publish" && link !== "" ? [link, `/?p=${valueIn(item, "wp:post_id")}`] : [],
    content: () => parseHtml(html),
    warnings: [
      ...(isDated ? warnings : []),
      ...when.warnings,
      ...(hidden === undefined ? [] : [hidden]),
      ...kept.map((name) => `The shortcode [${name}] stays as text.`),
    ],
  }
}

/** Reads an export of WordPress. @throws UsageError */
export const readWordPress = (xml: string, now: Date): Imported => {
  const channel = parseXml(xml)
  if (valueIn(channel, "wp:wxr_version") === "")
    throw new UsageError("The XML is no export of WordPress: it has no version of WXR.", ADVICE)
  const site = siteOf(channel)
  const siteUrl = valueIn(channel, "wp:base_blog_url") || valueIn(channel, "link") || null
  const imported: Imported = { posts: [], leftOut: [], siteUrl }
  for (const item of listIn(channel, "item")) {
    const [type, status] = [valueIn(item, "wp:post_type"), valueIn(item, "wp:status")]
    if (isInternal(type) || status === "auto-draft" || status === "inherit") continue
    if (type === "post" && status !== "trash") readInto(imported, nameOf(item), () => readPost(item, site, now))
    else
      imported.leftOut.push({
        post: nameOf(item),
        message: type === "post" ? "It is in the trash." : `It is a ${type}, and not a post.`,
      })
  }
  return imported
}
