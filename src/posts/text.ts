import { type Account, type CodedMessage, type TextField, type TextRow } from "../db/schema.ts"

export const TEXT_FIELDS = ["title", "meta_description", "body"] as const satisfies TextField[]

/** The text of a post in one language. `body` and `html` are null in languages that were not read. */
export type Text = TextRow

const UNLISTED: CodedMessage = {
  code: "unlisted",
  message:
    "The language was removed from translation_languages before its text was complete. List it again to have it translated.",
}

/** The state of a text without translation work. */
export const IDLE = {
  status: "ready",
  claim: null,
  attempts: 0,
  postponed: 0,
  retranslate_after: null,
  due_at: null,
  error: null,
  segments_done: 0,
  segments_total: 0,
} as const satisfies Partial<Text>

/** The state of a text of which nothing waits for approval. */
export const NOTHING_PENDING = {
  pending_versions: {},
  pending_image_ids: [],
  pending_fields: null,
} satisfies Partial<Text>

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b))

/** Lists the names of the properties of `after` whose values differ in `before`. Arrays and objects are compared by content. */
export const changedNames = <T extends object>(before: T, after: T): (keyof T)[] =>
  (Object.keys(after) as (keyof T)[]).filter((name) => !isSame(before[name], after[name]))

/** Returns the text of a language that has no title, meta_description and body yet, without translation work. */
export const emptyText = (post_id: string, lang_code: string, now: Date): Text => ({
  ...IDLE,
  post_id,
  lang_code,
  title: null,
  meta_description: null,
  body: null,
  body_sha256: null,
  html: null,
  image_ids: [],
  versions: {},
  edited: [],
  warnings: [],
  engine: null,
  updated_at: now,
  changed_at: now,
  ...NOTHING_PENDING,
})

/** Returns `now` if what an engine has written differs from the text before, else the time of the text's last change. */
export const changedAt = (before: Text, after: Partial<Text>, now: Date): Date => {
  // Runs do not read the body that they replace.
  const names = ["title", "meta_description", "body_sha256"] as const
  return names.some((name) => after[name] !== undefined && after[name] !== before[name]) ? now : before.changed_at
}

/** Tells whether readers have the title, meta_description and body of a text. */
export const isComplete = ({ versions }: Pick<Text, "versions">): boolean =>
  TEXT_FIELDS.every((field) => field in versions)

/** Tells whether some of a text waits for approval. */
export const hasPending = ({ pending_versions }: Pick<Text, "pending_versions">): boolean =>
  Object.keys(pending_versions).length > 0

/** Returns the versions of the newest fields: of those that wait for approval, else of those that readers see. */
export const newestVersions = ({ versions, pending_versions }: Text): Text["versions"] => ({
  ...versions,
  ...pending_versions,
})

/** Tells whether readers may have some of a text: at least one field is approved. */
export const hasApproved = ({ versions }: Pick<Text, "versions">): boolean => Object.keys(versions).length > 0

/** Tells whether a text has none of title, meta_description and body, approved or not. */
export const isEmpty = (text: Text): boolean => Object.keys(newestVersions(text)).length === 0

/** Lists the fields that the engine has to translate: missing or outdated ones that were not edited by hand. */
export const fieldsToMake = (text: Text, source: Text): TextField[] => {
  const versions = newestVersions(text)
  return TEXT_FIELDS.filter((field) => !text.edited.includes(field) && versions[field] !== source.versions[field])
}

/** Lists the fields of a translation that were edited by hand and whose source text has changed since. */
export const staleFields = (text: Text, source: Text): TextField[] =>
  text.edited.filter((field) => text.versions[field] !== source.versions[field])

/** Returns an object that maps each of the fields to the number that `version` returns for it. */
export const versionsOf = (fields: TextField[], version: (field: TextField) => number | undefined): Text["versions"] =>
  Object.fromEntries(fields.map((field) => [field, version(field)]))

const isWaiting = ({ status }: Text): boolean => status === "queued" || status === "running"

/** Returns the text queued for translation from `due` on. A run that translates it now loses its claim; `retranslate_after` stays. */
export const queued = (text: Text, due: Date, now: Date): Text => ({
  ...text,
  ...IDLE,
  retranslate_after: text.retranslate_after,
  status: "queued",
  due_at: due,
  updated_at: now,
})

/** Clears pending translation work and discards partial progress. */
const settled = (text: Text, now: Date): Text => {
  const { status, claim, due_at, error, segments_done, segments_total } = IDLE
  if (text.status === status) return text
  return { ...text, status, claim, due_at, error, segments_done, segments_total, updated_at: now }
}

/**
 * Queues or settles a translation after its post was saved.
 * @param touched the save changed this text or its source
 */
const afterSave = (text: Text, source: Text, touched: boolean, due: Date, now: Date): Text => {
  if (fieldsToMake(text, source).length === 0) return settled(text, now)
  return touched || !isWaiting(text) ? queued(text, due, now) : text
}

/** Returns a translation after its language left the list; null if it is empty. */
const afterUnlisting = (text: Text, now: Date): Text | null => {
  if (isEmpty(text)) return null
  if (isComplete({ versions: newestVersions(text) })) return settled(text, now)
  return text.status === "failed"
    ? text
    : { ...text, status: "failed", claim: null, due_at: null, error: UNLISTED, updated_at: now }
}

/**
 * Returns a post's translations as they are after a save. Listed ones with missing or outdated fields are queued from `due`
 * on; the others are translated no more. A new language gets an empty text.
 * @param touched languages of which the save changed the text or its source: a queued one waits for `due` again
 */
export const reconcile = (
  translations: Text[],
  touched: string[],
  { source, listed, due, now }: { source: Text; listed: string[]; due: Date; now: Date },
): Text[] => {
  const known = new Map(translations.map((text) => [text.lang_code, text]))
  const kept = listed.map((lang) => {
    const text = known.get(lang)
    return text
      ? afterSave(text, source, touched.includes(lang), due, now)
      : queued(emptyText(source.post_id, lang, now), due, now)
  })
  const unlisted = translations.filter(({ lang_code }) => !listed.includes(lang_code))
  return [...kept, ...unlisted.map((text) => afterUnlisting(text, now)).filter((text) => text !== null)]
}

/** Returns the target languages of `sent` in order, without duplicates and without the source language `primary`. */
export const targetLanguages = (primary: string, sent: string[]): string[] =>
  [...new Set(sent)].filter((code) => code !== primary)

/** Returns the source and target languages of a new post. Each that the request omits defaults to the account's. */
export const defaultLanguages = (
  account: Pick<Account, "primary_language" | "translation_languages">,
  sent: { primary_language?: string | undefined; translation_languages?: string[] | undefined },
): { primary: string; translations: string[] } => ({
  primary: sent.primary_language ?? account.primary_language,
  translations: sent.translation_languages ?? account.translation_languages,
})
