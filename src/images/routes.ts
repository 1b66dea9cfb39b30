import { checkKey, keyChecks } from "../accounts/authenticate.ts"
import { openDb } from "../db/client.ts"
import type { Image } from "../db/schema.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { route } from "../http/route.ts"
import type { Warning } from "../http/validate.ts"
import { withIdempotency } from "../idempotency/with-idempotency.ts"
import { hashBytes } from "../tokens.ts"
import { viewImage } from "./image.ts"
import { getMediaRoute } from "./media.ts"
import { findImagesOperation, uploadImageOperation as operation } from "./operations.ts"
import { findByHash, findImage } from "./store.ts"
import { inPlace, storeUpload, type UploadHashes } from "./turn.ts"

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

const answerUpload = async (c: AppContext, bytes: Uint8Array, hashes: UploadHashes, warnings: Warning[]) => {
  const answered = await findAnswered(c)
  const { image, isNew } = answered
    ? { image: answered, isNew: true }
    : await storeUpload(c, bytes, hashes, () => keyChecks(c.var, new Date()))
  const view = { ...viewImage(image, c.var.account.username), expires_at: image.expires_at.toISOString() }
  const headers = { Location: view.image_url }
  return { answer: c.json({ success: true, ...view, warnings }, isNew ? 201 : 200, headers), resultId: image.id }
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
