import type { PendingFields, TextField, TranslationReview } from "../db/schema.ts"
import { type Changes, patchPending } from "./store.ts"
import {
  changedAt,
  hasPending,
  IDLE,
  isComplete,
  newestVersions,
  NOTHING_PENDING,
  type Text,
  TEXT_FIELDS,
} from "./text.ts"

// The review of machine translations: which fields readers see at once, which wait for the author, and their approval.

/** Returns the text with its newest fields, as its author edits it. Those that wait are read with the body. */
export const newestText = (text: Text): Text => ({ ...text, ...text.pending_fields })

/** Lists the columns that hold the text of a field. */
const columnsOf = (field: TextField): (keyof PendingFields)[] =>
  field === "body" ? ["body", "body_sha256", "html"] : [field]

const filtered = <T extends object>(values: T, isKept: (key: string) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => isKept(key))) as Partial<T>

/** Returns an object with some of its keys. */
const pick = <T extends object>(values: T, keys: string[]) => filtered(values, (key) => keys.includes(key))

/** Returns an object without some of its keys. */
export const without = <T extends object>(values: T, keys: string[]) => filtered(values, (key) => !keys.includes(key))

/** Returns the text without those of the fields that wait for approval. */
export const withoutPending = (text: Text, fields: TextField[]): Text => {
  const pending_versions = without(text.pending_versions, fields)
  if (!hasPending({ pending_versions })) return { ...text, ...NOTHING_PENDING }
  return {
    ...text,
    pending_versions,
    pending_image_ids: fields.includes("body") ? [] : text.pending_image_ids,
    pending_fields: text.pending_fields && without(text.pending_fields, fields.flatMap(columnsOf)),
  }
}

/** Returns the text after its approval, as `approveTexts` does in SQL: readers see what has waited. A run that translates it now loses its claim. */
export const approved = (text: Text, now: Date): Text => ({
  ...newestText(text),
  image_ids: "body" in text.pending_versions ? text.pending_image_ids : text.image_ids,
  versions: newestVersions(text),
  ...NOTHING_PENDING,
  status: text.status === "running" ? "queued" : text.status,
  claim: null,
  updated_at: now,
  changed_at: now,
})

/** Tells whether a run has made a field as readers see it already. */
const isUnchanged = (text: Text, result: Partial<Text>, field: TextField): boolean =>
  field === "body" ? result.body_sha256 === text.body_sha256 : result[field] === text[field]

/**
 * Returns what a finished run writes. With the review `hold`, fields that differ from what readers see wait for approval;
 * those that have waited before are replaced. `isReady` tells whether readers have the whole result.
 * @param result the columns that the run has made
 */
export const finished = (
  text: Text,
  result: Partial<Text> & Pick<Text, "versions">,
  review: TranslationReview,
  now: Date,
): { changes: Changes<Text>; isReady: boolean } => {
  const made = TEXT_FIELDS.filter((field) => field in result)
  const held = review === "hold" ? made.filter((field) => !isUnchanged(text, result, field)) : []
  const holdsBody = held.includes("body")
  const shown = without(result, [...held.flatMap(columnsOf), ...(holdsBody ? ["image_ids"] : [])])
  const versions = { ...without(result.versions, held), ...pick(text.versions, held) }
  const pending_versions = { ...without(text.pending_versions, made), ...pick(result.versions, held) }
  const changes = { ...IDLE, ...shown, versions, updated_at: now, changed_at: changedAt(text, shown, now) }
  const isReady = isComplete({ versions }) && !(review === "hold" && hasPending({ pending_versions }))
  if (held.length === 0 && !hasPending(text)) return { changes, isReady }
  // A run does not read what waits.
  const patch = Object.fromEntries(
    made.flatMap((field) => columnsOf(field).map((column) => [column, held.includes(field) ? result[column] : null])),
  )
  const pending_fields = patchPending(patch)
  const pending_image_ids = holdsBody ? result.image_ids : made.includes("body") ? [] : text.pending_image_ids
  return { changes: { ...changes, pending_versions, pending_fields, pending_image_ids }, isReady }
}
