import { keepLabels } from "../../packages/edgepost/src/labels.ts"
import { previewUrl } from "../addresses.ts"
import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { writeCursor } from "../http/cursor.ts"
import { ApiError } from "../http/errors.ts"
import { matchesEtag, postEtag } from "../http/etag.ts"
import { route, routeWith } from "../http/route.ts"
import type { Fields, Input } from "../http/validate.ts"
import { withIdempotency } from "../idempotency/with-idempotency.ts"
import { imageFilesOf } from "../images/cleanup.ts"
import { TRANSLATION_POLL_SECONDS } from "../limits.ts"
import { createPost } from "./create.ts"
import { createErrors, type PatchPost, patchErrors, putErrors } from "./input.ts"
import { listOwn } from "./list-store.ts"
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  listPostsOperation,
  patchPostByShortPathOperation,
  patchPostOperation,
  putPostOperation,
  renewPreviewOperation,
} from "./operations.ts"
import { patchPost } from "./patch.ts"
import { type Post, ownerOf, renewPreview } from "./post.ts"
import { putPost } from "./put.ts"
import { removePost } from "./remove.ts"
import { TEXT_FIELDS, type Text, hasPending, isComplete, isEmpty } from "./text.ts"
import { apiPath, viewListed, viewPending, viewPost } from "./view.ts"
import {
  changePost,
  newPreviewToken,
  pathPostOf,
  readPost,
  requireOwn,
  requirePathPost,
  requireScope,
  requireWritable,
  type Result,
  writeOf,
  requireReview,
} from "./write.ts"

const isOutstanding = (post: Post): boolean =>
  post.texts.some(({ status }) => status === "queued" || status === "running")

/** Explains why a language has no readable text: it is missing or lacks a field. */
const missingIn = (lang_code: string, text: Text | undefined): string => {
  if (!text || isEmpty(text)) return `The post has no text in "${lang_code}".`
  const missing = TEXT_FIELDS.filter((field) => !(field in text.versions))
  return `The text in "${lang_code}" is incomplete. Missing fields: ${missing.join(", ")}. Send them with PATCH, or list the language in translation_languages to have them translated.`
}

type PatchInput = Input<typeof patchPostByShortPathOperation>

const onOwn = routeWith({ requireTarget: requirePathPost(requireOwn) })
const onWritable = routeWith({ requireTarget: requirePathPost(requireWritable) })

const answerDry = (c: AppContext, { post, warnings }: Result, text?: Text): Response =>
  c.json({ success: true, dry_run: true, post: viewPost(post, c.var, text), warnings })

/** Answers a PATCH or PUT of an existing post with one of its texts: 202 while translations are outstanding. */
const answerChanged = (c: AppContext, { post, warnings }: Result, text?: Text): Response => {
  c.header("ETag", postEtag(post, c.var.now))
  if (isOutstanding(post)) {
    c.header("Link", `<${apiPath(post.slug)}translations/>; rel="monitor"`, { append: true })
    c.header("Retry-After", String(TRANSLATION_POLL_SECONDS))
  }
  const status = isOutstanding(post) ? 202 : 200
  return c.json({ success: true, post: viewPost(post, c.var, text), warnings }, status)
}

const makePatch = async (c: AppContext, { params, headers, query, body, warnings }: PatchInput) => {
  const write = writeOf(c, { isDryRun: query.dry_run })
  const fields = { ok: true, value: body, warnings } as const
  const result = await patchPost(write, params.slug, fields, { ifMatch: headers["If-Match"] })
  const { post } = result
  if (!c.req.path.startsWith("/api/blogcontroller/posts/")) c.header("Link", `<${apiPath(post.slug)}>; rel="canonical"`)
  const text = post.texts.find(({ lang_code }) => lang_code === body.lang_code)
  return { answer: query.dry_run ? answerDry(c, result, text) : answerChanged(c, result, text), resultId: post.id }
}

/** Returns a body for the fingerprint of its Idempotency-Key: with the names of its labels, however these are read. */
const withNames = (body: Pick<PatchPost, "categories" | "tags">) => ({
  ...body,
  ...(body.categories && { categories: keepLabels(body.categories, []) }),
  ...(body.tags && { tags: keepLabels(body.tags, []) }),
})

const answerPatch = (c: AppContext, input: PatchInput): Promise<Response> => {
  const { query, body, headers } = input
  requireScope(c.var, body.status)
  const content = query.dry_run ? null : JSON.stringify([withNames(body), headers["If-Match"]])
  return withIdempotency(c, content, () => makePatch(c, input))
}

