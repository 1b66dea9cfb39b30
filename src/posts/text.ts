import { type Account, type CodedMessage, type TextField, type TextRow } from "../db/schema.ts"

export const TEXT_FIELDS = ["title", "meta_description", "body"] as const satisfies TextField[]

/** One language of a post. `body` and `html` are read for the own language and the one asked for; null in the others. */
export type Text = TextRow

const UNLISTED: CodedMessage = {
  code: "unlisted",
  message: "The language was taken off the list before its text was complete.",
}

/** How a text's engine fares when there is nothing for it to do. */
export const IDLE = {
  status: "ready",
  claim: null,
  attempts: 0,
  postponed: 0,
  anew_since: null,
  due_at: null,
  error: null,
  segments_done: 0,
  segments_total: 0,
} as const satisfies Partial<Text>

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b))

/** The fields in which one state differs from another. */
export const changedNames = <T extends object>(before: T, after: T): (keyof T)[] =>
  (Object.keys(after) as (keyof T)[]).filter((name) => !isSame(before[name], after[name]))

/** A language without a text yet. */
export const emptyText = (post_id: string, lang_code: string, now: Date): Text => ({
  ...IDLE,
  post_id,
  lang_code,
  title: null,
  meta_description: null,
  body: null,
  html: null,
  pictures: [],
  versions: {},
  edited: [],
  warnings: [],
  engine: null,
  updated_at: now,
})

/** A text exists once title, meta_description and body do. */
export const hasText = ({ versions }: Pick<Text, "versions">): boolean =>
  TEXT_FIELDS.every((field) => field in versions)

/** Whether nothing of this language is stored. */
export const isEmpty = ({ versions }: Text): boolean => TEXT_FIELDS.every((field) => !(field in versions))

/** Fields for an engine: nobody edited them by hand, and they are not there or not of the own text as it is now. */
export const fieldsToMake = (text: Text, own: Text): TextField[] =>
  TEXT_FIELDS.filter((field) => !text.edited.includes(field) && text.versions[field] !== own.versions[field])

/** Hand-edited fields whose own text has changed since. */
export const staleFields = (text: Text, own: Text): TextField[] =>
  text.edited.filter((field) => text.versions[field] !== own.versions[field])

/** `versions` of some fields. */
export const versionsOf = (fields: TextField[], version: (field: TextField) => number | undefined): Text["versions"] =>
  Object.fromEntries(fields.map((field) => [field, version(field)]))

const isPending = ({ status }: Text): boolean => status === "queued" || status === "running"

/**
 * Waiting for an engine from `due`; a run that is under way loses its claim. Who asked for another translation is still to
 * get it.
 */
export const queued = (text: Text, due: Date, now: Date): Text => ({
  ...text,
  ...IDLE,
  anew_since: text.anew_since,
  status: "queued",
  due_at: due,
  updated_at: now,
})

/** Nothing is left to an engine; what one had done of it counts no more. */
const settled = (text: Text, now: Date): Text => {
  const { status, claim, due_at, error, segments_done, segments_total } = IDLE
  if (text.status === status) return text
  return { ...text, status, claim, due_at, error, segments_done, segments_total, updated_at: now }
}

/**
 * What becomes of a translation when its post was saved.
 * @param touched the save changed this text, or the own text's fields
 */
const afterSave = (text: Text, own: Text, touched: boolean, due: Date, now: Date): Text => {
  if (fieldsToMake(text, own).length === 0) return settled(text, now)
  return touched || !isPending(text) ? queued(text, due, now) : text
}

/** A translation whose language left the list; null when there is nothing to keep. */
const afterUnlisting = (text: Text, now: Date): Text | null => {
  if (isEmpty(text)) return null
  if (hasText(text)) return settled(text, now)
  return text.status === "failed"
    ? text
    : { ...text, status: "failed", claim: null, due_at: null, error: UNLISTED, updated_at: now }
}

/**
 * The translations of a post after a save: listed ones queued where an engine has work, the rest at peace.
 * @param touched whether the save changed what this language's text is or is made from
 */
export const reconcile = (
  translations: Text[],
  { own, listed, due, now }: { own: Text; listed: string[]; due: Date; now: Date },
  touched: (text: Text) => boolean,
): Text[] => {
  const known = new Map(translations.map((text) => [text.lang_code, text]))
  const kept = listed.map((lang) => {
    const text = known.get(lang)
    return text ? afterSave(text, own, touched(text), due, now) : queued(emptyText(own.post_id, lang, now), due, now)
  })
  const unlisted = translations.filter(({ lang_code }) => !listed.includes(lang_code))
  return [...kept, ...unlisted.map((text) => afterUnlisting(text, now)).filter((text) => text !== null)]
}

/** The languages that a save or a create lists: sent ones without the own, each once, in order. */
export const listLanguages = (own: string, sent: string[]): string[] =>
  [...new Set(sent)].filter((code) => code !== own)

/** Where a create has no languages of its own, the account's count. */
export const defaultLanguages = (
  account: Pick<Account, "primary_language" | "translation_languages">,
  sent: { primary_language?: string | undefined; translation_languages?: string[] | undefined },
): { primary: string; translations: string[] } => ({
  primary: sent.primary_language ?? account.primary_language,
  translations: sent.translation_languages ?? account.translation_languages,
})
