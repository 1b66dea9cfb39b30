import { MAX_EXPORT_IMAGE_BYTES, MAX_EXPORT_IMAGES, MAX_EXPORT_POSTS } from "../limits.ts"

/** The number and total bytes of the images that a post shows. */
export interface PostSize {
  id: string
  images: number
  bytes: number
}

/** One archive of an export: the posts after `after`, up to and including `until` or the newest. */
export interface Part {
  after: string | undefined
  until: string | undefined
  posts: number
  bytes: number
}

/** Counts how many of these posts, from the first on, fit into one archive by its limits of posts, images and bytes; at least one. */
export const partLength = (posts: PostSize[]): number => {
  let [images, bytes] = [0, 0]
  const end = posts.findIndex((post, i) => {
    images += post.images
    bytes += post.bytes
    return i > 0 && (i === MAX_EXPORT_POSTS || images > MAX_EXPORT_IMAGES || bytes > MAX_EXPORT_IMAGE_BYTES)
  })
  return end === -1 ? posts.length : end
}

/**
 * Splits posts into at most `count` parts of an export. The last has `until` undefined if no post follows it.
 * @param after the id of the post before the first one; undefined if there is none
 * @param posts the oldest first: all posts, or one more than `count` parts can hold
 */
export const cutParts = (after: string | undefined, posts: PostSize[], count: number): Part[] => {
  const parts: Part[] = []
  for (let from = 0; from < posts.length && parts.length < count;) {
    const rest = posts.slice(from)
    const page = rest.slice(0, partLength(rest))
    const last = page.length < rest.length ? page.at(-1)?.id : undefined
    const bytes = page.reduce((sum, post) => sum + post.bytes, 0)
    parts.push({ after: parts.at(-1)?.until ?? after, until: last, posts: page.length, bytes })
    from += page.length
  }
  return parts
}
