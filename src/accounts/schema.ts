import * as z from "zod"

import { Instant } from "../http/fields.ts"
import type { Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { LanguageCode, LanguageCodes } from "../language.ts"

const Time = z.iso.datetime({ offset: true })

const Username = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/, "1 to 39 of a-z, 0-9 and -, not at either end.")
  .meta({ example: "demo" })

export const UsernameParam = z.object({ username: Username })

const languages = {
  primary_language: z.string(),
  translation_languages: z.array(z.string()),
}

/** What a client may know of its own account. */
const OwnAccount = z
  .object({
    username: z.string(),
    paid_until: Time.nullable(),
    ...languages,
    limits: z.record(z.string(), z.number()).meta({ description: "The limits of this service, by name." }),
  })
  .meta({ id: "OwnAccount" })

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

const YesOrNo = z.boolean("Must be true or false.")

export const AccountChanges = z
  .object({
    paid_until: Instant.nullable().meta({
      description: "Until when the operator gives paid time, in RFC 3339 with an offset; null for none",
    }),
    restricted: YesOrNo,
    hidden: YesOrNo,
    primary_language: LanguageCode,
    translation_languages: LanguageCodes,
  })
  .partial()
  .meta({ id: "AccountChanges", description: "Only what is sent changes." })
export type AccountChanges = z.output<typeof AccountChanges>

const AccountAnswer = z.object({ success: z.literal(true), account: AccountView, warnings: z.array(Warning) })

const NewKey = z
  .object({ success: z.literal(true), api_key: z.string(), last_four: z.string(), created_at: Time })
  .meta({ id: "NewKey", description: "The only time the key is shown." })

const path = "/operator/api/accounts/:username/"
const operator = { access: "operator", tag: "Operator", path, params: UsernameParam } as const

export const getOwnAccount = {
  operationId: "getOwnAccount",
  method: "GET",
  path: "/api/blogcontroller/account/",
  access: "key",
  tag: "Account",
  summary: "The account of this key: languages, paid time, limits",
  successes: {
    200: { description: "The account", schema: z.object({ success: z.literal(true), account: OwnAccount }) },
  },
  problems: [],
} satisfies Operation

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
