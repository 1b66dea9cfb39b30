// Makes the posts of an export again, through the public API alone. Its tests run in workerd, so nothing here needs Node.
import type { Archive, ExportedText, AccountData, Redirect, Term } from "./archive.ts"
import {
  imageIdsOf,
  isComplete,
  mapUrls,
  MAX_POST_IMAGES,
  type Patch,
  planPost,
  type Post,
  Refusal,
  sourceOf,
} from "./restore-plan.ts"

export const API = "/api/blogcontroller"
const MAX_RETRIES = 20
/** Number of Idempotency-Keys that are tried for a request whose earlier result has been deleted. */
const MAX_KEYS = 20

interface Answer {
  status: number
  /** In seconds; 0 if the answer names none. */
  retryAfter: number
  /** The answer is that of an earlier request with the same Idempotency-Key. */
  replayed: boolean
  json?: {
    code?: string
    detail?: string
    account?: AccountData & { username: string }
    entries?: Term[]
    redirects?: Redirect[]
    webhooks?: { url: string }[]
    post?: Post
    image_id?: string
    image_url?: string
  }
}

export type Request = (
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
  idempotencyKey?: string,
) => Promise<Answer>

/** The result for one post: made, already there, skipped because another post has the slug, or failed. */
type Kind = "made" | "there" | "skipped" | "failed"
type Outcome = Record<Kind, string[]>

export interface Options {
  /** The account that gets the posts. */
  username: string
  request: Request
  wait: (seconds: number) => unknown
  report: (kind: Kind | "warning", line: string) => void
  /** Machine-made translations are sent. They then count as edited by hand. */
  keep?: boolean
}

interface Context extends Omit<Required<Options>, "request" | "wait"> {
  archive: Archive
  call: Request
  /** New ids of images by exported ids. */
  uploads: Map<string, string>
  /** New URLs of images by exported ids. */
  urls: Map<string, string>
  /** Number of expired uploads of each image, by exported ids. */
  expired: Map<string, number>
}

/** Returns a request that is repeated as often as the service asks for it. */
export const withRetries =
  ({ request, wait }: Pick<Options, "request" | "wait">): Request =>
  async (...args) => {
    for (let retries = 0; ; retries += 1) {
      const answer = await request(...args)
      // 409: the same request of an earlier import is still running.
      if (![409, 429, 503].includes(answer.status) || retries === MAX_RETRIES) return answer
      await wait(answer.retryAfter || 1)
    }
  }

const reasonOf = ({ status, json }: Answer): string => `${status} ${json?.detail ?? ""}`.trim()

export const requireStatus = (answer: Answer, ...expected: number[]): void => {
  if (!expected.includes(answer.status)) throw new Refusal(reasonOf(answer))
}

/** Returns the answer's post. @throws Refusal unless it has an expected status and a post */
const requirePost = (answer: Answer, ...expected: number[]): Post => {
  requireStatus(answer, ...expected)
  if (!answer.json?.post) throw new Refusal(reasonOf(answer))
  return answer.json.post
}

/** Returns the Idempotency-Key of a request. It is the same in every import, so that a repeated import changes nothing twice. */
const keyOf = async (...parts: unknown[]): Promise<string> => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(parts)))
  return new Uint8Array(hash).reduce((hex, byte) => hex + byte.toString(16).padStart(2, "0"), "import-")
}

/** Sends a request under the next key while the answer has the status `gone`: what was made under the key has been deleted. */
const withFreshKey = async (gone: number, send: (attempt: number) => Promise<Answer>): Promise<Answer> => {
  let answer = await send(0)
  for (let attempt = 1; attempt < MAX_KEYS && answer.status === gone; attempt += 1) answer = await send(attempt)
  return answer
}

const uploadImage = ({ call, expired }: Context, id: string, webp: Uint8Array<ArrayBuffer>): Promise<Answer> => {
  const form = new FormData()
  form.append("file", new File([webp], `${id}.webp`, { type: "image/webp" }))
  const first = expired.get(id) ?? 0
  return withFreshKey(410, async (attempt) =>
    call("POST", `${API}/image-upload/`, form, await keyOf("image", id, first + attempt)),
  )
}

/** Uploads those images of a post that have not been uploaded yet. */
const uploadImages = async (context: Context, ids: string[]): Promise<void> => {
  const { archive, uploads, urls, report } = context
  for (const id of ids.filter((each) => !urls.has(each))) {
    const webp = await archive.readImage(id)
    if (!webp) {
      report("warning", `media/${id}.webp is not in the export`)
      // No account has this name. The API would refuse an expired image of this account, but readers get a link to this URL.
      urls.set(id, `/media/-/blog_img/${id}.webp`)
      continue
    }
    const answer = await uploadImage(context, id, webp)
    requireStatus(answer, 200, 201)
    const { image_id, image_url } = answer.json ?? {}
    if (image_id === undefined || image_url === undefined) throw new Refusal(reasonOf(answer))
    uploads.set(id, image_id)
    urls.set(id, image_url)
  }
}

/** Forgets uploads that have expired, and the keys that they were made under. */
const forgetUploads = ({ uploads, urls, expired }: Context, ids: string[]): void => {
  for (const id of ids.filter((each) => uploads.delete(each))) {
    urls.delete(id)
    expired.set(id, (expired.get(id) ?? 0) + 1)
  }
}

interface Draft {
  answer: Answer
  patches: Patch[]
  /** The Idempotency-Key that the draft was created under. */
  key: string
}

