import * as z from "zod"

import { noteLists } from "../accounts/lists-store.ts"
import { isTextFull } from "../accounts/store.ts"
import type { Config } from "../config.ts"
import { type Db, failedOn, writeOnce } from "../db/client.ts"
import { isRolledBack, ROLL_BACK, runBatch, type Statement } from "../db/plain-sql.ts"
import type { AppContext, Attempt, RequestUsage } from "../http/context.ts"
import { recordCreated } from "../idempotency/store.ts"
import { failedToAttach } from "../images/lifetime.ts"
import { log } from "../log.ts"
import { postEvents, publicationEvents } from "../webhooks/outbox.ts"
import { wakeWebhooks } from "../webhooks/queue.ts"
import { labelRows } from "./label-store.ts"
import { type Post, withdraws } from "./post.ts"
import type { Loaded } from "./read-store.ts"
import { hasPost, imageRows, insertRow, swapRow, textRows } from "./store.ts"
import { countStoredText } from "./text-bytes-store.ts"

// What is true together: a write of a post is one batch of D1. The first statement that fails decides the outcome.

/**
 * The outcome of a write. `saved` has written the post, but for a dry run. `lost`: the post was written or deleted since it was
 * read, or the account was erased. `images_changed`: an image became unusable. `text_full`: the account's posts would have too many
 * bytes. A caller who may not write any more is no outcome: its check fails with an error, which `withKeyRefusal` reads.
 */
export type WriteOutcome = "saved" | "lost" | "duplicate_slug" | "images_changed" | "text_full"

/** @throws any error that is no outcome */
const outcomeOf = (error: unknown): WriteOutcome => {
  if (isRolledBack(error)) return "saved"
  // An earlier request has written the post with this id.
  if (failedOn(error, "UNIQUE", "posts.id")) return "saved"
  if (failedOn(error, "UNIQUE", "posts.slug")) return "duplicate_slug"
  if (failedToAttach(error)) return "images_changed"
  if (isTextFull(error)) return "text_full"
  if (failedOn(error, "NOT NULL", "posts.revision") || failedOn(error, "FOREIGN KEY")) return "lost"
  throw error
}

/** The input of a batch that writes a post. */
export interface Batch {
  db: Db
  now: Date
  /** Bytes that the account's posts may have, counted as docs/security.md says. */
  maxTextBytes: number
  /** Statements that fail the batch if the caller may not write any more: its key was revoked, or its session ended. */
  checks: Statement[]
  /** The state of the request's Idempotency-Key, if it has one. */
  attempt?: Attempt | undefined
  /** Webhooks are told of the account's posts. */
  tellsWebhooks: boolean
  /** The request only asks what it would do: its batch is rolled back. */
  isDryRun?: boolean
}

/**
 * Writes what differs between two states of a post, in one batch. Safe to repeat.
 * @param before null for a new post
 * @param also statements of the same batch
 */
export const runPostBatch = async (
  { db, now, maxTextBytes, checks, attempt, tellsWebhooks, isDryRun }: Batch,
  before: Post | null,
  after: Post,
  also: Statement[] = [],
): Promise<WriteOutcome> => {
  const publication = tellsWebhooks ? publicationEvents(before, now) : []
  const write = () =>
    runBatch(db, [
      ...publication,
      // A lost race and a taken slug end the batch.
      before ? swapRow(before, after) : insertRow(after),
      ...textRows(before, after),
      ...labelRows(before, after),
      // Fails the batch if an image cannot be used any more.
      ...imageRows(db, before, after, now),
      // Counts what the statements before have left.
      ...countStoredText(after.id, maxTextBytes),
      // The caller may have lost its right since it was let in.
      ...checks,
      // A repeated request with this Idempotency-Key shows this post.
      ...(attempt ? [recordCreated(db, attempt.row, after.id)] : []),
      // Lists that the edge keeps for long must not name it any more.
      ...(before && withdraws(before, after, now) ? [noteLists(after.account_id, now)] : []),
      // Nobody hears of what did not happen.
      ...(tellsWebhooks ? postEvents(before, after, now) : []),
      ...also,
      // At the end, so that D1 has decided what the dry run answers.
      ...(isDryRun ? [ROLL_BACK] : []),
    ])
  try {
    if (before) {
      const [swapped = []] = (await write()).slice(publication.length)
      return swapped.length > 0 ? "saved" : "lost"
    }
    await writeOnce(write, () => hasPost(db, after.id))
    return "saved"
  } catch (error) {
    return outcomeOf(error)
  }
}

/** The caller of a request: its account, its API key if it has one, and the time. */
export type Caller = Pick<AppContext["var"], "account" | "key" | "now">

/** The bindings, caller and time with which a request writes posts. */
export interface Write extends Omit<Caller, "now">, Batch {
  tickets: KVNamespace
  queue: Queue
  webhooks: Queue
  config: Config
  requestId: string
  usage: RequestUsage
  /** The post of the path as it was read with the key: null if there is none, undefined if it was not read. */
  pathPost?: Loaded["post"] | null | undefined
  /** Work that it waits for may go on after the answer. */
  executionCtx: Pick<ExecutionContext, "waitUntil">
}

/** A queue message that starts the translator. The rows say what to translate. */
export const WakeUp = z.object({ post_id: z.string(), request_id: z.string() })
export type WakeUp = z.infer<typeof WakeUp>

/** Sends the queue message that starts a post's translation after `delaySeconds`. Only logs a failure: the cron finds overdue posts. */
export const wakeTranslator = async (queue: Queue, message: WakeUp, delaySeconds: number): Promise<void> => {
  try {
    await queue.send(message, { delaySeconds })
  } catch (error) {
    log("warn", { message: "translation.wake_failed", ...message, error: String(error) })
  }
}

const isNewlyQueued = (before: Post | null, after: Post): boolean =>
  after.texts.some(({ lang_code, status, due_at }) => {
    const old = before?.texts.find((text) => text.lang_code === lang_code)
    return status === "queued" && (old?.status !== "queued" || old.due_at?.getTime() !== due_at?.getTime())
  })

/** Starts the delivery of what a write tells webhooks, after the answer. */
export const wakeDeliveries = ({ tellsWebhooks, isDryRun, executionCtx, webhooks, account }: Write): void => {
  if (tellsWebhooks && !isDryRun) executionCtx.waitUntil(wakeWebhooks(webhooks, account.id))
}

/** Writes a post as `runPostBatch`, and starts what follows: webhooks and translations. */
export const commit = async (
  write: Write,
  before: Post | null,
  after: Post,
  also: Statement[] = [],
): Promise<WriteOutcome> => {
  const outcome = await runPostBatch(write, before, after, also)
  if (outcome !== "saved") return outcome
  wakeDeliveries(write)
  const { queue, requestId, config, isDryRun } = write
  if (!isDryRun && isNewlyQueued(before, after))
    await wakeTranslator(queue, { post_id: after.id, request_id: requestId }, config.translationDebounceSeconds)
  return outcome
}
