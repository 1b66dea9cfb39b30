import { type SQL, sql } from "drizzle-orm"

import type { BlogKey } from "../addresses.ts"
import type { Db } from "../db/client.ts"
import { runBatch } from "../db/plain-sql.ts"
import type { LabelKind } from "../db/schema.ts"
import { MAX_TOPICS } from "../limits.ts"
import { hasLabel } from "../posts/label-store.ts"
import { accountOf, type Blog, selectBlog, toBlog } from "./store.ts"

/** A category or tag with the number of its posts that readers see. */
export interface Topic {
  kind: LabelKind
  label: string
  posts: number
}

/** Reads the categories and tags of an account, those with the most posts first. @returns null if there is no such account, or it is hidden */
export const findTopics = async (db: Db, key: BlogKey, now: Date): Promise<{ blog: Blog; topics: Topic[] } | null> => {
  const [account, rows] = await runBatch(db, [
    selectBlog(key),
    sql`select "kind", "label", count(*) as "posts" from "post_labels"
      where "account_id" = ${accountOf(key)} and "status" = 'PB' and "published_at" <= ${now.getTime()}
      group by "kind", "label" order by "posts" desc, "label" limit ${MAX_TOPICS}`,
  ])
  const blog = toBlog(account)
  return blog && { blog, topics: rows as unknown as Topic[] }
}

/** Lists the categories of an account with a post that readers see, by their names, of the first `MAX_TOPICS`. Each costs some rows, however many posts it has. */
export const listCategories = async (db: Db, accountId: string, now: Date): Promise<string[]> => {
  const least = (condition: SQL) =>
    sql`select min("label") from "post_labels" where "account_id" = ${accountId} and "kind" = 'category' and ${condition}`
  const [rows] = await runBatch(db, [
    sql`with recursive "each"("label") as (${least(sql`true`)}
        union all select (${least(sql`"post_labels"."label" > "each"."label"`)}) from "each" where "each"."label" is not null limit ${MAX_TOPICS})
      select "label" from "each" where exists (select 1 from "post_labels" where ${hasLabel(accountId, "category", sql`"each"."label"`)}
        and "status" = 'PB' and "published_at" <= ${now.getTime()})`,
  ])
  return rows.map(({ label }) => String(label))
}