/** Uploads the images and creates the draft. Does so a second time if uploads of an earlier import have expired. */
const createDraft = async (context: Context, texts: ExportedText[], isSecond = false): Promise<Draft> => {
  const { archive, username, call, uploads, urls, keep } = context
  const image_ids = imageIdsOf(sourceOf(texts))
  await uploadImages(context, image_ids)
  const usernames = { from: archive.manifest.username, to: username }
  const mapped = texts.map((text) => mapUrls(text, usernames, urls))
  const { create, patches } = planPost(mapped, uploads, keep)
  let key = ""
  const answer = await withFreshKey(404, async (attempt) => {
    // Without `keep` in the key, an import that keeps translations would overwrite later edits of a draft made without them.
    key = await keyOf("post", create, keep, attempt)
    return call("POST", `${API}/posts/`, create, key)
  })
  if (answer.status !== 410 || isSecond) return { answer, patches, key }
  forgetUploads(context, image_ids)
  return createDraft(context, texts, true)
}

/** Sends the PATCHes that complete a draft. @returns the post, and whether any PATCH was new */
const completeDraft = async ({ call, report }: Context, slug: string, { key, patches }: Draft) => {
  let isChanged = false
  let post: Post | undefined
  for (const { json, isOptional } of patches) {
    // The draft's key is part of this key, so that it does not fit another draft with the same slug.
    const answer = await call("PATCH", `${API}/posts/${slug}/`, json, await keyOf("patch", key, json))
    if (isOptional && answer.status === 400)
      report("warning", `${slug}, ${json.lang_code}: what engines made is left out: ${reasonOf(answer)}`)
    else {
      post = requirePost(answer, 200, 202)
      isChanged ||= !answer.replayed
    }
  }
  return { post, isChanged }
}

/** Warns of uploaded images that are not attached to the post. */
const warnOfUnattached = ({ uploads, report }: Context, { slug, image_ids }: ExportedText, post?: Post): void => {
  const attached = new Set(post?.images.map(({ image_id }) => image_id))
  const reason = `is not attached: no text shows it, and a post can name no more than ${MAX_POST_IMAGES}`
  for (const id of image_ids) {
    const uploaded = uploads.get(id)
    if (uploaded !== undefined && !attached.has(uploaded)) report("warning", `${slug}: media/${id}.webp ${reason}`)
  }
}

/** Deletes the draft of a refused post. @returns an addition to the message if the draft could not be deleted */
const deleteDraft = async (context: Context, source: ExportedText): Promise<string> => {
  const answer = await context.call("DELETE", `${API}/posts/${source.slug}/`)
  if (![204, 404].includes(answer.status))
    return `; a draft of it is left, which could not be deleted: ${reasonOf(answer)}`
  return ""
}

/** Makes a post, or continues a draft of an earlier import. @param isFree whether no post had its slug */
const makePost = async (context: Context, texts: ExportedText[], isFree: boolean): Promise<Kind> => {
  const source = sourceOf(texts)
  const draft = await createDraft(context, texts)
  const { answer } = draft
  if (!isFree && answer.json?.code === "duplicate_slug") return "skipped"
  try {
    requireStatus(answer, 201)
    const { post, isChanged } = await completeDraft(context, source.slug, draft)
    warnOfUnattached(context, source, post)
    return isChanged || !answer.replayed ? "made" : "there"
  } catch (error) {
    // A create that failed with 5xx may have made the draft.
    const mayExist = answer.status === 201 || (isFree && answer.status >= 500)
    if (!(error instanceof Refusal) || !mayExist) throw error
    // A draft of an earlier import may have edits of its author. A draft of this import would block the next one.
    const isOurs = isFree && !answer.replayed
    const note = isOurs ? await deleteDraft(context, source) : "; what is there of it is left as it is"
    throw new Refusal(`${error.message}${note}`)
  }
}

const restorePost = async (context: Context, slug: string, texts: ExportedText[]): Promise<Kind> => {
  const found = await context.call("GET", `${API}/posts/${slug}/`)
  if (found.json?.code === "not_the_author") throw new Refusal("the slug is another author's")
  if (found.status === 404) return makePost(context, texts, true)
  return isComplete(requirePost(found, 200), texts, context.keep) ? "there" : makePost(context, texts, false)
}

const NOTES: Record<Kind, string> = {
  made: "",
  there: ": it is there already",
  skipped:
    ": a post of yours has this slug, and stays as it is. If an earlier import left it as a draft, delete it and import again",
  failed: "",
}

/**
 * Makes every post of an archive that is not there yet, and continues drafts of an earlier import.
 * @returns slugs by result
 * @throws the errors of `request`; the next import continues from there
 */
export const restore = async (archive: Archive, options: Options): Promise<Outcome> => {
  const { username, report, keep = false } = options
  const maps = { uploads: new Map(), urls: new Map(), expired: new Map() }
  const context: Context = { archive, username, report, keep, call: withRetries(options), ...maps }
  const outcome: Outcome = { made: [], there: [], skipped: [], failed: [] }
  for await (const texts of archive.listPosts()) {
    const slug = texts[0]?.slug ?? ""
    try {
      const kind = await restorePost(context, slug, texts)
      outcome[kind].push(slug)
      report(kind, `${slug}${NOTES[kind]}`)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcome.failed.push(slug)
      report("failed", `${slug}: ${error.message}`)
    }
  }
  return outcome
}

/** Returns a message that names every post that was not made, or null if there is none. */
export const complaintOf = ({ skipped, failed }: Pick<Outcome, "skipped" | "failed">): string | null => {
  const lines = [
    ...(failed.length > 0
      ? [`Failed, for the reasons above: ${failed.join(", ")}. If they are temporary, import again.`]
      : []),
    ...(skipped.length > 0 ? [`Skipped, because another post has the slug: ${skipped.join(", ")}.`] : []),
  ]
  return lines.length > 0 ? lines.join("\n") : null
}
