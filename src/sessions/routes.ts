import * as z from "zod"

import { isLoopback } from "../addresses.ts"
import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { findCounted } from "../http/find-counted.ts"
import type { Operation } from "../http/operation.ts"
import { countAttempt } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { MAX_FORM_BYTES } from "../limits.ts"
import { hashSecret, isSecret } from "../tokens.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { PAGE, PAGE_FORM, SETTINGS_SAVED } from "../ui/page.ts"
import { closeSession, openSession, sessionChecks, takeReturnPage } from "./authenticate.ts"
import { PasskeyForm, Registration, SecretParam, SignIn, SignInQuery } from "./input.ts"
import { renderSignIn, renderSignInLink } from "./page.tsx"
import { deletePasskey } from "./passkey-store.ts"
import { identify, offerRegistration, offerSignIn, register } from "./passkeys.ts"
import { consumeSignInLink, findSignInLink, insertSession } from "./store.ts"
import { describeUserAgent } from "./user-agent.ts"

const countSignIn = (c: AppContext): Promise<void> => countAttempt(c, "sign-in")

const ANSWER_HEADERS = { "Cache-Control": "no-store" }

const getPage = { ...PAGE, access: "page" } satisfies Partial<Operation>
const postForm = { ...PAGE_FORM, access: "page" } satisfies Partial<Operation>

const link = {
  path: "/sign-in/:secret/",
  params: SecretParam,
  problems: ["sign_in_link_used"],
} satisfies Partial<Operation>

/** The common properties of JSON calls by the pages' scripts. */
const script = {
  ...PAGE,
  access: "page",
  method: "POST",
  successes: { 200: { description: "What the script goes on with", contentType: "application/json" } },
  body: z.object({}),
  bodyLimit: MAX_FORM_BYTES,
} satisfies Partial<Operation>

/** Returns the hash of a sign-in link's secret. @throws ApiError `sign_in_link_used` for a text that was never one */
const hashOfLink = (secret: string): Promise<string> => {
  if (!isSecret(secret)) throw new ApiError("sign_in_link_used")
  return hashSecret(secret)
}

export const sessionRoutes = [
  route({ ...getPage, path: "/sign-in/", query: SignInQuery }, (c, { query: { again } }) =>
    c.html(renderSignIn({ isAgain: again !== undefined, isLocal: isLoopback(c.var.origin) }), 200, PAGE_HEADERS),
  ),

  // GET does not use the link, because programs that preview links must not invalidate it.
  route({ ...getPage, ...link }, async (c, { params: { secret } }) => {
    const hash = await hashOfLink(secret)
    const found = await findCounted(c, "links", hash, () => findSignInLink(openDb(c.env.DB), hash, c.var.now))
    if (!found) throw new ApiError("sign_in_link_used")
    return c.html(renderSignInLink(found.username), 200, PAGE_HEADERS)
  }),

  route({ ...postForm, ...link }, async (c, { params: { secret } }) => {
    await countAttempt(c, "sign-in")
    const hash = await hashOfLink(secret)
    const isIn = await openSession(c, "author", (session) =>
      consumeSignInLink(openDb(c.env.DB), hash, session, c.var.now),
    )
    if (!isIn) throw new ApiError("sign_in_link_used")
    return c.redirect(takeReturnPage(c), 303)
  }),

  route(
    { ...script, path: "/sign-in/passkey/options/" },
    async (c) => c.json(await offerSignIn(openDb(c.env.DB), c.var.origin, c.var.now), 200, ANSWER_HEADERS),
    { before: countSignIn },
  ),

  route(
    { ...script, path: "/sign-in/passkey/verify/", body: SignIn },
    async (c, { body: { response } }) => {
      const { account_id } = await identify(openDb(c.env.DB), c.var.origin, response, c.var.now)
      const isIn = await openSession(c, "author", async (session) => {
        const isKept = await insertSession(openDb(c.env.DB), { ...session, account_id, token_hash: null })
        return isKept ? account_id : null
      })
      if (!isIn) throw new ApiError("passkey_unknown")
      return c.json({ success: true, page: takeReturnPage(c) }, 200, ANSWER_HEADERS)
    },
    { before: countSignIn },
  ),

  route({ ...script, access: "recent-author", path: "/settings/passkeys/options/" }, async (c) => {
    const options = await offerRegistration(openDb(c.env.DB), c.var.origin, c.var.account, c.var.now, sessionChecks(c))
    return c.json(options, 200, ANSWER_HEADERS)
  }),

  route(
    { ...script, access: "recent-author", path: "/settings/passkeys/verify/", body: Registration },
    async (c, { body: { response, name = describeUserAgent(c.req.header("User-Agent") ?? "") } }) => {
      const { origin, account, now } = c.var
      await register(openDb(c.env.DB), origin, account, { response, name }, now, sessionChecks(c))
      return c.json({ success: true }, 201, ANSWER_HEADERS)
    },
  ),

  route(
    { ...postForm, access: "author", path: "/settings/passkeys/remove/", body: PasskeyForm },
    async (c, { body }) => {
      await deletePasskey(openDb(c.env.DB), body.passkey, c.var.account.id, sessionChecks(c))
      return c.redirect(SETTINGS_SAVED, 303)
    },
  ),

  route({ ...postForm, path: "/sign-out/" }, async (c) => {
    await closeSession(c, "author")
    return c.redirect("/sign-in/", 303)
  }),
]
