import {
  type AnyColumn,
  type GetColumnData,
  SQL,
  type SQLChunk,
  type SQLWrapper,
  StringChunk,
  getTableColumns,
  getTableName,
  sql,
} from "drizzle-orm"
import { SQLiteAsyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core"

import { CLEANUP_BATCH, MAX_COUNTED } from "../limits.ts"
import { type Db, failedOn } from "./client.ts"

// Plain SQL for the statements of most requests: drizzle takes longer to build a statement than a request computes.
// drizzle's `db.batch` fails on plain SQL with values on D1, so `runBatch` sends it.

/** A statement of a batch: plain SQL or a drizzle builder. */
export type Statement = SQLWrapper

/** A row as D1 returns it: times are milliseconds, lists are JSON. */
export type RawRow = Record<string, unknown>

const dialect = new SQLiteAsyncDialect()

/** Runs statements in one D1 batch, which is a transaction. @returns the rows of each, which a `selection` decodes */
export const runBatch = async <T extends Statement[]>(
  { $client }: Db,
  statements: [...T],
): Promise<{ [K in keyof T]: RawRow[] }> => {
  const bound = statements.map((statement) => {
    const { sql: text, params } = dialect.sqlToQuery(statement.getSQL())
    return $client.prepare(text).bind(...params)
  })
  const answers = await $client.batch<RawRow>(bound)
  return answers.map(({ results }) => results) as { [K in keyof T]: RawRow[] }
}

/** Returns the statement that deletes rows of a table by a condition, at most `limit`: the next scheduled run deletes others. */
export const deleteSome = (table: SQLWrapper, condition: SQL, limit = CLEANUP_BATCH): SQL =>
  sql`delete from ${table} where rowid in (select rowid from ${table} where ${condition} limit ${limit})`

/** Returns the SQL of the number of rows that a select finds, at most `MAX_COUNTED` and one. @param rows follows `from` */
export const countSome = (rows: SQL): SQL =>
  sql`(select count(*) from (select 1 from ${rows} limit ${MAX_COUNTED + 1}))`

/** The last statement of a dry run: it fails its batch, so that D1 rolls everything back. It violates NOT NULL of `token`. */
export const ROLL_BACK: Statement = sql`insert into "leases" ("post_id", "token", "expires_at") values ('', null, 0)`

/** Tells whether `ROLL_BACK` has failed a batch: each statement before it would succeed. */
export const isRolledBack = (error: unknown): boolean => failedOn(error, "NOT NULL", "leases.token")

type Columns = Record<string, AnyColumn>
type Row<C extends Columns> = { [K in keyof C]: GetColumnData<C[K]> }

/**
 * Returns `columns`, the column list of a select as SQL, and `toRow`, which decodes a raw row of it: times, booleans and JSON.
 * `json` is an SQL aggregate of all rows of a subquery, at most 32 columns on D1, and `fromJson` decodes it to rows.
 */
export const selection = <C extends Columns>(columns: C) => {
  const entries = Object.entries(columns)
  const names = entries.map(([, column]) => `"${getTableName(column.table)}"."${column.name}"`)
  const toRow = (raw: RawRow): Row<C> =>
    Object.fromEntries(
      entries.map(([name, column]) => [name, raw[name] === null ? null : column.mapFromDriverValue(raw[name])]),
    ) as Row<C>
  return {
    columns: sql.raw(entries.map(([name], i) => `${names[i]} as "${name}"`).join(", ")),
    toRow,
    json: sql.raw(`json_group_array(json_array(${names.join(", ")}))`),
    fromJson: (json: unknown): Row<C>[] =>
      (JSON.parse(String(json)) as unknown[][]).map((values) =>
        toRow(Object.fromEntries(entries.map(([name], i) => [name, values[i]]))),
      ),
  }
}

const COMMA = new StringChunk(", ")

/** Encodes a value as the database stores it. In a template it becomes a parameter. */
const encode = (column: AnyColumn, value: unknown) =>
  (value === null ? null : column.mapToDriverValue(value)) as SQLChunk

/** Returns a function that builds, but does not run, the SQL statement that inserts a full row into the table. */
export const inserter = <T extends SQLiteTable>(table: T): ((row: T["$inferSelect"]) => SQL) => {
  const entries = Object.entries(getTableColumns(table))
  const names = entries.map(([, column]) => `"${column.name}"`).join(", ")
  const start = sql.raw(`insert into "${getTableName(table)}" (${names}) values (`)
  return (row) => {
    const values = entries.map(([name, column]) => encode(column, row[name]))
    return sql`${start}${sql.join(values, COMMA)})`
  }
}

/** Builds an update's `set` list: `"title" = ?, "attempts" = "texts"."attempts" + 1`. Leaves out undefined values; null sets null. */
export const assignments = (columns: Columns, changes: object): SQL => {
  const values = new Map<string, unknown>(Object.entries(changes))
  const changed = Object.entries(columns).filter(([name]) => values.get(name) !== undefined)
  const chunks = changed.flatMap(([name, column], i) => {
    const value = values.get(name)
    const start = new StringChunk(`${i > 0 ? ", " : ""}"${column.name}" = `)
    return [start, value instanceof SQL ? value : encode(column, value)]
  })
  return sql.join(chunks)
}
