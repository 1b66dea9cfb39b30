import * as z from "zod"

import { readDate } from "../../packages/edgepost/src/folder/dates.ts"
import { cutAtWord } from "../../packages/edgepost/src/folder/first-words.ts"
import { fitLabels, readLabels, toLabel } from "../../packages/edgepost/src/labels.ts"
import type { AppContext } from "../http/context.ts"
import { fieldError } from "../http/errors.ts"
import { check, type Fields, orThrow, unknownFields, type Warning } from "../http/validate.ts"
import { MAX_CATEGORIES, MAX_TAGS } from "../limits.ts"
import { isMade, madeDescription } from "../posts/defaults.ts"
import { type Post, sourceText } from "../posts/post.ts"
import { textWarnings } from "../posts/render.ts"
import { bodyOf, OfBody } from "./content.ts"
import { inMicropub } from "./guard.ts"
import { StatusProperty } from "./operations.ts"
import type { MicropubRequest } from "./request.ts"

// The properties of an h-entry, and the fields of a post that they mean.

/** The properties of a post as microformats have them: each has a list of values. */
export type Properties = Record<string, unknown[]>

/** The category of a post without one. */
const NOTES = "notes"
/** Characters of a title that is made of the first words of a text. */
const MAX_MADE_TITLE_CHARS = 70

const oneOf = <T extends z.ZodType>(value: T) =>
  z
    .array(value)
    .max(1, "Has one value: replace it.")
    .transform(([first]) => first)
    .optional()
const Text = z.string("Must be a text.")
const OneText = oneOf(Text)

const Entry = OfBody.extend({
  name: OneText,
  summary: OneText,
  published: OneText,
  visibility: OneText,
  "post-status": oneOf(StatusProperty),
  "mp-slug": OneText,
  category: z.array(Text).default([]),
})
type Entry = z.output<typeof Entry>

/** Reads a time; without an offset it is of the author's time zone. Offsets may lack their colon. @returns null without one */
const publishedOf = (c: AppContext, { published }: Entry): string | null => {
  if (published === undefined) return null
  const date = readDate(published, c.var.account.timezone)
  if ("time" in date) return new Date(date.time).toISOString()
  throw fieldError("published", "validation_error", "Must be a time such as 2026-11-20T09:00:00+01:00.")
}

