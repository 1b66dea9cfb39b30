import type { Finding } from "../finding.ts"

/** One text of a post as its file has it. */
export interface LocalText {
  /** Path of the file from the folder's root, with `/`. */
  file: string
  title: string
  /** At most 300 characters; null to make it from the converted text. */
  meta_description: string | null
  /** RFC 3339 in UTC; null to leave the time of the last change to the service. */
  changed_at: string | null
  /** Markdown after the front matter, as the file has it. */
  body: string
  /** The fields of the front matter, as the file has them. */
  data: Record<string, unknown>
  /** Line of the file at which `body` begins, from 1. */
  bodyLine: number
  /** For each line of a body with parts of other files, the line of the body in the file, from 1. */
  ownLines?: number[] | undefined
  /** The body is Markdown as the service stores it: `edgepost pull` wrote the file. */
  isStored: boolean
}

/** A text with its paths on the old site, which have no origin. */
export interface PostText extends LocalText {
  /** Paths at which the blog's tool shows the text, the surest first; none if it has no rule for them. */
  addresses: string[]
  /** Paths that the file names: permalinks, aliases, and pages that only lead here. */
  namedPaths: string[]
}

/** A file that is no post of the blog, and why: `permalink: false`. */
export interface LeftOut {
  /** Path from the folder's root, with `/`. */
  file: string
  /** Line in the file, from 1. */
  line: number
  reason: string
  /** The wish of the author in the file: a field hides it, or its field for readers says no, or is not there. Undefined: a rule, a folder or the configuration decides. */
  byField?: "hides" | "says no" | "lacks" | undefined
}

/** Why a draft of the service stays one, and a new post is public: a word in `status` that says neither, or `share: false` where it hides nothing. */
export interface UnknownStatus {
  name: string
  word: string
  line: number
}

/** A post of the folder: its source text, the translations made by hand, and the fields that they share. */
export interface LocalPost {
  /** False if the source text's file or its front matter cannot be read: the slug is a guess then, and the fields are empty. */
  isReadable: boolean
  slug: string
  /** The slug is made of a path or a title: another post may make the same. */
  isSlugDerived: boolean
  status: "DF" | "PB"
  /** A folder or the configuration decides `status`, and no field of the file. */
  isStatusByRule: boolean
  /** Why a draft of the service stays one; null if nothing asks for that. */
  unknownStatus: UnknownStatus | null
  /** RFC 3339 in UTC, or null to leave the time to the service. */
  published_at: string | null
  /** The same as versions before 0.4 read it; null if they found none. */
  former_at: string | null
  /** Nothing gives a date: a new post is then no post of today. */
  isUndated: boolean
  /** The blog's own tool shows the file as a page, and in no list of posts. */
  isPage: boolean
  /** Why an app for notes has it for no readers, in which case it is no new post; null if it may be one. */
  notForReaders: string | null
  categories: string[]
  tags: string[]
  canonical_url: string | null
  author_name: string | null
  /** undefined: as it is on the service. */
  listed: boolean | undefined
  cover_alt: string | null | undefined
  cover_caption: string | null | undefined
  /** The cover as the front matter names it: a path or an address; null without one. */
  cover: string | null
  /** Line of the cover in the source text's file, from 1. */
  coverLine: number
  /** BCP 47 code that the front matter or the file name gives, else null: the configured or the account's language. */
  primary_language: string | null
  /** BCP 47 codes that the front matter gives, else null: the account's languages. */
  translation_languages: string[] | null
  source: PostText
  /** By BCP 47 code. */
  translations: Record<string, PostText>
  /** Paths by which links within the blog may find the post: the named ones, those of the tool, and those of its file name and date. */
  oldPaths: string[]
  /** Paths at which an old site may have shown the post if no tool tells them, also those of its title; the likeliest first. */
  likelyPaths: string[]
  findings: Finding[]
}

/** Lists the times at which the service may have a post: that of its file, and what versions before 0.4 read there. */
export const timesOf = ({ published_at, former_at }: LocalPost): string[] =>
  [...new Set([published_at, former_at])].filter((time) => time !== null)

/** Lists the texts of a post, its source text first. */
export const textsOf = ({ source, translations }: LocalPost): PostText[] => [source, ...Object.values(translations)]
