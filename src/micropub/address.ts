import { blogOrigin, pageUrl, previewUrl } from "../addresses.ts"
import { openDb } from "../db/client.ts"
import { isVisible } from "../db/visibility.ts"
import type { AppContext } from "../http/context.ts"
import { fieldError } from "../http/errors.ts"
import { PREVIEW_TOKEN_CHARS } from "../limits.ts"
import { ownerOf, type Post } from "../posts/post.ts"
import { findPost } from "../posts/read-store.ts"
import { requireOwn } from "../posts/write.ts"
import { isSecret } from "../tokens.ts"

// The addresses by which clients name posts: of pages, and of previews of what readers do not see.

/** Returns the address of a post: its page if readers see it, else its preview. */
export const locationOf = ({ var: { places, now } }: AppContext, post: Post): string =>
  isVisible(post, now) || post.preview_token === null
    ? pageUrl(places, ownerOf(post), post.slug)
    : previewUrl(places, ownerOf(post), post.preview_token)

/** Tells whether an address is that of a preview. */
export const isPreview = (url = ""): boolean => new URL(url).pathname.startsWith("/preview/")

/** Returns the slug or the secret of a preview that a path of a blog names. */
const keyOf = (pathname: string): { slug: string } | { preview_token: string } | null => {
  // Matches `/preview/abc/`. Does not match `/preview/abc/fr/`.
  const [, token] = /^\/preview\/(\w+)\/?$/.exec(pathname) ?? []
  if (token !== undefined) return isSecret(token, PREVIEW_TOKEN_CHARS) ? { preview_token: token } : null
  // Matches `/@ann/my-post/` and `/my-post`. Does not match `/@ann/`.
  const [, slug] = /^(?:\/@[\w-]+)?\/([a-z0-9-]+)\/?$/.exec(pathname) ?? []
  return slug === undefined ? null : { slug }
}

/** Finds the caller's post by an address of its page or of its preview, which may have expired. @throws ApiError 400, 403, 404 */
export const findByAddress = async (c: AppContext, url: string | undefined) => {
  const { places, account } = c.var
  if (url === undefined || !URL.canParse(url))
    throw fieldError("url", "validation_error", "The address of a post is required.")
  const { origin, pathname } = new URL(url)
  const isOwn = [places.origin, places.readerOrigin, blogOrigin(places, account)].includes(origin)
  const key = isOwn ? keyOf(pathname) : null
  return requireOwn(key && (await findPost(openDb(c.env.DB), key)), c.var).post
}
