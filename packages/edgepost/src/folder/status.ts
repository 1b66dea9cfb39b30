import { valueAt } from "../generator/values.ts"
import { MAX_SCHEDULE_DAYS } from "../limits.ts"
import { readDate } from "./dates.ts"
import type { FieldOptions, FieldReader } from "./field-reader.ts"
import { asText } from "./values.ts"

// Decides whether a post is a draft, and from when readers see it.

const DAY_MS = 86_400_000

/** Matches words for what is not public: `draft`, `private`. Does not match `published`. */
const DRAFT = /^(?:df|draft|private|pending|unpublished)$/i

/** Returns what edgepost's own field says, which wins over those of generators. */
const isOwnDraft = (reader: FieldReader): boolean | null => {
  const [field] = reader.all("status")
  if (!field) return null
  const word = asText(field.value) ?? ""
  if (/^(?:pb|publish|published|public|live)$/i.test(word)) return false
  if (!DRAFT.test(word))
    reader.say("warning", "unknown_status", "`status` is neither DF nor PB, and so the post is a draft.", field.line)
  return true
}

/** Tells whether the fields make a post a draft: one of them is enough, unless edgepost's own \`status\` says otherwise. */
export const isDraftBy = (reader: FieldReader, options: FieldOptions): boolean => {
  const expiry = reader.date("expiry", options)
  const isExpired = expiry !== null && expiry.time <= options.now.getTime()
  if (isExpired) reader.say("warning", "expired", "The post has expired, and so it is a draft.", expiry.line)
  const noList = reader.all("build").filter(({ value }) => /^(?:false|never)$/.test(String(valueAt(value, "list"))))
  const isUnlisted = reader.says("unlisted", true) || noList.length > 0
  const [place] = [...reader.all("unlisted"), ...noList]
  if (isUnlisted) reader.say("warning", "unlisted", "Unlisted posts are drafts here.", place?.line)
  const reasons = [
    isUnlisted,
    reader.says("draft", true),
    reader.says("published", false),
    options.tool === null && reader.says("shared", false),
    // The name of a place is no state of a post.
    reader.all("state").some(({ value }) => DRAFT.test(asText(value) ?? "")),
  ]
  return isExpired || (isOwnDraft(reader) ?? reasons.includes(true))
}

/** Returns the time of `published` if it is one: the date of a post without another, and the time to wait for if it is ahead. */
const releaseOf = (reader: FieldReader, { timezone, now }: FieldOptions): { time: number; line: number } | null => {
  const field = reader.all("published").find(({ name }) => name === "published")
  const read = field && readDate(field.value, timezone ?? "UTC")
  if (!read || !("time" in read)) return null
  return read.time > now.getTime() || reader.all("date").length === 0 ? { time: read.time, line: field.line } : null
}

/** Reads the time from which readers see a post. @returns RFC 3339 in UTC, or null without one */
export const readTime = (reader: FieldReader, options: FieldOptions, isDraft: boolean): string | null => {
  const date = releaseOf(reader, options) ?? reader.date("date", options)
  if (date === null) return null
  const isRight = date.time >= 0 && date.time <= options.now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS
  if (isRight) return new Date(date.time).toISOString()
  const [level, advice] = isDraft
    ? (["warning", "The draft has none until then."] as const)
    : (["error", "Mark the post as a draft, or change it."] as const)
  const message = `The date must be from 1970 to ${MAX_SCHEDULE_DAYS} days ahead. ${advice}`
  reader.say(level, "date_out_of_range", message, date.line)
  return null
}
