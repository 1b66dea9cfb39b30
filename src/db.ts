import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import type { BatchItem } from "drizzle-orm/batch"
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1"

export type Db = DrizzleD1Database
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

/** For `in`: one bound parameter for any number of values, where D1 takes 100 a statement. */
export const listOf = (values: (string | number)[]) => sql`(select value from json_each(${JSON.stringify(values)}))`

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
