import { type AnyColumn, fillPlaceholders, type Placeholder, type Query, type SQL, sql } from "drizzle-orm"
import type { BatchItem, BatchResponse } from "drizzle-orm/batch"
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1"

import { D1_RETRY_MS, MAX_D1_RETRY_MS, MAX_D1_TRIES } from "./limits.ts"

export type Db = DrizzleD1Database & { $client: D1Database }
/** One of a batch. */
export type Statement = BatchItem<"sqlite">

/** For writes and for reads that must see them: the primary. */
export const openDb = (d1: D1Database): Db => drizzle(d1)

/** For pages and pictures: any replica, possibly behind. */
export const openReplica = (d1: D1Database): Db =>
  // drizzle calls prepare() and batch() alone, and a session has both.
  drizzle(d1.withSession("first-unconstrained") as Pick<D1Database, "prepare" | "batch"> as D1Database)

/** Equal, and null to null. */
export const same = (column: AnyColumn | SQL, value: string | number | null) => sql`${column} is ${value}`

/** For `in`: one bound parameter for any number of values, where D1 takes 100 a statement. A placeholder is for their JSON. */
export const listOf = (values: (string | number)[] | Placeholder) =>
  sql`(select value from json_each(${Array.isArray(values) ? JSON.stringify(values) : values}))`

interface Prepared {
  getQuery: () => Query
  mapResult: (result: unknown, isFromBatch: boolean) => unknown
}

/**
 * A batch whose SQL is built once an isolate: to build it takes longer than all else that a call computes.
 * @param build makes it with placeholders for whatever differs from call to call; in conditions they stand for what the
 * database keeps: a time is its milliseconds there
 */
export const builtOnce = <T extends readonly (Statement & { prepare: () => Prepared })[]>(build: (db: Db) => T) => {
  let built: (Query & { prepared: Prepared })[] | undefined
  return async (db: Db, values: Record<string, unknown>): Promise<BatchResponse<T>> => {
    built ??= build(db).map((statement) => {
      const prepared = statement.prepare()
      return { ...prepared.getQuery(), prepared }
    })
    const { $client } = db
    const bound = built.map((query) => $client.prepare(query.sql).bind(...fillPlaceholders(query.params, values)))
    const results = await $client.batch(bound)
    return built.map(({ prepared }, i) => prepared.mapResult(results[i], true)) as BatchResponse<T>
  }
}

const messages = (error: unknown): string =>
  error instanceof Error ? `${error.message}\n${messages(error.cause)}` : ""

/** Whether a write failed on this constraint, as SQLite names it: `UNIQUE constraint failed: posts.slug`. */
export const failedOn = (error: unknown, constraint: "UNIQUE" | "NOT NULL" | "FOREIGN KEY", column = ""): boolean =>
  messages(error).includes(`${constraint} constraint failed${column && `: ${column}`}`)

/**
 * Whether the database may answer when asked again.
 * Source: developers.cloudflare.com/d1/best-practices/retry-queries and /d1/observability/debug-d1.
 */
export const isUnavailable = (error: unknown): boolean =>
  /Network connection lost|caused object to be reset|was reset|reset because its code was updated|due to transient issue|D1 DB is overloaded/.test(
    messages(error),
  )

/** Whether the way to the database or its process failed, which may stand again at once; overload is not among it. */
const isPassing = (error: unknown): boolean =>
  /Network connection lost|storage caused object to be reset|reset because its code was updated|due to transient issue/.test(
    messages(error),
  )

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * Does what may be done twice, and does it again when the database was out of reach: at most so often and so long, with
 * full jitter, lest all that failed together come back together. A call that failed may have taken effect all the same.
 * @param work gets the number of tries before it
 */
export const repeatable = async <T>(work: (before: number) => Promise<T>): Promise<T> => {
  const began = Date.now()
  for (let before = 0; ; before++) {
    try {
      return await work(before)
    } catch (error) {
      const isOver = before + 1 >= MAX_D1_TRIES || Date.now() - began >= MAX_D1_RETRY_MS
      if (isOver || !isPassing(error)) throw error
      await pause(Math.random() * D1_RETRY_MS * 2 ** before)
    }
  }
}

/** A write of a row with a new id: a try that was cut off behind its effect is known by what it left. */
export const writeOnce = async (write: () => Promise<unknown>, isWritten: () => Promise<boolean>): Promise<void> => {
  try {
    await repeatable(async (before) => {
      try {
        await write()
      } catch (error) {
        if (before === 0 || isPassing(error) || !(await isWritten())) throw error
      }
    })
  } catch (error) {
    // The answer of the last try may be all that was lost.
    if (!isPassing(error) || !(await isWritten().catch(() => false))) throw error
  }
}
