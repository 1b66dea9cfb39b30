import type { Root } from "hast"

import { readDate } from "../folder/dates.ts"
import { MAX_SCHEDULE_DAYS } from "../limits.ts"
import { TooComplex } from "../parser/budget.ts"
import { UsageError } from "../usage-error.ts"

/** Something that the author should know about a post. */
export interface Remark {
  /** The post's name in the export. */
  post: string
  message: string
  /** A stable name of what Markdown cannot keep, such as `list_numbers`. */
  code?: string
}

/** A post of an export. */
export interface ImportedPost {
  /** Its name in the export, for messages. */
  name: string
  /** The slug on the old site, decoded; null if the export has none. */
  slug: string | null
  title: string
  status: "DF" | "PB"
  /** RFC 3339 in UTC. */
  published_at: string | null
  categories: string[]
  tags: string[]
  meta_description: string | null
  /** Address of the cover. */
  cover: string | null
  /** The words of the cover, as plain text; empty without any. */
  cover_alt?: string
  cover_caption?: string
  /** Only if it is another address than the post's own. */
  canonical_url: string | null
  author_name: string | null
  /** BCP 47 code. */
  lang: string | null
  /** The pages on the old site: addresses, or paths from the root, the usual one first. None if readers never saw it. */
  addresses: string[]
  /** Parses the text. @throws TooComplex */
  content: () => Root
  /** The text is so short that it is hardly too complex, and links to the post are written before it is parsed. */
  isShort?: boolean
  warnings: string[]
}

/** The content of an export. */
export interface Imported {
  /** A text that is the same in all exports of a blog, and in no other's. */
  id: string
  posts: ImportedPost[]
  /** Everything that is not imported, with the reason. */
  leftOut: Remark[]
  /** Address of the old site, if the export says it. */
  siteUrl: string | null
}

/** Takes a step of reading a post, or notes why the post is left out. @returns true unless it is left out */
export const attempt = ({ leftOut }: Imported, post: string, step: () => unknown): boolean => {
  try {
    step()
    return true
  } catch (error) {
    if (!(error instanceof TooComplex || error instanceof UsageError)) throw error
    leftOut.push({ post, message: error.message })
    return false
  }
}

/** Reads a date as milliseconds since 1970, in UTC unless it names a zone; NaN if it cannot be read. */
export const timeIn = (text: string): number => {
  const date = readDate(text, "UTC")
  return "time" in date ? date.time : Number.NaN
}

const DAY_MS = 86_400_000

const draft = (...warnings: string[]) => ({ status: "DF" as const, published_at: null, warnings })

/** Returns the status and the date of a post within the limits of the service. @param time in ms since 1970; NaN without one */
export const timing = (
  time: number,
  isPublic: boolean,
  now: Date,
): Pick<ImportedPost, "status" | "published_at" | "warnings"> => {
  if (Number.isNaN(time)) return isPublic ? draft("It has no date that can be read, so it becomes a draft.") : draft()
  if (time < 0) return draft("It is from before 1970, so it becomes a draft without a date.")
  if (time > now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS)
    return draft(`It is scheduled for over ${MAX_SCHEDULE_DAYS} days ahead, so it becomes a draft without a date.`)
  return { status: isPublic ? "PB" : "DF", published_at: new Date(time).toISOString(), warnings: [] }
}
