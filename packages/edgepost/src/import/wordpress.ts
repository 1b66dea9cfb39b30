import { XMLParser } from "fast-xml-parser"
import type { Root } from "hast"

import { parseHtml } from "../html/parse.ts"
import { attribute, findTag, lineOf } from "../html/tree.ts"
import { decode } from "../site.ts"
import { UsageError } from "../usage-error.ts"
import { type JsonFields, fieldsIn, isFields, listIn, textOfField } from "./data.ts"
import { attempt, type Imported, type ImportedPost, timeIn, timing } from "./post.ts"
import type { Attachment } from "./wordpress-shortcodes.ts"
import { type Parts, renderWordPress } from "./wordpress-text.ts"

// Reads what WordPress exports: RSS with extra fields, called WXR.

const MAX_NESTING = 100
/** Tags of an XML text. An export of 10,000 posts has about a million. */
const MAX_TAGS = 3_000_000
const MAX_TAG_CHARS = 10_000
const ADVICE = "Export it in WordPress at Tools → Export."

/** Checks XML before it is parsed: a document type could define entities that multiply, and deep data and many tags take much memory. @throws UsageError */
const checkXml = (xml: string): void => {
  // Matches the beginning of XML, after a byte order mark and whitespace.
  if (!/^\uFEFF?\s*</.test(xml)) throw new UsageError("The file is not XML.", ADVICE)
  let [depth, tags] = [0, 0]
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", at + 1)) {
    const end = xml.startsWith("<![CDATA[", at) ? "]]>" : xml.startsWith("<!--", at) ? "-->" : ">"
    const next = xml[at + 1]
    if (next === "!" && end === ">") throw new UsageError("The XML has a document type (DOCTYPE).", ADVICE)
    const close = xml.indexOf(end, at)
    if (close < 0) throw new UsageError("The XML ends within a tag.", "Download the export again.")
    if (next === "/") depth -= 1
    else if (next !== "!" && next !== "?" && xml[close - 1] !== "/") depth += 1
    if (depth > MAX_NESTING) throw new UsageError(`The XML is nested over ${MAX_NESTING} levels deep.`, ADVICE)
    if (end === ">" && close - at > MAX_TAG_CHARS)
      throw new UsageError(`The XML has a tag of over ${MAX_TAG_CHARS} characters.`, ADVICE)
    tags += 1
    if (tags > MAX_TAGS) throw new UsageError(`The XML has over ${MAX_TAGS} tags.`, "Export fewer posts at once.")
    at = close
  }
  if (depth > 0) throw new UsageError("The XML ends too early: posts at its end are missing.", "Export the blog again.")
}

const LISTS = new Set(["item", "category", "wp:postmeta", "wp:author"])

