import {
  atMost,
  type Client,
  type CreatePost,
  createClient,
  EdgepostError,
  UPLOADS_AT_ONCE,
  type WrittenPost,
} from "edgepost/client"

import { ImageProblem } from "../../../public/assets/shrink.js"
import { nameOf, quoteOf, withImages } from "./body.ts"
import { type Clip, type Job, loadClip, loadJob, saveJob, type Upload } from "./clip.ts"
import { loadKey } from "./key.ts"
import { durationOf, explain, messageOf } from "./messages.ts"
import { readImage } from "./read-image.ts"
import { loadSettings, type Settings } from "./settings.ts"

// Saves a draft: reads and uploads its images, then creates it. Each step is kept, so that a retry goes on after the last one.

const MAX_SLUG_TRIES = 5
const SOURCE = "edgepost-extension"

/** Codes of a refused image: a retry would not help, so it stays a link. */
const REFUSED_IMAGE = [
  "file_too_large",
  "unsupported_format",
  "resolution_too_large",
  "animated_not_supported",
  "undecodable_image",
  "storage_quota",
]

interface Run {
  clip: Clip
  job: Job
  settings: Settings
  client: Client
  tabId: number
  tell: (message: string) => Promise<void>
}

const isCode = (error: unknown, ...codes: string[]): error is EdgepostError =>
  error instanceof EdgepostError && codes.includes(error.code)

/** Uploads an image. The service stores the same bytes once, so an upload whose answer was lost can be repeated. */
const upload = async (client: Client, url: string, file: Blob): Promise<Upload> => {
  try {
    const { image_id, image_url } = await client.uploadImage(file, nameOf(url))
    return { id: image_id, address: image_url }
  } catch (error) {
    if (isCode(error, ...REFUSED_IMAGE)) throw new ImageProblem(`the service refuses it: ${error.detail}`)
    throw error
  }
}

/** Uploads the ticked images, several at once. @throws the error of the first one that failed, once none is being uploaded any more */
const uploadAll = async ({ clip, job, client, tabId, tell }: Run): Promise<void> => {
  const ticked = clip.form.images.flatMap(({ url, isTicked }) => (isTicked && !job.uploads[url]?.id ? [url] : []))
  const inTurn = atMost(UPLOADS_AT_ONCE)
  const uploads = [...ticked.entries()].map(([index, url]) =>
    inTurn(async () => {
      await tell(`Image ${index + 1} of ${ticked.length}`)
      try {
        job.uploads[url] = await upload(client, url, await readImage(url, clip.url, tabId))
      } catch (error) {
        if (!(error instanceof ImageProblem)) throw error
        job.uploads[url] = { problem: error.message }
      }
      await saveJob(clip.url, job)
    }),
  )
  const failed = (await Promise.allSettled(uploads)).find(({ status }) => status === "rejected")
  if (failed) throw (failed as PromiseRejectedResult).reason
}

/** Returns the post of a form. It is a draft, whatever the form says. */
const postOf = ({ clip: { url, pageTitle, form }, job, settings }: Run, slug: string): CreatePost => {
  const ticked = form.images.filter(({ isTicked }) => isTicked).map((image) => image.url)
  const uploads = ticked.flatMap((image) => {
    const { id, address } = job.uploads[image] ?? {}
    return id !== undefined && address !== undefined ? [{ image, id, address }] : []
  })
  const addresses = Object.fromEntries(uploads.map(({ image, address }) => [image, address]))
  const body = withImages(
    form.body,
    form.images.map((image) => image.url),
    addresses,
  )
  const language = form.language || settings.language
  const translations = settings.translations?.filter((code) => code !== language)
  return {
    title: form.title,
    slug,
    status: "DF",
    categories: form.category,
    tags: form.tags,
    meta_description: form.description,
    body: form.origin === "quote" ? `${body}\n\n${quoteOf(pageTitle, url)}\n` : body,
    image_ids: uploads.map(({ id }) => id),
    source: SOURCE,
    ...(form.origin === "canonical" && { canonical_url: url }),
    ...(language !== "" && { primary_language: language }),
    ...(translations && { translation_languages: translations }),
  }
}

/**
 * Finds the draft that an attempt of the extension has made.
 * @param sent the post to save: the draft has its texts if the answer of an earlier replacement was lost
 * @returns its ETag; null if there is none, or if it has been published, deleted or changed otherwise since
 */
