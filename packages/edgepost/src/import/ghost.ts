import type { Root } from "hast"

import { parseHtml } from "../html/parse.ts"
import { lineOf } from "../html/tree.ts"
import { UsageError } from "../usage-error.ts"
import { parseJson } from "./archive.ts"
import { type Fields, fieldsIn, isFields, listIn, textIn } from "./data.ts"
import { renderLexical, renderMobiledoc } from "./ghost-text.ts"
import { type Imported, type ImportedPost, type Remark, timeIn, timing } from "./post.ts"

// Reads the JSON that Ghost exports: tables of its database.

/** Returns the tables of an export; an empty object for other JSON. */
const tablesOf = (json: unknown): Fields => (isFields(json) ? fieldsIn(listIn(json, "db")[0] ?? json, "data") : {})

/** Tells whether JSON is a Ghost export. */
export const isGhost = (json: unknown): boolean => Array.isArray(tablesOf(json)["posts"])

/** Ghost writes this for the address of its site. */
const SITE = "__GHOST_URL__"

/** Puts the address of the site into a text, and images for their scaled copies. */
const withSite = (text: string, site: string): string =>
  // Matches the folder of a scaled copy of an image: `content/images/size/w600/`. Does not match `content/images/sizes/`.
  text.replaceAll(SITE, () => site).replaceAll(/(content\/images\/)size\/w\d+(?:h\d+)?\//g, "$1")

/** Returns the HTML that Ghost made of a post, else makes it of what an editor stored. */
const contentOf = (post: Fields, site: string): Root => {
  const read = (name: string): unknown =>
    parseJson(Buffer.from(textIn(post, name)), `The text of ${textIn(post, "slug")}`)
  const html =
    textIn(post, "html") ||
    (textIn(post, "lexical") && renderLexical(read("lexical"))) ||
    (textIn(post, "mobiledoc") && renderMobiledoc(read("mobiledoc")))
  return parseHtml(withSite(html, site))
}

/** Returns the rows that a table of pairs links to a post, in their order. */
const linked = (tables: Fields, pairs: string, key: string, rows: Fields[]): ((post: string) => Fields[]) => {
  const byId = new Map(rows.map((row) => [textIn(row, "id"), row]))
  const byPost = Map.groupBy(
    listIn(tables, pairs).toSorted((a, b) => Number(a["sort_order"]) - Number(b["sort_order"])),
    (pair) => textIn(pair, "post_id"),
  )
  return (post) =>
    (byPost.get(post) ?? []).map((pair) => byId.get(textIn(pair, key))).filter((row) => row !== undefined)
}

/** Matches a card for some readers only, in HTML and in what the editor stored. Does not match the same text within a text. */
const GATED = /<!--kg-gated-block:begin nonMember:false|"(?:nonMember|showOnWeb)":\s*false/

/** Says why a post becomes a draft though Ghost shows it to some readers; null if it does not. */
const hiddenBecause = (post: Fields): string | null => {
  const [status, visibility] = [textIn(post, "status"), textIn(post, "visibility")]
  if (status === "sent") return "It was sent by e-mail only, so it becomes a draft."
  const isShown = status === "published" || status === "scheduled"
  if (isShown && visibility !== "" && visibility !== "public")
    return `Its visibility is ${visibility}, so it becomes a draft.`
  if (isShown && ["html", "lexical", "mobiledoc"].some((name) => GATED.test(textIn(post, name))))
    return "It has a part that not all readers see, so it becomes a draft."
  return null
}

/** Returns what a post says of its cover, which the service has no place for. */
const aboutCover = (meta: Fields): string[] => {
  const texts = [lineOf(parseHtml(textIn(meta, "feature_image_caption"))), textIn(meta, "feature_image_alt")]
  const said = texts.filter(Boolean).map((text) => `“${text}”`)
  return said.length > 0 ? [`The text of its cover is left out: ${said.join(", ")}.`] : []
}

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
  const settings = new Map(listIn(tables, "settings").map((row) => [textIn(row, "key"), textIn(row, "value")]))
  const tagsOf = linked(tables, "posts_tags", "tag_id", listIn(tables, "tags"))
  const authorsOf = linked(tables, "posts_authors", "author_id", listIn(tables, "users"))
  const about = new Map(listIn(tables, "posts_meta").map((row) => [textIn(row, "post_id"), row]))
  const users = new Map(listIn(tables, "users").map((row) => [textIn(row, "id"), row]))
  const ids = listIn(tables, "posts").map((post) => textIn(post, "id"))
  const leftOut: Remark[] = []
  const posts: ImportedPost[] = []
  for (const post of listIn(tables, "posts")) {
    const id = textIn(post, "id")
    const name = textIn(post, "slug") || id
    if (textIn(post, "type") === "page" || Number(post["page"]) === 1) {
      leftOut.push({ post: name, message: "It is a page, and not a post." })
      continue
    }
    const hidden = hiddenBecause(post)
    const isPublic = hidden === null && ["published", "scheduled"].includes(textIn(post, "status"))
    const when = timing(timeIn(textIn(post, "published_at")), isPublic, now)
    const authors = authorsOf(id).length > 0 ? authorsOf(id) : [users.get(textIn(post, "author_id")) ?? {}]
    const names = authors.map((author) => textIn(author, "name")).filter(Boolean)
    // Names that begin with `#` are for Ghost alone.
    const tags = tagsOf(id)
      .map((tag) => textIn(tag, "name"))
      .filter((tag) => tag !== "" && !tag.startsWith("#"))
    const meta = about.get(id) ?? {}
    const cover = textIn(post, "feature_image")
    posts.push({
      ...when,
      name,
      slug: textIn(post, "slug") || null,
      title: textIn(post, "title"),
      categories: tags.slice(0, 1),
      tags,
      meta_description:
        textIn(meta, "meta_description") || textIn(post, "meta_description") || textIn(post, "custom_excerpt") || null,
      cover: withSite(cover, site) || null,
      canonical_url: withSite(textIn(post, "canonical_url"), site) || null,
      author_name: [...new Set(names)].join(", ") || null,
      lang: settings.get("locale") ?? settings.get("lang") ?? null,
      addresses: textIn(post, "status") === "published" ? [`${site}/${name}/`] : [],
      content: () => contentOf(post, site),
      warnings: [...when.warnings, ...(hidden === null ? [] : [hidden]), ...(cover === "" ? [] : aboutCover(meta))],
    })
  }
  return { posts, leftOut, siteUrl, id: ids.toSorted()[0] ?? "" }
}
