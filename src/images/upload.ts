import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { Account, Image } from "../db/schema.ts"
import { type ProblemCode, fieldError, invalidKey, unavailable } from "../http/errors.ts"
import {
  CONVERSION_PAUSE_MS,
  MAX_IMAGE_SIDE_PX,
  MAX_JPEG_SCANS,
  MAX_STORED_BYTES,
  MAX_UNPAUSED_PX,
  MAX_UPLOAD_BYTES,
  UPLOAD_GRACE_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import { type ConvertedImage, convert } from "./codec/convert.ts"
import { type ImageHeader, readHeader, sniffFormat } from "./codec/header.ts"
import { toStill } from "./codec/webp.ts"
import { fileKey, isTooLarge } from "./image.ts"
import { runExclusive } from "./queue.ts"
import { insertImage, markFailed } from "./store.ts"
import { issueTicket } from "./ticket.ts"

interface Stores {
  db: Db
  media: R2Bucket
  tickets: KVNamespace
}

const fileError = (code: ProblemCode, message: string) => fieldError("file", code, message)

/** Reads the header of an upload. @throws ApiError about `file` if it cannot be accepted, before anything is decoded */
const requireHeader = (bytes: Uint8Array): ImageHeader => {
  if (bytes.length > MAX_UPLOAD_BYTES)
    throw fileError(
      "file_too_large",
      `The file has ${bytes.length} bytes; the limit is ${MAX_UPLOAD_BYTES}. Send a smaller file.`,
    )
  if (bytes.length === 0) throw fileError("unsupported_format", "The file is empty. Send a PNG, JPEG or WebP image.")
  const format = sniffFormat(bytes)
  if (!format)
    throw fileError("unsupported_format", "The format of the file is not supported. Send a PNG, JPEG or WebP image.")
  const header = readHeader(bytes, format)
  if (!header) throw fileError("undecodable_image", "The image is damaged: its header cannot be read. Save it again.")
  const { width, height } = header
  if (isTooLarge(header))
    throw fileError(
      "resolution_too_large",
      `The image is ${width} × ${height} pixels; the limit is ${MAX_IMAGE_SIDE_PX} per side. Send a smaller image.`,
    )
  if (header.isAnimated) throw fileError("animated_not_supported", "The image is animated. Send a still image.")
  if (!header.isComplete)
    throw fileError("undecodable_image", "The image is cut off: its end is missing. Send the whole file.")
  if (header.scans > MAX_JPEG_SCANS)
    throw fileError(
      "undecodable_image",
      `The JPEG has ${header.scans} scans; the limit is ${MAX_JPEG_SCANS}. Save it with fewer scans.`,
    )
  return header
}

/** Converts an upload to WebP. @throws ApiError 400 about `file`, such as one that is too large or damaged */
export const convertUpload = async (file: Uint8Array): Promise<ConvertedImage> => {
  const bytes = sniffFormat(file) === "webp" ? toStill(file) : file
  const header = requireHeader(bytes)
  const pauseMs = header.width * header.height > MAX_UNPAUSED_PX ? CONVERSION_PAUSE_MS : 0
  const converted = await runExclusive(pauseMs, () => convert(bytes, header))
  if (!converted) throw fileError("undecodable_image", "The image is damaged: it cannot be decoded. Save it again.")
  return converted
}

const storeFile = async (
  { db, media }: Pick<Stores, "db" | "media">,
  { id, account_id }: Image,
  webp: Uint8Array,
  now: Date,
): Promise<void> => {
  try {
    await media.put(fileKey(account_id, id), webp, { httpMetadata: { contentType: "image/webp" } })
  } catch (cause) {
    // If marking fails as well, the cleanup deletes the row when the image expires.
    await markFailed(db, id, now).catch((error: unknown) =>
      log("warn", { message: "image.mark_failed", id, error: trace(error) }),
    )
    throw unavailable(cause)
  }
}

/**
 * Finishes a repeated upload whose first request stored a row but was never answered.
 * @returns the image if R2 has its unexpired file or a post shows it; else null: it is marked for deletion, so upload it again
 * @throws ApiError 503 if R2 fails
 */
export const resumeUpload = async (
  { db, media }: Pick<Stores, "db" | "media">,
  image: Image,
  now: Date,
): Promise<Image | null> => {
  const file = await media.head(fileKey(image.account_id, image.id)).catch((cause: unknown) => {
    throw unavailable(cause)
  })
  if (file && image.expires_at > now) return image
  return (await markFailed(db, image.id, now)) ? null : image
}

/**
 * Converts and stores an image: first its row in D1, then the file in R2, then the ticket in KV, so that every file has a row.
 * @param id a new ULID of `now`
 * @param extraStatements returns, after the conversion, statements that are executed in the same batch as the insert of the row
 * @throws ApiError 400 about `file` or a full storage, 401 if the account is gone, 503 if D1 or R2 fails
 */
export const uploadImage = async (
  { db, media, tickets }: Stores,
  account: Account,
  { id, bytes, extraStatements }: { id: string; bytes: Uint8Array; extraStatements: () => Statement[] },
  ttlSeconds: number,
  now: Date,
): Promise<Image> => {
  const { webp, width, height } = await convertUpload(bytes)
  const expires_at = new Date(now.getTime() + ttlSeconds * 1000)
  const image: Image = {
    id,
    account_id: account.id,
    bytes: webp.length,
    width,
    height,
    created_at: now,
    expires_at,
    // With a short time to live, the file may be stored after it: until then the row must stay.
    cleanup_at: new Date(now.getTime() + Math.max(ttlSeconds, UPLOAD_GRACE_SECONDS) * 1000),
    deleting_at: null,
    source_sha256: null,
    stored_at: null,
  }
  const inserted = await insertImage(db, image, extraStatements())
  if (inserted === "no_account") throw invalidKey()
  if (inserted === "no_room")
    throw fileError(
      "storage_quota",
      `The account's images may take ${MAX_STORED_BYTES} bytes in total. Delete posts whose images are no longer needed.`,
    )
  await storeFile({ db, media }, image, webp, now)
  await issueTicket(tickets, id, { account_id: account.id, width, height, expires_at }, ttlSeconds)
  return image
}
