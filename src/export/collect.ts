import { viewSettings } from "../accounts/account.ts"
import type { Db } from "../db/client.ts"
import type { Account } from "../db/schema.ts"
import { writeCursor } from "../http/cursor.ts"
import { fileKey } from "../images/image.ts"
import { MAX_EXPORT_POSTS } from "../limits.ts"
import { attachedImages, type Post } from "../posts/post.ts"
import { hasApproved } from "../posts/text.ts"
import { listRedirects } from "../redirects/store.ts"
import { listGlossary } from "../translations/glossary-store.ts"
import { listEndpoints } from "../webhooks/store.ts"
import { writeMarkdown } from "./front-matter.ts"
import { type Part, partLength } from "./part.ts"
import { findWholePost, listPostSizes } from "./store.ts"

export interface Stores {
  db: Db
  media: R2Bucket
}

/** A file of the archive. */
export interface ArchiveFile {
  name: string
  lastModified: Date
  input: string | ReadableStream<Uint8Array>
}

const FORMAT_VERSION = 1

const mediaName = (id: string): string => `media/${id}.webp`

const textsOf = (post: Post): ArchiveFile[] =>
  post.texts.filter(hasApproved).map((text) => ({
    name: `posts/${post.slug}/${text.lang_code}.md`,
    lastModified: text.updated_at,
    input: writeMarkdown(post, text),
  }))

/** Counts what the archive holds so far. */
interface Tally {
  posts: number
  texts: number
  images: Set<string>
  missing: string[]
}

const warningsOf = ({ missing }: Tally): string =>
  ["These images are used by a post, but their files are missing:", "", ...missing.map((id) => mediaName(id)), ""].join(
    "\n",
  )

/** Reads what an account has beside its settings, posts and images. */
const findOwned = async (db: Db, { id }: Account) => ({
  redirects: await listRedirects(db, id),
  glossary: await listGlossary(db, id),
  webhooks: (await listEndpoints(db, id)).map(({ url }) => url),
})

const manifestOf = (account: Account, owned: object, tally: Tally, nextCursor: string | null, now: Date): string =>
  JSON.stringify(
    {
      format: "edgepost-export",
      format_version: FORMAT_VERSION,
      exported_at: now,
      username: account.username,
      ...viewSettings(account),
      ...owned,
      paid_until: account.paid_until,
      created_at: account.created_at,
      posts: tally.posts,
      texts: tally.texts,
      pictures: tally.images.size - tally.missing.length,
      missing_pictures: tally.missing.length,
      next_cursor: nextCursor,
    },
    null,
    2,
  )

/** Yields the images of a post that are not in the archive yet. Opens each file only when it is needed. */
async function* imagesOf({ media }: Stores, post: Post, tally: Tally): AsyncGenerator<ArchiveFile> {
  for (const { id } of attachedImages(post)) {
    if (tally.images.has(id)) continue
    tally.images.add(id)
    const file = await media.get(fileKey(post.account_id, id))
    if (file) yield { name: mediaName(id), lastModified: file.uploaded, input: file.body }
    else tally.missing.push(id)
  }
}

/** Finds the ids of a part's posts, and the id after which the next part begins. */
const findPart = async (db: Db, accountId: string, { after, until }: Pick<Part, "after" | "until">) => {
  const found = await listPostSizes(db, accountId, { after, until, limit: MAX_EXPORT_POSTS + 1 })
  // With `until` the end is fixed: images added since then must not shorten this part.
  const length = until === undefined ? partLength(found) : Math.min(found.length, MAX_EXPORT_POSTS)
  const page = found.slice(0, length).map(({ id }) => id)
  return { page, next: length < found.length ? page.at(-1) : until }
}

/**
 * Yields the files of one archive: Markdown texts, images, `manifest.json`. Reads each post only when it is needed.
 * @param range ids of posts: those after `after` (undefined: all) up to `until` (undefined: as many as fit)
 */
export async function* collect(
  stores: Stores,
  account: Account,
  range: Pick<Part, "after" | "until">,
  now: Date,
): AsyncGenerator<ArchiveFile> {
  const tally: Tally = { posts: 0, texts: 0, images: new Set(), missing: [] }
  const { page, next } = await findPart(stores.db, account.id, range)
  for (const id of page) {
    const post = await findWholePost(stores.db, account, id)
    // The post was deleted during the export.
    if (!post) continue
    const texts = textsOf(post)
    tally.posts += 1
    tally.texts += texts.length
    yield* texts
    yield* imagesOf(stores, post, tally)
  }
  if (tally.missing.length > 0) yield { name: "warnings.txt", lastModified: now, input: warningsOf(tally) }
  const owned = await findOwned(stores.db, account)
  const input = manifestOf(account, owned, tally, next ? writeCursor(next) : null, now)
  yield { name: "manifest.json", lastModified: now, input }
}
