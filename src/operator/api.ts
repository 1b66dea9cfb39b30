import { asOperator, newAccount, viewSettings, viewUsage, withLanguages } from "../accounts/account.ts"
import { insertAction } from "../accounts/audit-log-store.ts"
import { blogTexts } from "../accounts/input.ts"
import { listKeys, revokeKey } from "../accounts/key-store.ts"
import { makeKey } from "../accounts/key.ts"
import { viewKey } from "../accounts/routes.ts"
import { findAccount, upsertAccount } from "../accounts/store.ts"
import type { Config } from "../config.ts"
import { openDb } from "../db/client.ts"
import type { Account, ApiKey } from "../db/schema.ts"
import { purgeAccount } from "../edge/purge.ts"
import { eraseAccount } from "../erase-account.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { route, routeWith } from "../http/route.ts"
import { unnamedLanguages } from "../language.ts"
import { MAX_STORED_BYTES } from "../limits.ts"
import { makeSignInLink } from "../sessions/invite.ts"
import { resumeTranslations } from "../translations/queue.ts"
import {
  patchAccountOperation,
  getAccountOperation,
  deleteAccountOperation,
  makeAccountKeyOperation,
  revokeAccountKeyOperation,
  createSignInLinkOperation,
} from "./operations.ts"
import { accountNotFound, ERASING, hostTaken, keyAction, pathAccount, requireForeignHost } from "./request.ts"

const viewAccount = (account: Account, keys: ApiKey[], config: Config) => ({
  username: account.username,
  paid_until: account.paid_until?.toISOString() ?? null,
  paid_source: account.paid_source,
  restricted: account.restricted,
  hidden: account.hidden,
  erasing: account.erasing_at !== null,
  ...viewSettings(account),
  blog_host: account.blog_host,
  usage: viewUsage(account),
  limits: { max_stored_text_bytes: config.maxStoredTextBytes, max_stored_bytes: MAX_STORED_BYTES },
  created_at: account.created_at.toISOString(),
  keys: keys.map((key) => ({
    ...viewKey(key),
    last_four: key.last_four,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
  })),
})

const describeValue = (field: string, value: unknown): string => {
  // The audit log outlives an erased account, so it does not hold the author's name and words.
  if (field in blogTexts && value !== null) return "changed"
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Describes the sent changes for the audit log. */
const describeChanges = (changes: Partial<Account>): string =>
  Object.entries(changes)
    .map(([field, value]) => `${field}: ${describeValue(field, value)}`)
    .join("; ")

const keyNotFound = (): ApiError => new ApiError("not_found", "The account has no key with this name.")

const onAccount = routeWith({ requireTarget: (c, params: { username: string }) => pathAccount(c, params) })
/** Takes also an account that is being erased. */
const onAnyAccount = routeWith({ requireTarget: (c, params: { username: string }) => pathAccount(c, params, true) })
const onKey = routeWith({
  requireTarget: async (c, params: { username: string; name: string }) => {
    const keys = await listKeys(openDb(c.env.DB), (await pathAccount(c, params)).id)
    if (!keys.some(({ name }) => name === params.name)) throw keyNotFound()
  },
})

export const operatorRoutes = [
  route(patchAccountOperation, async (c, { params: { username }, body, warnings: unknown }) => {
    const db = openDb(c.env.DB)
    const changes = withLanguages(body, await findAccount(db, username))
    requireForeignHost(body.blog_host, c.var.places)
    const warnings = [...unknown, ...unnamedLanguages(body)]
    const fresh = newAccount(username, c.var.now)
    const action = { action: "set_account", username, detail: describeChanges(changes), via: "api" } as const
    const account = await upsertAccount(db, fresh, asOperator(changes), action)
    if (account === "host_taken") throw hostTaken()
    if (account === "erasing") throw fieldError("username", "validation_error", `${ERASING} Try again then.`)
    resumeTranslations(c, account.id)
    if (account.hidden || body.blog_host !== undefined) purgeAccount(c, username)
    const view = viewAccount(account, await listKeys(db, account.id), c.var.config)
    return c.json({ success: true, account: view, warnings }, account.id === fresh.id ? 201 : 200)
  }),

  onAnyAccount(getAccountOperation, async (c, { params }) => {
    const account = await pathAccount(c, params, true)
    const keys = await listKeys(openDb(c.env.DB), account.id)
    return c.json({ success: true, account: viewAccount(account, keys, c.var.config) })
  }),

  onAccount(makeAccountKeyOperation, async (c, { params, body, warnings }) => {
    const { now } = c.var
    const account = await pathAccount(c, params)
    const action = keyAction("make_key", account, body.name, "api")
    const key = await makeKey(openDb(c.env.DB), account, body, now, { action })
    if (!key) throw accountNotFound()
    const answer = { success: true, ...viewKey(key), api_key: key.api_key, last_four: key.last_four }
    return c.json({ ...answer, created_at: now.toISOString(), warnings }, 201)
  }),

  onKey(revokeAccountKeyOperation, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const action = keyAction("revoke_key", account, params.name, "api")
    if (!(await revokeKey(openDb(c.env.DB), account.id, params.name, c.var.now, { action }))) throw keyNotFound()
    return c.body(null, 204)
  }),

  onAnyAccount(deleteAccountOperation, async (c, { params }) => {
    const account = await pathAccount(c, params, true)
    const action = { action: "erase_account", username: account.username, detail: "", via: "api" } as const
    await eraseAccount(c, account, insertAction(openDb(c.env.DB), action, c.var.now))
    return c.body(null, 204)
  }),

  onAccount(createSignInLinkOperation, async (c, { params }) => {
    const link = await makeSignInLink(openDb(c.env.DB), await pathAccount(c, params), "api", c.var.now)
    if (!link) throw accountNotFound()
    const sign_in_url = `${c.var.origin}${link.path}`
    return c.json({ success: true, sign_in_url, expires_at: link.expires_at.toISOString() }, 201)
  }),
]
