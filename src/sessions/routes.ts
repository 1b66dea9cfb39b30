import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { countAttempt } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { hashSecret } from "../tokens.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { closeSession, openSession } from "./authenticate.ts"
import { renderSignIn, renderSignInLink } from "./page.tsx"
import { identify, offerRegistration, offerSignIn, register } from "./passkeys.ts"
import * as operations from "./schema.ts"
import { describeUserAgent } from "./session.ts"
import { consumeSignInLink, deletePasskey, findSignInLink, insertSession } from "./store.ts"

/** JSON passes the guard against forms of other sites. @throws ApiError 403 where no script of an own page has sent it */
const requireOwnScript = (c: AppContext): void => {
  if (c.req.header("Origin") !== c.var.origin) throw new ApiError("cross_site")
}

const countSignIn = async (c: AppContext): Promise<void> => {
  await countAttempt(c, "sign-in")
  requireOwnScript(c)
}

const ANSWER_HEADERS = { "Cache-Control": "no-store" }

const used = () => new ApiError("sign_in_link_used")

export const sessionRoutes = [
  route(operations.getSignIn, (c) => c.html(renderSignIn(), 200, PAGE_HEADERS)),

  route(operations.getSignInLink, async (c, { params: { secret } }) => {
    const found = await findSignInLink(openDb(c.env.DB), await hashSecret(secret), c.var.now)
    if (!found) throw used()
    return c.html(renderSignInLink(found.username), 200, PAGE_HEADERS)
  }),

  route(operations.useSignInLink, async (c, { params: { secret } }) => {
    await countAttempt(c, "sign-in")
    const hash = await hashSecret(secret)
    const isIn = await openSession(c, "author", (session) =>
      consumeSignInLink(openDb(c.env.DB), hash, session, c.var.now),
    )
    if (!isIn) throw used()
    return c.redirect("/settings/", 303)
  }),

  route(
    operations.offerSignIn,
    async (c) => c.json(await offerSignIn(openDb(c.env.DB), c.var.origin, c.var.now), 200, ANSWER_HEADERS),
    { before: countSignIn },
  ),

  route(
    operations.signIn,
    async (c, { body: { response } }) => {
      const { account_id } = await identify(openDb(c.env.DB), c.var.origin, response, c.var.now)
      const isIn = await openSession(c, "author", (session) =>
        insertSession(openDb(c.env.DB), { ...session, account_id, token_hash: null }),
      )
      if (!isIn) throw new ApiError("passkey_unknown")
      return c.json({ success: true }, 200, ANSWER_HEADERS)
    },
    { before: countSignIn },
  ),

  route(
    operations.offerRegistration,
    async (c) => {
      const options = await offerRegistration(openDb(c.env.DB), c.var.origin, c.var.account, c.var.now)
      return c.json(options, 200, ANSWER_HEADERS)
    },
    { before: requireOwnScript },
  ),

  route(
    operations.register,
    async (c, { body: { response, name = describeUserAgent(c.req.header("User-Agent") ?? "") } }) => {
      await register(openDb(c.env.DB), c.var.origin, c.var, { response, name }, c.var.now)
      return c.json({ success: true }, 201, ANSWER_HEADERS)
    },
    { before: requireOwnScript },
  ),

  route(operations.removePasskey, async (c, { body }) => {
    await deletePasskey(openDb(c.env.DB), body.passkey, c.var.account.id)
    return c.redirect("/settings/", 303)
  }),

  route(operations.signOut, async (c) => {
    await closeSession(c, "author")
    return c.redirect("/sign-in/", 303)
  }),
]