const answerCreated = (c: AppContext, { post, warnings }: Result): Response =>
  c.json({ success: true, post: viewPost(post, c.var), warnings }, 201, {
    Location: apiPath(post.slug),
    ETag: postEtag(post, c.var.now),
  })

const answerPut = async (c: AppContext, input: Input<typeof putPostOperation>): Promise<Response> => {
  const { params, headers, query, body, warnings } = input
  requireScope(c.var, body.status)
  const fields = { ok: true, value: body, warnings } as const
  const result = await putPost(writeOf(c, { isDryRun: query.dry_run }), params.slug, fields, headers)
  if (query.dry_run) return answerDry(c, result)
  return result.isNew ? answerCreated(c, result) : answerChanged(c, result)
}

const makePost = async (c: AppContext, { query, body, warnings }: Input<typeof createPostOperation>) => {
  const created = await createPost(writeOf(c, { isDryRun: query.dry_run }), body)
  const result = { post: created.post, warnings: [...warnings, ...created.warnings] }
  return { answer: query.dry_run ? answerDry(c, result) : answerCreated(c, result), resultId: created.post.id }
}

/** The post of the path may have labels that a new one may not. */
const besidePost = (errors: typeof patchErrors) => (path: { slug: string }, sent: Fields, c: AppContext) =>
  errors(path, sent, c.var.now, pathPostOf(c))

export const postRoutes = [
  route(
    createPostOperation,
    (c, input) => {
      requireScope(c.var, input.body.status)
      requireReview(c.var, input.body.translation_review)
      return withIdempotency(c, input.query.dry_run ? null : JSON.stringify(withNames(input.body)), () =>
        makePost(c, input),
      )
    },
    { also: (path, sent, c) => createErrors(path, sent, c.var.now) },
  ),

  route(listPostsOperation, async (c, { query }) => {
    const found = await listOwn(openDb(c.env.DB), c.var, query)
    const next_cursor = found.next === null ? null : writeCursor(found.next)
    if (next_cursor) {
      const next = new URL(c.req.url)
      next.searchParams.set("cursor", next_cursor)
      c.header("Link", `<${next.pathname}${next.search}>; rel="next"`)
    }
    const posts = found.posts.map((post) => viewListed(post, c.var))
    return c.json({ success: true, posts, next_cursor })
  }),

  onOwn(getPostOperation, async (c, { params, query }) => {
    const loaded = await readPost(writeOf(c), params.slug, { lang: query.lang_code })
    const { post } = requireOwn(loaded, c.var)
    const { lang_code = post.primary_language } = query
    const text = post.texts.find((candidate) => candidate.lang_code === lang_code)
    // What waits for approval is for those who may approve it; a key that only reads has got the post without it.
    if (!text || !(isComplete(text) || hasPending(text))) throw new ApiError("not_found", missingIn(lang_code, text))
    const etag = postEtag(post, c.var.now)
    const headers = { ETag: etag, "Cache-Control": "private, no-cache" }
    if (matchesEtag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers)
    const mayApprove = c.var.key?.scope !== "read" && lang_code !== post.primary_language
    const pending = mayApprove && { pending: viewPending(text) }
    return c.json({ success: true, post: { ...viewPost(post, c.var, text), ...pending } }, 200, headers)
  }),

  route(putPostOperation, answerPut, {
    also: besidePost(putErrors),
    requireTarget: requirePathPost(requireWritable, { mayBeNew: true }),
  }),
  onWritable(patchPostOperation, answerPatch, { also: besidePost(patchErrors) }),
  onWritable(patchPostByShortPathOperation, answerPatch, { also: besidePost(patchErrors) }),

  onOwn(deletePostOperation, async (c, { params: { slug }, headers, query }) => {
    await removePost({ ...writeOf(c, { isDryRun: query.dry_run }), ...imageFilesOf(c) }, slug, headers["If-Match"])
    return c.body(null, 204)
  }),

  onWritable(renewPreviewOperation, async (c, { params: { slug } }) => {
    const { post } = await changePost(writeOf(c), slug, {}, (loaded) => ({
      post: renewPreview(loaded.post, newPreviewToken(), c.var.now),
    }))
    return c.json({
      success: true,
      preview_url: previewUrl(c.var.places, ownerOf(post), post.preview_token ?? ""),
      expires_at: post.preview_expires_at?.toISOString(),
    })
  }),
]
