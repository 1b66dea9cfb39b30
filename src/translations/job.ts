import { type Db, repeatable } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { CodedMessage } from "../db/schema.ts"
import {
  MAX_TRANSLATION_ATTEMPTS,
  MAX_TRANSLATION_RETRY_SECONDS,
  TRANSLATION_LEASE_SECONDS,
  TRANSLATION_RETRY_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import type { Post } from "../posts/post.ts"
import { savePost } from "../posts/store.ts"
import { IDLE, type Text } from "../posts/text.ts"
import type { Engine, Failure } from "./engines/engine.ts"
import { claimPost, releaseLease, type Written, writeClaimed } from "./store.ts"
import { translateText } from "./translate-text.ts"

// One run: one language of one post, under the post's lease.

/** What a run works with: its lease and claim bear the token. */
export interface Run {
  db: Db
  postId: string
  token: string
  charactersPerDay: number
  /** When it began. */
  now: Date
  /** Reads the clock again: the times that an engine names count from its answer, minutes later. */
  readClock: () => Date
}

/** What a run leaves. */
interface Left {
  /** The username of the post's author; null where another run holds the lease, or the post is gone. */
  account: string | null
  /** When the post has work again; null: it has none, or another run holds the lease and will look for more. */
  wakeAt: Date | null
}

const GAVE_UP: CodedMessage = {
  code: "gave_up",
  message: "The translation failed again and again. Ask for it once more, or save the post.",
}

const WILL_RETRY: CodedMessage = { code: "internal_error", message: "The translation failed; it will be tried again." }

/** Computes the delay before another attempt: 10 s, 20 s, 40 s, … */
export const retryDelaySeconds = (attempts: number): number =>
  Math.min(TRANSLATION_RETRY_SECONDS * 2 ** Math.max(0, attempts - 1), MAX_TRANSLATION_RETRY_SECONDS)

const later = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000)

const failed = (error: CodedMessage, now: Date) =>
  ({ status: "failed", claim: null, due_at: null, error, updated_at: now }) as const

const requeued = (due_at: Date) => ({ status: "queued", claim: null, due_at }) as const

/** Finds the first language of the list that is due, or `running` although its run has died, as `claimPost` does. */
const nextText = (post: Post, now: Date): Text | undefined =>
  post.translation_languages
    .map((lang) => post.texts.find(({ lang_code }) => lang_code === lang))
    .find((text) => text?.status === "running" || (text?.status === "queued" && text.due_at && text.due_at <= now))

/** Gives the next text up if its attempts are used up. Where the post was written meanwhile, its release finds the work. */
const giveUpNext = async ({ db, now }: Run, before: Post): Promise<void> => {
  const text = nextText(before, now)
  if (!text || text.attempts < MAX_TRANSLATION_ATTEMPTS) return
  const after: Text = { ...text, ...IDLE, anew_since: text.anew_since, ...failed(GAVE_UP, now) }
  const texts = before.texts.map((other) => (other === text ? after : other))
  await savePost(db, before, { ...before, texts }, now)
}

/** Queues a text for another attempt after something has thrown, or gives it up. */
const retryCrash = (text: Text, now: Date): Written =>
  text.attempts < MAX_TRANSLATION_ATTEMPTS
    ? { ...requeued(later(now, retryDelaySeconds(text.attempts))), error: WILL_RETRY, updated_at: now }
    : failed(GAVE_UP, now)

/** Queues a text for the time when the engine may answer. It is never given up for a failure that ends by itself. */
const postpone = ({ postponed }: Text, { kind, code, message, afterSeconds }: Failure, now: Date): Written => {
  const error: CodedMessage = { code, message }
  if (kind === "final") return failed(error, now)
  const delay = afterSeconds ?? (kind === "later" ? MAX_TRANSLATION_RETRY_SECONDS : retryDelaySeconds(postponed + 1))
  // A limit says nothing of what the engine takes at once.
  const isOutage = kind === "retry"
  return {
    ...requeued(later(now, delay)),
    attempts: 0,
    postponed: postponed + Number(isOutage),
    error,
    updated_at: now,
  }
}

/** Translates a claimed text. @returns what to write; null when it is not wanted any more */
const translateClaimed = async (
  { db, postId, token, charactersPerDay, now, readClock }: Run,
  engine: Engine,
  post: Post,
  text: Text,
  pending: Statement[],
): Promise<Written | null> => {
  const { lang_code, attempts, postponed } = text
  const claimed = { postId, lang: lang_code, token }
  const outcome = await translateText(
    { db, engine, charactersPerDay, now, pending, report: (progress) => writeClaimed(db, claimed, progress, pending) },
    post,
    text,
  )
  const end = readClock()
  const about = { post_id: postId, lang_code }
  if ("made" in outcome) return { ...IDLE, ...outcome.made, updated_at: end }
  if ("failure" in outcome) {
    log("warn", { message: "engine failed", ...about, postponed, failure: outcome.failure })
    return { ...postpone(text, outcome.failure, end), ...outcome.progress }
  }
  if ("crash" in outcome) {
    log("warn", { message: "translation failed", ...about, attempts, error: trace(outcome.crash) })
    return { ...retryCrash(text, end), ...outcome.progress }
  }
  return outcome.stopped === "unfinished" ? { ...requeued(end), attempts: 0 } : null
}

/**
 * Translates the next language of a post: lease and claim, engine, write and release. Several runs at once for a post do
 * no harm.
 * @param engine null for a dead letter: the next language is only given up, if its attempts are used up
 */
export const translateNext = async (run: Run, engine: Engine | null): Promise<Left> => {
  const { db, now } = run
  const pending: Statement[] = []
  try {
    const expires = later(now, TRANSLATION_LEASE_SECONDS)
    const post = await claimPost(db, run, expires, engine ? MAX_TRANSLATION_ATTEMPTS : 0)
    if (!post) return { account: null, wakeAt: null }
    const text = post.texts.find(({ claim }) => claim === run.token)
    if (!text || !engine) await giveUpNext(run, post)
    const changes = text && engine ? await translateClaimed(run, engine, post, text, pending) : null
    const made = text && changes ? { lang: text.lang_code, changes } : null
    return { account: post.author, wakeAt: await releaseLease(db, run, made, pending) }
  } catch (error) {
    const giveBack = (statements: Statement[]) => repeatable(() => releaseLease(db, run, null, statements))
    // Else the message's next delivery would find the lease taken. The log is to have the first error.
    await giveBack(pending).catch(() => (pending.length > 0 ? giveBack([]).catch(() => null) : null))
    throw error
  }
}
