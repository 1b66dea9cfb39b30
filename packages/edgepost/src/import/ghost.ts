import type { Root } from "hast"

import { parseHtml } from "../html/parse.ts"
import { findTag, lineOf } from "../html/tree.ts"
import { UsageError } from "../usage-error.ts"
import { parseJson } from "./archive.ts"
import { type JsonFields, fieldsIn, isFields, listIn, textOfField } from "./data.ts"
import { renderLexical, renderMobiledoc } from "./ghost-text.ts"
import { type Imported, type ImportedPost, type Remark, timeIn, timing } from "./post.ts"

// Reads the JSON that Ghost exports: tables of its database.

/** Returns the tables of an export; an empty object for other JSON. */
const tablesOf = (json: unknown): JsonFields => (isFields(json) ? fieldsIn(listIn(json, "db")[0] ?? json, "data") : {})

/** Tells whether JSON is a Ghost export. */
export const isGhost = (json: unknown): boolean => Array.isArray(tablesOf(json)["posts"])

/** Ghost writes this for the address of its site. */
const SITE = "__GHOST_URL__"

/** Puts the address of the site into a text, and images for their scaled copies. */
const withSite = (text: string, site: string): string =>
  // Matches the folder of a scaled copy of an image: `content/images/size/w600/`. Does not match `content/images/sizes/`.
  text
    .replaceAll(SITE, () => site)
    .replaceAll(/(content\/images\/)size\/w\d+(?:h\d+)?\//g, "$1")
    // Ghost leaves its own address there. Matches `https://e.x` of `background-image: url(https://e.x/content/images/a.png)`. Does not match it in `src`.
    .replaceAll(/(?<=background-image(?:="|: url\())https?:\/\/[^"()]*?(?=\/content\/images\/)/g, () => site)

/** Returns the HTML that Ghost made of a post, else makes it of what an editor stored. */
const contentOf = (post: JsonFields, site: string): Root => {
  const read = (name: string): unknown =>
    parseJson(Buffer.from(textOfField(post, name)), `The text of ${textOfField(post, "slug")}`)
  const html =
    textOfField(post, "html") ||
    (textOfField(post, "lexical") && renderLexical(read("lexical"))) ||
    (textOfField(post, "mobiledoc") && renderMobiledoc(read("mobiledoc")))
  return parseHtml(withSite(html, site))
}

/** Returns the rows that a table of pairs links to a post, in their order. */
const linked = (
  tables: JsonFields,
  pairs: string,
  key: string,
  rows: JsonFields[],
): ((post: string) => JsonFields[]) => {
  const byId = new Map(rows.map((row) => [textOfField(row, "id"), row]))
  const byPost = Map.groupBy(
    listIn(tables, pairs).toSorted((a, b) => Number(a["sort_order"]) - Number(b["sort_order"])),
    (pair) => textOfField(pair, "post_id"),
  )
  return (post) =>
    (byPost.get(post) ?? []).map((pair) => byId.get(textOfField(pair, key))).filter((row) => row !== undefined)
}

/** Matches a card of HTML that not everyone sees. Does not match `kg-gated-block:begin nonMember:true`. */
const GATED = /<!--\s*kg-gated-block:begin(?!\s+nonMember:true\b)/
/** Matches names of fields that may say who sees something, or when: `memberSegment`. Does not match `title`. */
const ABOUT_READERS = /visib|member|audience|tier|access|schedul|expir|gate|show_?on|email_?only|segment/i
/** Such fields of Ghost by which something is shown. */
const SHOWS = new Set(["visibility", "access", "nonMember", "showOnWeb"])
/** Such fields of Ghost about e-mail and members alone. */
const OTHERS = new Set(["tiers", "segment", "email_segment", "memberSegment", "showOnEmail"])

/** Lists the fields by which a post or its cards may be hidden from some readers. @param isVisibility all fields are about readers */
const hidingIn = (value: unknown, isVisibility = false): string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => hidingIn(each, isVisibility))
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isFields(inner) && (isVisibility || name === "visibility")) return hidingIn(inner, true)
    if (!isVisibility && !ABOUT_READERS.test(name)) return hidingIn(inner)
    const json = JSON.stringify(inner)
    const isOpen = (SHOWS.has(name) ? ['"public"', "true"] : ["false", "0"]).includes(json)
    return isOpen || OTHERS.has(name) || ["null", '""', "[]", "{}"].includes(json) ? [] : [name]
  })
}

/** Lists such fields of what an editor stored. */
const hidingInEditor = (json: string): string[] => {
  try {
    return hidingIn(JSON.parse(json))
  } catch {
    // Readers see the HTML that Ghost made before.
    return []
  }
}

