import { findAccount, findKey } from "../accounts/store.ts"
import { findLastAction, listActions } from "../accounts/trail-store.ts"
import { listLiveSubscriptions } from "../billing/store.ts"
import { openDb } from "../db.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/problem.ts"
import { DEFAULT_PAGE_SIZE } from "../limits.ts"
import { listPosts } from "../posts/store.ts"
import { viewSummary } from "../posts/view.ts"
import { MAKE_SIGN_IN_LINK } from "../sessions/invite.ts"
import { listSessions } from "../sessions/store.ts"
import type { Account } from "../tables.ts"
import { findSpentCharacters } from "../translations/budget-store.ts"
import { listRefusals } from "./abuse-store.ts"
import type { AccountProps } from "./account-page.tsx"
import { countHoldings } from "./store.ts"

export const noAccount = () => new ApiError("not_found", "There is no such account.")

/** The account that the path names. @throws 404 */
export const pathAccount = async (c: AppContext, { username }: { username: string }): Promise<Account> => {
  const account = await findAccount(openDb(c.env.DB), username)
  if (!account) throw noAccount()
  return account
}

/** All that the page of an account shows. */
export const accountProps = async (c: AppContext, account: Account): Promise<AccountProps> => {
  const { now, settings, readerOrigin } = c.var
  const { id, username } = account
  const db = openDb(c.env.DB)
  const [liveKey, sessions, holdings, posts, characters, actions, refusals, lastLink, subscriptions] =
    await Promise.all([
      findKey(db, id),
      listSessions(db, id, now),
      countHoldings(db, id),
      listPosts(db, id, { limit: DEFAULT_PAGE_SIZE }),
      findSpentCharacters(db, id, now),
      listActions(db, { username, limit: DEFAULT_PAGE_SIZE }),
      listRefusals(db, id),
      findLastAction(db, username, MAKE_SIGN_IN_LINK),
      listLiveSubscriptions(db, id),
    ])
  return {
    account,
    liveKey,
    sessions,
    holdings,
    posts: posts.slice(0, DEFAULT_PAGE_SIZE).map((post) => viewSummary(post, readerOrigin)),
    characters,
    charactersPerDay: settings.translatedCharactersPerDay,
    actions: actions.slice(0, DEFAULT_PAGE_SIZE),
    refusals,
    lastLink,
    subscriptions,
  }
}
