import { sql } from "drizzle-orm"

import { type Db, listOf } from "../db/client.ts"
import { runBatch, type Statement } from "../db/plain-sql.ts"
import { LISTS_REPURGE_SECONDS, MAX_PURGED_TAGS } from "../limits.ts"

/** Returns the statement that notes, if the condition holds, that something is withdrawn which lists of an account's blog name. */
export const noteLists = (accountId: string, now: Date, condition = sql`true`): Statement =>
  sql`insert into "list_purges" ("username", "noted_at")
    select "username", ${now.getTime()} from "accounts" where "id" = ${accountId} and ${condition}
    on conflict do update set "noted_at" = excluded."noted_at"`

/** Calls `purge` with the usernames of noted blogs, then forgets those noted before a replica could show anything older. */
export const purgeNoted = async (
  db: Db,
  now: Date,
  purge: (usernames: string[]) => Promise<unknown>,
): Promise<void> => {
  const [rows] = await runBatch(db, [
    sql`select "username" from "list_purges" order by "noted_at" limit ${MAX_PURGED_TAGS}`,
  ])
  const usernames = rows.map(({ username }) => String(username))
  await purge(usernames)
  const until = now.getTime() - LISTS_REPURGE_SECONDS * 1000
  await runBatch(db, [
    sql`delete from "list_purges" where "username" in ${listOf(usernames)} and "noted_at" <= ${until}`,
  ])
}
