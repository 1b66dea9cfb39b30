// Reads what `GET /settings/export/` writes. Runs in workerd, too, where its tests are.
import { BlobReader, configure, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js"
import { parse } from "yaml"

import { Failure } from "./cli.mjs"

const FORMAT = "edgepost-export"
const FORMAT_VERSION = 1
const MARKDOWN = /^---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/
const TEXT_PATH = /^posts\/([^/]+)\/[^/]+\.md$/

configure({ useWebWorkers: false })

/** A Markdown file of an export: the fields of its front matter, and `body`, null where there is none. */
export const readMarkdown = (file) => {
  const [, head, body] = MARKDOWN.exec(file) ?? []
  if (head === undefined) throw new Failure("A Markdown file does not begin with front matter.")
  return { ...parse(head), body: body === "" ? null : body }
}

const requireFormat = (manifest) => {
  const { format, format_version } = manifest ?? {}
  if (format === FORMAT && format_version === FORMAT_VERSION) return manifest
  throw new Failure(
    format === FORMAT ? `The export has format version ${format_version}.` : "This is no export of edgepost.",
  )
}

const read = (entry) => entry.getData(new Uint8ArrayWriter(), { checkSignature: true })

const readText = async (entry) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await read(entry))

/**
 * Opens an export. Nothing but its list of files is held in memory.
 * @param blob the zip, a file on disk say
 * @returns `manifest`; `listPosts()`: each post's files as read by `readMarkdown`, one post after another;
 *   `readPicture(id)`: WebP, or null when the export lacks it
 */
export const openArchive = async (blob) => {
  const entries = await new ZipReader(new BlobReader(blob)).getEntries()
  const byName = new Map(entries.map((entry) => [entry.filename, entry]))
  const manifestEntry = byName.get("manifest.json")
  const manifest = requireFormat(manifestEntry && JSON.parse(await readText(manifestEntry)))
  // Node 20 has no Map.groupBy, and imports run on whatever Node there is.
  const posts = new Map()
  for (const entry of entries) {
    const [, slug] = TEXT_PATH.exec(entry.filename) ?? []
    if (slug !== undefined) posts.set(slug, [...(posts.get(slug) ?? []), entry])
  }
  return {
    manifest,
    async *listPosts() {
      for (const group of posts.values()) {
        const texts = []
        for (const entry of group) texts.push(readMarkdown(await readText(entry)))
        yield texts
      }
    },
    readPicture: async (id) => {
      const entry = byName.get(`media/${id}.webp`)
      return entry ? read(entry) : null
    },
  }
}
