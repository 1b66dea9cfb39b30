import * as z from "zod"

import { UsernameParam } from "../accounts/schema.ts"
import { Cursor } from "../http/cursor.ts"
import { refuse } from "../http/fields.ts"
import { FORM, type Operation, moved, shown } from "../http/operation.ts"
import { MAX_SLUG_CHARS } from "../limits.ts"

const { username: Username } = UsernameParam.shape

/** The end of a day, UTC, as `<input type="date">` sends it: who has paid until a day has all of it. */
const Day = z.iso.date("Must be a day such as 2027-12-31.").transform((day) => new Date(`${day}T23:59:59Z`))

const empty = z.literal("").transform(() => undefined)

const Token = z.object({ token: z.string() })

const NewAccount = z.object({ username: Username, paid_until: z.union([empty, Day]).optional() })

/** The paid time that the form was shown with, in milliseconds; empty: none. */
const SeenTime = z
  .string()
  .regex(/^(?:-?\d{1,15})?$/, "Open the account again.")
  .transform((text) => (text === "" ? null : new Date(Number(text))))

/** A day, or so many months on top of what is paid. */
const PaidUntil = z
  .object({
    seen: SeenTime,
    paid_until: Day.optional(),
    months: z.enum(["1", "12"]).transform(Number).optional(),
  })
  .superRefine(({ paid_until, months }, ctx) => {
    if ((paid_until === undefined) === (months === undefined))
      refuse(ctx, "invalid", "Send a day or a number of months.", ["paid_until"])
  })

/** What the account is to be. */
const Flag = z.object({ value: z.enum(["true", "false"]).transform((text) => text === "true") })

const Slug = z.object({ slug: z.string().trim().min(1, "Name a post.").max(MAX_SLUG_CHARS) })

/** The entry of the last sign-in link that the form was shown with; empty: none. */
const SeenLink = z.object({
  seen: z
    .string()
    .regex(/^(?:[0-9A-Z]{26})?$/, "Open the account again.")
    .transform((text) => (text === "" ? null : text)),
})

const AccountsQuery = z.object({
  prefix: z
    .string()
    .max(MAX_SLUG_CHARS)
    .transform((text) => text.trim().toLowerCase())
    .default(""),
  /** Where the page before ended: names are no secret here. */
  cursor: z.string().max(MAX_SLUG_CHARS).optional(),
})

/** The account of a page; any name, since the account is looked up. */
const AccountParam = z.object({ username: z.string() })

/** What the page of an account tells after a form. */
const AccountQuery = z.object({ unchanged: z.string().optional() })

const TrailQuery = z.object({ username: z.string().max(MAX_SLUG_CHARS).optional(), cursor: Cursor.optional() })

const page = { tag: null, access: "operator-page", problems: [] } satisfies Partial<Operation>
const path = "/operator/accounts/:username/"
const change = {
  ...page,
  method: "POST",
  params: AccountParam,
  contentType: FORM,
  successes: moved("The account"),
} satisfies Partial<Operation>

export const getOperatorSignIn = {
  ...page,
  access: "page",
  operationId: "getOperatorSignIn",
  method: "GET",
  path: "/operator/sign-in/",
  summary: "Asks for the operator's token",
  successes: shown,
  problems: ["not_found"],
} satisfies Operation

export const signInOperator = {
  ...page,
  access: "page",
  operationId: "signInOperator",
  method: "POST",
  body: Token,
  contentType: FORM,
  path: "/operator/sign-in/",
  summary: "Sign in with the operator's token",
  successes: moved("The accounts"),
  problems: ["not_found", "validation_error", "unauthorized", "rate_limited"],
} satisfies Operation

export const signOutOperator = {
  ...page,
  access: "page",
  operationId: "signOutOperator",
  method: "POST",
  path: "/operator/sign-out/",
  summary: "End the operator's session",
  successes: moved("The page to sign in"),
  problems: ["not_found"],
} satisfies Operation

export const getAccounts = {
  ...page,
  operationId: "getAccounts",
  method: "GET",
  path: "/operator/",
  query: AccountsQuery,
  summary: "The accounts, by name",
  successes: shown,
  problems: ["validation_error"],
} satisfies Operation

export const makeAccount = {
  ...page,
  operationId: "makeAccount",
  method: "POST",
  path: "/operator/accounts/",
  body: NewAccount,
  contentType: FORM,
  summary: "Make an account",
  successes: moved("The account"),
  problems: ["validation_error"],
} satisfies Operation

export const getAccountPage = {
  ...page,
  operationId: "getAccountPage",
  method: "GET",
  path,
  params: AccountParam,
  query: AccountQuery,
  summary: "All that is known of an account",
  successes: shown,
} satisfies Operation

export const makeSignInLinkOnPage = {
  ...change,
  operationId: "makeSignInLinkOnPage",
  path: `${path}sign-in-links/`,
  body: SeenLink,
  summary: "Make a sign-in link and show it once",
  successes: { ...shown, ...moved("The account: another link was made since") },
  problems: ["validation_error"],
} satisfies Operation

export const setPaidUntil = {
  ...change,
  operationId: "setPaidUntil",
  path: `${path}paid-until/`,
  body: PaidUntil,
  summary: "Set or extend the paid time",
  problems: ["validation_error"],
} satisfies Operation

export const setRestricted = {
  ...change,
  operationId: "setRestricted",
  path: `${path}restricted/`,
  body: Flag,
  summary: "Restrict the account, or no longer",
  problems: ["validation_error"],
} satisfies Operation

export const setHidden = {
  ...change,
  operationId: "setHidden",
  path: `${path}hidden/`,
  body: Flag,
  summary: "Hide the account's pages and pictures, or no longer",
  problems: ["validation_error"],
} satisfies Operation

export const unpublishPost = {
  ...change,
  operationId: "unpublishPost",
  path: `${path}unpublish/`,
  body: Slug,
  summary: "Turn a published post of the account into a draft",
  problems: ["validation_error", "not_the_author"],
} satisfies Operation

export const getTrail = {
  ...page,
  operationId: "getTrail",
  method: "GET",
  path: "/operator/trail/",
  query: TrailQuery,
  summary: "What the operator did, the newest first",
  successes: shown,
  problems: ["validation_error"],
} satisfies Operation
