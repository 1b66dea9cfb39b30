import * as z from "zod"

import { ExportQuery } from "../export/schema.ts"
import { moved, type Operation, shown } from "../http/route.ts"
import { LanguageCode, LanguageCodes } from "../language.ts"

const page = { tag: null, access: "author", problems: [] } satisfies Partial<Operation>

/** As a person writes them: between commas or blanks. */
const WrittenCodes = z.preprocess(
  (text) => (typeof text === "string" ? text.split(/[\s,]+/).filter((code) => code !== "") : text),
  LanguageCodes,
)

export const Languages = z.object({ primary_language: LanguageCode, translation_languages: WrittenCodes })

/** When the key was made that is to be replaced, in milliseconds; empty: there was none. */
export const Rotation = z.object({
  replaced: z
    .string()
    .regex(/^\d{0,15}$/, "Open the settings again.")
    .transform((text) => (text === "" ? null : new Date(Number(text)))),
})

export const Session = z.object({ session: z.string().regex(/^[0-9a-f]{64}$/, "Open the settings again.") })

export const getSettings: Operation = {
  ...page,
  operationId: "getSettings",
  method: "GET",
  path: "/settings/",
  summary: "Subscription, key, languages, limits and sessions of the author",
  successes: shown,
}

export const makeKey: Operation = {
  ...page,
  operationId: "makeKey",
  method: "POST",
  path: "/settings/key/",
  summary: "Make the API key or replace it, and show it once",
  successes: { ...shown, ...moved("The settings: the key was replaced by now") },
  problems: ["validation_error", "subscription_required"],
}

export const setLanguages: Operation = {
  ...page,
  operationId: "setLanguages",
  method: "POST",
  path: "/settings/languages/",
  summary: "Set the languages that posts begin with",
  successes: moved("The settings"),
  problems: ["validation_error"],
}

export const endSession: Operation = {
  ...page,
  operationId: "endSession",
  method: "POST",
  path: "/settings/sessions/end/",
  summary: "End one session",
  successes: moved("The settings"),
  problems: ["validation_error"],
}

export const endAllSessions: Operation = {
  ...page,
  operationId: "endAllSessions",
  method: "POST",
  path: "/settings/sessions/end-all/",
  summary: "Sign out everywhere",
  successes: moved("The page to sign in"),
}

export const getBoard: Operation = {
  ...page,
  operationId: "getBoard",
  method: "GET",
  path: "/settings/posts/",
  summary: "The author's posts and how their translations fare",
  successes: shown,
  problems: ["validation_error"],
}

export const tryAgain: Operation = {
  ...page,
  operationId: "tryAgain",
  method: "POST",
  path: "/settings/posts/:slug/:lang_code/",
  summary: "Ask once more for a translation that has failed",
  params: z.object({ slug: z.string(), lang_code: z.string() }),
  successes: moved("The board"),
  problems: ["not_found", "not_the_author", "subscription_required", "account_restricted"],
}

export const PartsQuery = ExportQuery.pick({ cursor: true, part: true })

export const getExportParts: Operation = {
  ...page,
  operationId: "getExportParts",
  method: "GET",
  path: "/settings/export/parts/",
  summary: "The archives that hold all of an author's posts together",
  query: PartsQuery,
  successes: shown,
  problems: ["validation_error"],
}

export const Erasure = z.object({ username: z.string().trim() })

export const getErasure: Operation = {
  ...page,
  operationId: "getErasure",
  method: "GET",
  path: "/settings/erase/",
  summary: "Asks whether to erase the account, and says what goes with it",
  successes: shown,
}

export const eraseOwnAccount: Operation = {
  ...page,
  operationId: "eraseOwnAccount",
  method: "POST",
  path: "/settings/erase/",
  summary: "Erase the account with everything it owns",
  successes: shown,
  problems: ["validation_error"],
}
