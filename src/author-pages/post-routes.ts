import type * as z from "zod"

import { openDb } from "../db/client.ts"
import { isVisible } from "../db/visibility.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, PROBLEMS } from "../http/errors.ts"
import { postEtag } from "../http/etag.ts"
import { moved } from "../http/operation.ts"
import { type Route, route } from "../http/route.ts"
import { check, type Warning } from "../http/validate.ts"
import { imageFilesOf } from "../images/cleanup.ts"
import { MAX_POST_FORM_BYTES } from "../limits.ts"
import { withoutMade } from "../posts/defaults.ts"
import { PatchPost, patchErrors, slugErrors } from "../posts/input.ts"
import { SlugParam } from "../posts/operations.ts"
import { languageFields, patchPost, type SeenState } from "../posts/patch.ts"
import type { Post } from "../posts/post.ts"
import { removePost } from "../posts/remove.ts"
import { countWaiting } from "../posts/review-store.ts"
import type { Text } from "../posts/text.ts"
import { writeOf } from "../posts/write.ts"
import { tryAgain } from "../translations/change.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { queryOf, readBoard, summaryOf } from "./board.ts"
import { renderDeletion } from "./deletion-page.tsx"
import { BoardQuery, PostQuery, ScheduleQuery, TranslationParams } from "./input.ts"
import { doneAt, type DoneCode, isConflict, POSTS, readOwn, writer } from "./post-access.ts"
import {
  type PostChange,
  DeletionForm,
  PostForm,
  requireHidden,
  requireSeen,
  ScheduleForm,
  toPatch,
  toSchedule,
} from "./post-form.ts"
import { renderPostPage } from "./post-page.tsx"
import { renderBoard } from "./posts-page.tsx"
import { showPreview } from "./preview.ts"
import { getPage, postForm, showingForm } from "./route.ts"
import { renderSchedule } from "./schedule-page.tsx"

const POST = `${POSTS}:slug/`

interface Shown {
  slug: string
  /** The language of the text; by default the source language. */
  lang?: string | undefined
  /** The value of the query `done`. */
  done?: DoneCode
  /** A form that has wrong fields, with the version that it changes. */
  refused?: RefusedForm
  /** A form for a version that is no longer the newest. */
  conflicting?: RefusedForm
}

/** Saved outcomes after which the page shows what the service says of the text. */
const SAVED = new Set<DoneCode>(["created", "images", "saved", "published", "scheduled", "draft", "retried"])

/** Returns the warnings of a stored text, as a save of it gets them. */
const warningsOf = async (c: AppContext, post: Post, text: Text | null): Promise<Warning[]> => {
  if (!text?.title || !text.meta_description || !text.body) return []
  const { title, meta_description, body, lang_code } = text
  const [categories, tags] = [post.categories, post.tags].map((labels) => labels.join(", "))
  const fields = { ...languageFields(post, lang_code), title, meta_description, body, categories, tags }
  const dryRun = writeOf(c, { isDryRun: true, checks: [] })
  return withoutMade((await patchPost(dryRun, post.slug, check(PatchPost, fields), {})).warnings, text)
}

const showPost = async (c: AppContext, { slug, lang, ...outcome }: Shown) => {
  const { account, now } = c.var
  const found = await readOwn(c, slug, lang)
  const { post, text } = found
  const warnings = SAVED.has(outcome.done) ? await warningsOf(c, post, text) : []
  const etag = postEtag(post, now)
  return renderPostPage({ ...found, ...outcome, account, summary: summaryOf(c, post), etag, warnings })
}

/** Returns the address of the page that asks for the time of a post's version, and of no later one. */
const scheduleAt = (post: Post, now: Date): string =>
  `${POSTS}${post.slug}/schedule/?${new URLSearchParams({ etag: postEtag(post, now) }).toString()}`

interface Rules extends SeenState {
  isDryRun?: boolean
}

