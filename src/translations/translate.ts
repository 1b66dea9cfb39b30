import type { Db } from "../db.ts"
import {
  MAX_TRANSLATION_ATTEMPTS,
  MAX_TRANSLATION_RETRY_SECONDS,
  TRANSLATION_LEASE_SECONDS,
  TRANSLATION_RETRY_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import type { Post } from "../posts/post.ts"
import { findPost } from "../posts/store.ts"
import { IDLE, type Text } from "../posts/text.ts"
import { savePost } from "../posts/write-store.ts"
import type { CodedMessage } from "../tables.ts"
import type { Engine } from "./engines/engine.ts"
import { makeText } from "./make.ts"
import { claimLease, releaseLease, writeClaimed } from "./store.ts"

/** What is to follow a run: nothing or a wake-up at `wakeAt`; or the same message again. */
export type Outcome = { wakeAt: Date | null } | { retryAfterSeconds: number }

/** A run: what it works with, the token that its lease and claim bear, and its one clock reading. */
export interface Run {
  db: Db
  postId: string
  token: string
  now: Date
}

const GAVE_UP: CodedMessage = {
  code: "gave_up",
  message: "The translation failed again and again. Ask for it once more, or save the post.",
}

const WILL_RETRY: CodedMessage = { code: "engine_error", message: "The engine failed; it will be asked again." }

/** 10 s, 20 s, 40 s, … */
export const retryDelaySeconds = (attempts: number): number =>
  Math.min(TRANSLATION_RETRY_SECONDS * 2 ** Math.max(0, attempts - 1), MAX_TRANSLATION_RETRY_SECONDS)

/** Work for a run: queued and due, or `running` although nobody holds the lease, so that its run has died. */
const isDue = ({ status, due_at }: Text, now: Date): boolean =>
  status === "running" || (status === "queued" && due_at !== null && due_at <= now)

/** The first language of the list that has work. */
const nextText = (post: Post, now: Date): Text | undefined =>
  post.translation_languages
    .map((lang) => post.texts.find(({ lang_code }) => lang_code === lang))
    .find((text) => text && isDue(text, now))

const gaveUp = (text: Text, now: Date): Text => ({
  ...text,
  ...IDLE,
  status: "failed",
  error: GAVE_UP,
  updated_at: now,
})

/** Changes the next text of the post, unless anybody wrote the post since it was read: then its release sees to it. */
const changeNext = async (
  { db, postId, now }: Run,
  change: (text: Text) => Text,
): Promise<{ post: Post; text: Text } | null> => {
  const loaded = await findPost(db, { id: postId })
  const next = loaded && nextText(loaded.post, now)
  if (!next) return null
  const text = change(next)
  const post = { ...loaded.post, texts: loaded.post.texts.map((other) => (other === next ? text : other)) }
  return (await savePost(db, loaded.post, post, now)) === "saved" ? { post, text } : null
}

/** Claims the next text. The attempt is counted before the work, so that a run which dies counts too. */
const claimNext = (run: Run) =>
  changeNext(run, (text) =>
    text.attempts < MAX_TRANSLATION_ATTEMPTS
      ? { ...text, status: "running", claim: run.token, attempts: text.attempts + 1 }
      : gaveUp(text, run.now),
  )

/** After a failed try: queued for later, or given up when there were enough. */
const putBack = async ({ db, postId, token, now }: Run, text: Text, error: unknown): Promise<number | null> => {
  const { lang_code, attempts } = text
  log("warn", { message: "translation failed", post_id: postId, lang_code, attempts, error: trace(error) })
  const isLast = attempts >= MAX_TRANSLATION_ATTEMPTS
  const delay = retryDelaySeconds(attempts)
  const due_at = new Date(now.getTime() + delay * 1000)
  const {
    status,
    claim,
    error: reason,
  } = isLast ? gaveUp(text, now) : { status: "queued" as const, claim: null, error: WILL_RETRY }
  const changes = { status, claim, error: reason, due_at: isLast ? null : due_at, updated_at: now }
  const isWritten = await writeClaimed(db, { postId, lang: lang_code, token }, changes)
  return isWritten && !isLast ? delay : null
}

/** Makes the claimed text, and writes it unless a client took it back meanwhile. @returns seconds until another try */
const finish = async (run: Run, engine: Engine, { post, text }: { post: Post; text: Text }): Promise<number | null> => {
  const { db, postId, token, now } = run
  try {
    const made = await makeText(engine, post, text)
    const ready = { ...made, status: "ready" as const, claim: null, due_at: null, error: null, updated_at: now }
    await writeClaimed(db, { postId, lang: text.lang_code, token }, ready)
    return null
  } catch (error) {
    return putBack(run, text, error)
  }
}

/** Does work under the post's lease. When somebody else holds it there is nothing to do: its release looks for more. */
const withLease = async (run: Run, work: () => Promise<number | null>): Promise<Outcome> => {
  const { db, postId, token, now } = run
  const expires = new Date(now.getTime() + TRANSLATION_LEASE_SECONDS * 1000)
  if (!(await claimLease(db, postId, token, expires, now))) return { wakeAt: null }
  const retryAfterSeconds = await work()
  const wakeAt = await releaseLease(db, postId, token)
  return retryAfterSeconds === null ? { wakeAt } : { retryAfterSeconds }
}

/** One language of one post: lease, claim, engine, write, release. Several runs at once for a post do no harm. */
export const translateNext = (run: Run, engine: Engine): Promise<Outcome> =>
  withLease(run, async () => {
    const claimed = await claimNext(run)
    return claimed?.text.claim ? finish(run, engine, claimed) : null
  })

/** A dead letter: the language that its wake-up was for has failed. */
export const giveUp = (run: Run): Promise<Outcome> =>
  withLease(run, async () => {
    await changeNext(run, (text) => gaveUp(text, run.now))
    return null
  })
