import { type Db, repeatable, type Statement } from "../db.ts"
import {
  MAX_TRANSLATION_ATTEMPTS,
  MAX_TRANSLATION_RETRY_SECONDS,
  TRANSLATION_LEASE_SECONDS,
  TRANSLATION_RETRY_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import type { Post } from "../posts/post.ts"
import { IDLE, type Text } from "../posts/text.ts"
import { savePost } from "../posts/write-store.ts"
import type { CodedMessage } from "../tables.ts"
import type { Progress } from "./batches.ts"
import type { Engine, Failure } from "./engines/engine.ts"
import { claimPost, releaseLease, type Written, writeClaimed } from "./store.ts"
import { makeText } from "./translate-text.ts"

/** A run: what it works with, the token that its lease and claim bear, and when it began. */
export interface Run {
  db: Db
  postId: string
  token: string
  charactersPerDay: number
  now: Date
  /** What an engine says of time counts from its answer, minutes later. */
  readClock: () => Date
}

const GAVE_UP: CodedMessage = {
  code: "gave_up",
  message: "The translation failed again and again. Ask for it once more, or save the post.",
}

const WILL_RETRY: CodedMessage = { code: "internal_error", message: "The translation failed; it will be tried again." }

/** 10 s, 20 s, 40 s, … */
export const retryDelaySeconds = (attempts: number): number =>
  Math.min(TRANSLATION_RETRY_SECONDS * 2 ** Math.max(0, attempts - 1), MAX_TRANSLATION_RETRY_SECONDS)

/** Work for a run: queued and due, or `running` although nobody holds the lease, so that its run has died. */
const isDue = ({ status, due_at }: Text, now: Date): boolean =>
  status === "running" || (status === "queued" && due_at !== null && due_at <= now)

/** The first language of the list that has work, as `claimPost` finds it. */
const nextText = (post: Post, now: Date): Text | undefined =>
  post.translation_languages
    .map((lang) => post.texts.find(({ lang_code }) => lang_code === lang))
    .find((text) => text && isDue(text, now))

const gaveUp = (text: Text, now: Date): Text => ({
  ...text,
  ...IDLE,
  anew_since: text.anew_since,
  status: "failed",
  error: GAVE_UP,
  updated_at: now,
})

/**
 * Gives the next text up, if it was tried as often as a text is, and unless anybody wrote the post since it was read: then
 * its release sees to it.
 */
const giveUpNext = async ({ db, now }: Run, before: Post): Promise<void> => {
  const text = nextText(before, now)
  if (!text || text.attempts < MAX_TRANSLATION_ATTEMPTS) return
  const texts = before.texts.map((other) => (other === text ? gaveUp(text, now) : other))
  await savePost(db, before, { ...before, texts }, now)
}

/** A run whose engine has been waited for. */
type Ended = Pick<Run, "postId" | "now">

/** What a failed try leaves: queued for later, or given up when there were enough. */
const putBack = ({ postId, now }: Ended, text: Text, error: unknown): Partial<Text> => {
  const { lang_code, attempts } = text
  log("warn", { message: "translation failed", post_id: postId, lang_code, attempts, error: trace(error) })
  const due_at = new Date(now.getTime() + retryDelaySeconds(attempts) * 1000)
  const later: Text = { ...text, status: "queued", claim: null, due_at, error: WILL_RETRY, updated_at: now }
  const after = attempts < MAX_TRANSLATION_ATTEMPTS ? later : gaveUp(text, now)
  return { status: after.status, claim: after.claim, due_at: after.due_at, error: after.error, updated_at: now }
}

/** What the engine's failure leaves: nothing is given up that is over by itself. */
const postpone = ({ postId, now }: Ended, text: Text, failure: Failure): Partial<Text> => {
  const { lang_code, postponed } = text
  const { kind, code, message, afterSeconds } = failure
  log("warn", { message: "engine failed", post_id: postId, lang_code, postponed, failure })
  const error: CodedMessage = { code, message }
  if (kind === "final") return { status: "failed", claim: null, due_at: null, error, updated_at: now }
  const delay = afterSeconds ?? (kind === "later" ? MAX_TRANSLATION_RETRY_SECONDS : retryDelaySeconds(postponed + 1))
  return {
    status: "queued",
    claim: null,
    due_at: new Date(now.getTime() + delay * 1000),
    attempts: 0,
    // A limit says nothing of what the engine takes at once.
    postponed: postponed + Number(kind === "retry"),
    error,
    updated_at: now,
  }
}

const tryToMake = async (
  run: Run,
  engine: Engine,
  post: Post,
  text: Text,
  pending: Statement[],
): Promise<Written | null> => {
  const { db, postId, token, charactersPerDay, now } = run
  const report = (progress: Progress): Promise<boolean> =>
    writeClaimed(db, { postId, lang: text.lang_code, token }, progress, pending)
  const outcome = await makeText({ db, engine, charactersPerDay, now, pending, report }, post, text)
  const ended = { postId, now: run.readClock() }
  if ("made" in outcome) return { ...IDLE, ...outcome.made, updated_at: ended.now }
  if ("failure" in outcome) return { ...postpone(ended, text, outcome.failure), ...outcome.progress }
  if ("crash" in outcome) return { ...putBack(ended, text, outcome.crash), ...outcome.progress }
  if (outcome.stopped === "unwanted") return null
  return { status: "queued", claim: null, due_at: ended.now, attempts: 0 }
}

/** What a run leaves. */
export interface Left {
  /** Whose post it was, by username; null where somebody else holds the lease, or the post is gone. */
  account: string | null
  /** When the post has work again; null: it has none, or somebody else holds the lease and will look for more. */
  wakeAt: Date | null
}

/**
 * Does work under the post's lease.
 * @param maxAttempts a text that was tried less often is claimed
 * @param work returns what it has made of which language; what it puts into `pending` is written with that
 */
const withLease = async (
  run: Run,
  maxAttempts: number,
  work: (post: Post, pending: Statement[]) => Promise<{ lang: string; changes: Written } | null>,
): Promise<Left> => {
  const { db, now } = run
  const expires = new Date(now.getTime() + TRANSLATION_LEASE_SECONDS * 1000)
  const pending: Statement[] = []
  /** Whether that succeeds; what failed before is what the log shall say. */
  const giveBack = (rest: Statement[]): Promise<boolean> =>
    repeatable(() => releaseLease(db, run, null, rest)).then(
      () => true,
      () => false,
    )
  try {
    const post = await claimPost(db, run, expires, maxAttempts)
    if (!post) return { account: null, wakeAt: null }
    return { account: post.author, wakeAt: await releaseLease(db, run, await work(post, pending), pending) }
  } catch (error) {
    // Else the message's next delivery would find the lease taken and think that all is well.
    if (!(await giveBack(pending)) && pending.length > 0) await giveBack([])
    throw error
  }
}

/** One language of one post: lease and claim, engine, write and release. Several runs at once for a post do no harm. */
export const translateNext = (run: Run, engine: Engine): Promise<Left> =>
  withLease(run, MAX_TRANSLATION_ATTEMPTS, async (post, pending) => {
    const text = post.texts.find(({ claim }) => claim === run.token)
    if (!text) {
      await giveUpNext(run, post)
      return null
    }
    const changes = await tryToMake(run, engine, post, text, pending)
    // Nothing is written when a client took the text back meanwhile.
    return changes && { lang: text.lang_code, changes }
  })

/** A dead letter. What failed may have been the platform: a language is given up for its own attempts alone. */
export const giveUp = (run: Run): Promise<Left> =>
  withLease(run, 0, async (post) => {
    await giveUpNext(run, post)
    return null
  })
