import { isNamed } from "../addresses.ts"
import { type Db, openDb, openReplica } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, unavailable } from "../http/errors.ts"
import { matchesEtag } from "../http/etag.ts"
import { findCounted } from "../http/find-counted.ts"
import { route } from "../http/route.ts"
import { PUBLISHED_IMAGE_CACHE_SECONDS } from "../limits.ts"
import { fileKey, imageStatus, isPastLifetime, parseMediaPath } from "./image.ts"
import { getMediaOperation } from "./operations.ts"
import { findMedia } from "./store.ts"
import { findTicket } from "./ticket.ts"

const imageNotFound = () => new ApiError("not_found", "There is no image at this URL.")

interface VisibleImage {
  id: string
  /** The smaller width that is asked for, in pixels. */
  width: number | undefined
  account_id: string
  /** True if a post that readers see shows the image. */
  published: boolean
}

interface MediaParams {
  username: string
  file: string
}

/** Looks in one database for an image that may be shown now. Returns the code of an error if there is none. */
const findVisibleIn = async (
  c: AppContext,
  { username, file }: MediaParams,
  db: Db,
): Promise<VisibleImage | "not_found" | "image_expired"> => {
  const { now, config, rootBlog } = c.var
  const path = parseMediaPath(`/media/${username}/blog_img/${file}`)
  const found = path && (await findMedia(db, path.username, path.imageId, now))
  if (!found || found.hidden || (rootBlog && !isNamed(rootBlog, found))) return "not_found"
  const { account_id, attached, published, image } = found
  if (image && image.account_id !== account_id) return "not_found"
  const id = path.imageId
  // A replica may not have a new row yet; then the ticket counts.
  const known = image ? { ...image, attached } : await findTicket(c.env.IMAGE_TICKETS, id, account_id, now)
  const usable = image?.deleting_at ? null : known
  if (imageStatus(id, usable, config.imageIdTtlSeconds, now) === "expired") return "image_expired"
  return usable ? { id, width: path.width, account_id, published } : "not_found"
}

/** Asks the primary, since a replica may not know yet that an image was attached. @returns null if it has expired @throws ApiError 429 */
const findOnPrimary = (c: AppContext, params: MediaParams): Promise<VisibleImage | "not_found" | null> =>
  findCounted(c, "images", `${params.username}/${params.file}`, async () => {
    const found = await findVisibleIn(c, params, openDb(c.env.DB))
    return found === "image_expired" ? null : found
  })

/** Finds an image that may be shown now. @throws ApiError 404, 410, 429 */
const findVisible = async (c: AppContext, params: MediaParams): Promise<VisibleImage> => {
  const known = await findVisibleIn(c, params, openReplica(c.env.DB))
  // 410 is final.
  const visible = known === "image_expired" ? ((await findOnPrimary(c, params)) ?? known) : known
  if (typeof visible !== "string") return visible
  throw visible === "not_found" ? imageNotFound() : new ApiError(visible)
}

/** Matches `bytes=0-99`, `bytes=5-` and `bytes=-5`, but not `bytes=0-1,4-5`. */
const RANGE = /^bytes=(\d*)-(\d*)$/

interface ByteRange {
  offset: number
  length: number
}

/**
 * Reads the range of bytes that a request asks for (RFC 9110 section 14).
 * @returns null if the answer is the whole file: there is no range, or several, or If-Range names another ETag
 * @throws ApiError 416 if the range lies outside of the file
 */
const parseRange = (headers: Headers, etag: string, size: number): ByteRange | null => {
  const ifRange = headers.get("If-Range")
  const [, first = "", last = ""] = RANGE.exec(headers.get("Range") ?? "") ?? []
  const isRange = (first || last) && !(first && last && Number(last) < Number(first))
  if (!isRange || (ifRange && ifRange !== etag)) return null
  const offset = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  if (offset <= end) return { offset, length: end - offset + 1 }
  throw new ApiError("range_not_satisfiable", `The image has ${size} bytes.`, {
    headers: { "Content-Range": `bytes */${size}` },
  })
}

/** Reads a file, or the range of it that a GET asks for. HEAD has no ranges. */
const readFile = async (media: R2Bucket, key: string, { method, headers }: Request, etag: string) => {
  try {
    const head = method === "GET" && headers.has("Range") ? await media.head(key) : null
    const range = head && parseRange(headers, etag, head.size)
    const file = await media.get(key, range ? { range } : {})
    return file && { file, range }
  } catch (cause) {
    throw cause instanceof ApiError ? cause : unavailable(cause)
  }
}

/** The image of a draft must vanish from caches when the draft is deleted. */
const cacheControl = (published: boolean): string =>
  published ? `public, max-age=${PUBLISHED_IMAGE_CACHE_SECONDS}, immutable` : "private, no-cache"

export const getMediaRoute = route(getMediaOperation, async (c, { params }) => {
  const { now, config } = c.var
  const { id, width, account_id, published } = await findVisible(c, params)
  // An image never changes, so its id is its validator.
  const etag = `"${id}${width === undefined ? "" : `-${width}`}"`
  const headers: Record<string, string> = {
    ETag: etag,
    "Cache-Control": cacheControl(published),
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Accept-Ranges": "bytes",
  }
  if (matchesEtag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers)
  const found = await readFile(c.env.MEDIA, fileKey(account_id, id, width), c.req.raw, etag)
  if (!found) {
    const isExpired = width === undefined && isPastLifetime(id, config.imageIdTtlSeconds, now)
    throw isExpired ? new ApiError("image_expired") : imageNotFound()
  }
  const { file, range } = found
  headers["Content-Type"] = "image/webp"
  headers["Content-Length"] = String(range ? range.length : file.size)
  if (range) headers["Content-Range"] = `bytes ${range.offset}-${range.offset + range.length - 1}/${file.size}`
  return c.body(file.body, range ? 206 : 200, headers)
})
