import type { FrontMatter } from "./front-matter.ts"

// Maps the fields of a front matter to their meanings.

/** The names of each meaning, in the order in which they are looked for: edgepost's own first, then those of tools. */
const NAMES = {
  title: "title",
  slug: "slug",
  status: "status",
  draft: "draft isDraft saveAsDraft ignorePost",
  published: "published publish dg-publish",
  // Only of notes: themes of tools show buttons for it.
  shared: "share",
  secret: "headless password private hidden",
  visibility: "visibility",
  build: "build _build",
  state: "state",
  unlisted: "eleventyExcludeFromCollections buildawesomeExcludeFromCollections unlisted",
  date: "published_at publishDate date pubDate pubDatetime publishedAt datePublished created",
  changed: "changed_at lastmod updated modified",
  listed: "listed",
  expiry: "expiryDate unpublishDate",
  description: "meta_description description summary excerpt subtitle lead spoiler seoDescription",
  cover:
    "cover image featured_image images thumbnail header heroImage ogImage banner_img index_img featuredImage hero banner preview " +
    "og_image cover_image coverImage",
  coverAlt:
    "cover_alt coverAlt image_alt featured_image_alt cover_image_alt imageAlt featuredImageAlt coverImageAlt heroImageAlt",
  coverCaption:
    "cover_caption coverCaption image_caption featured_image_caption cover_image_caption imageCaption featuredImageCaption",
  canonical: "canonical_url canonicalURL canonical originalArticleURL",
  author: "author_name author authors",
  categories: "categories category",
  tags: "tags tag",
  language: "lang language locale",
  languages: "translation_languages",
  permalink: "url permalink",
  aliases: "aliases redirect_from alias",
}
/** The meaning of a field of a front matter. */
export type Meaning = keyof typeof NAMES

/** Stands for the date of the path among the names of fields. */
export const PATH_DATE = ":filename"

/** Splits a list of names, in lower case: some tools take them in any. */
const split = (names: string): string[] => names.toLowerCase().split(" ")

const ALL_NAMES = new Set(Object.values(NAMES).flatMap(split))
/** Names of edgepost's own that are long enough to tell a slip from another word. */
const OWN_NAMES = split(
  "status published_at changed_at meta_description cover_caption canonical_url author_name categories translation_languages",
)

/** Returns edgepost's own name of a meaning. */
export const ownName = (meaning: Meaning): string => NAMES[meaning].split(" ")[0] ?? ""

/** A field that was found: its name in the file, its value and its line. */
export interface Field {
  name: string
  value: unknown
  line: number
}

/** The names of a date before 0.4, in their order. */
export const FORMER_DATES = [...split(NAMES.date), "published", PATH_DATE]

/** Lists the names of a date in the order in which they count. @param first those of the tool, in its order */
export const dateNames = (first: string[] = []): string[] => {
  const written = split(NAMES.date).filter((name) => name !== "created")
  const usual = [...written, "published", "created", "created_at", PATH_DATE, ...split(NAMES.changed)]
  const names = [ownName("date"), ...first.map((name) => name.toLowerCase()), ...usual]
  return [...new Set(names)].filter((name) => name !== ownName("changed"))
}

/** Finds the fields of some names, those of the first name first. Tools keep fields below `params`, `seo`, `taxonomies` and `extra` as well. */
export const fieldsOf = ({ data, lines }: FrontMatter, names: string[]): Field[] => {
  const { params, seo, taxonomies, extra } = data
  const sources = [data, params, seo, taxonomies, extra].filter(
    (source) => typeof source === "object" && source !== null,
  )
  const present = sources
    .flatMap((source): [string, unknown][] => Object.entries(source))
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
  return names.flatMap((own) =>
    present
      .filter(([name]) => name.toLowerCase() === own)
      .map(([name, value]) => ({ name, value, line: lines[name] ?? 1 })),
  )
}

/** Lists the names of a meaning in lower case, the most important first. */
export const namesOf = (meaning: Meaning): string[] => split(NAMES[meaning])

/** Finds all fields of a meaning, the most important first. */
export const findFields = (front: FrontMatter, meaning: Meaning): Field[] => fieldsOf(front, namesOf(meaning))

/** Finds the fields of a meaning that are there without a value, which `findFields` leaves out. */
export const emptyFields = ({ data, lines }: FrontMatter, meaning: Meaning): Omit<Field, "value">[] =>
  Object.entries(data)
    .filter(([name, value]) => (value === null || value === "") && namesOf(meaning).includes(name.toLowerCase()))
    .map(([name]) => ({ name, line: lines[name] ?? 1 }))

const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, its] of [...other].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === its ? 0 : 1)))
    row = next
  }
  return row[other.length] ?? 0
}

/** Finds names that are nearly one of edgepost's own: `canonical_ulr`. @returns the name and the one that was probably meant */
export const findMisspelt = ({ data }: FrontMatter): [name: string, meant: string][] =>
  Object.keys(data).flatMap((name) => {
    if (ALL_NAMES.has(name.toLowerCase()) || name.length < 6 || name.length > 40) return []
    const meant = OWN_NAMES.find((own) => distance(name.toLowerCase(), own) <= 2)
    return meant === undefined ? [] : [[name, meant] as [string, string]]
  })
