import type * as z from "zod"

import { isPaid } from "../accounts/account.ts"
import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, PROBLEMS } from "../http/errors.ts"
import { postEtag } from "../http/etag.ts"
import { route } from "../http/route.ts"
import { check, type Fields } from "../http/validate.ts"
import { MAX_POST_FORM_BYTES } from "../limits.ts"
import { PatchPost, patchErrors } from "../posts/input.ts"
import { patchPost } from "../posts/patch.ts"
import { findPost } from "../posts/read-store.ts"
import { limitRefusedBodies } from "../posts/refused-bodies.ts"
import { removePost } from "../posts/remove.ts"
import { SlugParam } from "../posts/schema.ts"
import { requireOwn, type WriteContext, writeContextOf } from "../posts/write.ts"
import { renderPage } from "../reader/page.ts"
import { tryAgain } from "../translations/change.ts"
import { keepTyped, type RefusedForm } from "../ui/form.tsx"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { READER_POLICY } from "../ui/reader-headers.ts"
import { readBoard, summaryOf } from "./board.ts"
import { DeletionForm, PostForm, StatusForm, toPatch, toStatusPatch } from "./post-form.ts"
import { renderDeletion, renderPostPage } from "./post-page.tsx"
import { renderBoard } from "./posts-page.tsx"
import { getPage, postForm, sessionChecks, showingForm } from "./route.ts"
import { BoardQuery, PostQuery, TranslationParams } from "./schema.ts"

const PATH = "/settings/posts/"
const POST = `${PATH}:slug/`

/** Returns the request's query string with its question mark. */
const queryOf = (c: AppContext): string => new URL(c.req.url).search

/** Returns the context of a form that writes. @throws ApiError 403, as the API does */
const writer = (c: AppContext): WriteContext => {
  const { account, now } = c.var
  if (!isPaid(account, now)) throw new ApiError("subscription_required")
  if (account.restricted) throw new ApiError("account_restricted")
  return { ...writeContextOf(c), extraStatements: sessionChecks(c) }
}

interface Shown {
  slug: string
  /** The language of the text; by default the source language. */
  lang?: string | undefined
  isSaved?: boolean
  isOutdated?: boolean
  /** A form that has wrong fields, with the version that it changes. */
  refused?: RefusedForm
  /** A form for a version that is no longer the newest. */
  conflicting?: RefusedForm
}

/** Reads the author's post with its text in a language. @throws ApiError 404, 403 */
const readOwn = async (c: AppContext, slug: string, lang?: string) => {
  const { post } = requireOwn(await findPost(openDb(c.env.DB), { slug }, { lang }), c.var)
  const code = lang ?? post.primary_language
  if (![post.primary_language, ...post.translation_languages].includes(code))
    throw new ApiError("not_found", "The post has no such language.")
  return { post, lang: code, text: post.texts.find(({ lang_code }) => lang_code === code) ?? null }
}

const showPost = async (c: AppContext, { slug, lang, ...outcome }: Shown) => {
  const found = await readOwn(c, slug, lang)
  const { post } = found
  const sent = outcome.refused?.sent["etag"]
  const etag = typeof sent === "string" ? sent : postEtag(post, c.var.now)
  return renderPostPage({ ...found, ...outcome, account: c.var.account, summary: summaryOf(c, post), etag })
}

