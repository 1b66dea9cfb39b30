import { addressOf } from "../address.ts"
import { type Client, EdgepostError, type ListedPost, type Post } from "../client/index.ts"
import { sha256 } from "../hash.ts"
import { compare } from "./compare.ts"
import type { DesiredPost } from "./desired.ts"
import { checkOwner, type Entry } from "./entry.ts"
import type { Library } from "./library.ts"
import type { Plan } from "./plan.ts"

/** The outcome of an entry of the plan. */
export interface Outcome {
  action: Entry["action"]
  slug: string
  file: string | null
  result: "created" | "updated" | "unchanged" | "removed" | "blocked" | "failed"
  /** The page for readers, or the preview of a draft or scheduled post; null without a post. */
  url: string | null
  /** The error of a post that failed; else null. */
  error: EdgepostError | null
}

export interface PublishOptions {
  signal: AbortSignal
  /** Called before each step that takes time, such as an upload. */
  onStep: (entry: Entry, step: string) => void
}

/** A post is planned again if somebody else changes it, or if an answer was lost: at most so often. */
const MAX_ROUNDS = 3

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
    const { lang_code, title, meta_description, body } = found.post
    const body_sha256 = body === null ? null : sha256(body)
    texts[lang_code] = { title, meta_description, body_sha256, edited: [] }
  }
  return { ...source.post, texts, etag: source.etag }
}

/** Uploads those of the images that the service lacks. @param files their paths */
const uploadImages = async (
  client: Client,
  { images, read }: Library,
  files: string[],
  onUpload: (file: string) => void,
) => {
  for (const file of files) {
    const image = images.get(file)
    if (!image || image.image_id !== null) continue
    onUpload(file)
    const { image_id, image_url } = await client.uploadImage(await read(file), file)
    for (const other of images.values())
      if (other.sha256 === image.sha256) Object.assign(other, { image_id, image_url })
  }
}

/** Forgets what the service had of images: one of them has expired. */
const forgetImages = ({ images }: Library, files: string[]): void => {
  for (const file of files) Object.assign(images.get(file) ?? {}, { image_id: null, image_url: null })
}

/** Writes what differs: the post with its source text, then each translation made by hand. @returns where it can be seen */
const writeChanges = async (client: Client, post: DesiredPost, current: Current | null) => {
  const { slug, fields, source, translations, primary_language } = post
  const changes = current && compare(post, current)
  let etag = current?.etag ?? null
  let url = current && addressOf(current)
  if (!changes || changes.post.length > 0) {
    const condition = etag === null ? { ifNoneMatch: "*" as const } : { ifMatch: etag }
    const written = await client.putPost(slug, { ...fields, ...source }, condition)
    etag = written.etag
    url = addressOf(written.post)
  }
  for (const [lang_code, text] of Object.entries(translations)) {
    if (changes && !changes.translations[lang_code]) continue
    const translation_languages = fields.translation_languages ?? [lang_code]
    const change = { lang_code, primary_language, translation_languages, ...text }
    const written = await client.patchPost(slug, change, { ifMatch: etag ?? undefined })
    etag = written.etag
  }
  return url
}

const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof EdgepostError && statuses.includes(error.status)

/** Refuses to write over a post that became another folder's after the plan. @throws EdgepostError */
const requireSameOwner = (desired: DesiredPost, current: Current | null): void => {
  const refusal = current && checkOwner(desired, current).find(({ level }) => level === "error")
  if (refusal) throw new EdgepostError({ code: "version_conflict", detail: refusal.message })
}

const publishPost = async (
  client: Client,
  plan: Plan,
  entry: Entry,
  options: PublishOptions,
): Promise<string | null> => {
  const { slug, images, translations } = plan.desired(entry.slug)
  const read = () => readCurrent(client, slug, Object.keys(translations))
  let current = entry.action === "create" ? null : await read()
  for (let round = 1; ; round += 1) {
    options.signal.throwIfAborted()
    requireSameOwner(plan.desired(slug), current)
    await uploadImages(client, plan.library, images, (file) => options.onStep(entry, `uploading ${file}`))
    try {
      options.onStep(entry, "writing")
      return await writeChanges(client, plan.desired(slug), current)
    } catch (error) {
      if (round === MAX_ROUNDS || !isStatus(error, 410, 412)) throw error
      if (isStatus(error, 410)) forgetImages(plan.library, images)
      current = await read()
      // Somebody else's new post must not be replaced; one of this run whose answer was lost is as it should be.
      if (entry.action === "create" && current && compare(plan.desired(slug), current).post.length > 0) throw error
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

const RESULTS = {
  create: "created",
  update: "updated",
  unchanged: "unchanged",
  checked: "unchanged",
  remove: "removed",
  blocked: "blocked",
} as const

/** Codes of errors that every post would have. */
const ENDING = new Set(["insufficient_scope", "subscription_required", "account_restricted"])

/** Tells whether no other post can succeed either: without the service, or with a key that it refuses. */
export const endsRun = ({ status, code }: EdgepostError): boolean => status === 401 || status === 0 || ENDING.has(code)

/** Carries out a plan, one post after another. A post that fails stops no other one, but nothing is removed then. */
export async function* publishPlan(client: Client, plan: Plan, options: PublishOptions): AsyncGenerator<Outcome> {
  let hasFailed = false
  for (const entry of plan.entries) {
    options.signal.throwIfAborted()
    const { action, slug, file } = entry
    const found = plan.there.get(slug)
    const url = action === "remove" || !found ? null : addressOf({ ...found, preview_url: null })
    const outcome = { action, slug, file, result: RESULTS[action], url, error: null }
    if (action === "remove" && hasFailed) {
      yield { ...outcome, result: "blocked" }
      continue
    }
    try {
      if (action === "remove") await removePost(client, entry, plan)
      const isWritten = action === "create" || action === "update"
      yield isWritten ? { ...outcome, url: await publishPost(client, plan, entry, options) } : outcome
    } catch (error) {
      if (!(error instanceof EdgepostError)) throw error
      hasFailed = true
      yield { ...outcome, result: "failed", error }
      if (endsRun(error)) return
    }
  }
}
