import { ulid } from "ulid"

import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { Account, Image } from "../db/schema.ts"
import { type ProblemCode, fieldError, invalidKey, unavailable } from "../http/errors.ts"
import { SCALE_ADVICE } from "../http/read-body.ts"
import {
  CONVERSION_PAUSE_MS,
  MAX_IMAGE_SIDE_PX,
  MAX_JPEG_SCANS,
  MAX_STORED_BYTES,
  MAX_UNPAUSED_PX,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_ATTEMPTS,
  UPLOAD_GRACE_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import { type ConvertedImage, convert } from "./codec/convert.ts"
import { type ImageHeader, readHeader, sniffFormat } from "./codec/header.ts"
import { toStill } from "./codec/webp.ts"
import { fileKey, isTooLarge } from "./image.ts"
import { markFailed } from "./lifetime.ts"
import { runExclusive } from "./queue.ts"
import { insertImage, markStored, renewImage, type Source } from "./store.ts"
import { issueTicket } from "./ticket.ts"

interface Stores {
  db: Db
  media: R2Bucket
  tickets: KVNamespace
}

const MB = 2 ** 20

/** Returns bytes as MB to one digit, rounded up: over the limit is never at it. */
const inMb = (bytes: number): string => (Math.ceil((bytes / MB) * 10) / 10).toFixed(1)

const fileError = (code: ProblemCode, message: string) => fieldError("file", code, message)

/** Reads the header of an upload. @throws ApiError about `file` if it cannot be accepted, before anything is decoded */
const requireHeader = (bytes: Uint8Array): ImageHeader => {
  if (bytes.length > MAX_UPLOAD_BYTES)
    throw fileError(
      "file_too_large",
      `The file has ${inMb(bytes.length)} MB; the limit is ${MAX_UPLOAD_BYTES / MB} MB. ${SCALE_ADVICE}`,
    )
  if (bytes.length === 0) throw fileError("unsupported_format", "The file is empty. Send a PNG, JPEG or WebP image.")
  const format = sniffFormat(bytes)
  if (!format)
    throw fileError(
      "unsupported_format",
      "The format of the file is not supported. Save it as PNG, JPEG or WebP, and send it again.",
    )
  const header = readHeader(bytes, format)
  if (!header) throw fileError("undecodable_image", "The image is damaged: its header cannot be read. Save it again.")
  const { width, height } = header
  if (isTooLarge(header))
    throw fileError(
      "resolution_too_large",
      `The image is ${width} × ${height} pixels; the limit is ${MAX_IMAGE_SIDE_PX} per side. ${SCALE_ADVICE}`,
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

/** Stores the file of an image, and its smaller widths. @throws ApiError 503 */
const storeFiles = async (
  { db, media }: Pick<Stores, "db" | "media">,
  { id, account_id, smaller_widths }: Image,
  { webp, smaller }: ConvertedImage,
  now: Date,
): Promise<void> => {
  try {
    // A row of an earlier version has no smaller widths.
    const files = [{ webp, width: undefined }, ...smaller.filter(({ width }) => smaller_widths.includes(width))]
    const httpMetadata = { contentType: "image/webp" }
    await Promise.all(files.map((file) => media.put(fileKey(account_id, id, file.width), file.webp, { httpMetadata })))
  } catch (cause) {
    // If marking fails as well, the cleanup deletes the row when the image expires.
    await markFailed(db, id, now).catch((error: unknown) =>
      log("warn", { message: "image.mark_failed", id, error: trace(error) }),
    )
    throw unavailable(cause)
  }
}

/** The bytes of an upload and its hashes. */
export interface Upload extends Omit<Source, "accountId"> {
  bytes: Uint8Array
  /** Returns statements for each batch that writes: they check the key when that batch is sent. */
  extraStatements: () => Statement[]
}

interface Life {
  ttlSeconds: number
  now: Date
}

/** Returns when an image uploaded now expires, and when its cleanup is due. */
const timesOf = ({ ttlSeconds, now }: Life) => ({
  expires_at: new Date(now.getTime() + ttlSeconds * 1000),
  // With a short time to live, the file may be stored after it: until then the row must stay.
  cleanup_at: new Date(now.getTime() + Math.max(ttlSeconds, UPLOAD_GRACE_SECONDS) * 1000),
})

/** Inserts the row of a new image. @returns null if another upload of the same bytes was faster @throws ApiError 400 for a full storage, 401 */
const insertNew = async (
  { db }: Stores,
  account: Account,
  { sourceSha256, originalSha256, extraStatements }: Upload,
  { webp, width, height, smaller }: ConvertedImage,
  life: Life,
): Promise<Image | null> => {
  const { now } = life
  const image = {
    id: ulid(now.getTime()),
    account_id: account.id,
    bytes: smaller.reduce((sum, file) => sum + file.webp.length, webp.length),
    width,
    height,
    smaller_widths: smaller.map((file) => file.width),
    created_at: now,
    ...timesOf(life),
    deleting_at: null,
    source_sha256: sourceSha256,
    original_sha256: originalSha256,
    stored_at: null,
  }
  const inserted = await insertImage(db, image, now, extraStatements())
  if (inserted === "no_account") throw invalidKey()
  if (inserted === "no_room")
    throw fileError(
      "storage_quota",
      `The account's images may take ${MAX_STORED_BYTES} bytes in total. Delete posts whose images are no longer needed.`,
    )
  return inserted === "inserted" ? image : null
}

/**
 * Converts and stores an image: first its row in D1, then the file in R2, then the ticket in KV, so that every file has a
 * row. If the account has a usable image of the same bytes and original, that one is renewed instead.
 * @returns the image, and whether its file was stored now
 * @throws ApiError 400 about `file` or a full storage, 401 if the account is gone, 503 if D1 or R2 fails
 */
export const uploadImage = async (
  stores: Stores,
  account: Account,
  upload: Upload,
  life: Life,
): Promise<{ image: Image; isNew: boolean }> => {
  const { db, tickets } = stores
  const { bytes, extraStatements } = upload
  let converted: ConvertedImage | undefined
  for (let attempt = 0; attempt < MAX_UPLOAD_ATTEMPTS; attempt++) {
    const source = { ...upload, accountId: account.id }
    const known = await renewImage(db, source, timesOf(life), life.now, extraStatements())
    let image = known?.stored_at ? known : null
    if (!image) {
      converted ??= await convertUpload(bytes)
      // A row without its file is of an upload that still runs or has died. The same bytes make the same file.
      const row = known ?? (await insertNew(stores, account, upload, converted, life))
      if (!row) continue
      await storeFiles(stores, row, converted, life.now)
      image = await markStored(db, row.id, life.now, extraStatements())
    }
    if (image) {
      const { width, height, source_sha256, original_sha256, expires_at } = image
      const ticket = { account_id: account.id, width, height, source_sha256, original_sha256, expires_at }
      await issueTicket(tickets, image.id, ticket, life.ttlSeconds)
      return { image, isNew: image !== known }
    }
  }
  throw unavailable(`The image of an upload was deleted or made by others in ${MAX_UPLOAD_ATTEMPTS} attempts.`)
}
