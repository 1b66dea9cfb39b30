import { listKeys } from "../accounts/key-store.ts"
import { blogUrl } from "../addresses.ts"
import { listLiveSubscriptionIds } from "../billing/store.ts"
import { subscribeLink } from "../billing/subscription.ts"
import { openDb } from "../db/client.ts"
import { partLength } from "../export/part.ts"
import { listPostSizes } from "../export/store.ts"
import type { AppContext } from "../http/context.ts"
import { MAX_EXPORT_POSTS, UPLOAD_WINDOW_SECONDS } from "../limits.ts"
import { listPasskeys } from "../sessions/passkey-store.ts"
import { listSessions } from "../sessions/store.ts"
import { findSpentCharacters } from "../translations/store.ts"

/** The data of the settings page. */
export type Settings = Awaited<ReturnType<typeof readSettings>>

/** Reads the data of the signed-in author's settings page. `uploads` is null if the upload limiter fails. */
export const readSettings = async (c: AppContext) => {
  const { account, session, config, now, places } = c.var
  const db = openDb(c.env.DB)
  const [keys, passkeys, sessions, characters, firstPosts, subscriptions, uploads] = await Promise.all([
    listKeys(db, account.id),
    listPasskeys(db, account.id),
    listSessions(db, account.id, now),
    findSpentCharacters(db, account.id, now),
    listPostSizes(db, account.id, { after: undefined, limit: MAX_EXPORT_POSTS + 1 }),
    listLiveSubscriptionIds(db, account.id),
    // null if the limiter fails: the page is useful without this count.
    c.env.UPLOAD_LIMITER.getByName(account.id)
      .count(UPLOAD_WINDOW_SECONDS)
      .catch(() => null),
  ])
  const isSubscribed = subscriptions.length > 0
  return {
    account,
    blogUrl: blogUrl(places, account),
    now,
    keys,
    passkeys,
    session,
    sessions,
    uploads,
    uploadsPerMinute: config.uploadsPerMinute,
    hasWebhooks: config.hasWebhooks,
    /** The characters translated today. */
    characters,
    /** UTF-8 bytes that the texts of the account may have. */
    textLimit: config.maxStoredTextBytes,
    charactersPerDay: config.translatedCharactersPerDay,
    /** True if the export needs several archives. */
    isParted: partLength(firstPosts) < firstPosts.length,
    /** True if the account has a live subscription at Stripe, paid or overdue. */
    isSubscribed,
    // A subscribed author must not pay twice.
    subscribeUrl:
      config.stripePaymentLink && !isSubscribed ? subscribeLink(config.stripePaymentLink, account.username) : null,
  }
}
