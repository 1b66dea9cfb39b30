import { ulid } from "ulid"

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
import { hashBytes } from "../tokens.ts"
import { viewUpload } from "./image.ts"
import type { RateLimitResult } from "./limiter.ts"
import { getMediaRoute } from "./media.ts"
import { withPlace } from "./queue.ts"
import { uploadImage as operation } from "./schema.ts"
import { findImage } from "./store.ts"
import { resumeUpload, uploadImage } from "./upload.ts"

const askLimiter = async (c: AppContext, limit: number): Promise<RateLimitResult> => {
  try {
    return await c.env.UPLOAD_LIMITER.getByName(c.var.account.id).take(limit, UPLOAD_WINDOW_SECONDS)
  } catch (cause) {
    // An upload that is not counted would bypass the limit.
    throw unavailable(cause)
  }
}

/** Counts the upload before its body is read, and sets the RateLimit headers. @throws ApiError 429 or 503 */
const countUpload = async (c: AppContext): Promise<void> => {
  const limit = c.var.config.uploadsPerMinute
  const { allowed, remaining, resetSeconds } = await askLimiter(c, limit)
  c.header("RateLimit-Policy", `"upload";q=${limit};w=${UPLOAD_WINDOW_SECONDS}`)
  c.header("RateLimit", `"upload";r=${remaining};t=${resetSeconds}`)
  if (!allowed) throw tooMany(`At most ${limit} uploads in any ${UPLOAD_WINDOW_SECONDS} seconds.`, resetSeconds)
}

const convertAndStore = (c: AppContext, bytes: Uint8Array<ArrayBuffer>): Promise<Image> => {
  const { account, config, attempt, now } = c.var
  const id = ulid(now.getTime())
  // Checked when the image is converted, which may be a minute later.
  const extraStatements = () => [...(attempt ? [attempt.recordCreated(id)] : []), ...keyChecks(c.var, new Date())]
  const stores = { db: openDb(c.env.DB), media: c.env.MEDIA, tickets: c.env.IMAGE_TICKETS }
  return uploadImage(stores, account, { id, bytes, extraStatements }, config.imageIdTtlSeconds, now)
}

/** Finds the image that an earlier request with the same Idempotency-Key stored. Returns null if its file is missing. */
const findStored = async (c: AppContext): Promise<Image | null> => {
  const { account, attempt, now } = c.var
  if (!attempt?.made) return null
  const db = openDb(c.env.DB)
  const image = await findImage(db, account.id, attempt.made)
  if (attempt.isAnswered && !image) throw new ApiError("image_expired")
  return image && !attempt.isAnswered ? resumeUpload({ db, media: c.env.MEDIA }, image, now) : image
}

const answerUpload = async (c: AppContext, bytes: Uint8Array<ArrayBuffer>, warnings: Warning[]) => {
  const { account } = c.var
  const found = await findStored(c)
  if (found) await checkKey(openDb(c.env.DB), c.var, new Date())
  const image = found ?? (await convertAndStore(c, bytes))
  const view = viewUpload(image, account.username)
  return { answer: c.json({ success: true, ...view, warnings }, 201, { Location: view.image_url }), made: image.id }
}

/** Runs an upload in its place. Takes the place first, so that only uploads with one are counted and have their body read. */
const inPlace = (c: AppContext, answer: () => Promise<Response>): Promise<Response> => {
  const answered = withPlace(c.var.account.id, async () => {
    await countUpload(c)
    return answer()
  })
  // The upload goes on without its client, so that its place is given back.
  c.executionCtx.waitUntil(answered.catch(() => {}))
  return answered
}

export const imageRoutes = [
  route(
    operation,
    async (c, { body: { file }, warnings }) => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      return withIdempotency(c, await hashBytes(bytes), () => answerUpload(c, bytes, warnings))
    },
    { around: inPlace },
  ),
  getMediaRoute,
]
