import { type Action, findLastActionId, listActions } from "../accounts/audit-log-store.ts"
import { listKeys } from "../accounts/key-store.ts"
import { findAccount } from "../accounts/store.ts"
import type { Places } from "../addresses.ts"
import { listLiveSubscriptionIds } from "../billing/store.ts"
import { openDb } from "../db/client.ts"
import type { Account } from "../db/schema.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { DEFAULT_PAGE_SIZE } from "../limits.ts"
import type { Write } from "../posts/commit.ts"
import { listPosts } from "../posts/list-store.ts"
import { viewSummary } from "../posts/view.ts"
import { changePost } from "../posts/write.ts"
import { MAKE_SIGN_IN_LINK } from "../sessions/invite.ts"
import { listSessions } from "../sessions/store.ts"
import { findSpentCharacters } from "../translations/store.ts"
import { countHoldings, listRefusals } from "./store.ts"

/** Returns, but does not throw, the ApiError 404 of an account that does not exist. */
export const accountNotFound = (): ApiError => new ApiError("not_found", "There is no such account.")

/** Says of an account that it is being erased. */
export const ERASING = "This account is being erased. Its name is free in some minutes."

/** Finds the account of the username in the path. @throws ApiError 404 if there is none, or, but for `mayGo`, if it is being erased */
export const pathAccount = async (
  c: AppContext,
  { username }: { username: string },
  mayGo = false,
): Promise<Account> => {
  const account = await findAccount(openDb(c.env.DB), username)
  if (!account) throw accountNotFound()
  if (account.erasing_at && !mayGo) throw new ApiError("not_found", ERASING)
  return account
}

/** Requires that a host is none of the service's own. @throws ApiError 400 */
export const requireForeignHost = (host: string | null | undefined, { origin, readerOrigin }: Places): void => {
  if (host && [origin, readerOrigin].some((own) => new URL(own).hostname === host))
    throw fieldError("blog_host", "validation_error", "This is a host of the service itself. Choose another one.")
}

/** Returns, but does not throw, the ApiError 400 of a host that another account has. */
export const hostTaken = (): ApiError =>
  fieldError("blog_host", "validation_error", "Another account has this host already.")

/** Returns the audit-log entry of a key that is made or revoked. */
export const keyAction = (
  action: "make_key" | "revoke_key",
  { username }: Account,
  name: string,
  via: Action["via"],
): Action => ({ action, username, detail: name, via })

/** The data of an account's page. */
export type AccountFacts = Awaited<ReturnType<typeof readAccountFacts>>

/** Reads the data of the operator's page of an account, such as its keys, sessions, newest posts and audit log. */
export const readAccountFacts = async (c: AppContext, account: Account) => {
  const { now, config } = c.var
  const { id, username } = account
  const db = openDb(c.env.DB)
  const [keys, sessions, holdings, { posts }, characters, actions, refusals, lastLink, subscriptions] =
    await Promise.all([
      listKeys(db, id),
      listSessions(db, id, now),
      countHoldings(db, id),
      listPosts(db, id, { limit: DEFAULT_PAGE_SIZE }),
      findSpentCharacters(db, id, now),
      listActions(db, { username, limit: DEFAULT_PAGE_SIZE }),
      listRefusals(db, id),
      findLastActionId(db, username, MAKE_SIGN_IN_LINK),
      listLiveSubscriptionIds(db, id),
    ])
  return {
    account,
    now,
    keys,
    sessions,
    holdings,
    /** The newest posts. */
    posts: posts.map((post) => viewSummary(post, c.var)),
    /** The characters translated today. */
    characters,
    /** UTF-8 bytes that the texts of the account may have. */
    textLimit: config.maxStoredTextBytes,
    charactersPerDay: config.translatedCharactersPerDay,
    /** The newest entries of the audit log. */
    actions: actions.slice(0, DEFAULT_PAGE_SIZE),
    refusals,
    /** The id of the audit-log entry of the last sign-in link. */
    lastLink,
    /** Stripe's ids of the live subscriptions. */
    subscriptions,
  }
}

/** Adds months. Returns the last day of a month that is too short: January 31 becomes February 28. */
const addMonths = (time: Date, months: number): Date => {
  const later = new Date(time)
  later.setUTCMonth(later.getUTCMonth() + months)
  if (later.getUTCDate() !== time.getUTCDate()) later.setUTCDate(0)
  return later
}

/** Returns the paid time plus `months` (UTC): counted from `paidUntil`, or from `now` if it is null or over. */
export const extended = (paidUntil: Date | null, months: number, now: Date): Date =>
  addMonths(paidUntil && paidUntil > now ? paidUntil : now, months)

/**
 * Turns a post of the write's account into a draft.
 * @returns false if it was a draft already
 * @throws ApiError 404 without such a post, 403 for another account's post; 503 after lost races
 */
export const unpublish = async (write: Write, slug: string): Promise<boolean> => {
  let wasPublished = false
  await changePost(write, slug, {}, ({ post }) => {
    wasPublished = post.status === "PB"
    return { post: { ...post, status: "DF" } }
  })
  return wasPublished
}
