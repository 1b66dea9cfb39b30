import { readdirSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"

import { expect, it } from "vitest"

const FILES = readdirSync("migrations")
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
/** The last migration of version 0.1. */
const LAST_OF_0_1 = "0009_tries.sql"
/** Columns that later migrations renamed. */
const RENAMED: Record<string, string> = {
  pictures: "image_ids",
  anew_since: "retranslate_after",
  sweep_at: "cleanup_at",
}
const ROWS = 3

type Row = Record<string, string | number | null>

const migrate = (db: DatabaseSync, files: string[]): void => {
  for (const file of files) db.exec(readFileSync(`migrations/${file}`, "utf8"))
}

const select = (db: DatabaseSync, query: string): Row[] => db.prepare(query).all() as Row[]

const tablesOf = (db: DatabaseSync): string[] =>
  select(db, "select name from sqlite_master where type = 'table' order by rowid").map(({ name }) => String(name))

/** Fills each column of a table with other values in each row; `R1` names the first row of each table. */
const fill = (db: DatabaseSync, table: string): void => {
  const columns = select(db, `select name, type from pragma_table_info('${table}')`)
  for (let row = 1; row <= ROWS; row++) {
    const values = columns.map(({ name, type }) => {
      if (type === "integer") return name === "revoked_at" ? null : row
      return /(^id|_id)$/.test(String(name)) ? `R${row}` : `["${String(name)}${row}"]`
    })
    db.prepare(`insert into ${table} values (${columns.map(() => "?").join(", ")})`).run(...values)
  }
}

/** Makes a database with filled tables as it was before a migration. @returns the database, and a function that migrates it by that one alone */
const beforeMigration = (file: string, tables: string[]): [db: DatabaseSync, apply: () => void] => {
  expect(FILES).toContain(file)
  const db = new DatabaseSync(":memory:")
  migrate(db, FILES.slice(0, FILES.indexOf(file)))
  db.exec("pragma foreign_keys = off")
  for (const table of tables) fill(db, table)
  return [db, () => migrate(db, [file])]
}

const rename = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [RENAMED[name] ?? name, value]))

it("the migrations of version 0.2 keep all rows and values of a database of version 0.1", () => {
  const db = new DatabaseSync(":memory:")
  const next = FILES.indexOf(LAST_OF_0_1) + 1
  migrate(db, FILES.slice(0, next))
  db.exec("pragma foreign_keys = off")
  const tables = tablesOf(db)
  for (const table of tables) fill(db, table)
  db.exec("pragma foreign_keys = on")
  const before = tables.map((table) => select(db, `select * from ${table}`))
  expect(before.every((rows) => rows.length === ROWS)).toBe(true)

  migrate(db, FILES.slice(next))
  const after = tables.map((table) => select(db, `select * from ${table}`))
  expect(after).toEqual(before.map((rows) => rows.map((row) => expect.objectContaining(rename(row)) as Row)))
  expect(select(db, "pragma foreign_key_check")).toEqual([])
})

it("the migration that adds changed_at of texts keeps their values, and changed_at begins as updated_at", () => {
  const [db, apply] = beforeMigration("0017_texts_changed_at.sql", ["texts"])
  const before = select(db, "select * from texts")
  apply()
  expect(select(db, "select * from texts")).toEqual(before.map((row) => ({ ...row, changed_at: row["updated_at"] })))
})

it("deleting a post deletes its texts in a database with all migrations", () => {
  const db = new DatabaseSync(":memory:")
  migrate(db, FILES)
  db.exec("pragma foreign_keys = off")
  for (const table of ["posts", "texts"]) fill(db, table)
  db.exec("pragma foreign_keys = on; delete from posts where id = 'R1'")
  expect(select(db, "select post_id from texts order by 1")).toEqual([{ post_id: "R2" }, { post_id: "R3" }])
})

