import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1"

import { D1_RETRY_MS, MAX_D1_RETRY_MS, MAX_D1_TRIES } from "../limits.ts"

export type Db = DrizzleD1Database & { $client: D1Database }

/** For writes and for reads that must see them: the primary. */
export const openDb = (d1: D1Database): Db => drizzle(d1)

/** For pages and images: any replica, possibly behind. */
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
 * Whether the database may answer when asked again, be it once its operator has made room.
 * Source: developers.cloudflare.com/d1/best-practices/retry-queries and /d1/observability/debug-d1.
 */
export const isUnavailable = (error: unknown): boolean =>
  /Network connection lost|caused object to be reset|was reset|reset because its code was updated|due to transient issue|D1 DB is overloaded|Exceeded maximum DB size/i.test(
    messages(error),
  )

/** Whether the way to the database or its process failed, which may stand again at once; overload is not among it. */
const isPassing = (error: unknown): boolean =>
  /Network connection lost|storage caused object to be reset|reset because its code was updated|due to transient issue/i.test(
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

// D1 as the doors open it: what it is asked is counted, and what only reads is asked again when D1 was out of reach.

/** What D1 was asked for and what that took, in the words of the log. */
export interface Usage {
  /** A batch is one. */
  d1_calls: number
  rows_read: number
  rows_written: number
}

type Asked = Pick<D1Database, "prepare" | "batch">

const isRead = (text: string): boolean => /^select\b/i.test(text)

const openAsked = (d1: Asked, usage: Usage): Asked => {
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
      // D1 answers `raw` without saying what it read. Two columns of one name would be one here.
      raw: async () => (await all<object>()).results.map((row) => Object.values(row)),
      // drizzle asks for no other.
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

/** D1 for one request, message or run of the cron, and the account of what it asks. */
export const openD1 = (d1: D1Database): { DB: D1Database; usage: Usage } => {
  const usage: Usage = { d1_calls: 0, rows_read: 0, rows_written: 0 }
  const withSession = (constraint?: D1SessionConstraint) => openAsked(d1.withSession(constraint), usage)
  return { DB: { ...openAsked(d1, usage), withSession } as D1Database, usage }
}
