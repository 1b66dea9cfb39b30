import { isTextFull } from "../accounts/store.ts"
import { nextDay } from "../days.ts"
import { type Db, isTooBig, repeatable } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { CodedMessage } from "../db/schema.ts"
import {
  MAX_TRANSLATION_ATTEMPTS,
  MAX_TRANSLATION_RETRY_SECONDS,
  TRANSLATION_LEASE_SECONDS,
  TRANSLATION_RETRY_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import { runPostBatch } from "../posts/commit.ts"
import { type Post, reviewOf } from "../posts/post.ts"
import { finished } from "../posts/review.ts"
import { IDLE, type Text } from "../posts/text.ts"
import { translationEvents } from "../webhooks/outbox.ts"
import { DAILY_LIMIT } from "./batches.ts"
import type { Engine, Failure } from "./engines/engine.ts"
import { type ClaimedPost, claimPost, releaseLease, type RunEnd, type Written, writeClaimed } from "./store.ts"
import { translateText } from "./translate-text.ts"

// A run translates one language of one post while it holds the lease of the post.

/** The input of a run. */
export interface Run {
  db: Db
  postId: string
  /** Identifies the run in its lease and its claim. */
  token: string
  charactersPerDay: number
  /** UTF-8 bytes that the texts of an account may have. */
  maxTextBytes: number
  /** Webhooks are told of its results. */
  hasWebhooks: boolean
  /** When the run began. */
  now: Date
  /** Returns the current time. A delay that an engine asks for counts from its answer, which may come minutes after `now`. */
  readClock: () => Date
}

interface RunResult {
  /** The username of the post's author; null where another run holds the lease, or the post is gone. */
  account: string | null
  /** When the post has work again; null if it has no more, or if another run holds the lease. */
  wakeAt: Date | null
}

const GAVE_UP: CodedMessage = {
  code: "gave_up",
  message: "The translation failed repeatedly. Request it again, or save the post.",
}

const TEXT_FULL: CodedMessage = {
  code: "text_quota",
  message:
    "The account's texts have no space left for this translation. Delete posts or translations, then request it again.",
}

const WILL_RETRY: CodedMessage = {
  code: "internal_error",
  message: "The translation failed. The service retries automatically.",
}

/** Computes the delay in seconds after so many failed attempts: 10 s after the first, then 20 s, 40 s and so on, at most 15 minutes. */
export const retryDelaySeconds = (attempts: number): number =>
  Math.min(TRANSLATION_RETRY_SECONDS * 2 ** Math.max(0, attempts - 1), MAX_TRANSLATION_RETRY_SECONDS)

const later = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000)

const TOO_BIG: CodedMessage = {
  code: "too_long_to_hold",
  message:
    "The translation is too long to wait for approval beside the text that readers have. Shorten the post, or switch the review off for it.",
}

const failed = (error: CodedMessage, now: Date) =>
  ({ status: "failed", claim: null, due_at: null, error, updated_at: now }) as const

const requeued = (due_at: Date) => ({ status: "queued", claim: null, due_at }) as const

/** Finds the first listed language that is due, or `running` although its run has died. `claimPost` chooses the same one. */
const nextText = (post: Post, now: Date): Text | undefined =>
  post.translation_languages
    .map((lang) => post.texts.find(({ lang_code }) => lang_code === lang))
    .find((text) => text?.status === "running" || (text?.status === "queued" && text.due_at && text.due_at <= now))

/** Gives up the next text when it has no attempts left. If the post has changed meanwhile, releasing the lease finds the work. */
const giveUpNext = async ({ db, now, maxTextBytes, hasWebhooks }: Run, before: Post): Promise<void> => {
  const text = nextText(before, now)
  if (!text || text.attempts < MAX_TRANSLATION_ATTEMPTS) return
  const after: Text = { ...text, ...IDLE, retranslate_after: text.retranslate_after, ...failed(GAVE_UP, now) }
  const texts = before.texts.map((other) => (other === text ? after : other))
  const told = { lang: text.lang_code, status: after.status, now }
  const events = hasWebhooks ? translationEvents(before.id, told) : []
  // Its other events are those of authors.
  const batch = { db, now, maxTextBytes, checks: [], tellsWebhooks: false }
  await runPostBatch(batch, before, { ...before, texts }, events)
}

/** Queues a text for another attempt after an exception, or gives it up. */
const retryCrash = (text: Text, now: Date) =>
  text.attempts < MAX_TRANSLATION_ATTEMPTS
    ? { ...requeued(later(now, retryDelaySeconds(text.attempts))), error: WILL_RETRY, updated_at: now }
    : failed(GAVE_UP, now)

