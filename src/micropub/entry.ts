import * as z from "zod"

import { readDate } from "../../packages/edgepost/src/folder/dates.ts"
import { cutAtWord } from "../../packages/edgepost/src/folder/first-words.ts"
import type { AppContext } from "../http/context.ts"
import { fieldError } from "../http/errors.ts"
import { check, type Fields, orThrow, unknownFields, type Warning } from "../http/validate.ts"
import { isMade, madeDescription } from "../posts/defaults.ts"
import { type Post, sourceText } from "../posts/post.ts"
import { textWarnings } from "../posts/render.ts"
import { bodyOf, OfBody } from "./content.ts"
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
  "post-status": oneOf(z.enum(["published", "draft"], "Must be published or draft.")),
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

/** Returns the title of a text whose author has written none. @param alt of its photo */
const madeTitle = (body: string, alt = ""): string =>
  cutAtWord(madeDescription(alt, body) || (body.startsWith("![") ? "Photo" : "Untitled"), MAX_MADE_TITLE_CHARS)

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

/** Returns the fields that the named properties mean. @throws ApiError 400 */
export const readEntry = (c: AppContext, properties: Properties, names: string[]): Meant => {
  const entry = orThrow(check(Entry, properties)).value
  const { body, warnings: losses } = bodyOf(c, entry)
  const title = entry.name?.replaceAll(/\s+/g, " ").trim() || madeTitle(body, entry.photo[0]?.alt)
  const drafts = draftWarnings(c, entry)
  const has = (...some: string[]) => some.some((name) => names.includes(name))
  const [hasBody, hasStatus] = [has(...Object.keys(OfBody.shape)), has("post-status", "visibility")]
  const fields = {
    // What was made of the text before is made of this one.
    ...((has("name") || (hasBody && entry.name === undefined)) && { title }),
    ...(hasBody && { body: body || (entry.summary ?? "") }),
    ...((has("summary") || (hasBody && entry.summary === undefined)) && {
      meta_description: entry.summary ?? madeDescription(title, body),
    }),
    ...(has("category") && { categories: entry.category.length > 0 ? entry.category.join(",") : NOTES }),
    ...(has("published") && { published_at: publishedOf(c, entry) }),
    ...(hasStatus && { status: entry["post-status"] === "draft" || drafts.length > 0 ? "DF" : "PB" }),
  }
  const unknown = unknownFields(Entry, Object.fromEntries(names.map((name) => [name, null])))
  const ofTitle = has("name") ? textWarnings({ title: entry.name }) : []
  return { fields, slug: entry["mp-slug"], warnings: [...unknown, ...ofTitle, ...losses, ...(hasStatus ? drafts : [])] }
}

/** Returns a post as microformats have it. Its title and summary are left out if they were made of its text. */
export const propertiesOf = (post: Post): Properties => {
  const text = sourceText(post)
  const isNote = post.categories.length === 1 && post.categories[0] === NOTES
  return {
    name: text.title === madeTitle(text.body ?? "") ? [] : [text.title],
    content: [text.body],
    summary: isMade(text) ? [] : [text.meta_description],
    category: isNote ? [] : post.categories,
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

/** Applies `replace`, `add` and `delete` of an update. @returns the properties, and the names of those that change @throws ApiError 400 */
export const applyChanges = (before: Properties, request: MicropubRequest) => {
  const { replace, add, delete: removed } = request
  const after = new Map(Object.entries({ ...before, ...replace }))
  const valuesOf = (name: string) => after.get(name) ?? []
  for (const [name, values] of Object.entries(add)) after.set(name, [...new Set([...valuesOf(name), ...values])])
  const removals = Array.isArray(removed)
    ? removed.map((name) => [name, valuesOf(name)] as const)
    : Object.entries(removed)
  for (const [name, values] of removals)
    after.set(
      name,
      valuesOf(name).filter((value) => !values.includes(value)),
    )
  requireClear(request, after)
  const isChanged = (name: string) => JSON.stringify(valuesOf(name)) !== JSON.stringify(before[name] ?? [])
  return { properties: Object.fromEntries(after), names: [...after.keys()].filter(isChanged) }
}
