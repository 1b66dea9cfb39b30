import { pathAccount } from "../accounts/operator.ts"
import { openDb } from "../db.ts"
import { countAttempt } from "../http/attempts.ts"
import type { AppContext } from "../http/context.ts"
import { PAGE_HEADERS } from "../http/layout.tsx"
import { ApiError } from "../http/problem.ts"
import { param, route } from "../http/route.ts"
import { check, orThrow, readForm } from "../http/validate.ts"
import { hashSecret } from "../tokens.ts"
import { closeSession, openSession } from "./authenticate.ts"
import { makeSignInLink } from "./invite.ts"
import { renderSignIn, renderSignInLink } from "./page.tsx"
import { deletePasskey } from "./passkey-store.ts"
import { offerRegistration, register } from "./register.ts"
import { readOwnJson } from "./request.ts"
import * as operations from "./schema.ts"
import { describeUserAgent } from "./session.ts"
import { identify, offerSignIn } from "./sign-in.ts"
import { consumeSignInLink, findSignInLink, insertSession } from "./store.ts"

const pathHash = (c: AppContext): Promise<string> => hashSecret(param(c, "secret"))

const ANSWER_HEADERS = { "Cache-Control": "no-store" }

const used = () => new ApiError("sign_in_link_used")

export const sessionRoutes = [
  route(operations.createSignInLink, async (c) => {
    const made = await makeSignInLink(openDb(c.env.DB), await pathAccount(c), "api", c.var.now)
    if (!made) throw new ApiError("not_found", "There is no such account.")
    const sign_in_url = `${c.var.origin}${made.path}`
    return c.json({ success: true, sign_in_url, expires_at: made.expires_at.toISOString() }, 201)
  }),

  route(operations.getSignIn, (c) => c.html(renderSignIn(), 200, PAGE_HEADERS)),

  route(operations.getSignInLink, async (c) => {
    const found = await findSignInLink(openDb(c.env.DB), await pathHash(c), c.var.now)
    if (!found) throw used()
    return c.html(renderSignInLink(found.username), 200, PAGE_HEADERS)
  }),

  route(operations.useSignInLink, async (c) => {
    await countAttempt(c, "sign-in")
    const hash = await pathHash(c)
    const isIn = await openSession(c, "author", (session) =>
      consumeSignInLink(openDb(c.env.DB), hash, session, c.var.now),
    )
    if (!isIn) throw used()
    return c.redirect("/settings/", 303)
  }),

  route(operations.offerSignIn, async (c) => {
    await countAttempt(c, "sign-in")
    await readOwnJson(c, operations.NoFields)
    return c.json(await offerSignIn(openDb(c.env.DB), c.var.origin, c.var.now), 200, ANSWER_HEADERS)
  }),

  route(operations.signIn, async (c) => {
    await countAttempt(c, "sign-in")
    const { response } = await readOwnJson(c, operations.SignIn)
    const { account_id } = await identify(openDb(c.env.DB), c.var.origin, response, c.var.now)
    const isIn = await openSession(c, "author", (session) =>
      insertSession(openDb(c.env.DB), { ...session, account_id, token_hash: null }),
    )
    if (!isIn) throw new ApiError("passkey_unknown")
    return c.json({ success: true }, 200, ANSWER_HEADERS)
  }),

  route(operations.offerRegistration, async (c) => {
    await readOwnJson(c, operations.NoFields)
    const options = await offerRegistration(openDb(c.env.DB), c.var.origin, c.var.account, c.var.now)
    return c.json(options, 200, ANSWER_HEADERS)
  }),

  route(operations.register, async (c) => {
    const { response, name = describeUserAgent(c.req.header("User-Agent") ?? "") } = await readOwnJson(
      c,
      operations.Registration,
    )
    await register(openDb(c.env.DB), c.var.origin, c.var, { response, name }, c.var.now)
    return c.json({ success: true }, 201, ANSWER_HEADERS)
  }),

  route(operations.removePasskey, async (c) => {
    const { passkey } = orThrow(check(operations.PasskeyForm, await readForm(c.req.raw))).value
    await deletePasskey(openDb(c.env.DB), passkey, c.var.account.id)
    return c.redirect("/settings/", 303)
  }),

  route(operations.signOut, async (c) => {
    await closeSession(c, "author")
    return c.redirect("/sign-in/", 303)
  }),
]
