import { makeZip } from "client-zip"

import { dayOf } from "../days.ts"
import { openDb } from "../db/client.ts"
import type { Operation } from "../http/operation.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { log, trace } from "../log.ts"
import { PAGE } from "../ui/page.ts"
import { collect, type ArchiveFile } from "./collect.ts"
import { ExportQuery } from "./input.ts"

const getExport = {
  ...PAGE,
  access: "recent-author",
  path: "/settings/export/",
  query: ExportQuery,
  successes: { 200: { description: "The zip", contentType: "application/zip" } },
} satisfies Partial<Operation>

/** Logs an error that aborts the archive. The response has begun, so the client gets no error answer. */
async function* logged(entries: AsyncGenerator<ArchiveFile>, request_id: string): AsyncGenerator<ArchiveFile> {
  try {
    yield* entries
  } catch (error) {
    log("error", { request_id, message: "export.aborted", error: trace(error) })
    throw error
  }
}

export const exportRoutes = [
  route(getExport, async (c, { query }) => {
    const { cursor: after, until, part } = query
    const { account, now, requestId } = c.var
    await countExpensive(c, "exports")
    const name = `edgepost-${account.username}-${dayOf(now)}${part === undefined ? "" : `-part-${part}`}.zip`
    const entries = collect({ db: openDb(c.env.DB), media: c.env.MEDIA }, account, { after, until }, now)
    // The platform's stream also serves clones of the response, which client-zip's stream does not.
    const zip = makeZip(logged(entries, requestId)).pipeThrough(new IdentityTransformStream())
    return c.body(zip, 200, {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    })
  }),
]
