import * as z from "zod"

import { asOperator, newAccount } from "../accounts/account.ts"
import { rotateKey } from "../accounts/key.ts"
import { AccountChanges, UsernameParam, Time, languages } from "../accounts/schema.ts"
import { findKey, insertAction, upsertAccount } from "../accounts/store.ts"
import { openDb } from "../db/client.ts"
import type { Account, ApiKey } from "../db/schema.ts"
import { eraseAccount } from "../erase-account.ts"
import type { Operation } from "../http/operation.ts"
import { route } from "../http/route.ts"
import { Warning } from "../http/validate.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"
import { makeSignInLink } from "../sessions/invite.ts"
import { accountNotFound, pathAccount } from "./request.ts"

const AccountView = z
  .object({
    username: z.string(),
    paid_until: Time.nullable(),
    paid_source: z.enum(["operator", "stripe"]).nullable().meta({ description: "The source of the paid time." }),
    restricted: z.boolean(),
    hidden: z.boolean(),
    ...languages,
    created_at: Time,
    api_key: z
      .object({ last_four: z.string(), created_at: Time, last_used_at: Time.nullable() })
      .nullable()
      .meta({ description: "The live key, never in full." }),
  })
  .meta({ id: "Account" })

const AccountAnswer = z.object({ success: z.literal(true), account: AccountView, warnings: z.array(Warning) })

const NewKey = z
  .object({ success: z.literal(true), api_key: z.string(), last_four: z.string(), created_at: Time })
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
  problems: ["validation_error", "invalid_json"],
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

const rotateAccountKey = {
  ...operator,
  operationId: "rotateAccountKey",
  method: "POST",
  path: `${path}keys/`,
  summary: "Make a new API key and revoke the old one",
  successes: { 201: { description: "The new key", schema: NewKey } },
  problems: ["not_found", "subscription_required"],
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

/** Describes the sent changes for the audit log. */
const describeChanges = (changes: Partial<Account>): string =>
  Object.entries(changes)
    .map(([field, value]) => `${field}: ${value instanceof Date ? value.toISOString() : String(value)}`)
    .join("; ")

export const operatorRoutes = [
  route(patchAccount, async (c, { params: { username }, body: changes, warnings }) => {
    const db = openDb(c.env.DB)
    const fresh = newAccount(username, c.var.now)
    const action = { action: "set_account", username, detail: describeChanges(changes), via: "api" } as const
    const account = await upsertAccount(db, fresh, asOperator(changes), action)
    const view = viewAccount(account, await findKey(db, account.id))
    return c.json({ success: true, account: view, warnings }, account.id === fresh.id ? 201 : 200)
  }),

  route(getAccount, async (c, { params }) => {
    const account = await pathAccount(c, params)
    const key = await findKey(openDb(c.env.DB), account.id)
    return c.json({ success: true, account: viewAccount(account, key) })
  }),

  route(rotateAccountKey, async (c, { params }) => {
    const { now } = c.var
    const account = await pathAccount(c, params)
    const action = { action: "make_key", username: account.username, detail: "", via: "api" } as const
    const made = await rotateKey(openDb(c.env.DB), account, now, { action })
    if (!made) throw accountNotFound()
    return c.json({ success: true, ...made, created_at: now.toISOString() }, 201)
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
