import { MAX_EXPORT_PICTURE_BYTES, MAX_EXPORT_PICTURES, MAX_EXPORT_POSTS } from "../limits.ts"

/** A post, and what the pictures that it shows come to. */
export interface PostSize {
  id: string
  pictures: number
  bytes: number
}

/** An archive of several: the posts behind `after`, up to `until` or the newest. */
export interface Part {
  after: string | undefined
  until: string | undefined
  posts: number
  bytes: number
}

/** Counts how many of these posts one archive holds: at least one. */
export const partLength = (posts: PostSize[]): number => {
  let [pictures, bytes] = [0, 0]
  const end = posts.findIndex((post, i) => {
    pictures += post.pictures
    bytes += post.bytes
    return i > 0 && (i === MAX_EXPORT_POSTS || pictures > MAX_EXPORT_PICTURES || bytes > MAX_EXPORT_PICTURE_BYTES)
  })
  return end === -1 ? posts.length : end
}

/**
 * The first parts of these posts.
 * @param after the post before them
 * @param posts the oldest first: all there are, or one more than so many parts can hold
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