const findMade = async (
  client: Client,
  { slug, title, meta_description, body }: CreatePost,
): Promise<string | null> => {
  try {
    const { post, etag } = await client.getPost(slug)
    const isEqual = post.title === title && post.meta_description === meta_description && post.body === body
    return post.source === SOURCE && post.status === "DF" && (post.version === 1 || isEqual) ? etag : null
  } catch (error) {
    if (isCode(error, "not_found", "not_the_author")) return null
    throw error
  }
}

/**
 * Creates the draft. An earlier attempt whose answer was lost may have created it from an older form: then it is replaced.
 * If the slug is taken, the draft gets the one that the service suggests.
 */
const create = async (run: Run): Promise<WrittenPost> => {
  const { clip, job, client } = run
  const { slug: wanted } = clip.form
  const earlier = job.attempt?.slug ?? wanted
  if (earlier !== wanted && (await findMade(client, postOf(run, earlier))) === null) delete job.attempt
  let slug = job.attempt?.slug ?? wanted
  job.notes = slug === wanted ? [] : [`An earlier attempt has made the draft, with the address “${slug}”.`]
  for (let tries = 1; ; tries += 1) {
    const isFirst = job.attempt === undefined
    job.attempt ??= { slug, key: crypto.randomUUID() }
    await saveJob(clip.url, job)
    const post = postOf(run, slug)
    try {
      return await client.createPost(post, { idempotencyKey: job.attempt.key })
    } catch (error) {
      const isReused = isCode(error, "idempotency_key_reused")
      const etag = isReused ? await findMade(client, post) : null
      if (etag !== null) return client.putPost(slug, post, { ifMatch: etag })
      // The author has deleted the draft of an earlier attempt.
      const isDeleted = !isFirst && isCode(error, "not_found")
      const isTaken = isCode(error, "duplicate_slug")
      // Any other error leaves open whether an attempt before it took effect.
      const isRefused = isFirst && error instanceof EdgepostError && error.status === 400
      const isNext = isReused || isDeleted || isTaken
      if (isNext || isRefused) delete job.attempt
      // A repeated attempt may have had another slug than the form.
      const next = isFirst && isTaken ? error.problem?.suggested_slug : wanted
      if (!isNext || next === undefined || tries === MAX_SLUG_TRIES) throw error
      job.notes = next === wanted ? [] : [`The address “${wanted}” is taken. The draft has “${next}”.`]
      slug = next
    }
  }
}

const createWithImages = async (run: Run): Promise<WrittenPost> => {
  await uploadAll(run)
  await run.tell("Saving the text")
  try {
    return await create(run)
  } catch (error) {
    // No post has used an upload for half an hour.
    if (!isCode(error, "image_expired", "unknown_image_id")) throw error
    run.job.uploads = {}
    await uploadAll(run)
    return create(run)
  }
}

const problemsOf = ({ clip, job }: Run): string[] =>
  clip.form.images.flatMap(({ url, alt, isTicked }) => {
    const { problem } = job.uploads[url] ?? {}
    return isTicked && problem !== undefined ? [`The image “${alt || nameOf(url)}” stays a link: ${problem}.`] : []
  })

/**
 * Saves the draft of a page, or goes on after a failure. The outcome is in its job.
 * @param tabId the tab that shows the page
 * @throws Error if there is nothing to save, or if the job cannot be stored
 */
export const saveDraft = async (url: string, tabId: number): Promise<void> => {
  const [clip, settings, earlier] = await Promise.all([loadClip(url), loadSettings(), loadJob(url)])
  if (!clip) throw new Error("The form of this page is no longer kept. Open the popup again.")
  const key = settings && (await loadKey(settings.address))
  if (!key) throw new Error("Enter the address of your service and a key in the options. Then try again.")
  if (earlier?.state === "saved") return
  const job: Job = { uploads: {}, notes: [], ...earlier, state: "saving", message: "" }
  const tell = async (message: string): Promise<void> => {
    job.message = message
    await saveJob(url, job)
  }
  try {
    const client = createClient({
      baseUrl: settings.address,
      apiKey: key,
      onWait: (seconds, reason) => void tell(`Waiting ${durationOf(seconds)}: ${reason}`),
    })
    const run: Run = { clip, job, settings, client, tabId, tell }
    const { post } = await createWithImages(run)
    Object.assign(job, {
      state: "saved",
      previewUrl: post.preview_url ?? undefined,
      notes: [...job.notes, ...problemsOf(run)],
    })
    job.postsUrl = `${settings.address}/settings/posts/`
    await tell("The draft is saved.")
  } catch (error) {
    job.state = "failed"
    await tell(
      error instanceof EdgepostError
        ? explain(error, settings.address, Date.now())
        : `Saving has failed: ${messageOf(error)} Try again.`,
    )
  }
}
