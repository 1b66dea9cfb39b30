import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { routeWith } from "../http/route.ts"
import type { Input } from "../http/validate.ts"
import { withIdempotency } from "../idempotency/with-idempotency.ts"
import { TRANSLATION_POLL_SECONDS } from "../limits.ts"
import { apiPath, viewTranslations } from "../posts/view.ts"
import { readPost, requireOwn, requirePathPost, requireWritable, writeOf } from "../posts/write.ts"
import { approve, removeTranslation, requireTranslation, retranslate } from "./change.ts"
import {
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

const onTranslation = routeWith({
  requireTarget: async (c, { slug, lang_code }: Target) => {
    const { post } = requireWritable(await readPost(writeOf(c), slug), c.var)
    requireTranslation(post, lang_code)
  },
})

const answerRetranslate = async (c: AppContext, { params, body, warnings }: Input<typeof retranslateOperation>) => {
  const { post, text } = await retranslate(writeOf(c), toTarget(params), body)
  const translation = viewTranslations(post, c.var).find(({ lang_code }) => lang_code === text.lang_code)
  const isQueued = text.status === "queued"
  if (isQueued) {
    c.header("Link", `<${apiPath(post.slug)}translations/>; rel="monitor"`)
    c.header("Retry-After", String(TRANSLATION_POLL_SECONDS))
  }
  return { answer: c.json({ success: true, translation, warnings }, isQueued ? 202 : 200), resultId: post.id }
}

const answerApprove = async (
  c: AppContext,
  { params, body: { updated_at: seen }, warnings }: Input<typeof approveTranslationOperation>,
) => {
  const { post, text } = await approve(writeOf(c), toTarget(params), ({ updated_at }) => {
    if (seen !== undefined && seen !== updated_at.toISOString())
      throw new ApiError(
        "version_conflict",
        "The translation has changed since. Read it again, and send its updated_at.",
      )
  })
  const translation = viewTranslations(post, c.var).find(({ lang_code }) => lang_code === text.lang_code)
  return c.json({ success: true, translation, warnings })
}

export const translationRoutes = [
  routeWith({ requireTarget: requirePathPost(requireOwn) })(listTranslationsOperation, async (c, { params }) => {
    const loaded = await readPost(writeOf(c), params.slug)
    const { post } = requireOwn(loaded, c.var)
    return c.json({ success: true, translations: viewTranslations(post, c.var) })
  }),

  onTranslation(retranslateOperation, (c, input) =>
    withIdempotency(c, JSON.stringify(input.body), () => answerRetranslate(c, input)),
  ),

  onTranslation(approveTranslationOperation, answerApprove),

  onTranslation(deleteTranslationOperation, async (c, { params }) => {
    await removeTranslation(writeOf(c), toTarget(params))
    return c.body(null, 204)
  }),
]
