import { repeatable } from "./db.ts"

// D1 as the doors open it: what it is asked is counted, and what only reads is asked again when D1 was out of reach.

/** What D1 was asked for and what that took, in the words of the log. */
export interface Usage {
  /** A batch is one. */
  d1_calls: number
  rows_read: number
  rows_written: number
}

type Asked = Pick<D1Database, "prepare" | "batch">
type Row = Record<string, unknown>

const isRead = (sql: string): boolean => /^select\b/i.test(sql)

/** Columns that a statement answers with, as far as commas and brackets tell. */
const countColumns = (sql: string): number => {
  const list = isRead(sql) ? sql.slice("select".length) : sql.slice(sql.lastIndexOf(" returning "))
  let [depth, columns] = [0, 1]
  for (const [token] of list.matchAll(/'[^']*'|"[^"]*"|[(),]|\bfrom\b/gi)) {
    if (token === "(") depth += 1
    else if (token === ")") depth -= 1
    else if (depth > 0) continue
    else if (token === ",") columns += 1
    else if (token.toLowerCase() === "from") break
  }
  return columns
}

/** By statement, of which there are as many as the code has. */
const known = new Map<string, number>()

const columnsOf = (sql: string): number => {
  const columns = known.get(sql) ?? countColumns(sql)
  known.set(sql, columns)
  return columns
}

/** Rows as arrays. D1 answers such a question without saying what it read, so they are made of objects. */
const toArrays = (sql: string, rows: Row[]): unknown[][] => {
  const arrays = rows.map((row) => Object.values(row))
  // In an object the second column of a name takes the place of the first, and all behind it move.
  if (arrays[0] && arrays[0].length !== columnsOf(sql)) throw new Error(`Two columns have one name: ${sql}`)
  return arrays
}

const openAsked = (d1: Asked, usage: Usage): Asked => {
  const originals = new WeakMap<D1PreparedStatement, { real: D1PreparedStatement; sql: string }>()

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

  const wrap = (real: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const all = <T>(): Promise<D1Result<T>> =>
      ask(
        [sql],
        () => real.all<T>(),
        (answer) => [answer],
      )
    const statement = {
      bind: (...values: unknown[]) => wrap(real.bind(...values), sql),
      all,
      run: all,
      raw: async () => toArrays(sql, (await all<Row>()).results),
      // drizzle asks for no other.
    } as unknown as D1PreparedStatement
    originals.set(statement, { real, sql })
    return statement
  }

  return {
    prepare: (sql) => wrap(d1.prepare(sql), sql),
    batch: <T>(statements: D1PreparedStatement[]) => {
      const all = statements.map((statement) => {
        const original = originals.get(statement)
        if (!original) throw new Error("A statement of another client.")
        return original
      })
      return ask(
        all.map(({ sql }) => sql),
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
