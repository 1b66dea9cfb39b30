import { env, rows } from "./support.ts"

const tableDump = async (table: string) =>
  (await rows(`select * from "${table}"`))
    .map(({ last_used_at: _last_used_at, ...row }) => JSON.stringify(row))
    .toSorted()

/** Everything that is stored, but when a key was last used. */
export const dumpStorage = async () => {
  const tables = await rows(
    "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'",
  )
  const { keys } = await env.IMAGE_TICKETS.list()
  const { objects } = await env.MEDIA.list()
  return {
    d1: await Promise.all(tables.map(async ({ name }) => [name, await tableDump(String(name))])),
    kv: await Promise.all(keys.map(async ({ name }) => [name, await env.IMAGE_TICKETS.get(name)])),
    r2: objects.map(({ key, etag, size }) => [key, etag, size]),
  }
}
