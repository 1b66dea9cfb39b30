import { openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { Image } from "../db/schema.ts"
import type { AppContext } from "../http/context.ts"
import { unavailable } from "../http/errors.ts"
import { tooMany } from "../http/rate-limit.ts"
import { UPLOAD_WINDOW_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashBytes } from "../tokens.ts"
import type { RateLimitResult } from "./limiter.ts"
import { withPlace } from "./queue.ts"
import type { Source } from "./store.ts"
import { uploadImage } from "./upload.ts"

// The uploads of requests: each is counted, waits for its turn, and is stored.

const limiterOf = (c: AppContext) => c.env.UPLOAD_LIMITER.getByName(c.var.account.id)

const askLimiter = async (c: AppContext, limit: number): Promise<RateLimitResult & { time: number }> => {
  try {
    return await limiterOf(c).take(limit, UPLOAD_WINDOW_SECONDS)
  } catch (cause) {
    // An upload that is not counted would bypass the limit.
    throw unavailable(cause)
  }
}

/**
 * Counts the upload before its body is read, and sets the RateLimit headers.
 * @returns the time at which it was counted
 * @throws ApiError 429 or 503
 */
export const countUpload = async (c: AppContext): Promise<number> => {
  const limit = c.var.config.uploadsPerMinute
  const { allowed, remaining, resetSeconds, time } = await askLimiter(c, limit)
  c.header("RateLimit-Policy", `"upload";q=${limit};w=${UPLOAD_WINDOW_SECONDS}`)
  c.header("RateLimit", `"upload";r=${remaining};t=${resetSeconds}`)
  if (!allowed) throw tooMany(`At most ${limit} uploads in any ${UPLOAD_WINDOW_SECONDS} seconds.`, resetSeconds)
  return time
}

/** Takes an upload that had no turn back out of the count. */
const giveBackUpload = async (c: AppContext, time: number): Promise<void> => {
  c.header("RateLimit", undefined)
  try {
    await limiterOf(c).giveBack(time)
  } catch (error) {
    // The answer is the same; the upload counts for a minute.
    log("warn", { message: "upload.give_back_failed", error: trace(error) })
  }
}

export type UploadHashes = Omit<Source, "accountId">

/**
 * Stores an upload of the account.
 * @param extraStatements makes the statements that check the caller, when each batch is sent: after the conversion a minute may have passed
 * @throws ApiError as `uploadImage`
 */
export const storeUpload = (
  c: AppContext,
  bytes: Uint8Array,
  hashes: UploadHashes,
  extraStatements: () => Statement[],
) => {
  const { account, config, now } = c.var
  const stores = { db: openDb(c.env.DB), media: c.env.MEDIA, tickets: c.env.IMAGE_TICKETS }
  return uploadImage(
    stores,
    account,
    { bytes, ...hashes, extraStatements },
    { ttlSeconds: config.imageIdTtlSeconds, now },
  )
}

/** Stores a file of a form, as `storeUpload` does. */
export const storeFile = async (c: AppContext, file: File, extraStatements: () => Statement[]): Promise<Image> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const hashes = { sourceSha256: await hashBytes(bytes), originalSha256: null }
  return (await storeUpload(c, bytes, hashes, extraStatements)).image
}

/** Runs an upload when its turn comes. It is counted when it begins to wait; its body is read only then. */
export const inPlace = (c: AppContext, answer: () => Promise<Response>): Promise<Response> => {
  const counted = { count: () => countUpload(c), giveBack: (time: number) => giveBackUpload(c, time) }
  const answered = withPlace(c.var.account.id, counted, answer)
  // The upload goes on without its client, so that its place is given back.
  c.executionCtx.waitUntil(answered.catch(() => {}))
  return answered
}
