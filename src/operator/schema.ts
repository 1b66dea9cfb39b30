import { FORM, moved, type Operation, shown } from "../http/operation.ts"
import * as forms from "./forms.ts"

const page = { tag: null, access: "operator-page", problems: [] } satisfies Partial<Operation>
const path = "/operator/accounts/:username/"
const change = {
  ...page,
  method: "POST",
  params: forms.AccountParam,
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
  body: forms.Token,
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
  query: forms.AccountsQuery,
  summary: "The accounts, by name",
  successes: shown,
  problems: ["validation_error"],
} satisfies Operation

export const makeAccount = {
  ...page,
  operationId: "makeAccount",
  method: "POST",
  path: "/operator/accounts/",
  body: forms.NewAccount,
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
  params: forms.AccountParam,
  query: forms.AccountQuery,
  summary: "All that is known of an account",
  successes: shown,
} satisfies Operation

export const makeSignInLinkOnPage = {
  ...change,
  operationId: "makeSignInLinkOnPage",
  path: `${path}sign-in-links/`,
  body: forms.SeenLink,
  summary: "Make a sign-in link and show it once",
  successes: { ...shown, ...moved("The account: another link was made since") },
  problems: ["validation_error"],
} satisfies Operation

export const setPaidUntil = {
  ...change,
  operationId: "setPaidUntil",
  path: `${path}paid-until/`,
  body: forms.PaidUntil,
  summary: "Set or extend the paid time",
  problems: ["validation_error"],
} satisfies Operation

export const setRestricted = {
  ...change,
  operationId: "setRestricted",
  path: `${path}restricted/`,
  body: forms.Flag,
  summary: "Restrict the account, or no longer",
  problems: ["validation_error"],
} satisfies Operation

export const setHidden = {
  ...change,
  operationId: "setHidden",
  path: `${path}hidden/`,
  body: forms.Flag,
  summary: "Hide the account's pages and pictures, or no longer",
  problems: ["validation_error"],
} satisfies Operation

export const unpublishPost = {
  ...change,
  operationId: "unpublishPost",
  path: `${path}unpublish/`,
  body: forms.Slug,
  summary: "Turn a published post of the account into a draft",
  problems: ["validation_error", "not_the_author"],
} satisfies Operation

export const getTrail = {
  ...page,
  operationId: "getTrail",
  method: "GET",
  path: "/operator/trail/",
  query: forms.TrailQuery,
  summary: "What the operator did, the newest first",
  successes: shown,
  problems: ["validation_error"],
} satisfies Operation
