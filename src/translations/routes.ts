import { openDb } from "../db.ts"
import type { AppContext } from "../http/context.ts"
import { param, route } from "../http/route.ts"
import { checkBody, type Checked, orThrow } from "../http/validate.ts"
import { once, refuseKey } from "../idempotency/once.ts"
import { TRANSLATION_POLL_SECONDS } from "../limits.ts"
import { apiPath, saverOf } from "../posts/request.ts"
import { requireOwn } from "../posts/save.ts"
import { findPost } from "../posts/store.ts"
import { viewTranslations } from "../posts/view.ts"
import { removeTranslation, retranslate } from "./change.ts"
import * as operations from "./schema.ts"

const target = (c: AppContext) => ({ slug: param(c, "slug"), lang: param(c, "lang_code") })

const makeAnew = async (c: AppContext, checked: Checked<operations.Retranslate>) => {
  const { post, text } = await retranslate(saverOf(c), target(c), checked)
  const translation = viewTranslations(post, c.var.readerOrigin).find(({ lang_code }) => lang_code === text.lang_code)
  const isQueued = text.status === "queued"
  if (isQueued) {
    c.header("Link", `<${apiPath(post.slug)}translations/>; rel="monitor"`)
    c.header("Retry-After", String(TRANSLATION_POLL_SECONDS))
  }
  const { warnings } = orThrow(checked)
  return { answer: c.json({ success: true, translation, warnings }, isQueued ? 202 : 200), made: post.id }
}

export const translationRoutes = [
  route(operations.listTranslations, async (c) => {
    const loaded = await findPost(openDb(c.env.DB), { slug: param(c, "slug") })
    const { post } = requireOwn(loaded, c.var.account)
    return c.json({ success: true, translations: viewTranslations(post, c.var.readerOrigin) })
  }),

  route(operations.retranslate, async (c) => {
    const checked = await checkBody(c, operations.Retranslate, { also: () => refuseKey(c) })
    return once(c, checked.ok ? JSON.stringify(checked.value) : null, () => makeAnew(c, checked))
  }),

  route(operations.deleteTranslation, async (c) => {
    await removeTranslation(saverOf(c), target(c))
    return c.body(null, 204)
  }),
]
