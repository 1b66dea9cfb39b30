import { asOperator, newAccount } from "../accounts/account.ts"
import { rotateKey } from "../accounts/key.ts"
import { findKey, insertAction, upsertAccount } from "../accounts/store.ts"
import { openDb } from "../db/client.ts"
import type { Account, ApiKey } from "../db/schema.ts"
import { eraseAccount } from "../erase-account.ts"
import { route } from "../http/route.ts"
import { makeSignInLink } from "../sessions/invite.ts"
import * as operations from "./api-schema.ts"
import { noAccount, pathAccount } from "./request.ts"

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

/** What is noted of changes: only what was sent. */
const describeChanges = (changes: Partial<Account>): string =>
  Object.entries(changes)
    .map(([field, value]) => `${field}: ${value instanceof Date ? value.toISOString() : String(value)}`)
    .join("; ")

export const operatorRoutes = [
  route(operations.patchAccount, async (c, { params: { username }, body: changes, warnings }) => {
    const db = openDb(c.env.DB)
    const fresh = newAccount(username, c.var.now)
    const action = { action: "set_account", username, detail: describeChanges(changes), via: "api" } as const
    const account = await upsertAccount(db, fresh, asOperator(changes), action)
    const view = viewAccount(account, await findKey(db, account.id))
    return c.json({ success: true, account: view, warnings }, account.id === fresh.id ? 201 : 200)
  }),

  route(operations.getAccount, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const key = await findKey(openDb(c.env.DB), account.id)
    return c.json({ success: true, account: viewAccount(account, key) })
  }),

  route(operations.rotateAccountKey, async (c, { params }) => {
    const { now } = c.var
    const account = await pathAccount(c, params)
    const action = { action: "make_key", username: account.username, detail: "", via: "api" } as const
    const made = await rotateKey(openDb(c.env.DB), account, now, { action })
    if (!made) throw noAccount()
    return c.json({ success: true, ...made, created_at: now.toISOString() }, 201)
  }),

  route(operations.eraseAccount, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const action = { action: "erase_account", username: account.username, detail: "", via: "api" } as const
    await eraseAccount(c, account, insertAction(openDb(c.env.DB), action, c.var.now))
    return c.body(null, 204)
  }),

  route(operations.createSignInLink, async (c, { params }) => {
    const made = await makeSignInLink(openDb(c.env.DB), await pathAccount(c, params), "api", c.var.now)
    if (!made) throw noAccount()
    const sign_in_url = `${c.var.origin}${made.path}`
    return c.json({ success: true, sign_in_url, expires_at: made.expires_at.toISOString() }, 201)
  }),
]
