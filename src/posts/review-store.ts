import { type SQL, sql } from "drizzle-orm"

import { type Db } from "../db/client.ts"
import { runBatch, type Statement } from "../db/plain-sql.ts"
import { isListed, isPending } from "../db/visibility.ts"
import { MAX_APPROVED_AT_ONCE } from "../limits.ts"
import { approveAllEvents } from "../webhooks/outbox.ts"
import { approveTexts } from "./store.ts"

// The translations of an account that wait for approval.

/** Selects what waits of the oldest `MAX_APPROVED_AT_ONCE` posts of an account with something that waits. */
const waitingOf = (accountId: string): SQL =>
  // Without `indexed by`, SQLite would read every text of each post.
  sql`from (select "id" from "posts" where "account_id" = ${accountId} and "has_pending" = 1 order by "id" limit ${MAX_APPROVED_AT_ONCE}) as "held"
    cross join "posts" on "posts"."id" = "held"."id"
    cross join "texts" indexed by "texts_pending" on "texts"."post_id" = "posts"."id" and ${isPending} where ${isListed}`

/** The number of translations into a language that wait for approval. */
export interface Waiting {
  lang_code: string
  count: number
}

/** Counts the listed translations of an account's oldest `MAX_APPROVED_AT_ONCE` posts with such, by language. */
export const countWaiting = async (db: Db, accountId: string): Promise<Waiting[]> => {
  const [rows] = await runBatch(db, [
    sql`select "texts"."lang_code", count(*) as "count" ${waitingOf(accountId)} group by "texts"."lang_code" order by 1`,
  ])
  return rows.map((row) => ({ lang_code: String(row["lang_code"]), count: Number(row["count"]) }))
}

interface Approval {
  accountId: string
  /** BCP 47 code. */
  lang: string
  /** When the author has looked: what changed later is not approved. */
  seenAt: Date
  now: Date
  /** Webhooks are told of each. */
  isTold: boolean
  /** Statements that fail the batch if the caller may not write any more. */
  checks: Statement[]
}

/** Shows readers what waits of an account's translations into a language, of the oldest `MAX_APPROVED_AT_ONCE` posts. Safe to repeat. */
export const approveAll = async (db: Db, { accountId, lang, seenAt, now, isTold, checks }: Approval): Promise<void> => {
  const isSeen = sql`"texts"."lang_code" = ${lang} and ${isPending} and "texts"."updated_at" <= ${seenAt.getTime()}`
  const [rows] = await runBatch(db, [sql`select "posts"."id" ${waitingOf(accountId)} and ${isSeen}`])
  const ids = rows.map(({ id }) => String(id))
  await runBatch(db, [
    ...checks,
    ...(isTold ? approveAllEvents(ids, lang, isSeen, now) : []),
    ...approveTexts(ids, isSeen, now),
  ])
}
