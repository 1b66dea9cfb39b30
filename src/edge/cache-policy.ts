import { EDGE_IMAGE_SECONDS, EDGE_LISTS_SECONDS, EDGE_PAGE_FRESH_SECONDS, EDGE_PAGE_STALE_SECONDS } from "../limits.ts"

// What the edge may keep of the answers to readers, and for how long: nothing else decides it.

/** The header that the edge obeys and browsers do not get. */
const LIFETIME = "Cloudflare-CDN-Cache-Control"
/** The header with the names by which kept answers are removed. */
const TAGS = "Cache-Tag"
/** The header of an answer before which there is no cache. */
export const UNCACHED = "X-Uncached"

// Without the last directive, the edge would answer with what it has for as long as the service fails.
const PAGE = `public, max-age=${EDGE_PAGE_FRESH_SECONDS}, stale-while-revalidate=${EDGE_PAGE_STALE_SECONDS}, stale-if-error=0`
const IMAGE = `public, max-age=${EDGE_IMAGE_SECONDS}, stale-if-error=0`
const LISTS = `public, max-age=${EDGE_LISTS_SECONDS}, stale-if-error=0`

/** The usernames of blogs, by the request that their page of all topics or their sitemap answers: these read much. */
export const listsOf = new WeakMap<Request, string>()

/** Returns the tag of the page of all topics and of the sitemap of an account's blog. */
export const listsTag = (username: string): string => `lists:${username}`

/** Returns the tag of all images of an account, and of what `listsTag` names. */
export const accountTag = (username: string): string => `account:${username}`

/** Returns the tag of an image. */
export const imageTag = (id: string): string => `image:${id}`

/**
 * Returns an answer to a reader with what the edge may do with it: only whole answers that are public are kept.
 * @param image null for a page, and for another spelling of an image's path, `/media/%61nn/…`: no tag would lead to it
 * @param ofLists the username of the blog whose list it is, as in `listsOf`
 */
export const withLifetime = (
  answer: Response,
  image: { username: string; imageId: string } | null,
  ofLists?: string,
): Response => {
  const headers = new Headers(answer.headers)
  const isPublic = answer.status === 200 && /^public\b/.test(headers.get("Cache-Control") ?? "")
  const lifetime = image ? IMAGE : ofLists === undefined ? PAGE : LISTS
  headers.set(LIFETIME, isPublic && !headers.has("Set-Cookie") ? lifetime : "no-store")
  if (image) headers.set(TAGS, `${accountTag(image.username)},${imageTag(image.imageId)}`)
  else if (ofLists !== undefined) headers.set(TAGS, `${accountTag(ofLists)},${listsTag(ofLists)}`)
  return new Response(answer.body, { status: answer.status, headers })
}

/** Returns an answer without what was for the edge alone, with the id of this request: a kept one has that of another. */
export const withoutEdgeHeaders = (answer: Response, requestId: string): Response => {
  const headers = new Headers(answer.headers)
  for (const name of [LIFETIME, TAGS, UNCACHED]) headers.delete(name)
  headers.set("X-Request-Id", requestId)
  return new Response(answer.body, { status: answer.status, headers })
}
