import type { ListedPost } from "../client/index.ts"
import { type LeftOut, type LocalPost, type PostText, textsOf } from "../folder/post.ts"
import type { FolderPosts } from "../folder/posts.ts"
import type { ConvertOnce } from "../markdown/convert-once.ts"
import { UsageError } from "../usage-error.ts"

// Leaves out what has no text, and says which of the files left out readers still see.

/**
 * Leaves out posts and translations of which the conversion leaves no text, such as comments alone. Those with an error stay.
 * @param needed the posts of which the texts are looked at: others are not converted
 */
export const leaveOutEmpty = (found: FolderPosts, needed: LocalPost[], convertOnce: ConvertOnce): FolderPosts => {
  const texts = new Set(needed.flatMap(textsOf))
  const isEmpty = (text: PostText): boolean => {
    if (!texts.has(text)) return false
    const { body, findings } = convertOnce(text)
    return body.trim() === "" && findings.every(({ level }) => level !== "error")
  }
  const isGone = (post: LocalPost): boolean =>
    textsOf(post).every(isEmpty) && post.findings.every(({ level }) => level !== "error")
  const keep = (posts: LocalPost[]): LocalPost[] =>
    posts
      .filter((post) => !isGone(post))
      .map((post) => {
        const shown = Object.entries(post.translations).filter(([, text]) => !isEmpty(text))
        return { ...post, translations: Object.fromEntries(shown) }
      })
  const posts = keep(found.posts)
  const kept = new Set(posts.flatMap(textsOf).map(({ file }) => file))
  const empty = found.posts.flatMap(textsOf).filter(({ file }) => !kept.has(file))
  return {
    ...found,
    posts,
    all: keep(found.all),
    leftOut: [...found.leftOut, ...empty.map(({ file, bodyLine }) => ({ file, line: bodyLine, reason: "no text" }))],
    unrendered: [...found.unrendered, ...found.all.filter(isGone)],
  }
}

/**
 * Says of the files left out which of them readers still see on the service, and what to do.
 * @param source the folder's mark
 * @param removed slugs that the plan removes or withdraws
 */
export const nameShown = (
  { leftOut, unrendered, all }: FolderPosts,
  there: ReadonlyMap<string, Pick<ListedPost, "slug" | "status" | "source">>,
  source: string | null,
  removed: string[],
): LeftOut[] => {
  const slugs = new Map(unrendered.map((post) => [post.source.file, post.slug]))
  const others = new Set([...removed, ...all.map(({ slug }) => slug)])
  return leftOut.map(({ file, line, reason }) => {
    const one = { file, line, reason }
    const post = there.get(slugs.get(one.file) ?? "")
    // A post of another folder is not the one of this file.
    if (!post || post.status === "DF" || others.has(post.slug) || (post.source !== null && post.source !== source))
      return one
    const advice = post.source === null ? `\`edgepost delete ${post.slug}\`` : "--prune makes a draft of it"
    return { ...one, reason: `${one.reason}, but readers still see the post until ${advice}` }
  })
}

/** Says that a folder has no posts, and what to do. @param question what the author must answer first; null without one */
export const noPosts = (leftOut: LeftOut[], question: string | null): UsageError => {
  const [first, ...others] = leftOut
  const more = others.length > 0 ? ` (and ${others.length} more)` : ""
  return first === undefined
    ? new UsageError("There are no Markdown files.", "Give the folder of the posts, such as `edgepost plan content/`.")
    : new UsageError(
        `There are no posts: ${first.file}${more} is left out: ${first.reason}.`,
        question ??
          "Give each post a front matter with a title and a date, or name the files: `edgepost plan note.md`.",
      )
}
