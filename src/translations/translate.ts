import type { Db } from "../db.ts"
import { codePoints } from "../http/fields.ts"
import { trace } from "../http/problem.ts"
import { parseMediaPath } from "../images/image.ts"
import {
  MAX_META_DESCRIPTION_CHARS,
  MAX_TITLE_CHARS,
  MAX_TRANSLATION_ATTEMPTS,
  MAX_TRANSLATION_RETRY_SECONDS,
  TRANSLATION_LEASE_SECONDS,
  TRANSLATION_RETRY_SECONDS,
} from "../limits.ts"
import { linkPictures, renderMarkdown } from "../posts/markdown.ts"
import { ownText, type Post } from "../posts/post.ts"
import { findPost, savePost } from "../posts/store.ts"
import { fieldsToMake, type Text } from "../posts/text.ts"
import type { CodedMessage, TextField } from "../tables.ts"
import type { Engine } from "./engines/engine.ts"
import { readSegments } from "./segments.ts"
import { claimLease, releaseLease, writeClaimed } from "./store.ts"

/** What is to come after a run: nothing, another wake-up at `wakeAt`, or the same message again. */
export type Outcome = { wakeAt: Date | null } | { retryAfterSeconds: number }

/** A run: the ports it works with, the lease token that is its name, and its one clock reading. */
export interface Run {
  db: Db
  engine: Engine
  postId: string
  token: string
  now: Date
}

export const GAVE_UP: CodedMessage = {
  code: "gave_up",
  message: "The translation failed again and again. Ask for it once more, or save the post.",
}

/** 10 s, 20 s, 40 s, … */
export const retryDelaySeconds = (attempts: number): number =>
  Math.min(TRANSLATION_RETRY_SECONDS * 2 ** Math.max(0, attempts - 1), MAX_TRANSLATION_RETRY_SECONDS)

/** The first language of the list with work that is due. `running` without a live lease: its run has died. */
const nextText = (post: Post, now: Date): Text | undefined =>
  post.translation_languages
    .map((lang) => post.texts.find(({ lang_code }) => lang_code === lang))
    .find(
      (text) =>
        text && (text.status === "running" || (text.status === "queued" && text.due_at !== null && text.due_at <= now)),
    )

const isPlain = (field: TextField): boolean => field !== "body"

const translateFields = async (
  { engine }: Run,
  own: Text,
  fields: TextField[],
  to: string,
): Promise<{ made: Partial<Record<TextField, string>>; segments: number }> => {
  const body = readSegments(fields.includes("body") ? (own.body ?? "") : "")
  const plain = fields.filter(isPlain)
  const segments = [...plain.map((field) => own[field] ?? ""), ...body.segments]
  const translated = await engine.translate(segments, own.lang_code, to)
  if (translated.length !== segments.length)
    throw new Error(`The engine answered ${translated.length} segments for ${segments.length}.`)
  const made = Object.fromEntries(plain.map((field, i) => [field, translated[i]]))
  const rebuilt = fields.includes("body") ? { body: body.rebuild(translated.slice(plain.length)) } : {}
  return { made: { ...made, ...rebuilt }, segments: segments.length }
}

/** The HTML of a translated body: it shows the pictures that the own text shows. */
const renderBody = (post: Post, own: Text, body: string) => {
  const rendered = renderMarkdown(body, `${post.slug}-`)
  if ("tooComplex" in rendered) throw new Error(rendered.tooComplex)
  const isShown = (src: string) => {
    const media = parseMediaPath(src)
    return media?.username === post.author && own.pictures.includes(media.imageId)
  }
  return { html: linkPictures(rendered.html, isShown), pictures: own.pictures }
}

const lengthWarnings = (made: Partial<Record<TextField, string>>): CodedMessage[] => {
  const limits = { title: MAX_TITLE_CHARS, meta_description: MAX_META_DESCRIPTION_CHARS }
  return Object.entries(limits)
    .filter(([field, max]) => codePoints(made[field as keyof typeof limits] ?? "") > max)
    .map(([field, max]) => ({ code: "too_long", message: `The translated ${field} has more than ${max} characters.` }))
}