/** Applies the PATCH of a form. @throws ApiError as `patchPost` */
const applyForm = async (
  c: AppContext,
  post: Post,
  { patch, slug: newSlug }: PostChange,
  { isDryRun = false, ...seen }: Rules,
) => {
  const { slug } = post
  const errors = [
    ...patchErrors({ slug }, patch, c.var.now, post),
    ...(newSlug === undefined ? [] : slugErrors(newSlug)),
  ]
  return patchPost({ ...writer(c), isDryRun }, slug, check(PatchPost, patch, errors), seen, newSlug)
}

/** Returns the time and the zone in which a form's times are meant. */
const zoned = (c: AppContext) => ({ timezone: c.var.account.timezone, now: c.var.now })

type SlugInput = z.output<typeof SlugParam>
const langOf = ({ sent }: RefusedForm): string | undefined =>
  typeof sent["lang_code"] === "string" ? sent["lang_code"] : undefined

/** Returns what the page of a post tells after the form of its text. */
const doneBy = ({ action, retry }: PostForm) => {
  if (action === "publish") return "published"
  if (action === "draft") return "draft"
  return retry === undefined ? "saved" : "retried"
}

/** Saves the text of a form, and does what its button asks for. A conflict is answered with both texts. @throws ApiError */
export const saveText = async (c: AppContext, form: PostForm, { slug }: SlugInput): Promise<Response> => {
  // Who may not write learns that first.
  writer(c)
  const { post, text, lang } = await readOwn(c, slug, form.lang_code)
  const isScheduling = form.action === "schedule"
  let savedSlug = slug
  const requireState = (newest: Post) => {
    requireSeen(newest, form)
    if (isScheduling) requireHidden(newest, c.var.now)
  }
  try {
    // Of another text than the form has shown, `toPatch` would make wrong changes.
    requireState(post)
    const saved = await applyForm(c, post, toPatch(post, text, form, zoned(c)), { requireState })
    savedSlug = saved.post.slug
    if (isScheduling) return c.redirect(scheduleAt(saved.post, c.var.now), 303)
    if (form.action === "images") return c.redirect(`${POSTS}${savedSlug}/images/`, 303)
  } catch (error) {
    if (!isConflict(error)) throw error
    const kept = { sent: form, errors: [] }
    const outcome: Partial<Shown> =
      isScheduling && isVisible(post, c.var.now) ? { refused: kept, done: "visible" } : { conflicting: kept }
    return c.html(await showPost(c, { slug, lang, ...outcome }), PROBLEMS.version_conflict.status, PAGE_HEADERS)
  }
  if (form.retry !== undefined) await tryAgain(writer(c), { slug: savedSlug, lang: form.retry })
  return c.redirect(doneAt(savedSlug, doneBy(form), lang === post.primary_language ? undefined : lang), 303)
}

/** Answers with the page that readers would see with the text as it was typed. Saves nothing. */
const previewText = async (c: AppContext, form: PostForm, { slug }: SlugInput): Promise<Response> => {
  const { post, text, lang } = await readOwn(c, slug, form.lang_code)
  const typed = await applyForm(c, post, toPatch(post, text, form, zoned(c)), { isDryRun: true })
  return showPreview(c, { ...typed, lang, path: `${POSTS}${slug}/` })
}

const textForm = {
  params: SlugParam,
  body: PostForm,
  checksAuthorFirst: true,
  bodyLimit: MAX_POST_FORM_BYTES,
} as const

/** Shows a refused form with what was typed. */
const keepText = (handle: typeof saveText) =>
  keepTyped(handle, (c, refused, { slug }: SlugInput) => showPost(c, { slug, lang: langOf(refused), refused }))

const showSchedule = async (
  c: AppContext,
  slug: string,
  { etag, refused }: { etag?: string | undefined; refused?: RefusedForm },
) => {
  const { account, now } = c.var
  const { post, text } = await readOwn(c, slug)
  return renderSchedule({ account, now, post, title: text?.title ?? slug, etag: etag ?? postEtag(post, now), refused })
}

