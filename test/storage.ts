import { env, rows } from "./support.ts"

let names: string[] | undefined
const tableNames = async (): Promise<string[]> => {
  if (names) return names
  const tables = await rows(
    "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'",
  )
  names = tables.map(({ name }) => String(name))
  return names
}

/** Deletes all stored data except that of Durable Objects. */
export const wipeStorage = async (): Promise<void> => {
  const tables = (await tableNames()).filter((name) => name !== "d1_migrations")
  await env.DB.batch(
    ["pragma defer_foreign_keys = on", ...tables.map((name) => `delete from "${name}"`)].map((sql) =>
      env.DB.prepare(sql),
    ),
  )
  const { objects } = await env.MEDIA.list()
  if (objects.length > 0) await env.MEDIA.delete(objects.map(({ key }) => key))
  const { keys } = await env.IMAGE_TICKETS.list()
  await Promise.all(keys.map(({ name }) => env.IMAGE_TICKETS.delete(name)))
}

const withoutLastUse = ({ last_used_at: _last_used_at, ...row }: Record<string, unknown>): string => JSON.stringify(row)

/** Returns all stored data except the keys' last use. */
export const dumpStorage = async () => {
  const tables = await tableNames()
  const dumps = await env.DB.batch<Record<string, unknown>>(
    tables.map((name) => env.DB.prepare(`select * from "${name}"`)),
  )
  const { keys } = await env.IMAGE_TICKETS.list()
  const { objects } = await env.MEDIA.list()
  return {
    d1: dumps.map(({ results }, i) => [tables[i], results.map(withoutLastUse).toSorted()]),
    kv: await Promise.all(keys.map(async ({ name }) => [name, await env.IMAGE_TICKETS.get(name)])),
    r2: objects.map(({ key, etag, size }) => [key, etag, size]),
  }
}
