import { isUtf8 } from "node:buffer"

import { parse } from "yaml"

import type { Finding } from "../finding.ts"
import type { Tool } from "../tools/tool.ts"
import { type FieldOptions } from "./field-reader.ts"
import { type Fields, readFields } from "./fields.ts"
import type { Folder } from "./files.ts"
import { FolderError } from "./folder-error.ts"
import { type FrontMatter, FrontMatterError, splitFrontMatter } from "./front-matter.ts"
import { DRAFTS } from "./hides.ts"
import { includeParts, type InclusionContext } from "./inclusions.ts"
import type { Variant } from "./languages.ts"
import { HTML_POST, nameOf } from "./paths.ts"
import type { LeftOut } from "./post.ts"
import { dateOfAddress } from "./published-at.ts"
import { whyNotRendered } from "./rendered.ts"

// Reads the file of a text: its front matter, with what its folders add, and its body.

/** Larger files are no posts: the service takes bodies of 256 KiB. */
const MAX_FILE_BYTES = 2 ** 20

/** A file of a post. */
export interface Source {
  variant: Variant
  front: FrontMatter
  fields: Fields
  /** False if the file or its front matter cannot be read. */
  isReadable: boolean
  /** Its fields or its folder make it a draft. */
  isDraft: boolean
  /** Why the blog's tool renders no page of the file; null if it renders one. */
  unrendered: LeftOut | null
  findings: Finding[]
}

/** The things that reading a file needs. */
export interface SourceContext {
  folder: Folder
  options: Pick<FieldOptions, "timezone" | "now" | "settings" | "showHidden"> &
    Pick<InclusionContext, "theme"> & { files: ReadonlySet<string> }
  ruleOf: InclusionContext["ruleOf"]
  /** Names of authors by their keys. */
  authors: Record<string, string>
  /** Adds the fields that folders give. */
  addDefaults: (file: string, front: FrontMatter) => FrontMatter
}

const EMPTY: FrontMatter = { data: {}, lines: {}, body: "", bodyLine: 1, repeated: [] }

/** Finds what keeps the service from taking the bytes of a file as a text. */
const checkBytes = (bytes: Buffer, text: string, file: string): Finding[] => {
  const [code, message, sign] = isUtf8(bytes)
    ? ["nul_character", "Holds a NUL character: remove it.", "\0"]
    : ["not_utf8", "The file is not in UTF-8. Save it as UTF-8.", "\uFFFD"]
  const [before = "", ...others] = text.split(sign)
  return others.length === 0 ? [] : [{ level: "error", code, message, file, line: before.split("\n").length }]
}

const toFinding = (error: unknown, file: string): Finding => {
  if (error instanceof FrontMatterError)
    return { level: "error", code: "front_matter", message: error.message, file, line: error.line }
  if (!(error instanceof FolderError)) throw error
  return { level: "error", code: error.code, message: error.message, file, line: 1 }
}

const MEANT =
  "This looks like a front matter, and is not read as one. Begin the file with a line of three hyphens, and put another one after the fields; remove what stands before."

/** Matches the indent of a line. In Markdown four blanks make code of it. */
const INDENT = /^[ \t]+/gm

/** Matches the start of a file of `edgepost pull`, whose body has the line ends of the service. Does not match one that Git gave CRLF. */
const PULLED = /^---\nedgepost: stored /

/** Reads a file of a post. Its body has LF at line ends, whatever the file has. */
export const readSource = async (variant: Variant, context: SourceContext): Promise<Source> => {
  const { folder, options, authors, addDefaults } = context
  const { file } = variant
  const { tool } = options.settings
  const fieldOptions = {
    ...options,
    authors,
    fileDate: nameOf(variant).date,
    pathDate: nameOf(variant, tool.dateOfPath).date,
    isNewForm: false,
  }
  try {
    const bytes = await folder.read(file, MAX_FILE_BYTES)
    const raw = bytes.toString("utf8")
    const text = PULLED.test(raw) ? raw : raw.replaceAll(/\r\n?/g, "\n")
    const problems = checkBytes(bytes, text, file)
    const split = tool.splitFields?.(text, file) ?? null
    const own = split ?? splitFrontMatter(text)
    const read = addDefaults(file, own)
    const written =
      HTML_POST.test(file) && !/<pre\b/i.test(read.body) ? { ...read, body: read.body.replaceAll(INDENT, "") } : read
    const pathDate = fieldOptions.pathDate ?? dateOfAddress(written, options.settings)
    const { fields, findings } = readFields(written, file, { ...fieldOptions, pathDate, isNewForm: split !== null })
    const included =
      fields.stored === null
        ? await includeParts(written, file, { ...context, theme: options.theme, options: fieldOptions })
        : { front: written, findings: [] }
    const { front } = included
    const reason = fields.stored === null ? whyNotRendered(front, file, options) : null
    // What a folder or the configuration gives is not in the file.
    const byField = reason?.byField && whyNotRendered(own, file, options)?.byField
    const unrendered = reason && { file, ...reason, byField }
    const { meantLine = null } = front
    // Readers would see the fields as text.
    if (meantLine !== null && unrendered === null) throw new FrontMatterError(MEANT, meantLine)
    const isDraft = fields.isDraft || (fields.stored === null && DRAFTS.test(file))
    const all = [...problems, ...findings, ...(unrendered ? [] : included.findings)]
    return { variant, front, fields, isReadable: true, isDraft, unrendered, findings: all }
  } catch (error) {
    const { fields } = readFields(EMPTY, file, fieldOptions)
    const findings = [toFinding(error, file)]
    return { variant, front: EMPTY, fields, isReadable: false, isDraft: DRAFTS.test(file), unrendered: null, findings }
  }
}

/** Tells whether a file such as `readme.md` says that it is a post: its front matter has a slug and a title, or is of `edgepost pull`. */
export const saysPost = async (folder: Folder, file: string, { splitFields }: Tool): Promise<boolean> => {
  const text = (await folder.read(file, MAX_FILE_BYTES).then(String, () => "")).replaceAll(/\r\n?/g, "\n")
  try {
    const { slug, title, edgepost } = (splitFields?.(text, file) ?? splitFrontMatter(text)).data
    return Boolean((slug && title) || edgepost)
  } catch {
    // Matches the field `slug: a` of a front matter that is broken. Does not match `the slug: a`.
    return /^(?:edgepost|slug):/m.test(text)
  }
}

/** Reads the names of authors by their keys, if the tool has a file of them. */
export const readAuthors = async (folder: Folder, { authors }: Tool): Promise<Record<string, string>> => {
  const file = folder.files.find((path) => authors?.test(path))
  if (file === undefined) return {}
  try {
    const text = (await folder.read(file, MAX_FILE_BYTES)).toString()
    const data = parse(text, { maxAliasCount: 0 }) as Record<string, { name?: unknown } | null>
    const named = Object.entries(data).flatMap(([key, one]) => (typeof one?.name === "string" ? [[key, one.name]] : []))
    return Object.fromEntries(named) as Record<string, string>
  } catch {
    // Without the file authors are shown by their keys.
    return {}
  }
}
