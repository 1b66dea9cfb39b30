import { pathAccount } from "../accounts/operator.ts"
import { openDb } from "../db.ts"
import type { AppContext } from "../http/context.ts"
import { PAGE_HEADERS } from "../http/layout.tsx"
import { ApiError } from "../http/problem.ts"
import { param, route } from "../http/route.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"
import { hashSecret, randomText, SECRET_CHARS } from "../tokens.ts"
import { closeSession, openSession } from "./authenticate.ts"
import { renderSignIn, renderSignInLink } from "./page.tsx"
import * as operations from "./schema.ts"
import { consumeSignInLink, findSignInLink, insertSignInLink } from "./store.ts"

const pathHash = (c: AppContext): Promise<string> => hashSecret(param(c, "secret"))

const used = () => new ApiError("sign_in_link_used")

export const sessionRoutes = [
  route(operations.createSignInLink, async (c) => {
    const account = await pathAccount(c)
    const secret = randomText(SECRET_CHARS)
    const expires_at = new Date(c.var.now.getTime() + SIGN_IN_LINK_SECONDS * 1000)
    const link = { hash: await hashSecret(secret), account_id: account.id, expires_at }
    if (!(await insertSignInLink(openDb(c.env.DB), link))) throw new ApiError("not_found", "There is no such account.")
    const sign_in_url = `${c.var.origin}/sign-in/${secret}/`
    return c.json({ success: true, sign_in_url, expires_at: expires_at.toISOString() }, 201)
  }),

  route(operations.getSignIn, (c) => c.html(renderSignIn(), 200, PAGE_HEADERS)),

  route(operations.getSignInLink, async (c) => {
    const found = await findSignInLink(openDb(c.env.DB), await pathHash(c), c.var.now)
    if (!found) throw used()
    return c.html(renderSignInLink(found.username), 200, PAGE_HEADERS)
  }),

  route(operations.useSignInLink, async (c) => {
    const hash = await pathHash(c)
    const isIn = await openSession(c, "author", (session) =>
      consumeSignInLink(openDb(c.env.DB), hash, session, c.var.now),
    )
    if (!isIn) throw used()
    return c.redirect("/settings/", 303)
  }),

  route(operations.signOut, async (c) => {
    await closeSession(c, "author")
    return c.redirect("/sign-in/", 303)
  }),
]
