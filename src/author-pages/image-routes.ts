import * as z from "zod"

import type { AppContext } from "../http/context.ts"
import { ApiError, type FieldError, fieldErrors } from "../http/errors.ts"
import { postEtag } from "../http/etag.ts"
import { MULTIPART } from "../http/operation.ts"
import { route } from "../http/route.ts"
import { check } from "../http/validate.ts"
import { mediaPath, viewImage } from "../images/image.ts"
import { FilePart } from "../images/operations.ts"
import { countUpload, inPlace, storeFile } from "../images/turn.ts"
import { MAX_IMAGE_FORM_BYTES, MAX_UPLOAD_OVERHEAD_BYTES } from "../limits.ts"
import { PatchPost } from "../posts/input.ts"
import { SlugParam } from "../posts/operations.ts"
import { languageFields, patchPost } from "../posts/patch.ts"
import { sourceText } from "../posts/post.ts"
import { count } from "../ui/components.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { renderAddImages } from "./images-page.tsx"
import { doneAt, isConflict, readOwn, writer } from "./post-access.ts"
import { getPage, postForm, writerChecks } from "./route.ts"

// Images of a post: one by one from the script of its form, or several by a form of their own, which needs no script.

/** Returns the words that stand for an image until its author writes better ones: `red boat` of `red-boat.jpg`. */
const altOf = (name: string): string => {
  // Matches the extension of `a.jpg`. Does not match `a`.
  const words = name.replace(/\.\w+$/, "").replaceAll(/[-_]+/g, " ")
  return words.replaceAll(/[^\p{L}\p{N} ]/gu, "").trim()
}

/** A browser sends one nameless file if none was chosen. */
const Files = z
  .preprocess(
    (part) => (Array.isArray(part) ? part : [part]),
    z.array(z.instanceof(File, { message: "Choose an image." })),
  )
  .transform((files) => files.filter(({ name, size }) => name !== "" || size > 0))
  .refine((files) => files.length > 0, "Choose at least one image.")

/** Uploads files one after another. @returns the Markdown of those that were stored, and an error for each other */
const storeImages = async (c: AppContext, files: File[]): Promise<{ markdown: string[]; errors: FieldError[] }> => {
  const markdown: string[] = []
  const errors: FieldError[] = []
  for (const [i, file] of files.entries()) {
    try {
      // The first one was counted before the form was read.
      if (i > 0) await countUpload(c)
      const { id } = await storeFile(c, file, () => writerChecks(c))
      markdown.push(`![${altOf(file.name)}](${mediaPath(c.var.account.username, id)})`)
    } catch (error) {
      if (!(error instanceof ApiError) || (i === 0 && error.extra.errors === undefined)) throw error
      const message = error.extra.errors?.map((each) => each.message).join(" ") ?? error.message
      errors.push({ field: "file", code: error.code, message: `${file.name}: ${message}` })
    }
  }
  return { markdown, errors }
}

/** Adds images to the end of the source text. @throws ApiError 412 if somebody saves the post meanwhile, again and again */
const append = async (c: AppContext, slug: string, markdown: string[], attempts = 3): Promise<void> => {
  const { post } = await readOwn(c, slug)
  const body = [sourceText(post).body?.trimEnd() ?? "", ...markdown].join("\n\n")
  const checked = check(PatchPost, { ...languageFields(post), body })
  const etag = postEtag(post, c.var.now)
  try {
    await patchPost(writer(c), slug, checked, { ifMatch: etag })
  } catch (error) {
    if (!isConflict(error) || attempts === 1) throw error
    await append(c, slug, markdown, attempts - 1)
  }
}

const addImages = async (c: AppContext, { file: files }: { file: File[] }, { slug }: { slug: string }) => {
  await readOwn(c, slug)
  const { markdown, errors } = await storeImages(c, files)
  try {
    if (markdown.length > 0) await append(c, slug, markdown)
  } catch (error) {
    // A text that is too long with the images, for one: the form has no other field.
    if (!(error instanceof ApiError) || !error.extra.errors) throw error
    throw fieldErrors(error.extra.errors.map((each) => ({ ...each, field: "file" })))
  }
  if (errors.length > 0) {
    const message = `Added to the text: ${count(markdown.length, "image")}. Not added, so send only these again:`
    throw fieldErrors([{ field: "file", code: errors[0]?.code ?? "validation_error", message }, ...errors])
  }
  return c.redirect(doneAt(slug, "images"), 303)
}

const showImages = async (c: AppContext, slug: string, refused?: { sent: object; errors: FieldError[] }) => {
  const { post, text } = await readOwn(c, slug)
  const { account } = c.var
  return renderAddImages({ account, post, title: text?.title ?? slug, refused: refused && { ...refused, sent: {} } })
}

const PATH = "/settings/posts/:slug/images/"

export const authorImageRoutes = [
  route(
    {
      ...postForm,
      path: "/settings/images/",
      contentType: MULTIPART,
      body: z.object({ file: FilePart }),
      successes: { 201: { description: "The stored image, as JSON" } },
    },
    async (c, { body: { file } }) => {
      const image = await storeFile(c, file, () => writerChecks(c))
      return c.json({ success: true, ...viewImage(image, c.var.account.username) }, 201)
    },
    { before: (c) => void writer(c), around: inPlace },
  ),

  route({ ...getPage, path: PATH, params: SlugParam }, async (c, { params: { slug } }) =>
    c.html(await showImages(c, slug), 200, PAGE_HEADERS),
  ),

  route(
    {
      ...postForm,
      path: PATH,
      params: SlugParam,
      contentType: MULTIPART,
      body: z.object({ file: Files }),
      bodyLimit: MAX_IMAGE_FORM_BYTES + MAX_UPLOAD_OVERHEAD_BYTES,
      checksAuthorFirst: true,
    },
    keepTyped(addImages, (c, refused, { slug }: { slug: string }) => showImages(c, slug, refused)),
    { before: (c) => void writer(c), around: inPlace },
  ),
]