/** Says why a post becomes a draft though Ghost shows it to some readers; null if it does not. */
const hiddenBecause = (post: JsonFields, meta: JsonFields): string | null => {
  const [status, visibility] = [textOfField(post, "status"), textOfField(post, "visibility")]
  if (status === "sent") return "It was sent by e-mail only, so it becomes a draft."
  if (status === "draft") return null
  if (status !== "published" && status !== "scheduled")
    return `Its status is ${status || "missing"}, so it becomes a draft.`
  if (visibility !== "" && visibility !== "public") return `Its visibility is ${visibility}, so it becomes a draft.`
  const fields = Object.entries({ ...meta, ...post }).filter(([name]) => ABOUT_READERS.test(name))
  const [field] = hidingIn(Object.fromEntries(fields))
  if (field !== undefined) return `Its field \`${field}\` may hide it from readers, so it becomes a draft.`
  const [part] = ["lexical", "mobiledoc"].flatMap((name) => hidingInEditor(textOfField(post, name)))
  if (part === undefined && !GATED.test(textOfField(post, "html"))) return null
  return `It has a part that not all readers see${part === undefined ? "" : ` (\`${part}\`)`}, so it becomes a draft.`
}

/** Matches the card of a podcast, in HTML and in what the editor stored. Does not match its name in a text. */
const TRANSISTOR = /kg-transistor-card|"type":\s*"transistor"/
const NO_TRANSISTOR = "Its player of Transistor is left out: each member has a separate one."

/** Reads an export of Ghost. @param siteUrl the old site, which the export does not name @throws UsageError */
export const readGhost = (json: unknown, now: Date, siteUrl: string | null): Imported => {
  // Matches the end of `https://e.x/blog/`. Does not match `https://e.x/blog`.
  const site = siteUrl?.replace(/\/$/, "") ?? ""
  if (!isGhost(json))
    throw new UsageError(
      "The JSON is not a Ghost export: it has no posts.",
      "Export it in Ghost at Settings → Migration tools.",
    )
  const tables = tablesOf(json)
  const settings = new Map(
    listIn(tables, "settings").map((row) => [textOfField(row, "key"), textOfField(row, "value")]),
  )
  const tagsOf = linked(tables, "posts_tags", "tag_id", listIn(tables, "tags"))
  const authorsOf = linked(tables, "posts_authors", "author_id", listIn(tables, "users"))
  const about = new Map(listIn(tables, "posts_meta").map((row) => [textOfField(row, "post_id"), row]))
  const users = new Map(listIn(tables, "users").map((row) => [textOfField(row, "id"), row]))
  const ids = listIn(tables, "posts").map((post) => textOfField(post, "id"))
  const leftOut: Remark[] = []
  const posts: ImportedPost[] = []
  for (const post of listIn(tables, "posts")) {
    const id = textOfField(post, "id")
    const name = textOfField(post, "slug") || id
    if (textOfField(post, "type") === "page" || Number(post["page"]) === 1) {
      leftOut.push({ post: name, message: "It is a page, and not a post." })
      continue
    }
    const meta = about.get(id) ?? {}
    const hidden = hiddenBecause(post, meta)
    const isPublic = hidden === null && ["published", "scheduled"].includes(textOfField(post, "status"))
    const when = timing(timeIn(textOfField(post, "published_at")), isPublic, now)
    const authors = authorsOf(id).length > 0 ? authorsOf(id) : [users.get(textOfField(post, "author_id")) ?? {}]
    const names = authors.map((author) => textOfField(author, "name")).filter(Boolean)
    // Names that begin with `#` are for Ghost alone.
    const tags = tagsOf(id)
      .map((tag) => textOfField(tag, "name"))
      .filter((tag) => tag !== "" && !tag.startsWith("#"))
    const cover = textOfField(post, "feature_image")
    const caption = parseHtml(textOfField(meta, "feature_image_caption"))
    posts.push({
      ...when,
      name,
      slug: textOfField(post, "slug") || null,
      title: textOfField(post, "title"),
      categories: tags.slice(0, 1),
      tags,
      meta_description:
        textOfField(meta, "meta_description") ||
        textOfField(post, "meta_description") ||
        textOfField(post, "custom_excerpt") ||
        null,
      cover: withSite(cover, site) || null,
      cover_alt: textOfField(meta, "feature_image_alt"),
      cover_caption: lineOf(caption),
      canonical_url: withSite(textOfField(post, "canonical_url"), site) || null,
      author_name: [...new Set(names)].join(", ") || null,
      lang: settings.get("locale") ?? settings.get("lang") ?? null,
      addresses: textOfField(post, "status") === "published" ? [`${site}/${name}/`] : [],
      content: () => contentOf(post, site),
      warnings: [
        ...when.warnings,
        ...(hidden === null ? [] : [hidden]),
        ...(TRANSISTOR.test(textOfField(post, "html") + textOfField(post, "lexical")) ? [NO_TRANSISTOR] : []),
        ...(cover !== "" && findTag(caption, "a").length > 0
          ? ["The links in the caption of its cover are lost."]
          : []),
      ],
    })
  }
  return { posts, leftOut, siteUrl, id: ids.toSorted()[0] ?? "" }
}
