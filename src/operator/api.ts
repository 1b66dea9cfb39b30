import * as z from "zod"

import { asOperator, newAccount, viewSettings, viewUsage, withLanguages } from "../accounts/account.ts"
import { makeKey } from "../accounts/key.ts"
import { viewKey } from "../accounts/routes.ts"
import {
  AccountChanges,
  KeyInput,
  KeyNameParam,
  UsernameParam,
  Time,
  keyView,
  settingsView,
  usageView,
  blogTexts,
} from "../accounts/schema.ts"
import { findAccount, insertAction, listKeys, revokeKey, upsertAccount } from "../accounts/store.ts"
import type { Config } from "../config.ts"
import { openDb } from "../db/client.ts"
import type { Account, ApiKey } from "../db/schema.ts"
import { eraseAccount } from "../erase-account.ts"
import { ApiError } from "../http/errors.ts"
import type { Operation } from "../http/operation.ts"
import { route } from "../http/route.ts"
import { Warning } from "../http/validate.ts"
import { unnamedLanguages } from "../language.ts"
import { MAX_STORED_BYTES, SIGN_IN_LINK_SECONDS } from "../limits.ts"
import { makeSignInLink } from "../sessions/invite.ts"
import { resumeTranslations } from "../translations/queue.ts"
import { accountNotFound, keyAction, pathAccount } from "./request.ts"

const AccountView = z
  .object({
    username: z.string(),
    paid_until: Time.nullable(),
    paid_source: z.enum(["operator", "stripe"]).nullable().meta({ description: "The source of the paid time." }),
    restricted: z.boolean(),
    hidden: z.boolean(),
    ...settingsView,
    usage: usageView,
    limits: z.object({ max_stored_text_bytes: z.number(), max_stored_bytes: z.number() }),
    created_at: Time,
    keys: z
      .array(z.object({ ...keyView, last_four: z.string(), created_at: Time, last_used_at: Time.nullable() }))
      .meta({ description: "The keys that are not revoked, never in full." }),
  })
  .meta({ id: "Account" })

const AccountAnswer = z.object({ success: z.literal(true), account: AccountView, warnings: z.array(Warning) })

const NewKey = z
  .object({
    success: z.literal(true),
    api_key: z.string(),
    ...keyView,
    last_four: z.string(),
    created_at: Time,
    warnings: z.array(Warning),
  })
  .meta({ id: "NewKey", description: "A new API key. It is shown only once." })

const SignInLink = z
  .object({ success: z.literal(true), sign_in_url: z.url(), expires_at: z.iso.datetime() })
  .meta({ id: "SignInLink", description: "A link that works once. It is shown only once." })

const path = "/operator/api/accounts/:username/"
const operator = { access: "operator", tag: "Operator", path, params: UsernameParam } as const

const patchAccount = {
  ...operator,
  operationId: "patchAccount",
  method: "PATCH",
  summary: "Make or change an account",
  body: AccountChanges,
  example: { paid_until: "2030-01-01T00:00:00Z" },
  successes: {
    200: { description: "Changed", schema: AccountAnswer },
    201: { description: "Made", schema: AccountAnswer },
  },
  problems: ["validation_error", "invalid_json", "unknown_language"],
} satisfies Operation

const getAccount = {
  ...operator,
  operationId: "getAccount",
  method: "GET",
  summary: "Show an account",
  successes: {
    200: { description: "The account", schema: z.object({ success: z.literal(true), account: AccountView }) },
  },
  problems: ["not_found"],
} satisfies Operation

const deleteAccount = {
  ...operator,
  operationId: "eraseAccount",
  method: "DELETE",
  summary: "Erase an account with everything it owns",
  description: "Erases posts, translations, images and keys. Nothing can be recovered.",
  successes: { 204: { description: "Erased" } },
  problems: ["not_found"],
} satisfies Operation

