import { ulid } from "ulid"

import type { Account } from "../db/schema.ts"
import { valueFor } from "../language-fallbacks.ts"
import { refuseUnknownLanguages, type SentLanguages } from "../language.ts"
import type { AccountChanges } from "./input.ts"

/** Tells whether the account's paid time ends after `now`. Returns false if it has none (null). */
export const isPaid = ({ paid_until }: Pick<Account, "paid_until">, now: Date): boolean =>
  paid_until !== null && paid_until > now

/** Builds, but does not save, a new account with a new ULID: not paid, and with English as its language. */
export const newAccount = (username: string, now: Date): Account => ({
  id: ulid(now.getTime()),
  username,
  paid_until: null,
  paid_source: null,
  operator_paid_until: null,
  restricted: false,
  hidden: false,
  primary_language: "en",
  translation_languages: [],
  translation_tones: {},
  shows_translation_note: true,
  stored_bytes: 0,
  text_bytes: 0,
  blog_title: null,
  blog_description: null,
  author_name: null,
  blog_host: null,
  has_webhooks: false,
  timezone: "UTC",
  translation_review: "none",
  resumes_at: null,
  created_at: now,
  erasing_at: null,
})

/** Returns what an account's author sets, as answers show it. */
export const viewSettings = ({
  primary_language,
  translation_languages,
  translation_tones,
  shows_translation_note,
  blog_title,
  blog_description,
  author_name,
  timezone,
  translation_review,
}: Account) => ({
  primary_language,
  translation_languages,
  translation_tones,
  shows_translation_note,
  blog_title,
  blog_description,
  author_name,
  timezone,
  translation_review,
})

/** Returns what an account takes of its limits, as answers show it: bytes of its texts and images. */
export const viewUsage = ({ text_bytes, stored_bytes }: Account) => ({ text_bytes, stored_bytes })

/** The fields of an account that its author sets. */
export type AuthorSettings = ReturnType<typeof viewSettings>

/** Returns the language codes that an account has, the default ones of its posts. */
export const languagesOf = ({ primary_language, translation_languages }: Account): string[] => [
  primary_language,
  ...translation_languages,
]

/**
 * Returns changes of an account with each language once.
 * @param before the account before; null for a new one
 * @throws ApiError 400 `unknown_language` for a code that the account does not have already
 */
export const withLanguages = <T extends SentLanguages>(changes: T, before: Account | null): T => {
  refuseUnknownLanguages(changes, before ? [...languagesOf(before), ...Object.keys(before.translation_tones)] : [])
  const { translation_languages: sent } = changes
  return sent ? { ...changes, translation_languages: [...new Set(sent)] } : changes
}

/** Returns an operator's changes as columns of the account. Paid time, if it is sent, gets the operator as its source, not Stripe. */
export const asOperator = (changes: AccountChanges): Partial<Account> =>
  changes.paid_until === undefined
    ? changes
    : { ...changes, paid_source: "operator", operator_paid_until: changes.paid_until }

/** Finds the tone of translations into a language: that of its most specific code, of `de` if `de-AT` has none; null for none. */
export const toneFor = ({ translation_tones }: Pick<Account, "translation_tones">, code: string): string | null =>
  valueFor(translation_tones, code) ?? null
