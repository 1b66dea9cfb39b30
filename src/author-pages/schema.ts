import * as z from "zod"

import { ExportQuery } from "../export/schema.ts"
import { FORM, moved, type Operation, shown } from "../http/operation.ts"
import { LanguageCode, LanguageCodes } from "../language.ts"
import { ListQuery } from "../posts/schema.ts"

const page = { tag: null, access: "author", problems: [] } satisfies Partial<Operation>

/** As a person writes them: between commas or blanks. */
const WrittenCodes = z.preprocess(
  (text) => (typeof text === "string" ? text.split(/[\s,]+/).filter((code) => code !== "") : text),
  LanguageCodes,
)

const Languages = z.object({ primary_language: LanguageCode, translation_languages: WrittenCodes })

/** When the key was made that is to be replaced, in milliseconds; empty: there was none. */
const Rotation = z.object({
  replaced: z
    .string()
    .regex(/^\d{0,15}$/, "Open the settings again.")
    .transform((text) => (text === "" ? null : new Date(Number(text)))),
})

const Session = z.object({ session: z.string().regex(/^[0-9a-f]{64}$/, "Open the settings again.") })

export const getSettings = {
  ...page,
  operationId: "getSettings",
  method: "GET",
  path: "/settings/",
  summary: "Subscription, key, languages, limits and sessions of the author",
  successes: shown,
} satisfies Operation

export const makeKey = {
  ...page,
  operationId: "makeKey",
  method: "POST",
  path: "/settings/key/",
  body: Rotation,
  contentType: FORM,
  summary: "Make the API key or replace it, and show it once",
  successes: { ...shown, ...moved("The settings: the key was replaced by now") },
  problems: ["validation_error", "subscription_required"],
} satisfies Operation

export const setLanguages = {
  ...page,
  operationId: "setLanguages",
  method: "POST",
  path: "/settings/languages/",
  body: Languages,
  contentType: FORM,
  summary: "Set the languages that posts begin with",
  successes: moved("The settings"),
  problems: ["validation_error"],
} satisfies Operation

export const endSession = {
  ...page,
  operationId: "endSession",
  method: "POST",
  path: "/settings/sessions/end/",
  body: Session,
  contentType: FORM,
  summary: "End one session",
  successes: moved("The settings"),
  problems: ["validation_error"],
} satisfies Operation

export const endAllSessions = {
  ...page,
  operationId: "endAllSessions",
  method: "POST",
  path: "/settings/sessions/end-all/",
  summary: "Sign out everywhere",
  successes: moved("The page to sign in"),
} satisfies Operation

export const getBoard = {
  ...page,
  operationId: "getBoard",
  method: "GET",
  path: "/settings/posts/",
  query: ListQuery,
  summary: "The author's posts and how their translations fare",
  successes: shown,
  problems: ["validation_error"],
} satisfies Operation

export const tryAgain = {
  ...page,
  operationId: "tryAgain",
  method: "POST",
  path: "/settings/posts/:slug/:lang_code/",
  summary: "Ask once more for a translation that has failed",
  params: z.object({ slug: z.string(), lang_code: z.string() }),
  successes: moved("The board"),
  problems: ["not_found", "not_the_author", "subscription_required", "account_restricted"],
} satisfies Operation

export const getExportParts = {
  ...page,
  operationId: "getExportParts",
  method: "GET",
  path: "/settings/export/parts/",
  summary: "The archives that hold all of an author's posts together",
  query: ExportQuery.pick({ cursor: true, part: true }),
  successes: shown,
  problems: ["validation_error"],
} satisfies Operation

const Erasure = z.object({ username: z.string().trim() })

export const getErasure = {
  ...page,
  operationId: "getErasure",
  method: "GET",
  path: "/settings/erase/",
  summary: "Asks whether to erase the account, and says what goes with it",
  successes: shown,
} satisfies Operation

export const eraseOwnAccount = {
  ...page,
  operationId: "eraseOwnAccount",
  method: "POST",
  body: Erasure,
  contentType: FORM,
  path: "/settings/erase/",
  summary: "Erase the account with everything it owns",
  successes: shown,
  problems: ["validation_error"],
} satisfies Operation
