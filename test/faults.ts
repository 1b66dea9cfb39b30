import { onTestFinished, vi } from "vitest"

import { env } from "./support.ts"

/** Returns a binding with some methods replaced. */
export const faulty = <T extends object>(real: T, methods: Partial<Record<keyof T, unknown>>): T =>
  new Proxy(real, {
    get: (target, property) => {
      if (property in methods) return methods[property as keyof T]
      const own: unknown = Reflect.get(target, property)
      return typeof own === "function" ? own.bind(target) : own
    },
  })

export const failing = (): Promise<never> => Promise.reject(new Error("A fault that a test made."))

/** Skips the pauses before retries until the test ends, and returns their intended lengths in ms. */
export const recordPauses = (): number[] => {
  const pauses: number[] = []
  const real = globalThis.setTimeout
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((done: () => void, ms: number) => {
    // Background work of the test platform keeps its real timers.
    if (ms > 1000) return real(done, ms)
    pauses.push(ms)
    return queueMicrotask(done)
  }) as typeof setTimeout)
  onTestFinished(() => spy.mockRestore())
  return pauses
}

export interface Statement {
  sql: string
  values: unknown[]
}

interface Tap {
  /** Receives the statements before the call; an error it throws fails the call. */
  before?: (statements: Statement[]) => unknown
  /** Makes the call or replaces it. */
  around?: <T>(call: () => Promise<T>, statements: Statement[]) => Promise<T>
  /** The same for calls to a replica. */
  aroundReplica?: Tap["around"]
  /** Rewrites the SQL. */
  rewrite?: (sql: string) => string
  /** Rewrites the bound values. */
  rebind?: (values: unknown[]) => unknown[]
}

/** Returns a D1 binding on the real database that reports every call. */
export const tapD1 = ({
  before,
  around = (call) => call(),
  aroundReplica = around,
  rewrite = (sql) => sql,
  rebind = (values) => values,
}: Tap): D1Database => {
  const known = new WeakMap<object, Statement & { real: D1PreparedStatement }>()

  const tapStatement = (
    real: D1PreparedStatement,
    { sql, values }: Statement,
    tap: NonNullable<Tap["around"]>,
  ): D1PreparedStatement => {
    const heard =
      (method: "run" | "all" | "first" | "raw") =>
      async (...args: never[]): Promise<unknown> => {
        await before?.([{ sql, values }])
        return tap(() => Reflect.apply(real[method], real, args) as Promise<unknown>, [{ sql, values }])
      }
    const tapped = faulty(real, {
      bind: (...bound: unknown[]) => tapStatement(real.bind(...rebind(bound)), { sql, values: bound }, tap),
      run: heard("run"),
      all: heard("all"),
      first: heard("first"),
      raw: heard("raw"),
    })
    known.set(tapped, { real, sql, values })
    return tapped
  }

  const bindingOf = (real: Pick<D1Database, "prepare" | "batch">, tap: NonNullable<Tap["around"]>) => ({
    prepare: (sql: string) => tapStatement(real.prepare(rewrite(sql)), { sql, values: [] }, tap),
    batch: async (statements: D1PreparedStatement[]) => {
      const all = statements.map((statement) => known.get(statement)).filter((found) => found !== undefined)
      await before?.(all)
      return tap(() => real.batch(all.map((found) => found.real)), all)
    },
  })
  const withSession = (first?: D1SessionConstraint) => {
    const session = env.DB.withSession(first)
    return faulty(session, bindingOf(session, aroundReplica))
  }
  return faulty(env.DB, { ...bindingOf(env.DB, around), withSession })
}

/** Returns a D1 binding that sums up the usage that D1 reports, and `calls`, with the usage and the statements of each call. */
export const measuredD1 = () => {
  const sum = { d1_calls: 0, rows_read: 0, rows_written: 0 }
  const calls: { statements: Statement[]; rows_read: number; rows_written: number }[] = []
  const DB = tapD1({
    around: async (ask, statements) => {
      sum.d1_calls += 1
      const answer = await ask()
      const used = { statements, rows_read: 0, rows_written: 0 }
      for (const { meta } of [answer].flat() as D1Result[]) {
        used.rows_read += meta.rows_read
        used.rows_written += meta.rows_written
      }
      sum.rows_read += used.rows_read
      sum.rows_written += used.rows_written
      calls.push(used)
      return answer
    },
  })
  return { DB, sum, calls }
}

/** Runs `act` once, right before the first call with a matching statement. */
export const beforeCall = (like: RegExp, act: () => unknown): D1Database => {
  let done = false
  return tapD1({
    before: async (statements) => {
      if (done || !statements.some(({ sql }) => like.test(sql))) return
      done = true
      await act()
    },
  })
}

// Statements that tests of concurrency intercept, as drizzle writes them.
export const SAVE_POST = /^update "posts" set "status"/
export const INSERT_POST = /^insert into "posts"/
export const INSERT_IMAGE = /^insert into "images"/
export const MARK_UNLINKED = /^update "images" set "deleting_at" = \? where/
export const RELEASE_IMAGES = /^update "images" set "cleanup_at" = max\(/
