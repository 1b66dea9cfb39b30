import { addressOf } from "../address.ts"
import {
  atMost,
  type Client,
  EdgepostError,
  type ListedPost,
  type Post,
  UPLOADS_AT_ONCE,
  type WrittenPost,
} from "../client/index.ts"
import type { Finding } from "../finding.ts"
import { sha256 } from "../hash.ts"
import { ImageError } from "../images/prepare.ts"
import { compare } from "./compare.ts"
import { type DesiredPost, withImages } from "./desired.ts"
import { checkOwner, type Entry, isWrite } from "./entry.ts"
import { type FolderImage, isToSend, type Library, type StoredImage } from "./image-library.ts"
import type { Plan } from "./plan.ts"
import { endsRun } from "./refusals.ts"
import { toFindings } from "./remarks.ts"

/** The outcome of an entry of the plan. */
export interface Outcome extends Pick<Entry, "action" | "slug" | "file"> {
  result: "created" | "updated" | "unchanged" | "withdrawn" | "removed" | "blocked" | "failed"
  /** The page for readers, or the preview of a draft or scheduled post; null without a post. */
  url: string | null
  /** Warnings of the service about the texts that it took. */
  warnings: Finding[]
  /** The error of a post that failed; else null. */
  error: EdgepostError | null
}

export interface PublishOptions {
  signal: AbortSignal
  /** Called before each step that takes time, such as an upload. */
  onStep: (entry: Entry, step: string) => void
}

/** A post is planned again if somebody else changes it, or if an answer was lost: at most so often. */
const MAX_ATTEMPTS = 3

type Current = ListedPost & Post & { etag: string }

/** Reads a post as the list shows it, with the texts in `languages`. @returns null if there is none */
const readCurrent = async (client: Client, slug: string, languages: string[]): Promise<Current | null> => {
  const find = async (lang_code?: string) => {
    try {
      return await client.getPost(slug, lang_code === undefined ? {} : { lang_code })
    } catch (error) {
      if (error instanceof EdgepostError && error.status === 404) return null
      throw error
    }
  }
  const source = await find()
  if (!source) return null
  const texts: ListedPost["texts"] = {}
  const others = languages.filter((lang) => lang !== source.post.lang_code)
  for (const found of [source, ...(await Promise.all(others.map(find)))]) {
    if (!found) continue
    const { lang_code, title, meta_description, body, changed_at } = found.post
    const body_sha256 = body === null ? null : sha256(body)
    texts[lang_code] = { title, meta_description, body_sha256, edited: [], changed_at }
  }
  return { ...source.post, texts, etag: source.etag }
}

const readUpload = async ({ read }: Library, file: string) => {
  try {
    return await read(file)
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    throw new EdgepostError({ code: "undecodable_image", status: 400, detail: `${file}: ${error.message}` }, error)
  }
}

/** The images on the service, by the SHA-256 of their files; grows while a plan is carried out. */
type Uploaded = Map<string, StoredImage>

/**
 * Uploads those of the images that the service lacks, or whose files it does not know, several at once.
 * @param uploaded gets each image once it is there
 * @param files paths of the images
 * @throws the error of the first one that failed, once none is being uploaded any more
 */
const uploadImages = async (
  client: Client,
  library: Library,
  uploaded: Uploaded,
  files: string[],
  onUpload: (file: string) => void,
): Promise<void> => {
  const wanted = files.flatMap((file) => library.images.get(file) ?? []).filter((image) => isToSend(image, uploaded))
  const inTurn = atMost(UPLOADS_AT_ONCE)
  const upload = async ({ file, sha256: bytesOf }: FolderImage): Promise<void> => {
    onUpload(file)
    const { bytes, originalSha256 } = await readUpload(library, file)
    const { image_id, image_url } = await client.uploadImage(bytes, file, { originalSha256 })
    uploaded.set(bytesOf, { image_id, image_url, isUnnamed: false })
  }
  // Several files may have the same bytes.
  const distinct = new Map(wanted.map((image) => [image.sha256, image]))
  const uploads = await Promise.allSettled([...distinct.values()].map((image) => inTurn(() => upload(image))))
  const failed = uploads.find(({ status }) => status === "rejected")
  if (failed) throw (failed as PromiseRejectedResult).reason
}

type Written = Pick<Outcome, "url" | "warnings">

/** Writes what differs: the post with its source text, then each translation made by hand. @returns where it can be seen, and what the service says */
const writeChanges = async (client: Client, post: DesiredPost, current: Current | null): Promise<Written> => {
  const { slug, fields, source, translations, primary_language, places } = post
  const changes = current && compare(post, current)
  let etag = current?.etag ?? null
  let url = current && addressOf(current)
  let listed = current?.translation_languages ?? []
  const warnings: Finding[] = []
  const note = (lang: string, written: WrittenPost) => {
    const place = places[lang]
    if (place) warnings.push(...toFindings(written.warnings, "warning", place))
  }
  if (!changes || changes.post.length > 0) {
    const condition = etag === null ? { ifNoneMatch: "*" as const } : { ifMatch: etag }
    const written = await client.putPost(slug, { ...fields, ...source }, condition)
    etag = written.etag
    url = addressOf(written.post)
    listed = written.post.translation_languages
    note(primary_language, written)
  }
  for (const [lang_code, text] of Object.entries(translations)) {
    if (changes && !changes.translations[lang_code]) continue
    // A list replaces that of the post.
    const translation_languages = fields.translation_languages ?? [...new Set([...listed, lang_code])]
    const change = { lang_code, primary_language, translation_languages, ...text }
    const written = await client.patchPost(slug, change, { ifMatch: etag ?? undefined })
    etag = written.etag
    note(lang_code, written)
  }
  return { url, warnings }
}