/** Matches a bare address, `<https://a.example/b/>`, with what stands after its scheme. Does not match `<br>`. */
const LINK = /<?https?:\/\/([^\s<>]+?)\/?>?(?=\s|$)/gi
/** Matches a line of links and signs, `🎉 a.example/b`. Does not match what may be markup, `---`, `[a](b)` and `<b>`. */
const SIGNS = /^(?!.*(?:[<[{`]|%%)).*[^\s!-/:-@[-`{-~]/

/** Characters at the beginning of a text of which a title is made. */
const TITLED_CHARS = 1000
const UNTITLED = "Untitled"

/** Returns the title of a text whose author has written none: its first words, else its links and emoji. @param alt of its photo */
const madeTitle = (body: string, alt = ""): string => {
  const [line = ""] = body.trimStart().slice(0, TITLED_CHARS).split("\n", 1)
  const signs = line.replaceAll(LINK, "$1")
  const other = body.startsWith("![") ? "Photo" : UNTITLED
  return cutAtWord(madeDescription(alt, body) || (SIGNS.test(signs) ? signs : other), MAX_MADE_TITLE_CHARS)
}

type Labelled = Pick<Post, "categories" | "tags">
const UNLABELLED: Labelled = { categories: [], tags: [] }

/** Returns the labels that values of `category` mean. Those of the post stay what they are; others are categories, then tags. */
const labelsOf = (values: string[], { categories, tags }: Labelled) => {
  const { labels, losses } = fitLabels(readLabels(values), [...categories, ...tags])
  const named = labels.filter((label) => categories.includes(label) || !tags.includes(label))
  const more = named.slice(MAX_CATEGORIES).map((label) => label.toLowerCase())
  const marked = [...new Set([...labels.filter((label) => tags.includes(label)), ...more])]
  const rest = marked.length > MAX_TAGS ? ` ${marked.length - MAX_TAGS} more than ${MAX_TAGS} tags are left out.` : ""
  const message = `${named.length} names: the first ${MAX_CATEGORIES} are categories, the others are tags.${rest}`
  const warnings = losses.map((loss) => ({
    field: "category",
    code: loss.code as string,
    message: `It has ${loss.message}.`,
  }))
  if (more.length > 0) warnings.push({ field: "category", code: "too_many", message })
  const all = named.length > 0 ? named.slice(0, MAX_CATEGORIES) : [NOTES]
  return { fields: { categories: all, tags: marked.slice(0, MAX_TAGS) }, warnings }
}

/** Returns why a post becomes a draft that its client wants to be published. */
const draftWarnings = (c: AppContext, entry: Entry): Warning[] => {
  if (entry["post-status"] === "draft") return []
  if (c.var.key?.scope === "draft")
    return [{ field: "post-status", code: "draft", message: "This key makes drafts only." }]
  if ((entry.visibility ?? "public") === "public") return []
  return [{ field: "visibility", code: "draft", message: "Everybody sees a published post, so this one is a draft." }]
}

/** Fields of a post, as properties of a client mean them. */
export interface Meant {
  fields: Fields
  /** The text of which the client wants the slug to be made. */
  slug: string | undefined
  warnings: Warning[]
}

/** The properties that every new post gets. */
export const OF_NEW = ["name", "content", "summary", "category", "published", "post-status"]

/** Returns the fields that the named properties mean. @param post that they change @throws ApiError 400 */
export const readEntry = (
  c: AppContext,
  properties: Properties,
  names: string[],
  post: Labelled = UNLABELLED,
): Meant => {
  const entry = orThrow(check(Entry, properties)).value
  const { body, warnings: losses } = bodyOf(c, entry)
  const title = entry.name?.replaceAll(/\s+/g, " ").trim() || madeTitle(body, entry.photo[0]?.alt)
  const drafts = draftWarnings(c, entry)
  const labels = labelsOf(entry.category, post)
  const has = (...some: string[]) => some.some((name) => names.includes(name))
  const [hasBody, hasStatus] = [has(...Object.keys(OfBody.shape)), has("post-status", "visibility")]
  const fields = {
    // What was made of the text before is made of this one.
    ...((has("name") || (hasBody && entry.name === undefined)) && { title }),
    ...(hasBody && { body: body || (entry.summary ?? "") }),
    ...((has("summary") || (hasBody && entry.summary === undefined)) && {
      meta_description: entry.summary ?? madeDescription(title, body),
    }),
    ...(has("category") && labels.fields),
    ...(has("published") && { published_at: publishedOf(c, entry) }),
    ...(hasStatus && { status: entry["post-status"] === "draft" || drafts.length > 0 ? "DF" : "PB" }),
  }
  const unknown = unknownFields(Entry, Object.fromEntries(names.map((name) => [name, null])))
  const ofTitle = has("name") ? textWarnings({ title: entry.name }).map(inMicropub) : []
  const others = [...(has("category") ? labels.warnings : []), ...(hasStatus ? drafts : [])]
  return { fields, slug: entry["mp-slug"], warnings: [...unknown, ...ofTitle, ...losses, ...others] }
}

/** Returns a post as microformats have it. Its title and summary are left out if they were made of its text. */
export const propertiesOf = (post: Post): Properties => {
  const text = sourceText(post)
  const isNote = post.categories.length === 1 && post.categories[0] === NOTES
  return {
    // Links and emoji without words were titled so before.
    name: [madeTitle(text.body ?? ""), UNTITLED].includes(text.title ?? "") ? [] : [text.title],
    content: [text.body],
    summary: isMade(text) ? [] : [text.meta_description],
    category: [...new Set([...(isNote ? [] : post.categories), ...post.tags])],
    published: post.published_at ? [post.published_at.toISOString()] : [],
    "post-status": [post.status === "PB" ? "published" : "draft"],
    "mp-slug": [post.slug],
  }
}

/** Properties that keep a value, since their absence would publish a post or empty it. */
const KEPT = new Set(["content", "post-status", "published"])

/** Requires that an update changes a post as its client means it. @throws ApiError 400 */
const requireClear = ({ replace, delete: removed }: MicropubRequest, after: Map<string, unknown[]>): void => {
  const gone = [...Object.keys(replace), ...(Array.isArray(removed) ? removed : Object.keys(removed))]
  const part = gone.find((name) => name !== "content" && Object.hasOwn(OfBody.shape, name))
  if (part !== undefined) throw fieldError(part, "validation_error", "Is a part of the text: replace content.")
  const empty = gone.find((name) => KEPT.has(name) && after.get(name)?.length === 0)
  if (empty !== undefined) throw fieldError(empty, "validation_error", "Has a value: replace it.")
}

/** Tells whether a value that was sent is one that a post has, which may be another text. */
const isValue = ({ tags }: Labelled, name: string, sent: unknown, value: unknown): boolean => {
  if (name !== "category" || typeof sent !== "string" || typeof value !== "string") return sent === value
  return toLabel(tags.includes(value) ? sent.toLowerCase() : sent) === toLabel(value)
}

/** Applies `replace`, `add` and `delete` of an update. @returns the properties, and the names of those that change @throws ApiError 400 */
export const applyChanges = (post: Post, request: MicropubRequest) => {
  const { replace, add, delete: removed } = request
  const before = propertiesOf(post)
  const after = new Map(Object.entries({ ...before, ...replace }))
  const valuesOf = (name: string) => after.get(name) ?? []
  for (const [name, values] of Object.entries(add)) after.set(name, [...new Set([...valuesOf(name), ...values])])
  const removals = Array.isArray(removed)
    ? removed.map((name) => [name, valuesOf(name)] as const)
    : Object.entries(removed)
  for (const [name, values] of removals)
    after.set(
      name,
      valuesOf(name).filter((value) => !values.some((sent) => isValue(post, name, sent, value))),
    )
  requireClear(request, after)
  const isChanged = (name: string) => JSON.stringify(valuesOf(name)) !== JSON.stringify(before[name] ?? [])
  return { properties: Object.fromEntries(after), names: [...after.keys()].filter(isChanged) }
}