const makeAccountKey = {
  ...operator,
  operationId: "makeAccountKey",
  method: "POST",
  path: `${path}keys/`,
  summary: "Make a new API key and revoke the one with the same name",
  body: KeyInput,
  example: { name: "github-actions", scope: "publish", expires_at: "2030-01-01T00:00:00Z" },
  successes: { 201: { description: "The new key", schema: NewKey } },
  problems: ["validation_error", "invalid_json", "not_found", "subscription_required"],
} satisfies Operation

const revokeAccountKey = {
  ...operator,
  operationId: "revokeAccountKey",
  method: "DELETE",
  path: `${path}keys/:name/`,
  params: UsernameParam.extend(KeyNameParam.shape),
  summary: "Revoke an API key",
  successes: { 204: { description: "Revoked" } },
  problems: ["not_found"],
} satisfies Operation

const createSignInLink = {
  ...operator,
  operationId: "createSignInLink",
  method: "POST",
  path: `${path}sign-in-links/`,
  summary: "Make a one-time sign-in link for an author",
  description: `It is valid for ${SIGN_IN_LINK_SECONDS / 60} minutes. Send it only to the author: anyone with the link can use it.`,
  successes: { 201: { description: "The link", schema: SignInLink } },
  problems: ["not_found"],
} satisfies Operation

const viewAccount = (account: Account, keys: ApiKey[], config: Config) => ({
  username: account.username,
  paid_until: account.paid_until?.toISOString() ?? null,
  paid_source: account.paid_source,
  restricted: account.restricted,
  hidden: account.hidden,
  ...viewSettings(account),
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

export const operatorRoutes = [
  route(patchAccount, async (c, { params: { username }, body, warnings: unknown }) => {
    const db = openDb(c.env.DB)
    const changes = withLanguages(body, await findAccount(db, username))
    const warnings = [...unknown, ...unnamedLanguages(body)]
    const fresh = newAccount(username, c.var.now)
    const action = { action: "set_account", username, detail: describeChanges(changes), via: "api" } as const
    const account = await upsertAccount(db, fresh, asOperator(changes), action)
    resumeTranslations(c, account.id)
    const view = viewAccount(account, await listKeys(db, account.id), c.var.config)
    return c.json({ success: true, account: view, warnings }, account.id === fresh.id ? 201 : 200)
  }),

  route(getAccount, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const keys = await listKeys(openDb(c.env.DB), account.id)
    return c.json({ success: true, account: viewAccount(account, keys, c.var.config) })
  }),

  route(makeAccountKey, async (c, { params, body, warnings }) => {
    const { now } = c.var
    const account = await pathAccount(c, params)
    const action = keyAction("make_key", account, body.name, "api")
    const made = await makeKey(openDb(c.env.DB), account, body, now, { action })
    if (!made) throw accountNotFound()
    const answer = { success: true, ...viewKey(made), api_key: made.api_key, last_four: made.last_four }
    return c.json({ ...answer, created_at: now.toISOString(), warnings }, 201)
  }),

  route(revokeAccountKey, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const action = keyAction("revoke_key", account, params.name, "api")
    if (!(await revokeKey(openDb(c.env.DB), account.id, params.name, c.var.now, { action })))
      throw new ApiError("not_found", "The account has no key with this name.")
    return c.body(null, 204)
  }),

  route(deleteAccount, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const action = { action: "erase_account", username: account.username, detail: "", via: "api" } as const
    await eraseAccount(c, account, insertAction(openDb(c.env.DB), action, c.var.now))
    return c.body(null, 204)
  }),

  route(createSignInLink, async (c, { params }) => {
    const made = await makeSignInLink(openDb(c.env.DB), await pathAccount(c, params), "api", c.var.now)
    if (!made) throw accountNotFound()
    const sign_in_url = `${c.var.origin}${made.path}`
    return c.json({ success: true, sign_in_url, expires_at: made.expires_at.toISOString() }, 201)
  }),
]
