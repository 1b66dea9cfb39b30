// Reads the zip that `GET /settings/export/` writes. Its tests run in workerd, so nothing here needs Node.
import { BlobReader, configure, type FileEntry, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js"
import { parse } from "yaml"

import { Failure } from "./cli.ts"

const FORMAT = "edgepost-export"
const FORMAT_VERSION = 1
// Matches `---\nslug: "a"\n---\nWords` and `---\nslug: "a"\n---\n`. Does not match `Words`.
const MARKDOWN = /^---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/
// Matches `posts/my-post/fr.md`. Does not match `media/01J.webp`.
const TEXT_PATH = /^posts\/([^/]+)\/[^/]+\.md$/

configure({ useWebWorkers: false })

export type Field = "title" | "meta_description" | "body"

/** Fields that are one text or null in every language. Earlier exports lack some of them. */
export const PLAIN_FIELDS = ["cover_alt", "cover_caption", "canonical_url", "author_name", "source"] as const
export type PlainFields = Record<(typeof PLAIN_FIELDS)[number], string | null>

/** One language of a post: the front matter of a Markdown file, and its body. */
export interface ExportedText extends Record<Field, string | null>, Partial<PlainFields> {
  slug: string
  status: "DF" | "PB"
  categories: string[]
  tags: string[]
  primary_language: string
  translation_languages: string[]
  image_ids: string[]
  lang_code: string
  /** This is the post's source text. */
  own_language: boolean
  edited: Field[]
  stale: Field[]
  published_at: string | null
  // Missing in earlier exports.
  cover_image_id?: string | null
  changed_at?: string
  listed?: boolean
  translation_review?: string | null
}

/** A term of a glossary. */
export interface Term {
  term: string
  keep: boolean
  translations: Record<string, string>
  note: string | null
}

export interface Redirect {
  from: string
  to: string
  source: string
}

/** The settings, redirects, terms and webhooks of an account. Earlier exports lack some or all of it. */
export interface AccountData {
  blog_title?: string | null
  blog_description?: string | null
  author_name?: string | null
  timezone?: string
  primary_language?: string
  translation_languages?: string[]
  translation_tones?: Record<string, string>
  translation_review?: string
  shows_translation_note?: boolean
  redirects?: Redirect[]
  glossary?: Term[]
  /** Addresses of endpoints. */
  webhooks?: string[]
}

interface Manifest extends AccountData {
  format: string
  format_version: number
  username: string
  posts: number
  texts: number
  pictures: number
  missing_pictures: number
  next_cursor: string | null
}

export interface Archive {
  manifest: Manifest
  /** Yields the texts of one post after another. */
  listPosts: () => AsyncGenerator<ExportedText[]>
  /** Returns an image as WebP, or null if the export lacks it. */
  readImage: (id: string) => Promise<Uint8Array<ArrayBuffer> | null>
}

const readMarkdown = (file: string): ExportedText => {
  const [, head, body] = MARKDOWN.exec(file) ?? []
  if (head === undefined) throw new Failure("A Markdown file does not begin with front matter.")
  return { ...(parse(head) as Omit<ExportedText, "body">), body: body || null }
}

const requireFormat = (manifest: Partial<Manifest>): Manifest => {
  const { format, format_version } = manifest
  if (format !== FORMAT) throw new Failure("This is no export of edgepost.")
  if (format_version !== FORMAT_VERSION)
    throw new Failure(`The export has format version ${format_version}; this importer reads version ${FORMAT_VERSION}.`)
  return manifest as Manifest
}

const read = (entry: FileEntry): Promise<Uint8Array<ArrayBuffer>> =>
  entry.getData(new Uint8ArrayWriter(), { checkSignature: true })

const readText = async (entry: FileEntry): Promise<string> =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await read(entry))

/**
 * Opens an export, usually a file on disk. Only the list of its files stays in memory.
 * @throws Failure when the file is a zip, but not an export of this version
 */
export const openArchive = async (blob: Blob): Promise<Archive> => {
  const entries = await new ZipReader(new BlobReader(blob)).getEntries()
  const files = entries.filter((entry) => !entry.directory)
  const byName = new Map(files.map((entry) => [entry.filename, entry]))
  const manifestFile = byName.get("manifest.json")
  const manifest = requireFormat(manifestFile ? JSON.parse(await readText(manifestFile)) : {})
  const texts = files.filter(({ filename }) => TEXT_PATH.test(filename))
  const posts = Map.groupBy(texts, ({ filename }) => TEXT_PATH.exec(filename)?.[1])
  return {
    manifest,
    async *listPosts() {
      for (const post of posts.values()) {
        const all = []
        for (const entry of post) all.push(readMarkdown(await readText(entry)))
        yield all
      }
    },
    readImage: async (id) => {
      const entry = byName.get(`media/${id}.webp`)
      return entry ? read(entry) : null
    },
  }
}
