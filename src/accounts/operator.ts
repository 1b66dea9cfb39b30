import { ulid } from "ulid"

import { openDb } from "../db.ts"
import { countAttempt } from "../http/attempts.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/problem.ts"
import { route } from "../http/route.ts"
import type { Account, ApiKey } from "../tables.ts"
import { digest } from "../tokens.ts"
import { rotateKey } from "./key.ts"
import { type AccountChanges, getAccount, patchAccount, rotateAccountKey } from "./schema.ts"
import * as store from "./store.ts"

const requireToken = (c: AppContext): string => {
  const { operatorToken } = c.var.settings
  if (!operatorToken) throw new ApiError("not_found")
  return operatorToken
}

/** Without a token in the settings there is no operator API: not even its 405s. */
export const operatorExists = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  requireToken(c)
  await next()
}

/** Whether this is the operator's token; takes the same time, whatever was sent. */
export const isOperatorToken = async (c: AppContext, sent: string): Promise<boolean> =>
  // Hashes have one length, so that the comparison takes one time.
  crypto.subtle.timingSafeEqual(await digest(sent), await digest(requireToken(c)))

export const NOT_THE_TOKEN = "This is not the operator's token."

export const notTheOperator = (detail: string): ApiError =>
  new ApiError("unauthorized", detail, { headers: { "WWW-Authenticate": 'Bearer realm="edgepost operator"' } })

/** Lets the operator through. Who has a wrong token is slowed down; who has the right one may call at any rate. */
export const operatorOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  const sent = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization")?.trim() ?? "")?.[1] ?? ""
  if (!(await isOperatorToken(c, sent))) {
    await countAttempt(c, "operator")
    throw notTheOperator(sent ? NOT_THE_TOKEN : "Send `Authorization: Bearer <OPERATOR_TOKEN>`.")
  }
  await next()
}

const viewAccount = (account: Account, key: ApiKey | null) => ({
  username: account.username,
  paid_until: account.paid_until?.toISOString() ?? null,
  paid_source: account.paid_source,
  restricted: account.restricted,
  hidden: account.hidden,
  primary_language: account.primary_language,
  translation_languages: account.translation_languages,
  created_at: account.created_at.toISOString(),
  api_key: key && {
    last_four: key.last_four,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
  },
})

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

/** Paid time that the operator sets is the operator's, whatever it was before. */
export const asOperator = (changes: AccountChanges): Partial<Account> =>
  changes.paid_until === undefined
    ? changes
    : { ...changes, paid_source: "operator", operator_paid_until: changes.paid_until }

/** What is noted of changes: only what was sent. */
const describeChanges = (changes: Partial<Account>): string =>
  Object.entries(changes)
    .map(([field, value]) => `${field}: ${value instanceof Date ? value.toISOString() : String(value)}`)
    .join("; ")

const noAccount = () => new ApiError("not_found", "There is no such account.")

/** The account that the path names. @throws 404 */
export const pathAccount = async (c: AppContext, { username }: { username: string }): Promise<Account> => {
  const account = await store.findAccount(openDb(c.env.DB), username)
  if (!account) throw noAccount()
  return account
}

export const operatorRoutes = [
  route(patchAccount, async (c, { params: { username }, body: changes, warnings }) => {
    const db = openDb(c.env.DB)
    const fresh = newAccount(username, c.var.now)
    const action = { action: "set_account", username, detail: describeChanges(changes), via: "api" } as const
    const account = await store.upsertAccount(db, fresh, asOperator(changes), action)
    const view = viewAccount(account, await store.findKey(db, account.id))
    return c.json({ success: true, account: view, warnings }, account.id === fresh.id ? 201 : 200)
  }),

  route(getAccount, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const key = await store.findKey(openDb(c.env.DB), account.id)
    return c.json({ success: true, account: viewAccount(account, key) })
  }),

  route(rotateAccountKey, async (c, { params }) => {
    const { now } = c.var
    const account = await pathAccount(c, params)
    const action = { action: "make_key", username: account.username, detail: "", via: "api" } as const
    const made = await rotateKey(openDb(c.env.DB), account, now, { action })
    if (!made) throw noAccount()
    return c.json({ success: true, ...made, created_at: now.toISOString() }, 201)
  }),
]
