import { ulid } from "ulid"

import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { route } from "../http/route.ts"
import { check, orThrow } from "../http/validate.ts"
import { MAX_POST_FORM_BYTES } from "../limits.ts"
import type { Write } from "../posts/commit.ts"
import { createPost } from "../posts/create.ts"
import { CreatePost, createErrors } from "../posts/input.ts"
import { listPosts } from "../posts/list-store.ts"
import type { Post } from "../posts/post.ts"
import { findPost } from "../posts/read-store.ts"
import { freeSlugIn, requireOwn, type Result } from "../posts/write.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { NewPostQuery } from "./input.ts"
import { renderNewPost } from "./new-post-page.tsx"
import { doneAt, POSTS, writer } from "./post-access.ts"
import { asPostForm, NewPostForm, toCreate } from "./post-form.ts"
import { saveText } from "./post-routes.ts"
import { showPreview } from "./preview.ts"
import { getPage, postForm, showingForm } from "./route.ts"

// The page of a new post. Its form has the id of the post, so that a form that is sent twice makes one.

const NEW = `${POSTS}new/`

const showNew = async (
  c: AppContext,
  { refused, id = ulid(c.var.now.getTime()) }: { refused?: RefusedForm; id?: string | undefined } = {},
) => {
  const { account } = c.var
  const { posts } = await listPosts(openDb(c.env.DB), account.id, { limit: 1, cursor: undefined })
  return renderNewPost({ account, id, last: posts[0], refused })
}

/** Finds the post that the same form has made. @throws ApiError 403 for an id of another account */
const findOwn = async (c: AppContext, { id }: NewPostForm): Promise<Post | null> => {
  const found = await findPost(openDb(c.env.DB), { id })
  return found && requireOwn(found, c.var).post
}

/** Creates the post of a form. A slug that was made of the title gets a number if it is taken. @throws ApiError as `createPost` */
const create = async (c: AppContext, form: NewPostForm, write: Write): Promise<Result> => {
  const fields = toCreate(form, { timezone: c.var.account.timezone, now: c.var.now })
  const { value } = orThrow(check(CreatePost, fields, createErrors({}, fields, c.var.now)))
  try {
    return await createPost(write, value, form.id)
  } catch (error) {
    const slug = freeSlugIn(error)
    // The slug may be taken by the same form, which was sent twice.
    const known = slug === undefined || write.isDryRun ? null : await findOwn(c, form)
    if (known) return { post: known, warnings: [] }
    if (slug === undefined || form.slug?.trim() !== "") throw error
    return createPost(write, { ...value, slug }, form.id)
  }
}

const save = async (c: AppContext, form: NewPostForm): Promise<Response> => {
  const write = writer(c)
  const known = await findOwn(c, form)
  // Sent again, as after a way back in the browser: the same text may be published, another one is shown beside the saved.
  if (known) return saveText(c, asPostForm(form, known, c.var.account.timezone), { slug: known.slug })
  const { post } = await create(c, form, write)
  const next = form.action === "schedule" || form.action === "images" ? `${form.action}/` : null
  return c.redirect(
    next ? `${POSTS}${post.slug}/${next}` : doneAt(post.slug, post.status === "PB" ? "published" : "created"),
    303,
  )
}

const preview = async (c: AppContext, form: NewPostForm): Promise<Response> => {
  const made = await create(c, form, { ...writer(c), isDryRun: true })
  return showPreview(c, { ...made, lang: made.post.primary_language, path: NEW })
}

const showRefused = (c: AppContext, refused: RefusedForm) => showNew(c, { refused })

const newForm = { body: NewPostForm, checksAuthorFirst: true, bodyLimit: MAX_POST_FORM_BYTES } as const

export const newPostRoutes = [
  route({ ...getPage, path: NEW, query: NewPostQuery }, async (c, { query: { id } }) =>
    c.html(await showNew(c, { id }), 200, PAGE_HEADERS),
  ),
  route({ ...postForm, ...newForm, path: NEW }, keepTyped(save, showRefused)),
  route({ ...showingForm, ...newForm, path: `${NEW}preview/` }, keepTyped(preview, showRefused)),
  // For a reader who reloads an answer.
  route({ ...getPage, path: `${NEW}preview/` }, (c) => c.redirect(NEW, 303)),
]
