import { keyChecks } from "../accounts/authenticate.ts"
import { openDb } from "../db/client.ts"
import { writeCursor } from "../http/cursor.ts"
import { fieldError } from "../http/errors.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { MAX_GLOSSARY_BYTES, MAX_GLOSSARY_TERMS } from "../limits.ts"
import {
  changeGlossaryOperation,
  entryOf,
  listGlossaryOperation,
  retranslateTermsOperation,
} from "./glossary-operations.ts"
import { changeGlossary, findConcerned, listGlossary, requeueConcerned } from "./glossary-store.ts"
import { startTranslations } from "./queue.ts"

/** Returns the error of a glossary that would have too many terms. @param field names what the request sent */
export const glossaryFull = (field: string) =>
  fieldError(
    field,
    "validation_error",
    `A glossary has at most ${MAX_GLOSSARY_TERMS} terms and ${MAX_GLOSSARY_BYTES} bytes. Delete some first.`,
  )

export const glossaryRoutes = [
  route(listGlossaryOperation, async (c) =>
    c.json({ success: true, entries: await listGlossary(openDb(c.env.DB), c.var.account.id) }),
  ),

  route(changeGlossaryOperation, async (c, { body }) => {
    const { account, now } = c.var
    await countExpensive(c, "changes of the glossary")
    const db = openDb(c.env.DB)
    const { entries = [], removed = [] } = body
    const change = { entries: entries.map(entryOf), removed }
    if (!(await changeGlossary(db, account.id, change, keyChecks(c.var, now)))) throw glossaryFull("entries")
    return c.json({ success: true, entries: await listGlossary(db, account.id) })
  }),

  route(retranslateTermsOperation, async (c, { query, body: { terms } }) => {
    const { account, now } = c.var
    const db = openDb(c.env.DB)
    await countExpensive(c, "searches for terms")
    const concerned = await findConcerned(db, account.id, { terms, after: query.cursor })
    if (!query.dry_run) {
      await requeueConcerned(db, concerned, { now, checks: keyChecks(c.var, now) })
      startTranslations(c, concerned.postIds)
    }
    const { postIds, translations, next } = concerned
    const next_cursor = next && writeCursor(next)
    return c.json({ success: true, posts: postIds.length, translations, next_cursor })
  }),
]
