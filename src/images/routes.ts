import { checkKey, keyChecks } from "../accounts/authenticate.ts"
import { openDb } from "../db/client.ts"
import type { Image } from "../db/schema.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, unavailable } from "../http/errors.ts"
import { tooMany } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import type { Warning } from "../http/validate.ts"
import { withIdempotency } from "../idempotency/with-idempotency.ts"
import { UPLOAD_WINDOW_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashBytes } from "../tokens.ts"
import { viewImage } from "./image.ts"
import type { RateLimitResult } from "./limiter.ts"
import { getMediaRoute } from "./media.ts"
import { findImagesOperation, uploadImageOperation as operation } from "./operations.ts"
import { withPlace } from "./queue.ts"
import { findByHash, findImage, type Source } from "./store.ts"
import { uploadImage } from "./upload.ts"

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
const countUpload = async (c: AppContext): Promise<number> => {
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

/** Finds the image of an answered request with the same Idempotency-Key. @throws ApiError 410 if it is gone */
const findAnswered = async (c: AppContext): Promise<Image | null> => {
  const { account, attempt } = c.var
  if (!attempt?.resultId) return null
  const db = openDb(c.env.DB)
  const image = await findImage(db, account.id, attempt.resultId)
  if (!image) throw new ApiError("image_expired")
  await checkKey(db, c.var, new Date())
  return image
}

type UploadHashes = Omit<Source, "accountId">

const store = (c: AppContext, bytes: Uint8Array, hashes: UploadHashes) => {
  const { account, config, now } = c.var
  const stores = { db: openDb(c.env.DB), media: c.env.MEDIA, tickets: c.env.IMAGE_TICKETS }
  // The key is checked when each batch is sent: after the conversion a minute may have passed.
  const extraStatements = () => keyChecks(c.var, new Date())
  return uploadImage(
    stores,
    account,
    { bytes, ...hashes, extraStatements },
    { ttlSeconds: config.imageIdTtlSeconds, now },
  )
}

const answerUpload = async (c: AppContext, bytes: Uint8Array, hashes: UploadHashes, warnings: Warning[]) => {
  const answered = await findAnswered(c)
  const { image, isNew } = answered ? { image: answered, isNew: true } : await store(c, bytes, hashes)
  const view = { ...viewImage(image, c.var.account.username), expires_at: image.expires_at.toISOString() }
  const headers = { Location: view.image_url }
  return { answer: c.json({ success: true, ...view, warnings }, isNew ? 201 : 200, headers), resultId: image.id }
}

/** Runs an upload when its turn comes. It is counted when it begins to wait; its body is read only then. */
const inPlace = (c: AppContext, answer: () => Promise<Response>): Promise<Response> => {
  const counted = { count: () => countUpload(c), giveBack: (time: number) => giveBackUpload(c, time) }
  const answered = withPlace(c.var.account.id, counted, answer)
  // The upload goes on without its client, so that its place is given back.
  c.executionCtx.waitUntil(answered.catch(() => {}))
  return answered
}

export const imageRoutes = [
  route(
    operation,
    async (c, { body: { file, original_sha256 }, warnings }) => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const sourceSha256 = await hashBytes(bytes)
      const hashes = { sourceSha256, originalSha256: original_sha256 ?? null }
      const fingerprint = [sourceSha256, ...(original_sha256 === undefined ? [] : [original_sha256])].join(" ")
      return withIdempotency(c, fingerprint, () => answerUpload(c, bytes, hashes, warnings))
    },
    { around: inPlace },
  ),
  route(findImagesOperation, async (c, { query: { source_sha256: sources, original_sha256: originals } }) => {
    const { account, key, now } = c.var
    const isPublic = key?.scope === "read"
    const hashes = sources ? { sources } : { originals: originals ?? [] }
    const wanted = { accountId: account.id, hashes, isPublic }
    const found = isPublic && account.hidden ? [] : await findByHash(openDb(c.env.DB), wanted, now)
    const images = found.map((image) => ({
      ...viewImage(image, account.username),
      expires_at: image.expires_at?.toISOString() ?? null,
    }))
    return c.json({ success: true, images })
  }),
  getMediaRoute,
]
