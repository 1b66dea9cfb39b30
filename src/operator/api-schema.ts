import * as z from "zod"

import { AccountChanges, UsernameParam, Time, languages } from "../accounts/schema.ts"
import type { Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"

const AccountView = z
  .object({
    username: z.string(),
    paid_until: Time.nullable(),
    paid_source: z.enum(["operator", "stripe"]).nullable().meta({ description: "Who gave the paid time." }),
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
  .meta({ id: "NewKey", description: "The only time the key is shown." })

const path = "/operator/api/accounts/:username/"
const operator = { access: "operator", tag: "Operator", path, params: UsernameParam } as const

const SignInLink = z
  .object({ success: z.literal(true), sign_in_url: z.url(), expires_at: z.iso.datetime() })
  .meta({ id: "SignInLink", description: "Works once. The only time that it is shown." })

export const patchAccount = {
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

export const getAccount = {
  ...operator,
  operationId: "getAccount",
  method: "GET",
  summary: "Show an account",
  successes: {
    200: { description: "The account", schema: z.object({ success: z.literal(true), account: AccountView }) },
  },
  problems: ["not_found"],
} satisfies Operation

export const eraseAccount = {
  ...operator,
  operationId: "eraseAccount",
  method: "DELETE",
  summary: "Erase an account with everything it owns",
  description: "Posts, translations, pictures, keys. Nothing can be recovered.",
  successes: { 204: { description: "Erased" } },
  problems: ["not_found"],
} satisfies Operation

export const rotateAccountKey = {
  ...operator,
  operationId: "rotateAccountKey",
  method: "POST",
  path: `${path}keys/`,
  summary: "Make a new API key and revoke the old one",
  successes: { 201: { description: "The new key", schema: NewKey } },
  problems: ["not_found", "subscription_required"],
} satisfies Operation

export const createSignInLink = {
  operationId: "createSignInLink",
  method: "POST",
  path: "/operator/api/accounts/:username/sign-in-links/",
  access: "operator",
  tag: "Operator",
  summary: "Make a link that lets an author in, once",
  description: `It is valid for ${SIGN_IN_LINK_SECONDS / 60} minutes. Send it to the author: whoever has it can use it.`,
  params: UsernameParam,
  successes: { 201: { description: "The link", schema: SignInLink } },
  problems: ["not_found"],
} satisfies Operation