it("the migration that counts all fields of posts makes the label rows and the counts that the service keeps", () => {
  const [db, apply] = beforeMigration("0019_post_labels.sql", ["accounts", "posts", "texts"])
  apply()
  const labels = select(db, "select kind, label, post_id, status from post_labels order by post_id, kind")
  expect(labels.slice(0, 2)).toEqual([
    { kind: "category", label: "categories1", post_id: "R1", status: '["status1"]' },
    { kind: "tag", label: "tags1", post_id: "R1", status: '["status1"]' },
  ])
  const covered = /^(id|account_id|post_id|status|claim|error|cover_image_id|preview_token|body_sha256)$/
  const bytes = (table: string) =>
    select(db, `select name from pragma_table_info('${table}') where lower(type) = 'text'`)
      .filter(({ name }) => !covered.test(String(name)))
      .map(({ name }) => `coalesce(octet_length(${table}.${String(name)}), 0)`)
      .join(" + ")
  const sum = `select 1024 + 256 + ${bytes("posts")} + ${bytes("texts")} + 2 * 150 + 2 * (11 + 5) as text_bytes
    from posts join texts on texts.post_id = posts.id order by posts.id`
  const counted = select(db, "select text_bytes from posts order by id")
  expect(counted).toEqual(select(db, sum))
  expect(select(db, "select text_bytes from accounts order by id")).toEqual(counted)
})

it("the migration that stores nothing ahead deletes the events of scheduled posts and finds the first of these, for accounts with endpoints", () => {
  const [db, apply] = beforeMigration("0031_webhooks_ahead.sql", ["posts", "webhook_endpoints", "webhook_deliveries"])
  const now = Date.now()
  db.exec(`update posts set account_id = 'A', status = 'PB', published_at = case id when 'R1' then ${now} - 60000 when 'R2' then ${now} + 7200000
      else ${now} + 3600000 end;
    update webhook_endpoints set account_id = 'A' where id <> 'R3';
    update webhook_deliveries set endpoint_id = 'R1', type = 'post.published', post_id = event_id, due_at = starts_at;
    update webhook_deliveries set (starts_at, due_at) = (select published_at, published_at from posts where posts.id = post_id)`)
  apply()
  expect(select(db, "select event_id, starts_at from webhook_deliveries")).toEqual([
    { event_id: "R1", starts_at: now - 60_000 },
  ])
  const [first, second, third] = select(db, "select * from webhook_endpoints order by id")
  for (const endpoint of [first, second])
    expect(endpoint).toMatchObject({ next_at: now + 3_600_000, next_post: "R3", queued: 0 })
  expect(third).toMatchObject({ next_at: null, next_post: null })
  for (const { wake_at } of [first, second, third].filter((row) => row !== undefined))
    expect(Math.abs(Number(wake_at) - now - 600_000)).toBeLessThan(60_000)
})

it("the migration of the new fields lists all posts, and dates texts that have not changed since an earlier publication", () => {
  const [db, apply] = beforeMigration("0034_new_fields.sql", ["posts", "texts"])
  db.exec(`update posts set created_at = 100, published_at = case id when 'R3' then 200 else 50 end;
    update texts set changed_at = case post_id when 'R2' then 101 else 100 end`)
  apply()
  expect(select(db, "select listed, cover_alt, cover_caption from posts")).toEqual(
    Array.from({ length: ROWS }, () => ({ listed: 1, cover_alt: null, cover_caption: null })),
  )
  expect(select(db, "select changed_at from texts order by post_id").map(({ changed_at }) => changed_at)).toEqual([
    50, 101, 100,
  ])
})

it("the migration that adds folded titles keeps posts, and leaves the titles of each to the scheduled job", () => {
  const [db, apply] = beforeMigration("0035_search_titles.sql", ["posts"])
  const before = select(db, "select * from posts")
  apply()
  expect(select(db, "select * from posts")).toEqual(
    before.map((row) => ({ ...row, folded_titles: "", has_unfolded: 1 })),
  )
  expect(select(db, "select id from posts indexed by posts_unfolded where has_unfolded = 1").length).toBe(ROWS)
})
