import { makeZip } from "client-zip"

import { dayOf } from "../days.ts"
import { openDb } from "../db.ts"
import { route } from "../http/route.ts"
import { check, orThrow } from "../http/validate.ts"
import { MAX_EXPORT_POSTS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { collect, type Entry } from "./collect.ts"
import { ExportQuery, getExport } from "./schema.ts"
import { countPosts } from "./store.ts"

/** What breaks the archive off is seen by nobody else: the answer has begun. */
async function* logged(entries: AsyncGenerator<Entry>, request_id: string): AsyncGenerator<Entry> {
  try {
    yield* entries
  } catch (error) {
    log("error", { request_id, message: "an export broke off", error: trace(error) })
    throw error
  }
}

export const exportRoutes = [
  route(getExport, async (c) => {
    const { account, now, requestId } = c.var
    const { cursor } = orThrow(check(ExportQuery, { ...c.req.query() })).value
    const db = openDb(c.env.DB)
    const part = cursor ? 1 + Math.ceil((await countPosts(db, account.id, cursor)) / MAX_EXPORT_POSTS) : 1
    const name = `edgepost-${account.username}-${dayOf(now)}${part > 1 ? `-part-${part}` : ""}.zip`
    const entries = collect({ db, media: c.env.MEDIA }, account, cursor, now)
    // A stream of the platform's own: client-zip's gives nothing to readers that ask before there is room, as clones do.
    const zip = makeZip(logged(entries, requestId)).pipeThrough(new IdentityTransformStream())
    return c.body(zip, 200, {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    })
  }),
]
