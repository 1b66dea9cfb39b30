import { ulid } from "ulid"

import type { Account } from "../db/schema.ts"
import type { AccountChanges } from "./schema.ts"

/** Tells whether the account has paid time left. */
export const isPaid = ({ paid_until }: Pick<Account, "paid_until">, now: Date): boolean =>
  paid_until !== null && paid_until > now

/** Returns a new account that is not paid, with English as its language. */
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
  stored_bytes: 0,
  created_at: now,
})

/** Returns the changes with their source: paid time that the operator sets replaces Stripe's. */
export const asOperator = (changes: AccountChanges): Partial<Account> =>
  changes.paid_until === undefined
    ? changes
    : { ...changes, paid_source: "operator", operator_paid_until: changes.paid_until }
