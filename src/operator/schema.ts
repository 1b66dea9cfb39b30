import { UsernameParam } from "../accounts/schema.ts"
import { moved, type Operation, shown } from "../http/route.ts"

const page = { tag: null, access: "operator-page", problems: [] } satisfies Partial<Operation>
const path = "/operator/accounts/:username/"
const change = {
  ...page,
  method: "POST",
  params: UsernameParam,
  successes: moved("The account"),
} satisfies Partial<Operation>

export const getOperatorSignIn: Operation = {
  ...page,
  access: "page",
  operationId: "getOperatorSignIn",
  method: "GET",
  path: "/operator/sign-in/",
  summary: "Asks for the operator's token",
  successes: shown,
  problems: ["not_found"],
}

export const signInOperator: Operation = {
  ...page,
  access: "page",
  operationId: "signInOperator",
  method: "POST",
  path: "/operator/sign-in/",
  summary: "Sign in with the operator's token",
  successes: moved("The accounts"),
  problems: ["not_found", "validation_error", "unauthorized", "rate_limited"],
}

export const signOutOperator: Operation = {
  ...page,
  access: "page",
  operationId: "signOutOperator",
  method: "POST",
  path: "/operator/sign-out/",
  summary: "End the operator's session",
  successes: moved("The page to sign in"),
  problems: ["not_found"],
}

export const getAccounts: Operation = {
  ...page,
  operationId: "getAccounts",
  method: "GET",
  path: "/operator/",
  summary: "The accounts, by name",
  successes: shown,
  problems: ["validation_error"],
}

export const makeAccount: Operation = {
  ...page,
  operationId: "makeAccount",
  method: "POST",
  path: "/operator/accounts/",
  summary: "Make an account",
  successes: moved("The account"),
  problems: ["validation_error"],
}

export const getAccountPage: Operation = {
  ...page,
  operationId: "getAccountPage",
  method: "GET",
  path,
  params: UsernameParam,
  summary: "All that is known of an account",
  successes: shown,
}

export const makeSignInLinkOnPage: Operation = {
  ...change,
  operationId: "makeSignInLinkOnPage",
  path: `${path}sign-in-links/`,
  summary: "Make a sign-in link and show it once",
  successes: { ...shown, ...moved("The account: another link was made since") },
  problems: ["validation_error"],
}

export const setPaidUntil: Operation = {
  ...change,
  operationId: "setPaidUntil",
  path: `${path}paid-until/`,
  summary: "Set or extend the paid time",
  problems: ["validation_error"],
}

export const setRestricted: Operation = {
  ...change,
  operationId: "setRestricted",
  path: `${path}restricted/`,
  summary: "Restrict the account, or no longer",
  problems: ["validation_error"],
}

export const setHidden: Operation = {
  ...change,
  operationId: "setHidden",
  path: `${path}hidden/`,
  summary: "Hide the account's pages and pictures, or no longer",
  problems: ["validation_error"],
}

export const unpublishPost: Operation = {
  ...change,
  operationId: "unpublishPost",
  path: `${path}unpublish/`,
  summary: "Turn a published post of the account into a draft",
  problems: ["validation_error", "not_the_author"],
}

export const getTrail: Operation = {
  ...page,
  operationId: "getTrail",
  method: "GET",
  path: "/operator/trail/",
  summary: "What the operator did, the newest first",
  successes: shown,
  problems: ["validation_error"],
}
