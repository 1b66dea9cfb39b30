import type { ListedPost } from "../client/index.ts"
import { toOneLine } from "../folder/one-line.ts"
import { sha256 } from "../hash.ts"
import { keepLabels, readLabels } from "../labels.ts"
import type { DesiredPost, DesiredText } from "./desired.ts"

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** @param published_at no text counts as changed before */
const textChanges = (
  wanted: DesiredText,
  there: ListedPost["texts"][string] | undefined,
  published_at: string | null,
): string[] => {
  const changes = []
  const changeOf = (time: string) => Math.max(Date.parse(time), Date.parse(published_at ?? time))
  if (wanted.changed_at && there && changeOf(wanted.changed_at) !== changeOf(there.changed_at))
    changes.push("changed_at")
  const title = wanted.title.normalize("NFC")
  // An older version of the service has kept line breaks.
  if (title !== there?.title && toOneLine(title) !== there?.title) changes.push("title")
  if (wanted.meta_description.normalize("NFC") !== there?.meta_description) changes.push("meta_description")
  if (sha256(wanted.body) !== there?.body_sha256) changes.push("body")
  return changes
}

/** Returns labels as the service would store them in a post that has others. */
const stored = (labels: unknown, there: string[] = [], toCase?: (text: string) => string): string[] =>
  keepLabels(readLabels(Array.isArray(labels) ? labels.map(String) : [], toCase), there)

/** The names of the fields in which a post differs from what the service has. */
export interface Changes {
  /** Fields of the post and of its source text. */
  post: string[]
  /** Fields of the translations made by hand, by BCP 47 code; only languages with a change. */
  translations: Record<string, string[]>
}

/** Compares a post with the one of its slug on the service. */
export const compare = (
  { fields, source, translations, primary_language }: DesiredPost,
  there: ListedPost,
): Changes => {
  const published = fields.published_at ?? there.published_at
  const post = textChanges(source, there.texts[primary_language], published)
  const check = (name: string, wanted: unknown, found: unknown) => {
    if (wanted !== undefined && !isSame(wanted, found)) post.push(name)
  }
  check("status", fields.status, there.status)
  check("categories", stored(fields.categories, there.categories), there.categories)
  check(
    "tags",
    stored(fields.tags, there.tags, (tag) => tag.toLowerCase()),
    there.tags,
  )
  const { published_at } = fields
  if (published_at && Date.parse(published_at) !== Date.parse(there.published_at ?? "")) post.push("published_at")
  check("cover_image_id", fields.cover_image_id ?? null, there.cover_image_id)
  check("canonical_url", fields.canonical_url ?? null, there.canonical_url)
  check("listed", fields.listed, there.listed)
  for (const name of ["cover_alt", "cover_caption"] as const)
    check(name, fields[name]?.normalize("NFC") ?? fields[name], there[name])
  check("author_name", fields.author_name?.normalize("NFC") ?? null, there.author_name)
  check("source", fields.source?.normalize("NFC"), there.source)
  check("primary_language", fields.primary_language, there.primary_language)
  check("translation_languages", fields.translation_languages, there.translation_languages)
  const byHand = Object.entries(translations)
    .map(([lang, text]) => [lang, textChanges(text, there.texts[lang], published)] as const)
    .filter(([, changes]) => changes.length > 0)
  return { post, translations: Object.fromEntries(byHand) }
}
