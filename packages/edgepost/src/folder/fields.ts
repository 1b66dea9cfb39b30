import type { Finding } from "../finding.ts"
import {
  MAX_COVER_ALT_CHARS,
  MAX_COVER_CAPTION_CHARS,
  MAX_CATEGORIES,
  MAX_META_DESCRIPTION_CHARS,
  MAX_TAGS,
  MAX_TITLE_CHARS,
} from "../limits.ts"
import { ADDRESS } from "../site.ts"
import { findMisspelt } from "./field-names.ts"
import { type Cover, FieldReader, type FieldOptions } from "./field-reader.ts"
import type { FrontMatter } from "./front-matter.ts"
import { readStatus, type Status } from "./hides.ts"
import { type PostTime, readChange, readTime } from "./published-at.ts"
import { asText } from "./values.ts"

// Reads the fields of a front matter within the limits of the service. A value outside of them is cut or left out, with a warning.

/** The fields of one file. A list is empty and a text is null if the file does not have it. */
export interface Fields extends PostTime, Status {
  /** The value of the field `edgepost`; null for files that are not of `edgepost pull`. */
  stored: string | null
  title: string | null
  slug: string | null
  /** RFC 3339 in UTC; null without one. */
  published_at: string | null
  meta_description: string | null
  /** RFC 3339 in UTC; null without a time that a text can have changed at. */
  changed_at: string | null
  /** undefined: as it is on the service. */
  listed: boolean | undefined
  cover: Cover | null
  /** undefined: as on the service, if the cover stays. */
  cover_alt: string | null | undefined
  cover_caption: string | null | undefined
  canonical_url: string | null
  author_name: string | null
  categories: string[]
  tags: string[]
  /** BCP 47 code. */
  lang: string | null
  translation_languages: string[] | null
  /** The path that the file gives itself on the old site. */
  permalink: string | null
  /** All paths of the old site that the file names. */
  paths: string[]
  /** The layout `page`: no post of a blog. */
  isPage: boolean
}

/** Reads the fields of a file. @returns the fields, and what is to say about them */
export const readFields = (
  front: FrontMatter,
  file: string,
  options: FieldOptions,
): { fields: Fields; findings: Finding[] } => {
  const reader = new FieldReader(front, file)
  for (const [name, meant] of findMisspelt(front)) {
    // A draft must not be published by a slip.
    const level = meant === "status" ? "error" : "warning"
    reader.say(level, "unknown_field", `\`${name}\` is unknown. Is \`${meant}\` meant?`, front.lines[name])
  }
  for (const name of front.repeated)
    reader.say("warning", "repeated_field", `\`${name}\` is there twice: the last one counts.`, front.lines[name])
  if (front.unread && front.unread.length > 0) {
    const names = front.unread.map((name) => `\`${name}\``).join(", ")
    const message = `Lines at the start are taken for properties, which readers do not see: ${names}. Of a text, write them further below.`
    reader.say("warning", "property", message, front.bodyLine - 1)
  }
  if (/\bnoindex\b/.test(asText(front.data["robots"]) ?? ""))
    reader.say("warning", "noindex", "Search engines find the post here: `robots` is not read.", front.lines["robots"])
  const address = reader.all("permalink").find(({ value }) => typeof value === "string" && ADDRESS.test(value))
  if (address && options.settings.url === null && options.settings.file === null) {
    const message = `\`${address.name}\` is taken for an address of another site. If it is one of this blog, set \`site_url\` in edgepost.config.yaml.`
    reader.say("warning", "unknown_site", message, address.line)
  }
  const status = readStatus(reader, options)
  if (front.undone && status.isDraft) {
    const message = `\`${front.undone}\` does not say that the page is done, and so it is a draft.`
    reader.say("warning", "undone", message, front.lines["status"])
  }
  const [language] = reader.all("language")
  const fields: Fields = {
    stored: reader.stored,
    title: reader.text("title", MAX_TITLE_CHARS),
    slug: reader.text("slug", Infinity),
    ...status,
    ...readTime(reader, options, status.isDraft),
    meta_description: reader.text("description", MAX_META_DESCRIPTION_CHARS),
    changed_at: readChange(reader, options),
    listed: reader.answers("listed")[0] ?? undefined,
    cover: reader.cover(),
    cover_alt: reader.line("coverAlt", MAX_COVER_ALT_CHARS),
    cover_caption: reader.line("coverCaption", MAX_COVER_CAPTION_CHARS),
    canonical_url: reader.canonical(),
    author_name: reader.author(options.authors),
    categories: reader.labels("categories", options, MAX_CATEGORIES),
    tags: reader.labels("tags", options, MAX_TAGS),
    lang: language ? reader.language(language, language.value) : null,
    translation_languages: reader.languages(),
    permalink: reader.paths(options, "permalink")[0] ?? null,
    paths: reader.paths(options, "permalink", "slug", "aliases"),
    // A layout of the whole folder is one of posts.
    isPage: front.data["layout"] === "page" && front.lines["layout"] !== undefined,
  }
  return { fields, findings: reader.findings }
}
