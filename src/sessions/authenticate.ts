import { deleteCookie, getCookie, setCookie } from "hono/cookie"
import type { CookieOptions } from "hono/utils/cookie"

import { requireSession } from "../accounts/store.ts"
import { openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { Session } from "../db/schema.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { findCounted } from "../http/find-counted.ts"
import {
  MAX_OPERATOR_SESSION_SECONDS,
  MAX_SESSION_SECONDS,
  OPERATOR_SESSION_SECONDS,
  RECENT_SIGN_IN_SECONDS,
  SESSION_SECONDS,
  SESSION_SEEN_SECONDS,
  SIGN_IN_LINK_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashSecret, isSecret, randomText, SECRET_CHARS } from "../tokens.ts"
import { deleteSession, findSession, touchSession } from "./store.ts"
import { describeUserAgent } from "./user-agent.ts"

/** The two kinds of sessions. Each has a separate cookie. */
type Role = "author" | "operator"

const COOKIES = { author: "session", operator: "operator_session" }
const IDLE_SECONDS = { author: SESSION_SECONDS, operator: OPERATOR_SESSION_SECONDS }
const LIFETIME_SECONDS = { author: MAX_SESSION_SECONDS, operator: MAX_OPERATOR_SESSION_SECONDS }

/** Adds the prefix `__Host-` over https. It needs `Secure`, which browsers treat differently over http on loopback. */
const hostOnly = (c: AppContext): Pick<CookieOptions, "secure" | "prefix"> =>
  c.var.origin.startsWith("https:") ? { secure: true, prefix: "host" } : {}

const writeCookie = (c: AppContext, role: Role, secret: string): void => {
  const options = { path: "/", httpOnly: true, sameSite: "Lax", maxAge: IDLE_SECONDS[role] } as const
  setCookie(c, COOKIES[role], secret, { ...options, ...hostOnly(c) })
}

/** Reads the cookie of the role. @returns null without one of the right form */
const readCookie = async (c: AppContext, role: Role) => {
  const secret = getCookie(c, COOKIES[role], hostOnly(c).prefix)
  return secret && isSecret(secret) ? { secret, hash: await hashSecret(secret) } : null
}

/** Deletes the session cookie of the role in the browser. The session in the database stays. */
export const clearSessionCookie = (c: AppContext, role: Role): void => {
  deleteCookie(c, COOKIES[role], { path: "/", ...hostOnly(c) })
}

/** Returns when a session expires that is used now: some time after this use, and at the latest some time after it began. */
const expiryOf = (role: Role, { created_at }: Pick<Session, "created_at">, now: Date): Date => {
  const idle = now.getTime() + IDLE_SECONDS[role] * 1000
  return new Date(Math.min(idle, created_at.getTime() + LIFETIME_SECONDS[role] * 1000))
}

/**
 * Makes a session with a new secret, which prevents session fixation, and sets its cookie. Ends the browser's old session.
 * @param keep saves the session; returns false if authentication has failed: then no cookie is set
 */
export const openSession = async (
  c: AppContext,
  role: Role,
  keep: (session: Omit<Session, "account_id" | "token_hash">) => Promise<string | null>,
): Promise<boolean> => {
  const { now } = c.var
  const secret = randomText(SECRET_CHARS)
  const session = {
    hash: await hashSecret(secret),
    user_agent: describeUserAgent(c.req.header("User-Agent") ?? ""),
    created_at: now,
    last_seen_at: now,
    expires_at: expiryOf(role, { created_at: now }, now),
  }
  const old = await readCookie(c, role)
  const account_id = await keep(session)
  if (account_id === null) return false
  log("info", { message: "session.opened", request_id: c.var.requestId, role, account_id })
  writeCookie(c, role, secret)
  if (old)
    c.executionCtx.waitUntil(
      deleteSession(openDb(c.env.DB), old.hash, undefined).catch((error: unknown) =>
        log("warn", { message: "session.delete_failed", error: trace(error) }),
      ),
    )
  return true
}

/** Reads the live session of the request's cookie for this role. @throws ApiError 429 */
const findOwn = async (c: AppContext, role: Role) => {
  const own = await readCookie(c, role)
  if (!own) return null
  const found = await findCounted(c, "sessions", own.hash, () => findSession(openDb(c.env.DB), own.hash, c.var.now))
  const isOfRole = found && (found.session.account_id === null) === (role === "operator")
  return isOfRole ? { ...found, secret: own.secret } : null
}

/** Ends the session of the request's cookie for the role, and deletes the cookie. Does nothing without a session. */
export const closeSession = async (c: AppContext, role: Role): Promise<void> => {
  const found = await findOwn(c, role)
  if (!found) return
  await deleteSession(openDb(c.env.DB), found.session.hash, found.session.account_id)
  clearSessionCookie(c, role)
}

/** Returns the statements that fail a batch if the session, an author's or the operator's, has ended since the request began. */
export const sessionChecks = ({ var: { session } }: AppContext): Statement[] => [
  requireSession(session.hash, new Date()),
]

/** Extends a session and records its use. Rarely, because each time is a write. */
const extend = async (c: AppContext, role: Role, session: Session, secret: string): Promise<void> => {
  const { now } = c.var
  if (session.last_seen_at.getTime() >= now.getTime() - SESSION_SEEN_SECONDS * 1000) return
  await touchSession(openDb(c.env.DB), session.hash, expiryOf(role, session, now), now)
  writeCookie(c, role, secret)
}

/** Middleware that requires a signed-in author, sets `account` and `session`, and extends the session. @throws ApiError 401 */
export const authorOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  const found = await findOwn(c, "author")
  if (!found?.account) throw new ApiError("sign_in_required")
  c.set("account", found.account)
  c.set("session", found.session)
  await extend(c, "author", found.session, found.secret)
  await next()
}

