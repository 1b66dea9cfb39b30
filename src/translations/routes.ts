import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { route } from "../http/route.ts"
import { type Checked, orThrow } from "../http/validate.ts"
import { withIdempotency } from "../idempotency/with-idempotency.ts"
import { TRANSLATION_POLL_SECONDS } from "../limits.ts"
import { apiPath, viewTranslations } from "../posts/view.ts"
import { readPost, requireOwn, writeOf } from "../posts/write.ts"
import { approve, removeTranslation, retranslate } from "./change.ts"
import {
  type Approve,
  type Retranslate,
  approveTranslationOperation,
  deleteTranslationOperation,
  listTranslationsOperation,
  retranslateOperation,
} from "./operations.ts"

interface Target {
  slug: string
  lang_code: string
}
const toTarget = ({ slug, lang_code: lang }: Target) => ({ slug, lang })

const answerRetranslate = async (c: AppContext, params: Target, checked: Checked<Retranslate>) => {
  const { post, text } = await retranslate(writeOf(c), toTarget(params), checked)
  const translation = viewTranslations(post, c.var).find(({ lang_code }) => lang_code === text.lang_code)
  const isQueued = text.status === "queued"
  if (isQueued) {
    c.header("Link", `<${apiPath(post.slug)}translations/>; rel="monitor"`)
    c.header("Retry-After", String(TRANSLATION_POLL_SECONDS))
  }
  const { warnings } = orThrow(checked)
  return { answer: c.json({ success: true, translation, warnings }, isQueued ? 202 : 200), resultId: post.id }
}

const answerApprove = async (c: AppContext, params: Target, checked: Checked<Approve>) => {
  const { post, text } = await approve(writeOf(c), toTarget(params), ({ updated_at }) => {
    const { updated_at: seen } = orThrow(checked).value
    if (seen !== undefined && seen !== updated_at.toISOString())
      throw new ApiError(
        "version_conflict",
        "The translation has changed since. Read it again, and send its updated_at.",
      )
  })
  const translation = viewTranslations(post, c.var).find(({ lang_code }) => lang_code === text.lang_code)
  return c.json({ success: true, translation, warnings: orThrow(checked).warnings })
}

export const translationRoutes = [
  route(listTranslationsOperation, async (c, { params }) => {
    const loaded = await readPost(writeOf(c), params.slug)
    const { post } = requireOwn(loaded, c.var)
    return c.json({ success: true, translations: viewTranslations(post, c.var) })
  }),

  route(retranslateOperation, (c, { params, query, body }) => {
    const checked = query.ok ? body : query
    return withIdempotency(c, checked.ok ? JSON.stringify(checked.value) : null, () =>
      answerRetranslate(c, params, checked),
    )
  }),

  route(approveTranslationOperation, (c, { params, query, body }) => answerApprove(c, params, query.ok ? body : query)),

  route(deleteTranslationOperation, async (c, { params }) => {
    await removeTranslation(writeOf(c), toTarget(params))
    return c.body(null, 204)
  }),
]