/** Queues a text for the time when the engine may answer again. Only a final failure gives it up. */
const postpone = ({ postponed }: Text, { kind, code, message, afterSeconds }: Failure, now: Date) => {
  const error: CodedMessage = { code, message }
  if (kind === "final") return failed(error, now)
  const delay = afterSeconds ?? (kind === "later" ? MAX_TRANSLATION_RETRY_SECONDS : retryDelaySeconds(postponed + 1))
  // Only an outage may mean that the batch was too large.
  const isOutage = kind === "retry"
  return {
    ...requeued(later(now, delay)),
    attempts: 0,
    postponed: postponed + Number(isOutage),
    error,
    updated_at: now,
  }
}

/** Translates a claimed text. @returns what to write; null when the claim is lost */
const translateClaimed = async (
  { db, postId, token, charactersPerDay, now, readClock }: Run,
  engine: Engine,
  post: ClaimedPost,
  text: Text,
  pending: Statement[],
): Promise<RunEnd | null> => {
  const { lang_code, attempts, postponed } = text
  const claimed = { postId, lang: lang_code, token }
  const outcome = await translateText(
    {
      db,
      engine,
      charactersPerDay,
      now,
      readClock,
      pending,
      report: (progress) => writeClaimed(db, claimed, progress, pending, readClock()),
    },
    post,
    text,
  )
  const end = readClock()
  const about = { post_id: postId, lang_code }
  const ended = (changes: Written & Pick<Text, "status">): RunEnd => ({
    lang: lang_code,
    changes,
    told: changes.status,
  })
  if ("result" in outcome) {
    const review = reviewOf(post)
    const { changes, isReady } = finished(text, outcome.result, review, end)
    return { lang: lang_code, changes, told: isReady ? "ready" : undefined, review }
  }
  if ("failure" in outcome) {
    log("warn", { message: "translation.engine_failed", ...about, postponed, failure: outcome.failure })
    const isPaused = outcome.failure === DAILY_LIMIT
    const changes = { ...postpone(text, outcome.failure, end), ...outcome.progress, ...(isPaused && { due_at: null }) }
    return { ...ended(changes), pausedUntil: isPaused ? nextDay(now) : undefined }
  }
  if ("crash" in outcome) {
    log("warn", { message: "translation.failed", ...about, attempts, error: trace(outcome.crash) })
    return ended({ ...retryCrash(text, end), ...outcome.progress })
  }
  return outcome.stopped === "unfinished" ? ended({ ...requeued(end), attempts: 0 }) : null
}

/**
 * Translates the next due language of a post: takes the lease, claims the text, translates, writes and releases the lease.
 * Concurrent runs of one post are safe.
 * @param engine null for a dead letter: the next language is given up if it has no attempts left, and not translated
 * @returns the author's username, and when the post has work again; both null if another run holds the lease
 * @throws Error when the database fails
 */
export const translateNext = async (run: Run, engine: Engine | null): Promise<RunResult> => {
  const { db, now } = run
  const pending: Statement[] = []
  try {
    const expires = later(now, TRANSLATION_LEASE_SECONDS)
    const post = await claimPost(db, run, expires, engine ? MAX_TRANSLATION_ATTEMPTS : 0)
    if (!post) return { account: null, wakeAt: null }
    const text = post.texts.find(({ claim }) => claim === run.token)
    if (!text || !engine) await giveUpNext(run, post)
    const end = text && engine ? await translateClaimed(run, engine, post, text, pending) : null
    const result = end && { ...end, maxTextBytes: run.maxTextBytes }
    try {
      return { account: post.author, wakeAt: await releaseLease(db, run, result, pending) }
    } catch (error) {
      if (!result || !(isTextFull(error) || isTooBig(error))) throw error
      const changes = failed(isTextFull(error) ? TEXT_FULL : TOO_BIG, run.readClock())
      const full = { lang: result.lang, changes, told: changes.status, maxTextBytes: run.maxTextBytes }
      return { account: post.author, wakeAt: await releaseLease(db, run, full, pending) }
    }
  } catch (error) {
    const release = (statements: Statement[]) => repeatable(() => releaseLease(db, run, null, statements))
    // Otherwise the next delivery would find the lease taken. The first error is the one to log.
    await release(pending).catch(() => (pending.length > 0 ? release([]).catch(() => null) : null))
    throw error
  }
}
