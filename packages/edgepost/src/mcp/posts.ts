import type { Client, CreatePost, ListedPost, PatchPost, Post, WrittenPost } from "../client/index.ts"
import { EdgepostError } from "../client/index.ts"
import { fold, searchWords } from "../fold.ts"
import { sha256 } from "../hash.ts"
import { UsageError } from "../usage-error.ts"

/** Fields of posts that no answer shows: a call of their own shows them, or they say nothing to an assistant. */
const HIDDEN = new Set(["body", "html", "texts", "translations", "images", "image_ids", "author", "version"])

/** Returns a post without its texts. */
export const summaryOf = (post: Post | ListedPost): object =>
  Object.fromEntries(Object.entries(post).filter(([name]) => !HIDDEN.has(name)))

/** Returns an ETag without its quotes, which assistants tend to lose. */
export const unquote = (etag: string | null): string | null => etag?.split('"')[1] ?? null

/** Returns what a call has written. @param before the version that it knew @throws UsageError if a repeated call finds a later one */
const writtenOf = ({ post, etag, warnings }: WrittenPost, before: number, dry_run = false): object => {
  // With the newest etag, the next change would overwrite what nobody here has read.
  if (post.version > before + 1)
    throw new UsageError(`${post.slug} has changed since this call took effect.`, "Call read_post.")
  return { dry_run, warnings, etag: unquote(etag), post: summaryOf(post) }
}

const MAX_ATTEMPTS = 5

/** Creates a post. The same call again answers the post of the first one. */
export const createOnce = async (client: Client, post: CreatePost, dryRun?: boolean): Promise<object> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      const idempotencyKey = sha256(JSON.stringify([attempt, post]))
      return writtenOf(await client.createPost(post, { dryRun, idempotencyKey }), 0, dryRun)
    } catch (error) {
      // A post of the same content was created and deleted within a day.
      const isDeleted = error instanceof EdgepostError && error.code === "not_found"
      if (!isDeleted || attempt === MAX_ATTEMPTS) throw error
    }
}

/**
 * Changes a post, unless it has changed since the version of an ETag. The same call again answers the post of the first one.
 * @param fieldsOf returns the fields to change, or throws if the post is not one to change
 */
export const changeVersion = async (
  client: Client,
  { slug, etag, dry_run: dryRun }: { slug: string; etag: string; dry_run?: boolean | undefined },
  fieldsOf: (post: Post) => Partial<PatchPost>,
): Promise<object> => {
  const { post } = await client.getPost(slug)
  const { primary_language, translation_languages } = post
  const patch = { lang_code: primary_language, primary_language, translation_languages, ...fieldsOf(post) }
  const idempotencyKey = sha256(JSON.stringify([slug, etag, patch]))
  const written = await client.patchPost(slug, patch, { dryRun, ifMatch: `"${etag}"`, idempotencyKey })
  return writtenOf(written, Number.parseInt(etag), dryRun)
}

/** Posts that a search reads, the newest first. */
const MAX_SEARCHED_POSTS = 2000
const POSTS_A_PAGE = 100
const MAX_FOUND_POSTS = 20
export const SEARCH = `Finds posts that hold all words of a query in their titles, descriptions, slugs, categories or tags, with or without accents. Reads ${MAX_SEARCHED_POSTS} posts, the newest first, not their texts, and shows up to ${MAX_FOUND_POSTS}. next_cursor leads to older ones.`

/** Finds the posts that hold all words of a query elsewhere than in their bodies. @param cursor of the search before, for older posts */
export const searchPosts = async (client: Client, query: string, cursor?: string): Promise<object> => {
  const words = searchWords(query)
  const found: ListedPost[] = []
  let searched = 0
  let next: string | null = cursor ?? null
  do {
    const page = await client.listPosts({ limit: POSTS_A_PAGE, ...(next !== null && { cursor: next }) })
    for (const post of page.posts) {
      const { slug, categories, tags, texts } = post
      const written = Object.values(texts).flatMap(({ title, meta_description }) => [title, meta_description])
      const all = fold([slug, ...categories, ...tags, ...written].join("\n"))
      if (words.length > 0 && words.every((word) => all.includes(word))) found.push(post)
    }
    searched += page.posts.length
    next = page.next_cursor
  } while (next !== null && searched < MAX_SEARCHED_POSTS)
  return { searched, found: found.length, posts: found.slice(0, MAX_FOUND_POSTS).map(summaryOf), next_cursor: next }
}
