import * as z from "zod"

import { Instant } from "../http/fields.ts"
import type { Operation } from "../http/operation.ts"
import { LanguageCode, LanguageCodes } from "../language.ts"

export const Time = z.iso.datetime({ offset: true })

const Username = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/, "1 to 39 of a-z, 0-9 and -, not at either end.")
  .meta({ example: "demo" })

export const UsernameParam = z.object({ username: Username })

export const languages = {
  primary_language: z.string(),
  translation_languages: z.array(z.string()),
}

/** The account as its clients see it. */
const OwnAccount = z
  .object({
    username: z.string(),
    paid_until: Time.nullable(),
    ...languages,
    limits: z.record(z.string(), z.number()).meta({ description: "The limits of this service, by name." }),
  })
  .meta({ id: "OwnAccount" })

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
