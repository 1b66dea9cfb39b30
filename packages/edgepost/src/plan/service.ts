import { type Account, atMost, type Client, EdgepostError, type ListedPost, type OldRedirect } from "../client/index.ts"
import { type Blog, neededOf, referencesOf } from "./blog.ts"
import { findStored, type StoredImages } from "./image-library.ts"
import { assignSlugs } from "./slugs.ts"
import { findUnnamed, isUnnamed } from "./unnamed-images.ts"

/** The fields of the account that a plan needs. */
export type Author = Pick<Account, "username" | "primary_language" | "translation_languages" | "limits"> & {
  key?: Account["key"]
}

/** The state of the service that a plan compares with. */
export interface ServiceState {
  account: Author
  /** The posts of the account, by slug. */
  there: ReadonlyMap<string, ListedPost>
  /** The images of the folder that are there. */
  images: StoredImages
  /** The addresses of before that lead to the folder's posts; null for a folder without a mark and a key that only writes drafts. */
  redirects: OldRedirect[] | null
  /** Slugs that posts of other authors have, among those that posts of the folder would get. */
  others: ReadonlySet<string>
}

/** Lists the image files of posts that show an image on the service of which no file is known. */
const filesOfUnnamed = (blog: Blog, { account, there, images }: ServiceState): string[] => {
  const { posts, config, options, convertOnce, library } = blog
  const known = new Set([...images.values()].map(({ image_id }) => image_id))
  const needed = new Set(neededOf(posts, options).map(({ source }) => source.file))
  const showing = assignSlugs(posts.all, account.username, there, config.source).filter(
    ({ slug, source }) => needed.has(source.file) && there.get(slug)?.images.some((image) => isUnnamed(image, known)),
  )
  return [...referencesOf(showing, convertOnce)].flatMap(({ reference, file }) => library.find(reference, file) ?? [])
}

/** Reads what the service has: one call for 100 posts, one for 100 images, and one for the redirects. Images of older versions need more. */
export const readService = async (client: Client, blog: Blog, account: Author): Promise<ServiceState> => {
  const { source } = blog.config
  const there = new Map<string, ListedPost>()
  for await (const post of client.paginatePosts()) there.set(post.slug, post)
  const images = await findStored(client, blog.library)
  // Only a key that publishes may set them.
  const redirects =
    source !== null && (account.key?.scope ?? "publish") === "publish" ? await client.listRedirects(source) : null
  const found = { account, there, images, redirects, others: new Set<string>() }
  return { ...found, images: await findUnnamed(client, blog.library, images, filesOfUnnamed(blog, found)) }
}

/** Slugs that are asked about at once. */
const AT_ONCE = 4

/** Finds those of the slugs that posts of other authors have: slugs are unique on the service. */
export const findOthers = async (client: Client, slugs: string[]): Promise<string[]> => {
  const inTurn = atMost(AT_ONCE)
  const isOthers = async (slug: string): Promise<boolean> => {
    try {
      await client.getPost(slug)
      return false
    } catch (error) {
      if (error instanceof EdgepostError && [403, 404].includes(error.status)) return error.code === "not_the_author"
      throw error
    }
  }
  const found = await Promise.all(slugs.map((slug) => inTurn(() => isOthers(slug))))
  return slugs.filter((_, i) => found[i])
}
