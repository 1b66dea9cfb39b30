import { isPaid } from "../accounts/account.ts"
import { rotateKey } from "../accounts/key.ts"
import { findKey, updateLanguages } from "../accounts/store.ts"
import { listLiveSubscriptions } from "../billing/store.ts"
import { subscribeLink } from "../billing/subscription.ts"
import { openDb } from "../db/client.ts"
import { eraseAccount } from "../erase-account.ts"
import { cutParts, partLength } from "../export/part.ts"
import { countPosts, listPostSizes } from "../export/store.ts"
import type { AppContext } from "../http/context.ts"
import { cutPage, writeCursor } from "../http/cursor.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { type Handler, route } from "../http/route.ts"
import { EXPORT_PARTS_PAGE_SIZE, MAX_EXPORT_POSTS, UPLOAD_WINDOW_SECONDS } from "../limits.ts"
import { listPosts } from "../posts/store.ts"
import { viewSummary } from "../posts/view.ts"
import { saverOf } from "../posts/write.ts"
import { clearCookie } from "../sessions/authenticate.ts"
import { deleteSession, deleteSessions, listPasskeys, listSessions } from "../sessions/store.ts"
import { tryAgain } from "../translations/change.ts"
import { findSpentCharacters } from "../translations/store.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { renderErased, renderErasure, renderParts } from "./export-page.tsx"
import { renderBoard } from "./posts-page.tsx"
import * as operations from "./schema.ts"
import { renderSettings, type SettingsProps } from "./settings-page.tsx"

/** As it was sent, with its question mark: which page of the board. */
const queryOf = (c: AppContext): string => new URL(c.req.url).search

const propsOf = async (c: AppContext): Promise<SettingsProps> => {
  const { account, session, config, now } = c.var
  const db = openDb(c.env.DB)
  const [liveKey, passkeys, sessions, characters, firstPosts, subscriptions, uploads] = await Promise.all([
    findKey(db, account.id),
    listPasskeys(db, account.id),
    listSessions(db, account.id, now),
    findSpentCharacters(db, account.id, now),
    listPostSizes(db, account.id, { after: undefined, limit: MAX_EXPORT_POSTS + 1 }),
    listLiveSubscriptions(db, account.id),
    c.env.UPLOAD_LIMITER.getByName(account.id)
      .count(UPLOAD_WINDOW_SECONDS)
      // The page has more to say than that.
      .catch(() => null),
  ])
  return {
    account,
    now,
    liveKey,
    passkeys,
    session,
    sessions,
    uploads,
    uploadsPerMinute: config.uploadsPerMinute,
    characters,
    charactersPerDay: config.translatedCharactersPerDay,
    isParted: partLength(firstPosts) < firstPosts.length,
    isSubscribed: subscriptions.length > 0,
    // Who subscribes already must not be led to pay twice.
    subscribeUrl:
      config.stripePaymentLink && subscriptions.length === 0
        ? subscribeLink(config.stripePaymentLink, account.username)
        : null,
  }
}

const showSettings: Handler = async (c) => c.html(renderSettings(await propsOf(c)), 200, PAGE_HEADERS)

export const blogSettingsRoutes = [
  route(operations.getSettings, showSettings),

  route(operations.makeKey, async (c, { body: { replaced } }) => {
    const { account, now } = c.var
    // Read first: nothing may fail once there is a key that is shown only now.
    const props = await propsOf(c)
    const made = await rotateKey(openDb(c.env.DB), account, now, { replaced })
    // Sent twice, or from an old page: nothing is replaced that the author has not seen.
    if (!made) return c.redirect("/settings/", 303)
    const liveKey = { last_four: made.last_four, created_at: now, last_used_at: null }
    return c.html(renderSettings({ ...props, liveKey, newKey: made.api_key }), 200, PAGE_HEADERS)
  }),

  route(operations.setLanguages, async (c, { body }) => {
    await updateLanguages(openDb(c.env.DB), c.var.account.id, body)
    return c.redirect("/settings/", 303)
  }),

  route(operations.endSession, async (c, { body }) => {
    await deleteSession(openDb(c.env.DB), body.session, c.var.account.id)
    return c.redirect("/settings/", 303)
  }),

  route(operations.endAllSessions, async (c) => {
    await deleteSessions(openDb(c.env.DB), c.var.account.id)
    clearCookie(c, "author")
    return c.redirect("/sign-in/", 303)
  }),

  route(operations.getBoard, async (c, { query }) => {
    const { account, readerOrigin } = c.var
    const found = await listPosts(openDb(c.env.DB), account.id, query)
    const { page, last } = cutPage(found, query.limit)
    const posts = page.map((post) => viewSummary(post, readerOrigin))
    const nextCursor = last ? writeCursor(last.id) : null
    return c.html(renderBoard({ account, posts, query: queryOf(c), nextCursor }), 200, PAGE_HEADERS)
  }),

  route(operations.getExportParts, async (c, { query: { cursor: after, part: first = 1 } }) => {
    const { account } = c.var
    const limit = EXPORT_PARTS_PAGE_SIZE * MAX_EXPORT_POSTS + 1
    const found = await listPostSizes(openDb(c.env.DB), account.id, { after, limit })
    const parts = cutParts(after, found, EXPORT_PARTS_PAGE_SIZE)
    return c.html(renderParts({ account, parts, first }), 200, PAGE_HEADERS)
  }),

  route(operations.tryAgain, async (c, { params }) => {
    const { account, now } = c.var
    if (!isPaid(account, now)) throw new ApiError("subscription_required")
    if (account.restricted) throw new ApiError("account_restricted")
    await tryAgain(saverOf(c), { slug: params.slug, lang: params.lang_code })
    return c.redirect(`/settings/posts/${queryOf(c)}`, 303)
  }),

  route(operations.getErasure, async (c) => {
    const { account } = c.var
    const db = openDb(c.env.DB)
    const [posts, subscriptions] = await Promise.all([
      countPosts(db, account.id),
      listLiveSubscriptions(db, account.id),
    ])
    return c.html(renderErasure({ account, posts, isSubscribed: subscriptions.length > 0 }), 200, PAGE_HEADERS)
  }),

  route(operations.eraseOwnAccount, async (c, { body: { username } }) => {
    const { account } = c.var
    if (username !== account.username)
      throw fieldError("username", "validation_error", `Type ${account.username}, the name of this account.`)
    const subscriptions = await eraseAccount(c, account)
    clearCookie(c, "author")
    return c.html(renderErased(account.username, subscriptions.length > 0), 200, PAGE_HEADERS)
  }),
]
