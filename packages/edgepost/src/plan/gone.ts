import type { ListedPost } from "../client/index.ts"
import { fold } from "../fold.ts"
import type { LeftOut } from "../folder/post.ts"
import { sha256 } from "../hash.ts"
import type { DesiredPost } from "./desired.ts"
import { type Entry, planRemoval, planWithdrawal } from "./entry.ts"

// Decides what becomes of posts of the service that no post of the folder has: a file may still hold them, under another name.

/** A text of the folder, as far as it tells which post of the service it may be. */
export interface FolderText {
  file: string
  /** null for a translation, whose post has another. */
  slug: string | null
  /** In NFC, as the service keeps it, and so is the description. */
  title: string
  /** RFC 3339 in UTC: see `timesOf`. */
  times: string[]
  meta_description: string
  /** SHA-256 of its body as it should be on the service. */
  hash: string
}

/** Returns the texts of a post as they should be on the service. */
export const textsOfDesired = (desired: DesiredPost, times: string[]): FolderText[] => {
  const { slug, file, source, translations, places, primary_language } = desired
  return Object.entries({ ...translations, [primary_language]: source }).map(([lang, text]) => ({
    file: places[lang]?.file ?? file,
    slug: lang === primary_language ? slug : null,
    title: text.title.normalize("NFC"),
    times,
    meta_description: text.meta_description.normalize("NFC"),
    hash: sha256(text.body),
  }))
}

const textOf = ({ texts, primary_language }: ListedPost) => texts[primary_language]

/** Tells whether one of the times of a file is that of a post of the service. */
export const isOneOf = (times: string[], { published_at }: Pick<ListedPost, "published_at">): boolean =>
  times.some((time) => Date.parse(time) === Date.parse(published_at ?? ""))

/** Tells whether a text is that of a post of the service: it has its slug, or its title with its date or its body. A file without a date may be any of a title. */
const isOf = (text: FolderText, post: ListedPost): boolean => {
  if (text.slug === post.slug) return true
  if (text.title !== post.title) return false
  return text.times.length === 0 || isOneOf(text.times, post) || text.hash === textOf(post)?.body_sha256
}

/** Tells whether a new text and a post of the service look alike: in two of title, day, description and body. */
const isAlike = (text: FolderText, post: ListedPost): boolean => {
  const there = textOf(post)
  if (text.hash === there?.body_sha256) return true
  const isSameDay = text.times.some((time) => time.slice(0, 10) === post.published_at?.slice(0, 10))
  const isSameDescription = text.meta_description === there?.meta_description
  if (isSameDay && isSameDescription) return true
  return (isSameDay || isSameDescription) && fold(text.title) === fold(post.title ?? "")
}

/** Finds the drafts of the service whose texts are those of files with another slug. @returns their slugs, by path of the file */
export const findDrafts = (posts: ListedPost[], texts: FolderText[]): Map<string, string> => {
  const drafts = posts.filter(({ status }) => status === "DF")
  return new Map(
    texts.flatMap((text) => {
      const found = drafts.find((post) => isOf(text, post) || isAlike(text, post))
      return found ? [[text.file, found.slug]] : []
    }),
  )
}

/** The texts of a folder. */
interface FolderTexts {
  /** Those of files that are left out. */
  leftOut: FolderText[]
  /** Those of posts and their translations. */
  read: FolderText[]
  /** Those of `read` that are of new posts. */
  created: FolderText[]
}

/** The fate of posts that no post of the folder has. */
export interface Gone {
  /** The posts to withdraw and to remove. */
  entries: Entry[]
  /** Slugs of posts to withdraw whose files have not changed: a rule alone leaves them out. */
  byRule: Set<string>
  /** Slugs of the other posts of which no file is read. */
  stays: string[]
  /** Posts that stay since a file may be theirs, under another slug or as a translation. */
  alike: { slug: string; file: string }[]
  /** Slugs of those that look like new posts. */
  renamed: string[]
  /** Why nothing is removed; null if something may be. */
  held: string | null
}

const RENAMED = "New posts look like posts that are gone. If they are others, publish once more."

/**
 * Decides what becomes of posts with the folder's mark that no post of the folder has.
 * @param incomplete why the folder may lack files; null if it lacks none
 */
export const planGone = (
  posts: ListedPost[],
  { leftOut, read, created }: FolderTexts,
  reasons: LeftOut[],
  { prune, incomplete, isBlocked }: { prune: boolean; incomplete: string | null; isBlocked: boolean },
): Gone => {
  const gone: Gone = { entries: [], byRule: new Set(), stays: [], alike: [], renamed: [], held: incomplete }
  const lost: ListedPost[] = []
  for (const post of posts) {
    const { slug } = post
    const aside = leftOut.find((text) => isOf(text, post))
    const renamed = aside ? undefined : created.find((text) => isAlike(text, post))
    const found = renamed ?? read.find((text) => isOf(text, post)) ?? leftOut.find((text) => isAlike(text, post))
    if (renamed) gone.renamed.push(slug)
    if (!aside && found) gone.alike.push({ slug, file: found.file })
    if (!aside && !found) lost.push(post)
    const given = reasons.find(({ file }) => file === aside?.file)
    // Its author takes it back: that waits for no option.
    const isTakenBack = given?.byField === "says no" && aside?.slug === slug
    if (aside && !isTakenBack && (!prune || incomplete !== null)) gone.stays.push(slug)
    else if (aside && post.status === "PB") {
      const reason = given ?? { file: aside.file, line: 1, reason: "no post" }
      gone.entries.push(planWithdrawal(post, reason))
      if (!reason.byField && aside.title === post.title && aside.hash === textOf(post)?.body_sha256)
        gone.byRule.add(slug)
    }
  }
  if (gone.renamed.length > 0) gone.held ??= RENAMED
  if (prune && !isBlocked && gone.held === null) gone.entries.push(...lost.map(planRemoval))
  else gone.stays.push(...lost.map(({ slug }) => slug))
  return gone
}
