import { and, asc, count, eq, gt, gte, lt } from "drizzle-orm"

import type { Db } from "../db.ts"
import { type Account, accounts, images, posts } from "../tables.ts"

/** Behind every character of a username. */
const LAST = "~"

interface Page {
  /** What usernames begin with. */
  prefix: string
  /** The username that the page before ended with. */
  cursor?: string | undefined
  limit: number
}

/** A page of the accounts, by username; one more than `limit` when there is a next page. */
export const listAccounts = (db: Db, { prefix, cursor, limit }: Page): Promise<Account[]> =>
  db
    .select()
    .from(accounts)
    .where(
      and(
        prefix === "" ? undefined : and(gte(accounts.username, prefix), lt(accounts.username, `${prefix}${LAST}`)),
        cursor === undefined ? undefined : gt(accounts.username, cursor),
      ),
    )
    .orderBy(asc(accounts.username))
    .limit(limit + 1)

/** How much an account has. */
export interface Holdings {
  drafts: number
  published: number
  pictures: number
}

export const countHoldings = async (db: Db, accountId: string): Promise<Holdings> => {
  const [byStatus, [pictures]] = await db.batch([
    db
      .select({ status: posts.status, number: count() })
      .from(posts)
      .where(eq(posts.account_id, accountId))
      .groupBy(posts.status),
    db.select({ number: count() }).from(images).where(eq(images.account_id, accountId)),
  ])
  const numberOf = (status: "DF" | "PB") => byStatus.find((row) => row.status === status)?.number ?? 0
  return { drafts: numberOf("DF"), published: numberOf("PB"), pictures: pictures?.number ?? 0 }
}
