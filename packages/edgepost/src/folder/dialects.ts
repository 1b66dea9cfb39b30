import type { FrontMatter } from "./front-matter.ts"

// Maps the fields of a front matter to their meanings. edgepost's own names come first, then those of each generator.

const DIALECTS = {
  edgepost: {
    title: ["title"],
    slug: ["slug"],
    status: ["status"],
    date: ["published_at"],
    description: ["meta_description"],
    cover: ["cover"],
    canonical: ["canonical_url"],
    author: ["author_name"],
    categories: ["categories"],
    tags: ["tags"],
    language: ["lang"],
    languages: ["translation_languages"],
  },
  hugo: {
    draft: ["draft"],
    date: ["publishDate", "date"],
    expiry: ["expiryDate", "unpublishDate"],
    build: ["build", "_build"],
    secret: ["headless"],
    description: ["description", "summary"],
    cover: ["image", "featured_image", "images", "thumbnail"],
    author: ["author", "authors"],
    permalink: ["url"],
    aliases: ["aliases"],
  },
  jekyll: {
    published: ["published"],
    date: ["date"],
    description: ["excerpt"],
    cover: ["image", "header"],
    categories: ["category"],
    permalink: ["permalink"],
    aliases: ["redirect_from"],
  },
  astro: {
    draft: ["isDraft"],
    date: ["pubDate", "pubDatetime"],
    cover: ["heroImage", "ogImage"],
    canonical: ["canonicalURL"],
    language: ["language"],
  },
  hexo: {
    secret: ["password", "private", "hidden"],
    description: ["subtitle"],
    cover: ["banner_img", "index_img"],
    tags: ["tag"],
    aliases: ["alias"],
  },
  eleventy: {
    unlisted: ["eleventyExcludeFromCollections"],
    description: ["lead", "spoiler"],
    cover: ["featuredImage", "hero", "banner", "preview", "og_image"],
  },
  docusaurus: { unlisted: ["unlisted"] },
  devTo: { cover: ["cover_image"], canonical: ["canonical"] },
  hashnode: {
    date: ["publishedAt", "datePublished"],
    draft: ["saveAsDraft", "ignorePost"],
    description: ["seoDescription"],
    cover: ["coverImage"],
    canonical: ["originalArticleURL"],
  },
  obsidian: {
    visibility: ["visibility"],
    published: ["publish", "dg-publish"],
    // Only of vaults: themes of Hugo and Jekyll show buttons for it.
    shared: ["share"],
    state: ["state"],
    date: ["created"],
    language: ["locale"],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>

const MEANINGS = [
  "title",
  "slug",
  "status",
  "draft",
  "published",
  "shared",
  "secret",
  "visibility",
  "build",
  "state",
  "unlisted",
  "date",
  "expiry",
  "description",
  "cover",
  "canonical",
  "author",
  "categories",
  "tags",
  "language",
  "languages",
  "permalink",
  "aliases",
] as const
/** The meaning of a field of a front matter. */
export type Meaning = (typeof MEANINGS)[number]

/** The names of each meaning in lower case, since Hugo takes any case, in the order in which they are looked for. */
const NAMES = Object.fromEntries(
  MEANINGS.map((meaning) => {
    const tables: Partial<Record<Meaning, readonly string[]>>[] = Object.values(DIALECTS)
    const names = tables.flatMap((table) => table[meaning] ?? []).map((name) => name.toLowerCase())
    return [meaning, [...new Set(names)]]
  }),
) as Record<Meaning, string[]>

const OWN_NAMES: string[] = Object.values(DIALECTS.edgepost).flat()

/** A field that was found: its name in the file, its value and its line. */
export interface Field {
  name: string
  value: unknown
  line: number
}

/** Finds all fields of a meaning, the most important first. Hugo keeps fields below `params`, Zola below `taxonomies` and `extra`. */
export const findFields = ({ data, lines }: FrontMatter, meaning: Meaning): Field[] => {
  const { params, seo, taxonomies, extra } = data
  const sources = [data, params, seo, taxonomies, extra].filter(
    (source) => typeof source === "object" && source !== null,
  )
  const present = sources
    .flatMap((source): [string, unknown][] => Object.entries(source))
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
  return NAMES[meaning].flatMap((own) =>
    present
      .filter(([name]) => name.toLowerCase() === own)
      .map(([name, value]) => ({ name, value, line: lines[name] ?? 1 })),
  )
}

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

const ALL_NAMES = new Set(Object.values(NAMES).flat())

/** Finds names that are nearly one of edgepost's own: `canonical_ulr`. @returns the name and the one that was probably meant */
export const findMisspelt = ({ data }: FrontMatter): [name: string, meant: string][] =>
  Object.keys(data).flatMap((name) => {
    if (ALL_NAMES.has(name.toLowerCase()) || name.length < 6 || name.length > 40) return []
    const meant = OWN_NAMES.find((own) => own.length > 5 && distance(name.toLowerCase(), own) <= 2)
    return meant === undefined ? [] : [[name, meant] as [string, string]]
  })
