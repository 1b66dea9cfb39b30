import { sql, type SQL } from "drizzle-orm"

import { type Db, failedOn } from "../db/client.ts"
import { runBatch, type Statement } from "../db/plain-sql.ts"
import { visibleAt } from "../db/visibility.ts"
import { MAX_REDIRECTS } from "../limits.ts"

/** A redirect from an old address, in the form of `toOldPath`, to the slug of a post or a path. */
export interface Redirect {
  from: string
  to: string
}

/** Returns the statement that fails a batch if an account has too many redirects. It violates NOT NULL of `target`. */
const requireFew = (accountId: string): Statement =>
  sql`insert into "redirects" ("account_id", "path", "source", "target") select ${accountId}, '', '', null
    where (select count(*) from "redirects" where "account_id" = ${accountId}) > ${MAX_REDIRECTS}`

/**
 * Replaces the redirects of an account with this source. Rows that stay are not written.
 * @param checks fail the batch if the caller may no longer write
 * @returns false, with nothing written, if the account would have more than `MAX_REDIRECTS`
 */
export const replaceRedirects = async (
  db: Db,
  { accountId, source, redirects }: { accountId: string; source: string; redirects: Redirect[] },
  checks: Statement[],
): Promise<boolean> => {
  const wanted = JSON.stringify(redirects.map(({ from, to }) => [from, to]))
  try {
    await runBatch(db, [
      ...checks,
      sql`delete from "redirects" where "account_id" = ${accountId} and "source" = ${source}
        and "path" not in (select "value" ->> 0 from json_each(${wanted}))`,
      sql`insert into "redirects" ("account_id", "path", "source", "target")
        select ${accountId}, "value" ->> 0, ${source}, "value" ->> 1 from json_each(${wanted}) where true
        on conflict do update set "target" = excluded."target" where "target" <> excluded."target"`,
      requireFew(accountId),
    ])
    return true
  } catch (error) {
    if (failedOn(error, "NOT NULL", "redirects.target")) return false
    throw error
  }
}

/** Lists the redirects of an account, those with a source if one is given, in the order of their paths. */
export const listRedirects = async (db: Db, accountId: string, source?: string) => {
  const isWanted = source === undefined ? sql`true` : sql`"source" = ${source}`
  const [rows] = await runBatch(db, [
    sql`select "path" as "from", "target" as "to", "source" from "redirects"
      where "account_id" = ${accountId} and ${isWanted} order by "path", "source"`,
  ])
  return rows as unknown as (Redirect & { source: string })[]
}

/**
 * Finds where an old address of a blog leads.
 * @param account an SQL subquery for the account's id
 * @param paths forms of the address, the most exact one first
 * @returns `isPost` if a post that readers see at `now` has the slug; null without a redirect
 */
export const findRedirect = async (
  db: Db,
  account: SQL,
  paths: string[],
  now: Date,
): Promise<{ target: string; isPost: boolean } | null> => {
  const forms = JSON.stringify(paths)
  const [[row]] = await runBatch(db, [
    sql`select "target", exists (select 1 from "posts" where "posts"."slug" = "target"
        and "posts"."account_id" = "redirects"."account_id" and ${visibleAt(now)}) as "is_post"
      from json_each(${forms}) as "form" cross join "redirects"
        on "redirects"."path" = "form"."value" and "redirects"."account_id" = ${account}
      order by "is_post" or "target" like '/%' desc, "form"."key", "source" limit 1`,
  ])
  return row ? { target: String(row["target"]), isPost: Boolean(row["is_post"]) } : null
}
