import * as z from "zod"

import { AccountChanges, KeyInput, KeyNameParam, UsernameParam } from "../accounts/input.ts"
import { keyView, settingsView, Timestamp, usageView } from "../accounts/operations.ts"
import type { Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"

const AccountView = z
  .object({
    username: z.string(),
    paid_until: Timestamp.nullable(),
    paid_source: z.enum(["operator", "stripe"]).nullable().meta({ description: "The source of the paid time." }),
    restricted: z.boolean(),
    hidden: z.boolean(),
    erasing: z
      .boolean()
      .meta({ description: "It is erased; its rows are still being deleted, and its name is taken." }),
    ...settingsView,
    blog_host: z.string().nullable().meta({ description: "The host at whose root the blog is." }),
    usage: usageView,
    limits: z.object({ max_stored_text_bytes: z.int(), max_stored_bytes: z.int() }),
    created_at: Timestamp,
    keys: z
      .array(z.object({ ...keyView, last_four: z.string(), created_at: Timestamp, last_used_at: Timestamp.nullable() }))
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
    created_at: Timestamp,
    warnings: z.array(Warning),
  })
  .meta({ id: "NewKey", description: "A new API key. It is shown only once." })

const SignInLink = z
  .object({ success: z.literal(true), sign_in_url: z.url(), expires_at: z.iso.datetime() })
  .meta({ id: "SignInLink", description: "A link that works once. It is shown only once." })

const path = "/operator/api/accounts/:username/"
const accountRoute = { access: "operator", tag: "Operator", path, params: UsernameParam } as const

export const patchAccountOperation = {
  ...accountRoute,
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

export const getAccountOperation = {
  ...accountRoute,
  operationId: "getAccount",
  method: "GET",
  summary: "Show an account",
  successes: {
    200: { description: "The account", schema: z.object({ success: z.literal(true), account: AccountView }) },
  },
  problems: ["not_found"],
} satisfies Operation

export const deleteAccountOperation = {
  ...accountRoute,
  operationId: "eraseAccount",
  method: "DELETE",
  summary: "Erase an account with everything it owns",
  description:
    "Erases posts, translations, images and keys, at once for everybody. Nothing can be recovered. A job deletes the rows; the name and the slugs are free afterwards, some minutes later for a large account.",
  successes: { 204: { description: "Erased" } },
  problems: ["not_found"],
} satisfies Operation

export const makeAccountKeyOperation = {
  ...accountRoute,
  operationId: "makeAccountKey",
  method: "POST",
  path: `${path}keys/`,
  summary: "Make a new API key and revoke the one with the same name",
  body: KeyInput,
  example: { name: "github-actions", scope: "publish", expires_at: "2030-01-01T00:00:00Z" },
  successes: { 201: { description: "The new key", schema: NewKey } },
  problems: ["validation_error", "invalid_json", "not_found", "subscription_required"],
} satisfies Operation

export const revokeAccountKeyOperation = {
  ...accountRoute,
  operationId: "revokeAccountKey",
  method: "DELETE",
  path: `${path}keys/:name/`,
  params: UsernameParam.extend(KeyNameParam.shape),
  summary: "Revoke an API key",
  successes: { 204: { description: "Revoked" } },
  problems: ["not_found"],
} satisfies Operation

export const createSignInLinkOperation = {
  ...accountRoute,
  operationId: "createSignInLink",
  method: "POST",
  path: `${path}sign-in-links/`,
  summary: "Make a one-time sign-in link for an author",
  description: `It is valid for ${SIGN_IN_LINK_SECONDS / 60} minutes. Send it only to the author: anyone with the link can use it.`,
  successes: { 201: { description: "The link", schema: SignInLink } },
  problems: ["not_found"],
} satisfies Operation