const parseXml = (xml: string): JsonFields => {
  checkXml(xml)
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseTagValue: false,
    trimValues: false,
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
const valueIn = (item: JsonFields, name: string): string =>
  (textOfField(item, name) || textOfField(fieldsIn(item, name), "#text")).trim()

const metaOf = (item: JsonFields): Map<string, string> =>
  new Map(listIn(item, "wp:postmeta").map((meta) => [valueIn(meta, "wp:meta_key"), valueIn(meta, "wp:meta_value")]))

/** Returns a text that the export has as HTML. */
const plainIn = (item: JsonFields, name: string): string => lineOf(parseHtml(valueIn(item, name)))

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

/** Matches a part that not all readers see: `<!-- wp:jetpack/paywall`, `"blockVisibility":false`, `[members_only]`. Does not match `[gallery]`. */
const GATED =
  /<!--\s+wp:(?:jetpack\/paywall|premium-content\/)|"blockVisibility":\s*false|\[(?:members?|premium|private|restrict|subscri)\w*(?=[\s\]])/i

/** Says why a post becomes a draft though it is none in WordPress; null if there is no reason. */
const hiddenBecause = (item: JsonFields, meta: Map<string, string>): string | null => {
  const status = valueIn(item, "wp:status")
  const audience = meta.get("_jetpack_newsletter_access") || "everybody"
  if (isLocked(item)) return "It has a password, so it becomes a draft."
  if (!["publish", "future", "draft"].includes(status)) return `Its status is “${status}”, so it becomes a draft.`
  if (status === "draft") return null
  if (audience !== "everybody") return `Only ${audience} can read it, so it becomes a draft.`
  return GATED.test(textOfField(item, "content:encoded"))
    ? "It has a part that not all readers see, so it becomes a draft."
    : null
}

/** Fields that the posts of an export share. */
interface Site {
  /** Its address, without a slash at the end; empty if the export does not say it. */
  url: string
  lang: string | null
  /** Names of authors by their logins. */
  authors: Map<string, string>
  attachments: Parts["attachments"]
  /** Uploads by the post that they belong to. */
  uploads: Map<string, Attachment[]>
  shared: Parts["shared"]
  /** Addresses of all uploads. */
  urls: Set<string>
}

const siteOf = (channels: JsonFields[], items: JsonFields[]): Site => {
  const [first = {}] = channels
  const authors = channels
    .flatMap((channel) => listIn(channel, "wp:author"))
    .map((author) => [valueIn(author, "wp:author_login"), plainIn(author, "wp:author_display_name")] as const)
  const shared = items.filter(
    (item) =>
      valueIn(item, "wp:post_type") === "wp_block" && valueIn(item, "wp:status") === "publish" && !isLocked(item),
  )
  const files = items
    .filter((item) => valueIn(item, "wp:post_type") === "attachment" && valueIn(item, "wp:attachment_url") !== "")
    .map((item) => ({
      id: valueIn(item, "wp:post_id"),
      parent: valueIn(item, "wp:post_parent"),
      url: valueIn(item, "wp:attachment_url"),
      alt: metaOf(item).get("_wp_attachment_image_alt") ?? "",
      caption: valueIn(item, "excerpt:encoded"),
    }))
  return {
    // Matches the slash at the end.
    url: (valueIn(first, "wp:base_blog_url") || valueIn(first, "link")).replace(/\/$/, ""),
    lang: valueIn(first, "language") || null,
    authors: new Map(authors),
    attachments: new Map(files.map((each) => [each.id, each])),
    uploads: Map.groupBy(files, ({ parent }) => parent),
    shared: new Map(shared.map((item) => [valueIn(item, "wp:post_id"), textOfField(item, "content:encoded")])),
    urls: new Set(files.map(({ url }) => url)),
  }
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
  return tree
}

const readPost = (item: JsonFields, site: Site, now: Date): ImportedPost => {
  const { time, warnings } = timeOf(item)
  const status = valueIn(item, "wp:status")
  const meta = metaOf(item)
  const hidden = hiddenBecause(item, meta)
  const isDated = status !== "draft" && status !== "pending"
  const isPublic = hidden === null && status !== "draft"
  const when = timing(isDated ? time : Number.NaN, isPublic, now)
  const text = renderWordPress(textOfField(item, "content:encoded"), {
    ...site,
    uploads: site.uploads.get(valueIn(item, "wp:post_id")) ?? [],
    footnotes: footnotesIn(meta.get("footnotes") ?? ""),
  })
  const thumbnail = meta.get("_thumbnail_id") ?? ""
  const cover = site.attachments.get(thumbnail)?.url ?? null
  // Plugins for several authors keep them as labels. An e-mail address must not become public.
  const several = labelsOf(item, "author").filter((name) => !name.includes("@"))
  const author = site.authors.get(valueIn(item, "dc:creator")) ?? ""
  const link = valueIn(item, "link")
  const seo = (...keys: string[]): string | undefined =>
    // Matches a template, `%%title%%` and `#post_title`. Does not match `100%`.
    keys.map((key) => meta.get(key) ?? "").find((value) => value !== "" && !/%%|%\w+%|#\w+_\w+/.test(value))
  const id = valueIn(item, "wp:post_id")
  return {
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
    cover,
    canonical_url: seo("_yoast_wpseo_canonical", "rank_math_canonical_url") ?? null,
    author_name: several.join(", ") || (author.includes("@") ? "" : author) || null,
    lang: site.lang,
    addresses: status === "publish" && link !== "" ? [link, ...(id === "" ? [] : [`${site.url}/?p=${id}`])] : [],
    content: () => parseText(text.html, site),
    warnings: [
      ...(isDated ? warnings : []),
      ...when.warnings,
      ...(hidden === null ? [] : [hidden]),
      ...(Number(thumbnail) > 0 && cover === null ? ["Its featured image is not in the export."] : []),
      ...text.warnings,
    ],
  }
}

/** Reads an export of WordPress: one XML text, or several of one site. @throws UsageError */
export const readWordPress = (texts: string[], now: Date): Imported => {
  const channels = texts.map(parseXml)
  if (channels.some((channel) => valueIn(channel, "wp:wxr_version") === ""))
    throw new UsageError("The XML is not a WordPress export: it has no WXR version.", ADVICE)
  const items = channels.flatMap((channel) => listIn(channel, "item"))
  const site = siteOf(channels, items)
  const siteUrl = URL.canParse(site.url) ? site.url : null
  const imported: Imported = { id: site.url, posts: [], leftOut: [], siteUrl }
  for (const item of items) {
    const [type, status] = [valueIn(item, "wp:post_type"), valueIn(item, "wp:status")]
    if (isInternal(type) || status === "auto-draft" || status === "inherit") continue
    if (type === "post" && status !== "trash")
      attempt(imported, nameOf(item), () => imported.posts.push(readPost(item, site, now)))
    else
      imported.leftOut.push({
        post: nameOf(item),
        message: type === "post" ? "It is in the trash." : `It is of the type “${type}”, and not a post.`,
      })
  }
  return imported
}
