import { ulid } from "ulid"

import { openDb } from "../db.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/problem.ts"
import { param, route } from "../http/route.ts"
import { check, checkBody, orThrow } from "../http/validate.ts"
import type { Account, ApiKey } from "../tables.ts"
import { rotateKey } from "./rotate.ts"
import { AccountChanges, getAccount, patchAccount, rotateAccountKey, UsernameParam } from "./schema.ts"
import * as store from "./store.ts"

const sha256 = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))

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

/** Lets the operator through. */
export const operatorOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  const operatorToken = requireToken(c)
  const sent = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization")?.trim() ?? "")?.[1] ?? ""
  // Hashes have one length, so that the comparison takes one time.
  if (!crypto.subtle.timingSafeEqual(await sha256(sent), await sha256(operatorToken)))
    throw new ApiError("unauthorized", "Send `Authorization: Bearer <OPERATOR_TOKEN>`.", {
      headers: { "WWW-Authenticate": 'Bearer realm="edgepost operator"' },
    })
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

const newAccount = (username: string, now: Date): Account => ({
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
const asOperator = (changes: AccountChanges): Partial<Account> =>
  changes.paid_until === undefined
    ? changes
    : { ...changes, paid_source: "operator", operator_paid_until: changes.paid_until }

const noAccount = () => new ApiError("not_found", "There is no such account.")

/** The account that the path names. @throws 404 */
export const pathAccount = async (c: AppContext): Promise<Account> => {
  const account = await store.findAccount(openDb(c.env.DB), param(c, "username"))
  if (!account) throw noAccount()
  return account
}

export const operatorRoutes = [
  route(patchAccount, async (c) => {
    const { username } = orThrow(check(UsernameParam, c.req.param())).value
    const { value: changes, warnings } = orThrow(await checkBody(c.req.raw, AccountChanges))
    const db = openDb(c.env.DB)
    const fresh = newAccount(username, c.var.now)
    const account = await store.upsertAccount(db, fresh, asOperator(changes))
    const view = viewAccount(account, await store.findKey(db, account.id))
    return c.json({ success: true, account: view, warnings }, account.id === fresh.id ? 201 : 200)
  }),

  route(getAccount, async (c) => {
    const account = await pathAccount(c)
    const key = await store.findKey(openDb(c.env.DB), account.id)
    return c.json({ success: true, account: viewAccount(account, key) })
  }),

  route(rotateAccountKey, async (c) => {
    const { now } = c.var
    const made = await rotateKey(openDb(c.env.DB), await pathAccount(c), now)
    if (!made) throw noAccount()
    return c.json({ success: true, ...made, created_at: now.toISOString() }, 201)
  }),
]
