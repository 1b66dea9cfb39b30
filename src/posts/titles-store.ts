import { sql } from "drizzle-orm"

import { fold } from "../../packages/edgepost/src/fold.ts"
import { addTextBytesOfAll } from "../accounts/store.ts"
import type { Db } from "../db/client.ts"
import { runBatch } from "../db/plain-sql.ts"
import { MAX_FOLDED_CHARS } from "../limits.ts"

/** Returns the titles of a post as searches compare them, at most `MAX_FOLDED_CHARS`. @param titles one a line */
export const foldTitles = (titles: string): string => fold(titles).slice(0, MAX_FOLDED_CHARS)

/** Folds the titles of the newest `limit` posts that are not folded. Safe to repeat. @returns how many posts there were */
export const foldUnfolded = async (db: Db, limit: number): Promise<number> => {
  const titles = sql`select group_concat("title", char(10)) from "texts" where "post_id" = "posts"."id"`
  const [rows] = await runBatch(db, [
    sql`select "id", "revision", substr(coalesce((${titles}), ''), 1, ${MAX_FOLDED_CHARS}) as "titles" from "posts"
      where "has_unfolded" = 1 and "id" > '' order by "id" desc limit ${limit}`,
  ])
  if (rows.length === 0) return 0
  const folded = rows.map((row) => [row["id"], row["revision"], foldTitles(String(row["titles"]))])
  const all = sql`json_each(${JSON.stringify(folded)}) as "folded"`
  // A post that has changed since then waits for the next step.
  const isIt = sql`"posts"."id" = "folded"."value" ->> 0 and "posts"."revision" = "folded"."value" ->> 1`
  const growth = sql`octet_length("folded"."value" ->> 2) - octet_length("posts"."folded_titles")`
  await runBatch(db, [
    addTextBytesOfAll(
      sql`select "account_id", sum(${growth}) as bytes from ${all} cross join "posts" on ${isIt} group by "account_id"`,
    ),
    sql`update "posts" set "has_unfolded" = 0, "folded_titles" = "folded"."value" ->> 2, "text_bytes" = "text_bytes" + ${growth}
      from ${all} where ${isIt}`,
  ])
  return rows.length
}
