import * as z from "zod"

import { UsernameParam } from "../accounts/schema.ts"
import type { Operation } from "../http/route.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"

const page = { tag: null, access: "page", problems: [] } satisfies Partial<Operation>
const shown = { 200: { description: "The page", contentType: "text/html" } }
const moved = (to: string) => ({ 303: { description: to, headers: { Location: to } } })

const SignInLink = z
  .object({ success: z.literal(true), sign_in_url: z.url(), expires_at: z.iso.datetime() })
  .meta({ id: "SignInLink", description: "Works once. The only time that it is shown." })

export const createSignInLink: Operation = {
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
}

export const getSignIn: Operation = {
  ...page,
  operationId: "getSignIn",
  method: "GET",
  path: "/sign-in/",
  summary: "How to sign in",
  successes: shown,
}

export const getSignInLink: Operation = {
  ...page,
  operationId: "getSignInLink",
  method: "GET",
  path: "/sign-in/:secret/",
  summary: "Asks whether to use the link: programs that look at links must not use it up",
  successes: shown,
  problems: ["sign_in_link_used"],
}

export const useSignInLink: Operation = {
  ...page,
  operationId: "useSignInLink",
  method: "POST",
  path: "/sign-in/:secret/",
  summary: "Use the link up and sign in",
  successes: moved("The settings"),
  problems: ["sign_in_link_used", "rate_limited"],
}

export const signOut: Operation = {
  ...page,
  operationId: "signOut",
  method: "POST",
  path: "/sign-out/",
  summary: "End this session",
  successes: moved("The page to sign in"),
}