const RETURN_COOKIE = "return_to"
const SETTINGS = "/settings/"

/** Returns the page of the request: its own address, or that of the page whose form or script sent it. */
const pageOf = (c: AppContext): string => {
  const address = c.req.method === "GET" ? c.req.url : (c.req.header("Referer") ?? "")
  if (!URL.canParse(address)) return SETTINGS
  const { pathname, search } = new URL(address)
  return pathname + search
}

/** Tells whether an author has signed in within the last `RECENT_SIGN_IN_SECONDS`. */
export const isRecent = ({ created_at }: Session, now: Date): boolean =>
  created_at.getTime() > now.getTime() - RECENT_SIGN_IN_SECONDS * 1000

/** Middleware that requires a recent sign-in, and remembers the page to which the next sign-in leads back. @throws ApiError 401 */
export const recentOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  if (!isRecent(c.var.session, c.var.now)) {
    const options = { path: "/", httpOnly: true, sameSite: "Lax", maxAge: SIGN_IN_LINK_SECONDS } as const
    setCookie(c, RETURN_COOKIE, pageOf(c), { ...options, ...hostOnly(c) })
    throw new ApiError("recent_sign_in_required")
  }
  await next()
}

/** Returns the page of the settings to which a sign-in leads, and forgets it. */
export const takeReturnPage = (c: AppContext): string => {
  const page = getCookie(c, RETURN_COOKIE, hostOnly(c).prefix)
  if (page !== undefined) deleteCookie(c, RETURN_COOKIE, { path: "/", ...hostOnly(c) })
  return page?.startsWith(SETTINGS) ? page : SETTINGS
}

/** Middleware that requires a signed-in operator whose token has not changed, and sets and extends `session`. @throws ApiError 401 */
export const operatorSessionOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  const found = await findOwn(c, "operator")
  const token = c.var.config.operatorToken
  if (!found || !token || found.session.token_hash !== (await hashSecret(token))) throw new ApiError("sign_in_required")
  c.set("session", found.session)
  await extend(c, "operator", found.session, found.secret)
  await next()
}