/** Makes one language of a claimed post, and writes it unless a client took the text back meanwhile. */
const makeText = async (run: Run, post: Post, text: Text): Promise<void> => {
  const own = ownText(post)
  const fields = fieldsToMake(text, own)
  const { made, segments } = await translateFields(run, own, fields, text.lang_code)
  await writeClaimed(
    run.db,
    { postId: post.id, lang: text.lang_code, token: run.token },
    {
      ...made,
      ...(made.body !== undefined && renderBody(post, own, made.body)),
      versions: { ...text.versions, ...Object.fromEntries(fields.map((field) => [field, own.versions[field]])) },
      status: "ready",
      claim: null,
      due_at: null,
      error: null,
      warnings: lengthWarnings(made),
      segments_done: segments,
      segments_total: segments,
      engine: run.engine.name,
      updated_at: run.now,
    },
  )
}

/** After a failed try: later again, or given up when there were enough. */
const putBack = async (
  { db, postId, token, now }: Run,
  { lang_code, attempts }: Text,
  error: unknown,
): Promise<Outcome> => {
  const delay = retryDelaySeconds(attempts)
  const isLast = attempts >= MAX_TRANSLATION_ATTEMPTS
  console.warn({
    level: "warn",
    message: "translation failed",
    post_id: postId,
    lang_code,
    attempts,
    error: trace(error),
  })
  await writeClaimed(
    db,
    { postId, lang: lang_code, token },
    {
      status: isLast ? "failed" : "queued",
      claim: null,
      due_at: isLast ? null : new Date(now.getTime() + delay * 1000),
      error: isLast ? GAVE_UP : { code: "engine_error", message: "The engine failed; it will be asked again." },
      updated_at: now,
    },
  )
  const wakeAt = await releaseLease(db, postId, token)
  return isLast ? { wakeAt } : { retryAfterSeconds: delay }
}

/**
 * Claims the first language with due work: its attempt is counted before the work, so that a run which dies counts.
 * @returns null when there is none, or when somebody wrote the post since it was read (the lease's release sees to it)
 */
const claimText = async ({ db, postId, token, now }: Run): Promise<{ post: Post; text: Text } | null> => {
  const loaded = await findPost(db, { id: postId })
  const next = loaded && nextText(loaded.post, now)
  if (!next) return null
  const text: Text = { ...next, status: "running", claim: token, attempts: next.attempts + 1 }
  const given = next.attempts >= MAX_TRANSLATION_ATTEMPTS
  const claimed: Text = given ? { ...next, status: "failed", claim: null, due_at: null, error: GAVE_UP } : text
  const post = { ...loaded.post, texts: loaded.post.texts.map((other) => (other === next ? claimed : other)) }
  const saved = await savePost(db, loaded.post, post, now)
  return saved === "saved" && !given ? { post, text } : null
}

/**
 * One language of one post: lease, claim, engine, write, release. Several at once for one post do no harm:
 * one gets the lease, the others end at once.
 */
export const translateNext = async (run: Run): Promise<Outcome> => {
  const { db, postId, token, now } = run
  const expires = new Date(now.getTime() + TRANSLATION_LEASE_SECONDS * 1000)
  if (!(await claimLease(db, postId, token, expires, now))) return { wakeAt: null }
  const claimed = await claimText(run)
  if (claimed) {
    try {
      await makeText(run, claimed.post, claimed.text)
    } catch (error) {
      return putBack(run, claimed.text, error)
    }
  }
  return { wakeAt: await releaseLease(db, postId, token) }
}

/** A dead letter: the language that its wake-up was for has failed. */
export const giveUp = async ({ db, postId, token, now }: Omit<Run, "engine">): Promise<Outcome> => {
  const expires = new Date(now.getTime() + TRANSLATION_LEASE_SECONDS * 1000)
  if (!(await claimLease(db, postId, token, expires, now))) return { wakeAt: null }
  const loaded = await findPost(db, { id: postId })
  const text = loaded && nextText(loaded.post, now)
  if (loaded && text) {
    const failed: Text = { ...text, status: "failed", claim: null, due_at: null, error: GAVE_UP, updated_at: now }
    const texts = loaded.post.texts.map((other) => (other === text ? failed : other))
    await savePost(db, loaded.post, { ...loaded.post, texts }, now)
  }
  return { wakeAt: await releaseLease(db, postId, token) }
}
