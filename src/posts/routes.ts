import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { cutPage, writeCursor } from "../http/cursor.ts"
import { ApiError } from "../http/errors.ts"
import { matchesEtag, postEtag } from "../http/etag.ts"
import { tooMany } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { type Checked, type Warning, orThrow } from "../http/validate.ts"
import { withIdempotency } from "../idempotency/with-idempotency.ts"
import { MAX_REFUSED_BODIES, REFUSED_BODIES_SECONDS, TRANSLATION_POLL_SECONDS } from "../limits.ts"
import { createPost } from "./create.ts"
import { patchPost } from "./patch.ts"
import type { Post } from "./post.ts"
import { removePost } from "./remove.ts"
import * as operations from "./schema.ts"
import { type CreatePost, type PatchPost, refuseOtherSlug } from "./schema.ts"
import { findPost, listPosts } from "./store.ts"
import { TEXT_FIELDS, type Text, hasText, isEmpty } from "./text.ts"
import { viewPost, viewSummary } from "./view.ts"
import { apiPath, requireOwn, requireScope, writeContextOf } from "./write.ts"

const isOutstanding = (post: Post): boolean =>
  post.texts.some(({ status }) => status === "queued" || status === "running")

/** Explains why a language has no readable text: it is missing or lacks a field. */
const missingIn = (lang_code: string, text: Text | undefined): string => {
  if (!text || isEmpty(text)) return `The post has no text in "${lang_code}".`
  const missing = TEXT_FIELDS.filter((field) => !(field in text.versions))
  return `The text in "${lang_code}" is incomplete. Missing fields: ${missing.join(", ")}. Send them with PATCH, or list the language in translation_languages to have them translated.`
}

// A refused body costs as much as the most expensive accepted one.

const MAX_ACCOUNTS = 1000
/** The times at which this isolate refused bodies, in milliseconds, by account. */
const refusals = new Map<string, number[]>()

const recentOf = ({ var: { account, now } }: AppContext): number[] =>
  (refusals.get(account.id) ?? []).filter((time) => time > now.getTime() - REFUSED_BODIES_SECONDS * 1000)

const note = (c: AppContext): void => {
  if (refusals.size >= MAX_ACCOUNTS) refusals.clear()
  refusals.set(c.var.account.id, [...recentOf(c), c.var.now.getTime()])
}

/** Wraps a handler that renders a body. @throws ApiError 429 if too many bodies of the account were refused */
const limitRefusedBodies =
  <I>(handler: (c: AppContext, input: I) => Promise<Response>) =>
  async (c: AppContext, input: I): Promise<Response> => {
    if (recentOf(c).length >= MAX_REFUSED_BODIES)
      throw tooMany(
        `${MAX_REFUSED_BODIES} bodies were too complex within ${REFUSED_BODIES_SECONDS} seconds.`,
        REFUSED_BODIES_SECONDS,
      )
    try {
      return await handler(c, input)
    } catch (error) {
      if (error instanceof ApiError && error.code === "body_too_complex") note(c)
      throw error
    }
  }

interface PatchInput {
  params: { slug: string }
  headers: { "If-Match"?: string | undefined }
  body: Checked<PatchPost>
}

const makePatch = async (c: AppContext, { params: { slug }, headers, body: checked }: PatchInput) => {
  const { post, warnings } = await patchPost(writeContextOf(c), slug, checked, headers["If-Match"])
  const lang = checked.ok ? checked.value.lang_code : post.primary_language
  const text = post.texts.find(({ lang_code }) => lang_code === lang)
  c.header("ETag", postEtag(post))
  if (!c.req.path.startsWith("/api/blogcontroller/posts/")) c.header("Link", `<${apiPath(slug)}>; rel="canonical"`)
  if (isOutstanding(post)) {
    c.header("Link", `<${apiPath(slug)}translations/>; rel="monitor"`, { append: true })
    c.header("Retry-After", String(TRANSLATION_POLL_SECONDS))
  }
  const status = isOutstanding(post) ? 202 : 200
  return {
    answer: c.json({ success: true, post: viewPost(post, c.var.readerOrigin, text), warnings }, status),
    made: post.id,
  }
}

const answerPatch = limitRefusedBodies((c, input: PatchInput) => {
  const { body, headers } = input
  if (body.ok) requireScope(c.var, body.value.status)
  return withIdempotency(c, body.ok ? JSON.stringify([body.value, headers["If-Match"]]) : null, () =>
    makePatch(c, input),
  )
})

const makePost = async (c: AppContext, { body, warnings }: { body: CreatePost; warnings: Warning[] }) => {
  const created = await createPost(writeContextOf(c), body)
  const post = viewPost(created.post, c.var.readerOrigin)
  const headers = { Location: apiPath(post.slug), ETag: postEtag(created.post) }
  const answer = c.json({ success: true, post, warnings: [...warnings, ...created.warnings] }, 201, headers)
  return { answer, made: created.post.id }
}

export const postRoutes = [
  route(
    operations.createPost,
    limitRefusedBodies((c, input: { body: CreatePost; warnings: Warning[] }) => {
      requireScope(c.var, input.body.status)
      return withIdempotency(c, JSON.stringify(input.body), () => makePost(c, input))
    }),
  ),

  route(operations.listPosts, async (c, { query }) => {
    const { account, key } = c.var
    const isPublic = key?.scope === "read"
    const found =
      isPublic && account.hidden ? [] : await listPosts(openDb(c.env.DB), account.id, { ...query, isPublic })
    const { page, last } = cutPage(found, query.limit)
    const next_cursor = last ? writeCursor(last.id) : null
    if (next_cursor) {
      const next = new URL(c.req.url)
      next.searchParams.set("cursor", next_cursor)
      c.header("Link", `<${next.pathname}${next.search}>; rel="next"`)
    }
    return c.json({ success: true, posts: page.map((post) => viewSummary(post, c.var.readerOrigin)), next_cursor })
  }),

  route(operations.getPost, async (c, { params, query }) => {
    const lang = query.ok ? query.value.lang_code : undefined
    const loaded = await findPost(openDb(c.env.DB), params, { lang })
    const { post } = requireOwn(loaded, c.var)
    const { lang_code = post.primary_language } = orThrow(query).value
    const text = post.texts.find((candidate) => candidate.lang_code === lang_code)
    if (!text || !hasText(text)) throw new ApiError("not_found", missingIn(lang_code, text))
    const etag = postEtag(post)
    const headers = { ETag: etag, "Cache-Control": "private, no-cache" }
    if (matchesEtag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers)
    return c.json({ success: true, post: viewPost(post, c.var.readerOrigin, text) }, 200, headers)
  }),

  route(operations.patchPost, answerPatch, { also: refuseOtherSlug }),
  route(operations.patchPostByShortPath, answerPatch, { also: refuseOtherSlug }),

  route(operations.deletePost, async (c, { params: { slug }, headers }) => {
    await removePost({ ...writeContextOf(c), media: c.env.MEDIA }, slug, headers["If-Match"])
    return c.body(null, 204)
  }),
]