const schedule = async (c: AppContext, form: ScheduleForm, { slug }: SlugInput): Promise<Response> => {
  writer(c)
  const { post } = await readOwn(c, slug)
  const requireState = (newest: Post) => requireHidden(newest, c.var.now)
  try {
    await applyForm(
      c,
      post,
      { patch: toSchedule(post, form, zoned(c)), slug: undefined },
      { ifMatch: form.etag, requireState },
    )
  } catch (error) {
    if (!isConflict(error)) throw error
    if (isVisible(post, c.var.now)) return c.redirect(doneAt(slug, "visible"), 303)
    const message = "The post was saved meanwhile. Look at it before you send this time again."
    throw new ApiError("version_conflict", message, {
      errors: [{ field: "published_at", code: "version_conflict", message }],
    })
  }
  return c.redirect(doneAt(slug, "scheduled"), 303)
}

/** Leads from the address of a form to the page of its post, for a reader who opens it or reloads an answer. */
const backToPost = (path: string): Route =>
  route({ ...getPage, path, params: SlugParam, successes: moved("The page of the post") }, (c, { params: { slug } }) =>
    c.redirect(`${POSTS}${slug}/`, 303),
  )

export const authorPostRoutes = [
  route({ ...getPage, path: POSTS, query: BoardQuery }, async (c, { query: { done, ...query } }) => {
    const { account } = c.var
    const [board, waiting] = await Promise.all([
      readBoard(c, account, query),
      countWaiting(openDb(c.env.DB), account.id),
    ])
    return c.html(
      renderBoard({ account, ...board, waiting, now: c.var.now, query: queryOf(c), done }),
      200,
      PAGE_HEADERS,
    )
  }),

  route(
    { ...getPage, path: POST, params: SlugParam, query: PostQuery },
    async (c, { params: { slug }, query: { lang, done } }) =>
      c.html(await showPost(c, { slug, lang, done }), 200, PAGE_HEADERS),
  ),

  route({ ...postForm, ...textForm, path: POST }, keepText(saveText)),
  route({ ...showingForm, ...textForm, path: `${POST}preview/` }, keepText(previewText)),
  backToPost(`${POST}preview/`),

  route(
    { ...getPage, path: `${POST}schedule/`, params: SlugParam, query: ScheduleQuery },
    async (c, { params: { slug }, query }) => {
      const { post } = await readOwn(c, slug)
      if (isVisible(post, c.var.now)) return c.redirect(doneAt(slug, "visible"), 303)
      return c.html(await showSchedule(c, slug, query), 200, PAGE_HEADERS)
    },
  ),

  route(
    { ...postForm, path: `${POST}schedule/`, params: SlugParam, body: ScheduleForm, checksAuthorFirst: true },
    keepTyped(schedule, (c, refused, { slug }: SlugInput) => showSchedule(c, slug, { refused })),
  ),

  route({ ...getPage, path: `${POST}delete/`, params: SlugParam }, async (c, { params: { slug } }) => {
    const { post } = await readOwn(c, slug)
    const { account, now } = c.var
    return c.html(
      renderDeletion({ account, summary: summaryOf(c, post), etag: postEtag(post, now) }),
      200,
      PAGE_HEADERS,
    )
  }),

  route({ ...postForm, path: `${POST}delete/`, params: SlugParam, body: DeletionForm }, async (c, { params, body }) => {
    try {
      await removePost({ ...writer(c), ...imageFilesOf(c) }, params.slug, body.etag)
    } catch (error) {
      // Changed meanwhile: the author looks at it again before it goes.
      if (isConflict(error)) return c.redirect(doneAt(params.slug, "outdated"), 303)
      throw error
    }
    return c.redirect(`${POSTS}?done=deleted`, 303)
  }),

  route(
    { ...postForm, path: `${POST}translations/:lang_code/`, params: TranslationParams },
    async (c, { params: { slug, lang_code: lang } }) => {
      await tryAgain(writer(c), { slug, lang })
      return c.redirect(`${POSTS}${queryOf(c)}`, 303)
    },
  ),
  backToPost(`${POST}translations/:lang_code/`),
]