const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof EdgepostError && statuses.includes(error.status)

/** Refuses to write over a post that became another folder's after the plan. @throws EdgepostError */
const requireSameOwner = (desired: DesiredPost, current: Current | null): void => {
  const refusal = current && checkOwner(desired, current).find(({ level }) => level === "error")
  if (refusal) throw new EdgepostError({ code: "version_conflict", status: 412, detail: refusal.message })
}

const onUpload =
  (entry: Entry, { onStep }: PublishOptions) =>
  (file: string) =>
    onStep(entry, `uploading ${file}`)

const publishPost = async (
  client: Client,
  { wanted, library }: Plan,
  uploaded: Uploaded,
  entry: Entry,
  options: PublishOptions,
): Promise<Written> => {
  const post = wanted.get(entry.slug)
  if (!post) throw new Error(`The plan has no post ${entry.slug}.`)
  const { slug, images, translations } = post
  const read = () => readCurrent(client, slug, Object.keys(translations))
  let current = entry.action === "create" ? null : await read()
  for (let attempt = 1; ; attempt += 1) {
    options.signal.throwIfAborted()
    requireSameOwner(post, current)
    await uploadImages(client, library, uploaded, images, onUpload(entry, options))
    const desired = withImages(post, uploaded)
    try {
      options.onStep(entry, "writing")
      return await writeChanges(client, desired, current)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isStatus(error, 410, 412)) throw error
      // One of the images has expired.
      if (isStatus(error, 410)) for (const file of images) uploaded.delete(library.images.get(file)?.sha256 ?? "")
      current = await read()
      // Somebody else's new post must not be replaced; one of this run whose answer was lost is as it should be.
      if (entry.action === "create" && current && compare(desired, current).post.length > 0) throw error
    }
  }
}

/** Removes a post in the version that the plan has seen, or finds that it is gone. */
const removePost = async (client: Client, { slug }: Entry, { there }: Plan): Promise<void> => {
  try {
    await client.deletePost(slug, { ifMatch: `"${there.get(slug)?.version}"` })
  } catch (error) {
    if (!isStatus(error, 404)) throw error
  }
}

/** Makes a draft of a post in the version that the plan has seen. */
const withdrawPost = async (client: Client, { slug }: Entry, { there }: Plan): Promise<void> => {
  const post = there.get(slug)
  if (!post) throw new Error(`The service has no post ${slug}.`)
  const { primary_language, translation_languages, version } = post
  const change = { lang_code: primary_language, primary_language, translation_languages, status: "DF" as const }
  await client.patchPost(slug, change, { ifMatch: `"${version}"` })
}

const RESULTS = {
  create: "created",
  update: "updated",
  unchanged: "unchanged",
  checked: "unchanged",
  withdraw: "withdrawn",
  remove: "removed",
  blocked: "blocked",
} as const

/** Carries out a plan, one post after another. A post that fails stops no other one, but nothing is removed then. */
export async function* publishPlan(client: Client, plan: Plan, options: PublishOptions): AsyncGenerator<Outcome> {
  const uploaded: Uploaded = new Map(plan.images)
  let hasFailed = false
  for (const entry of plan.entries) {
    options.signal.throwIfAborted()
    const { action, slug, file } = entry
    const found = plan.there.get(slug)
    const url =
      action === "remove" || action === "withdraw" || !found ? null : addressOf({ ...found, preview_url: null })
    const outcome = { action, slug, file, result: RESULTS[action], url, warnings: [], error: null }
    if (action === "remove" && hasFailed) {
      yield { ...outcome, result: "blocked" }
      continue
    }
    try {
      if (action === "remove") await removePost(client, entry, plan)
      if (action === "withdraw") await withdrawPost(client, entry, plan)
      if (action === "unchanged")
        await uploadImages(client, plan.library, uploaded, entry.uploads, onUpload(entry, options))
      yield isWrite(entry) ? { ...outcome, ...(await publishPost(client, plan, uploaded, entry, options)) } : outcome
    } catch (error) {
      if (!(error instanceof EdgepostError)) throw error
      hasFailed = true
      yield { ...outcome, result: "failed", error }
      if (endsRun(error)) return
    }
  }
}

/** Sets the redirects from old addresses, if they differ. @returns what to say of it; null if nothing was written */
export const publishRedirects = async (client: Client, { redirects, source }: Plan): Promise<string | null> => {
  const { wanted, changed, removed } = redirects
  if (source === null || wanted === null || [...changed, ...removed].length === 0) return null
  try {
    await client.putRedirects(source, wanted)
  } catch (error) {
    // The posts are published all the same.
    if (!isStatus(error, 400)) throw error
    return `The old addresses were not set: ${(error as EdgepostError).message}`
  }
  return `${wanted.length} old addresses are set, for a blog on its own host.`
}
