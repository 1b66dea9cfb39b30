import { type AnyColumn, and, getTableColumns, type SQL, sql } from "drizzle-orm"
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"

import { D1_RETRY_MS, MAX_D1_RETRY_MS, MAX_D1_TRIES } from "../limits.ts"

export type Db = DrizzleD1Database & { $client: D1Database }

/** Opens the primary database with drizzle, for writes and for reads that must see the latest writes. */
export const openDb = (d1: D1Database): Db => drizzle(d1)

/** Opens any replica of the database with drizzle, for reads of pages and images. It may lack the latest writes. */
export const openReplica = (d1: D1Database): Db =>
  // drizzle only calls prepare() and batch(), which a session has.
  drizzle(d1.withSession("first-unconstrained") as Pick<D1Database, "prepare" | "batch"> as D1Database)

/** Returns the SQL condition that a column equals a value, where null equals null. */
export const same = (column: AnyColumn | SQL, value: string | number | null) => sql`${column} is ${value}`

/** Returns the SQL condition that a row of a table has these values, where null equals null. */
export const sameRow = <T extends SQLiteTable>(table: T, values: Partial<T["$inferSelect"]>): SQL | undefined => {
  const columns = getTableColumns(table)
  const entries = Object.entries(values).map(([name, value]) => [columns[name], value] as const)
  return and(...entries.map(([column, value]) => column && sql`${column} is ${sql.param(value, column)}`))
}

/** Returns the right side of SQL's `in` for any number of values, as one JSON parameter: D1 allows 100 in a statement. */
export const listOf = (values: (string | number)[]) => sql`(select value from json_each(${JSON.stringify(values)}))`

/**
 * Returns a row as the columns of a select, encoded as the database stores them, for `insert … select … where`.
 * So the condition of the caller's select decides whether the row is inserted.
 */
export const valuesOf = <T extends SQLiteTable>(table: T, row: T["$inferSelect"]) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [
      name,
      sql`${sql.param(row[name], column)}`.as(name),
    ]),
  ) as { [Name in keyof T["$inferSelect"]]: SQL.Aliased<T["$inferSelect"][Name]> }

const messages = (error: unknown): string =>
  error instanceof Error ? `${error.message}\n${messages(error.cause)}` : ""

/** Tells whether an error or its cause is a violated SQLite constraint. @param column such as `posts.slug`; if omitted, any column counts */
export const failedOn = (error: unknown, constraint: "UNIQUE" | "NOT NULL" | "FOREIGN KEY", column = ""): boolean =>
  messages(error).includes(`${constraint} constraint failed${column && `: ${column}`}`)

/**
 * Tells whether an error or one of its causes is a failure of D1 that may pass, such as overload or a lost connection.
 * Matches `D1_ERROR: D1 DB is overloaded. …`. Does not match `D1_ERROR: no such table: posts`.
 * Source: developers.cloudflare.com/d1/best-practices/retry-queries and /d1/observability/debug-d1.
 */
export const isUnavailable = (error: unknown): boolean =>
  /Network connection lost|caused object to be reset|was reset|reset because its code was updated|due to transient issue|D1 DB is overloaded|Exceeded maximum DB size/i.test(
    messages(error),
  )

/** Tells whether a row or a value was too big for D1, which stores at most 2,000,000 bytes: `string or blob too big`. */
export const isTooBig = (error: unknown): boolean => /string or blob too big|SQLITE_TOOBIG/i.test(messages(error))

/**
 * Tells whether the connection or the process of the database failed, so that a retry may succeed.
 * Matches `D1_ERROR: Network connection lost.`. Does not match `D1_ERROR: D1 DB is overloaded. …`.
 */
const isPassing = (error: unknown): boolean =>
  /Network connection lost|storage caused object to be reset|reset because its code was updated|due to transient issue/i.test(
    messages(error),
  )

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * Runs work that may run twice, and retries it if the database was out of reach, with full jitter, at most `MAX_D1_TRIES`
 * times within `MAX_D1_RETRY_MS`. Then it throws the last error. A failed call may have taken effect.
 * @param work gets the number of earlier attempts
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

/**
 * Calls `write`, which inserts rows with new ids, and retries it while D1 is out of reach. Succeeds as well if a failed
 * attempt has written the rows, which `isWritten` tells; otherwise it throws the last error.
 */
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
    // Only the answer of the last attempt may be lost.
    if (!isPassing(error) || !(await isWritten().catch(() => false))) throw error
  }
}

// Wraps D1 for routes, the queue and the cron: counts calls and rows, and retries reads.

/** The D1 calls and rows of a request, as fields of the log. */
export interface D1Usage {
  /** The number of calls. A batch is one call. */
  d1_calls: number
  rows_read: number
  rows_written: number
}

type Asked = Pick<D1Database, "prepare" | "batch">

// Matches `select "id" from "posts"`. Does not match `insert into "posts" select …`.
const isRead = (text: string): boolean => /^select\b/i.test(text)

const openAsked = (d1: Asked, usage: D1Usage): Asked => {
  const originals = new WeakMap<D1PreparedStatement, { real: D1PreparedStatement; text: string }>()

  const ask = <T>(all: string[], call: () => Promise<T>, resultsOf: (answer: T) => D1Result[]): Promise<T> => {
    const counted = async () => {
      usage.d1_calls += 1
      const answer = await call()
      for (const { meta } of resultsOf(answer)) {
        usage.rows_read += meta.rows_read
        usage.rows_written += meta.rows_written
      }
      return answer
    }
    return all.every(isRead) ? repeatable(counted) : counted()
  }

  const wrap = (real: D1PreparedStatement, text: string): D1PreparedStatement => {
    const all = <T>(): Promise<D1Result<T>> =>
      ask(
        [text],
        () => real.all<T>(),
        (answer) => [answer],
      )
    const statement = {
      bind: (...values: unknown[]) => wrap(real.bind(...values), text),
      all,
      run: all,
      // D1's own `raw` does not count rows. Two columns with one name would become one here.
      raw: async () => (await all<object>()).results.map((row) => Object.values(row)),
      // drizzle uses no other method.
    } as unknown as D1PreparedStatement
    originals.set(statement, { real, text })
    return statement
  }

  return {
    prepare: (text) => wrap(d1.prepare(text), text),
    batch: <T>(statements: D1PreparedStatement[]) => {
      const all = statements.map((statement) => {
        const original = originals.get(statement)
        if (!original) throw new Error("A statement of another client.")
        return original
      })
      return ask(
        all.map(({ text }) => text),
        () => d1.batch<T>(all.map(({ real }) => real)),
        (answers) => answers,
      )
    },
  }
}

/** Wraps D1 for one request, queue message or run of the cron: retries reads while D1 is out of reach, and counts in `usage`. */
export const openD1 = (d1: D1Database): { DB: D1Database; usage: D1Usage } => {
  const usage: D1Usage = { d1_calls: 0, rows_read: 0, rows_written: 0 }
  const withSession = (constraint?: D1SessionConstraint) => openAsked(d1.withSession(constraint), usage)
  return { DB: { ...openAsked(d1, usage), withSession } as D1Database, usage }
}
