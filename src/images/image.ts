import { decodeTime, isValid } from "ulid"

import type { Image } from "../db/schema.ts"
import { MAX_IMAGE_SIDE_PX } from "../limits.ts"

/** Says whether the width or the height exceeds `MAX_IMAGE_SIDE_PX`. */
export const isTooLarge = ({ width, height }: Pick<Image, "width" | "height">): boolean =>
  width > MAX_IMAGE_SIDE_PX || height > MAX_IMAGE_SIDE_PX

/** The widths in pixels in which an image may also be stored, if it is half as wide again. */
const SMALLER_WIDTHS = [640, 1280] as const

/** Lists the smaller widths that an image of a width (pixels) needs, the least first. */
export const smallerWidths = (width: number): number[] => SMALLER_WIDTHS.filter((smaller) => width > 1.5 * smaller)

/** Returns the name of an image's file, in a smaller width if one is given. */
const fileName = (imageId: string, width?: number): string => `${imageId}${width === undefined ? "" : `-${width}`}.webp`

/**
 * Returns the URL path of an image, `/media/<username>/blog_img/<image id>.webp`, which is its `image_url`.
 * @param width one of the image's `smaller_widths`
 */
export const mediaPath = (username: string, imageId: string, width?: number): string =>
  `/media/${username}/blog_img/${fileName(imageId, width)}`

/** An image and the widths (pixels) in which it is stored. */
export type StoredWidths = Pick<Image, "id" | "width" | "smaller_widths">

/** Returns the attributes of an `<img>` by which a browser chooses the width that its screen needs; "" if there is only one. */
export const sourceSet = (username: string, { id, width, smaller_widths }: StoredWidths): string => {
  if (smaller_widths.length === 0) return ""
  const sources = smaller_widths.map((each) => `${mediaPath(username, id, each)} ${each}w`)
  return `srcset="${[...sources, `${mediaPath(username, id)} ${width}w`].join(", ")}" sizes="${SIZES}"`
}

/** The width of an image on a reader's page: that of the text of `site.css`, whose `rem` is 1.125 of these. */
const SIZES = "(max-width: 44rem) calc(100vw - 2.8rem), 41.1rem"

/** Returns the properties of an image that answers of the API contain. Width and height are in pixels. */
export const viewImage = (
  { id, ...image }: Pick<Image, "id" | "width" | "height" | "source_sha256" | "original_sha256">,
  username: string,
) => {
  const { width, height, source_sha256, original_sha256 } = image
  return { image_id: id, image_url: mediaPath(username, id), width, height, source_sha256, original_sha256 }
}

/** Returns the R2 key of an image's file. It contains the account id, because a username can be reused after an erasure. */
export const fileKey = (accountId: string, imageId: string, width?: number): string =>
  `${accountId}/${fileName(imageId, width)}`

/** Returns the R2 keys of all files that an image may have. */
export const fileKeys = (accountId: string, imageId: string): string[] =>
  [undefined, ...SMALLER_WIDTHS].map((width) => fileKey(accountId, imageId, width))

/** Matches `/media/ann/blog_img/01ARYZ6S41TSV4RRFFQ69G5FAV.webp` and `…-640.webp`, but not `/media/Ann/blog_img/cat.webp`. */
const MEDIA_PATH = /^\/media\/([a-z0-9-]{1,39})\/blog_img\/([0-7][0-9A-HJKMNP-TV-Z]{25})(?:-(640|1280))?\.webp$/

/** Reads the username, the image id and the smaller width from a path that `mediaPath` returned. Returns null for any other path. */
export const parseMediaPath = (path: string): { username: string; imageId: string; width?: number } | null => {
  const [, username, imageId, width] = MEDIA_PATH.exec(path) ?? []
  return username && imageId ? { username, imageId, ...(width && { width: Number(width) }) } : null
}

/** Says whether a text is a ULID: 48 bits of time and 80 random bits, in upper-case Crockford base 32. */
export const isImageId = (id: string): boolean => isValid(id) && id === id.toUpperCase() && id.charAt(0) <= "7"

/** Says whether an image id, a ULID, was made `ttlSeconds` or more before `now`. */
export const isPastLifetime = (imageId: string, ttlSeconds: number, now: Date): boolean =>
  decodeTime(imageId) + ttlSeconds * 1000 <= now.getTime()

/** The properties of an image that decide whether a post may use it. */
export interface UsableImage {
  id: string
  width: number
  height: number
  source_sha256: string | null
  original_sha256: string | null
  expires_at: Date
  /** A post of the account shows the image, so it no longer expires. */
  attached: boolean
}

export type ImageStatus = "usable" | "expired" | "unknown"

/**
 * Says whether an account may use an image id now: while a post of the account shows the image, or until it expires.
 * @param found the image; null if the account has none: then `expired` if the id is older than `ttlSeconds`, else `unknown`
 */
export const imageStatus = (id: string, found: UsableImage | null, ttlSeconds: number, now: Date): ImageStatus => {
  if (found) return found.attached || found.expires_at > now ? "usable" : "expired"
  return isPastLifetime(id, ttlSeconds, now) ? "expired" : "unknown"
}
