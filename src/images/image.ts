import { decodeTime, isValid } from "ulid"

import type { Image } from "../db/schema.ts"
import { MAX_IMAGE_SIDE_PX } from "../limits.ts"

/** Whether a side is longer than the limit. */
export const isTooLarge = ({ width, height }: Pick<Image, "width" | "height">): boolean =>
  width > MAX_IMAGE_SIDE_PX || height > MAX_IMAGE_SIDE_PX

export const mediaPath = (username: string, imageId: string): string => `/media/${username}/blog_img/${imageId}.webp`

/** What the uploader is told. */
export const viewUpload = ({ id, expires_at, width, height }: Image, username: string) => ({
  image_url: mediaPath(username, id),
  image_id: id,
  expires_at: expires_at.toISOString(),
  width,
  height,
})

/** Where the file lies in R2. By account id: a username may be given again after an erasure. */
export const fileKey = (accountId: string, imageId: string): string => `${accountId}/${imageId}.webp`

const MEDIA_PATH = /^\/media\/([a-z0-9-]{1,39})\/blog_img\/([0-7][0-9A-HJKMNP-TV-Z]{25})\.webp$/

/** The account and picture that a media path names. */
export const parseMediaPath = (path: string): { username: string; imageId: string } | null => {
  const [, username, imageId] = MEDIA_PATH.exec(path) ?? []
  return username && imageId ? { username, imageId } : null
}

/** A ULID: 48 bits of time, 80 random ones, in upper-case Crockford base 32. */
export const isImageId = (id: string): boolean => isValid(id) && id === id.toUpperCase() && id.charAt(0) <= "7"

/** Whether an id that no row knows is older than a picture may wait. */
export const isPastLifetime = (imageId: string, ttlSeconds: number, now: Date): boolean =>
  decodeTime(imageId) + ttlSeconds * 1000 <= now.getTime()

/** A picture as far as using it goes. */
export interface Usable {
  id: string
  width: number
  height: number
  expires_at: Date
  /** Some own post shows it: its 30 minutes have ended. */
  attached: boolean
}

export type Usability = "usable" | "expired" | "unknown"

/** Whether the account may use this id now. `found`: its row, null when this account has none. */
export const judge = (id: string, found: Usable | null, ttlSeconds: number, now: Date): Usability => {
  if (found) return found.attached || found.expires_at > now ? "usable" : "expired"
  return isPastLifetime(id, ttlSeconds, now) ? "expired" : "unknown"
}