/** Applies the PATCH of a form. @throws ApiError as `patchPost` */
const applyForm = async (
  c: AppContext,
  slug: string,
  patch: Fields,
  { etag, isDryRun = false }: { etag?: string; isDryRun?: boolean },
) => {
  const errors = patchErrors({ slug }, patch, c.var.now)
  const context = { ...writer(c), isDryRun }
  return patchPost(context, slug, check(PatchPost, patch, errors), etag)
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === "version_conflict"

type SlugInput = z.output<typeof SlugParam>
const langOf = ({ sent }: RefusedForm): string | undefined =>
  typeof sent["lang_code"] === "string" ? sent["lang_code"] : undefined

const saveText = async (c: AppContext, form: PostForm, { slug }: SlugInput): Promise<Response> => {
  const { post, text, lang } = await readOwn(c, slug, form.lang_code)
  try {
    await applyForm(c, slug, toPatch(post, text, form), form)
  } catch (error) {
    if (!isConflict(error)) throw error
    const conflicting = { sent: form, errors: [] }
    return c.html(await showPost(c, { slug, lang, conflicting }), PROBLEMS.version_conflict.status, PAGE_HEADERS)
  }
  const query = new URLSearchParams({ saved: "1", ...(lang !== post.primary_language && { lang }) })
  return c.redirect(`${PATH}${slug}/?${query.toString()}`, 303)
}

/** Answers with the page that readers would see with the text as it was typed. Saves nothing. */
const previewText = async (c: AppContext, form: PostForm, { slug }: SlugInput): Promise<Response> => {
  const { post, text, lang } = await readOwn(c, slug, form.lang_code)
  const { post: typed } = await applyForm(c, slug, toPatch(post, text, form), { isDryRun: true })
  const shown = typed.texts.find(({ lang_code }) => lang_code === lang)
  if (!shown) throw new ApiError("not_found", "The post has no text in this language.")
  const { readerOrigin: origin, account: blog } = c.var
  const page = { post: typed, blog, text: shown, origin, older: null, newer: null, isPreview: true }
  c.header("Content-Security-Policy", READER_POLICY)
  c.header("Cache-Control", "no-store")
  return c.html(renderPage({ ...page, address: () => `${PATH}${slug}/` }))
}

const textForm = {
  params: SlugParam,
  body: PostForm,
  checksAuthorFirst: true,
  bodyLimit: MAX_POST_FORM_BYTES,
} as const

/** Shows a refused form with what was typed. */
const keepText = (handle: typeof saveText) =>
  limitRefusedBodies(
    keepTyped(handle, (c, refused, { slug }: SlugInput) => showPost(c, { slug, lang: langOf(refused), refused })),
  )

export const authorPostRoutes = [
  route({ ...getPage, path: PATH, query: BoardQuery }, async (c, { query: { deleted, ...query } }) => {
    const { account } = c.var
    const board = await readBoard(c, account, query)
    return c.html(renderBoard({ account, ...board, query: queryOf(c), deleted }), 200, PAGE_HEADERS)
  }),

  route({ ...getPage, path: POST, params: SlugParam, query: PostQuery }, async (c, { params: { slug }, query }) => {
    const outcome = { isSaved: query.saved !== undefined, isOutdated: query.outdated !== undefined }
    return c.html(await showPost(c, { slug, lang: query.lang, ...outcome }), 200, PAGE_HEADERS)
  }),

  route({ ...postForm, ...textForm, path: POST }, keepText(saveText)),
  route({ ...showingForm, ...textForm, path: `${POST}preview/` }, keepText(previewText)),

  route(
    { ...postForm, path: `${POST}status/`, params: SlugParam, body: StatusForm, checksAuthorFirst: true },
    keepTyped(
      async (c, form: StatusForm, { slug }: SlugInput) => {
        const { post } = await readOwn(c, slug)
        try {
          await applyForm(c, slug, toStatusPatch(post, form, c.var.now), form)
        } catch (error) {
          if (!isConflict(error)) throw error
          return c.redirect(`${PATH}${slug}/?outdated=1`, 303)
        }
        return c.redirect(`${PATH}${slug}/?saved=1`, 303)
      },
      (c, refused, { slug }: SlugInput) => showPost(c, { slug, refused }),
    ),
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
      await removePost({ ...writer(c), media: c.env.MEDIA }, params.slug, body.etag)
    } catch (error) {
      // Changed meanwhile: the author looks at it again before it goes.
      if (isConflict(error)) return c.redirect(`${PATH}${params.slug}/?outdated=1`, 303)
      throw error
    }
    return c.redirect(`${PATH}?deleted=${params.slug}`, 303)
  }),

  route(
    { ...postForm, path: `${POST}translations/:lang_code/`, params: TranslationParams },
    async (c, { params: { slug, lang_code: lang } }) => {
      await tryAgain(writer(c), { slug, lang })
      return c.redirect(`${PATH}${queryOf(c)}`, 303)
    },
  ),
]
