import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { Account, Image } from "../db/schema.ts"
import { type ProblemCode, fieldError, invalidKey, unavailable } from "../http/errors.ts"
import {
  MAX_CONVERSION_SECONDS,
  MAX_IMAGE_SIDE_PX,
  MAX_JPEG_SCANS,
  MAX_STORED_BYTES,
  MAX_UPLOAD_BYTES,
  MAX_WAITING_CONVERSIONS,
  UPLOAD_GRACE_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import { type Converted, convert } from "./codec/convert.ts"
import { type ImageHeader, readHeader, sniffFormat } from "./codec/header.ts"
import { fileKey, isTooLarge } from "./image.ts"
import { insertImage, markFailed } from "./store.ts"
import { issueTicket } from "./ticket.ts"

interface Turn {
  /** Milliseconds. A request that is cut off never says that it is done: what began too long ago counts no more. */
  since: number
}

const POLL_MS = 20

let running: Turn | null = null
const waiting = new Set<Turn>()

const isAlive = ({ since }: Turn): boolean => Date.now() - since < MAX_CONVERSION_SECONDS * 1000

const isFree = (): boolean => running === null || !isAlive(running)

/** Takes the turn, or waits for it: by the clock, not for the request that has it, whose promises may never settle. */
const takeTurn = async (): Promise<Turn> => {
  for (const turn of waiting) if (!isAlive(turn)) waiting.delete(turn)
  const turn = { since: Date.now() }
  if (!isFree()) {
    if (waiting.size >= MAX_WAITING_CONVERSIONS) throw unavailable("Too many conversions wait.")
    waiting.add(turn)
    while (!isFree()) await scheduler.wait(POLL_MS)
    waiting.delete(turn)
    turn.since = Date.now()
  }
  running = turn
  return turn
}

/**
 * Runs one conversion at a time in this isolate: two at once would not fit into its memory.
 * @throws ApiError 503 when too many wait
 */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  const turn = await takeTurn()
  try {
    return await work()
  } finally {
    if (running === turn) running = null
  }
}

interface Stores {
  db: Db
  media: R2Bucket
  tickets: KVNamespace
}

const refuse = (code: ProblemCode, message: string) => fieldError("file", code, message)

/** Reads the header of an upload and refuses what cannot be accepted, before anything is decoded. */
const requireHeader = (bytes: Uint8Array): ImageHeader => {
  if (bytes.length > MAX_UPLOAD_BYTES)
    throw refuse("file_too_large", `At most ${MAX_UPLOAD_BYTES} bytes; this has ${bytes.length}.`)
  if (bytes.length === 0) throw refuse("unsupported_format", "Only PNG, JPEG and WebP; the file is empty.")
  const format = sniffFormat(bytes)
  if (!format) throw refuse("unsupported_format", "Only PNG, JPEG and WebP; the bytes are none of them.")
  const header = readHeader(bytes, format)
  if (!header) throw refuse("undecodable_image", "The image is damaged or cut off: it has no readable header.")
  const { width, height } = header
  if (isTooLarge(header))
    throw refuse("resolution_too_large", `At most ${MAX_IMAGE_SIDE_PX} pixels a side; this is ${width} × ${height}.`)
  if (header.isAnimated) throw refuse("animated_not_supported", "The image is animated. Send a still image.")
  if (!header.isComplete) throw refuse("undecodable_image", "The image is cut off: its end is missing.")
  if (header.scans > MAX_JPEG_SCANS)
    throw refuse("undecodable_image", `At most ${MAX_JPEG_SCANS} scans; this JPEG has ${header.scans}.`)
  return header
}

/** Converts an upload. @throws ApiError about `file`, or 503 when too many conversions wait */
export const convertUpload = async (bytes: Uint8Array): Promise<Converted> => {
  const header = requireHeader(bytes)
  const converted = await inTurn(() => convert(bytes, header))
  if (!converted) throw refuse("undecodable_image", "The image is damaged.")
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
    // If marking fails as well, the cleanup deletes the row when its time is over.
    await markFailed(db, id, now).catch((error: unknown) =>
      log("warn", { message: "not marked", id, error: trace(error) }),
    )
    throw unavailable(cause)
  }
}

/**
 * Looks for the file of an image from an earlier try that was never answered. Without one the cleanup deletes the image.
 * @returns null when another must be made
 * @throws ApiError 503
 */
export const takeUp = async (
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
 * Converts and stores an image: row, file, ticket, in this order, so that every file has a row.
 * @param id a new ULID of `now`
 * @param receipt statements that are written with the row
 */
export const uploadImage = async (
  { db, media, tickets }: Stores,
  account: Account,
  { id, bytes, receipt }: { id: string; bytes: Uint8Array; receipt: Statement[] },
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
    // The file may be stored after a short time to live is over; until then its row must stay.
    sweep_at: new Date(now.getTime() + Math.max(ttlSeconds, UPLOAD_GRACE_SECONDS) * 1000),
    deleting_at: null,
  }
  const inserted = await insertImage(db, image, receipt)
  if (inserted === "no_account") throw invalidKey()
  if (inserted === "no_room")
    throw refuse("storage_quota", `The account's images may take ${MAX_STORED_BYTES} bytes in all.`)
  await storeFile({ db, media }, image, webp, now)
  await issueTicket(tickets, id, { account_id: account.id, width, height, expires_at }, ttlSeconds)
  return image
}
