import { pathAccount } from "../accounts/operator.ts"
import { openDb } from "../db.ts"
import { countAttempt } from "../http/attempts.ts"
import type { AppContext } from "../http/context.ts"
import { PAGE_HEADERS } from "../http/layout.tsx"
import { ApiError } from "../http/problem.ts"
import { param, route } from "../http/route.ts"
import { hashSecret } from "../tokens.ts"
import { closeSession, openSession } from "./authenticate.ts"
import { makeSignInLink } from "./invite.ts"
import { renderSignIn, renderSignInLink } from "./page.tsx"
import * as operations from "./schema.ts"
import { consumeSignInLink, findSignInLink } from "./store.ts"

const pathHash = (c: AppContext): Promise<string> => hashSecret(param(c, "secret"))

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

  route(operations.signOut, async (c) => {
    await closeSession(c, "author")
    return c.redirect("/sign-in/", 303)
  }),
]
