import { parse as parseToml, TomlDate, TomlError } from "smol-toml"
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml"

/** The fields of a file's front matter, and the text after it. */
export interface FrontMatter {
  data: Record<string, unknown>
  /** Line of the file for each field, from 1. */
  lines: Record<string, number>
  /** Markdown as the file has it. */
  body: string
  /** Line of the file at which `body` begins, from 1. */
  bodyLine: number
  /** Fields that the front matter has twice: the last one counts. */
  repeated: string[]
  /** The fields that folders and the configuration give, the nearest last, also those that the file has itself. */
  given?: Record<string, unknown>[]
  /** Names of properties that stand in the text, and that readers do not see. */
  unread?: string[]
  /** Name of the property that says that the page is not done. */
  undone?: string | undefined
  /** For each line of a body with parts of other files, the line of the body in the file, from 1. */
  ownLines?: number[]
  /** Line, from 1, of fields that are meant as a front matter and are not read as one; null without them. */
  meantLine?: number | null
}

/** An error of a front matter, at a line of the file. */
export class FrontMatterError extends Error {
  override name = "FrontMatterError"
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** Some hold the transcript of a talk. Half of what a file may have takes the library of YAML at most three seconds. */
const MAX_CHARS = 524_288

/** Matches the first line of a front matter, such as `---`, `---json` or `+++`. Does not match `----` or `--- a`. */
const OPENING = /^(---|\+\+\+|;;;)([a-z]*)[ \t]*\r?\n/
/** Matches a line break. */
const LINE = /\r?\n/g
/** Matches text that begins with a field of YAML: `title: A`, `密码: a`. Does not match `A title: b`. */
const FIELD = /^[^\s#:=]+:(?:\s|$)/

const countLines = (text: string): number => text.match(LINE)?.length ?? 0

const toFields = (value: unknown): Record<string, unknown> => {
  if (value === null || value === undefined) return {}
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>
  throw new FrontMatterError("The front matter must have fields such as `title: A title`.", 2)
}

/** Finds the line of each field at the start of a line. */
const findLines = (text: string): Record<string, number> => {
  const lines: Record<string, number> = {}
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    // Matches the name of `title: A`, `"title": "A"` and `title = "A"`. Does not match `- a`.
    const [, name] = /^\s*"?([\w-]+)"?\s*[:=]/.exec(line) ?? []
    if (name !== undefined) lines[name] ??= i + 1
  }
  return lines
}

/** Matches the way to a value that is a name: `title`, `tags[]`. Does not match `tags` and `draft`. */
const NAME = /^(?:title|(?:tags?|categor(?:y|ies))(?:\[\])+)$/

/** Gives scalars the text that is written: `1.10`, `007` and, for names, `null`. Deeper values are of no use. */
const keepWritten = (node: unknown, way: string, depth = 0): void => {
  // Matches `Null`. Does not match `~` and a value that is not there.
  const isText = (value: unknown, source = "") =>
    typeof value === "number" || (value === null && NAME.test(way) && /^null$/i.test(source))
  if (isScalar(node) && isText(node.value, node.source)) node.value = node.source
  else if (depth > 4) return
  else if (isSeq(node)) for (const item of node.items) keepWritten(item, `${way}[]`, depth + 1)
  else if (isMap(node)) for (const { key, value } of node.items) keepWritten(value, String(key), depth + 1)
}

/** Matches a field with a text in quotes, also over lines: `a: "b: c`, `d"`. Does not match `a: b "c"`. */
const QUOTED = /^[\w-]+:[ \t]+(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')[ \t]*$/gm
/** Matches the start of a line that goes on with the quoted text or the list before it. Does not match `a: b`, `- a` and `# a`. */
const CONTINUATION = /^(?![\w"'-][^:\n]*:(?:\s|$)|[-#\s]|$)/gm

const parseYaml = (text: string, line: number, repeated: string[]): unknown => {
  const lineCounter = new LineCounter()
  // The last of two equal keys counts, as in most tools.
  const options = { schema: "core", uniqueKeys: false, merge: true, logLevel: "error" } as const
  try {
    let document: Document = parseDocument(text, { ...options, lineCounter })
    if (document.errors.some(({ code }) => code === "MISSING_CHAR" || code === "BAD_INDENT")) {
      // Other readers of YAML let such texts go on without an indent.
      const quoted = text.replaceAll(QUOTED, (field) => field.replaceAll("\n", "\n "))
      const indented = parseDocument(quoted.replaceAll(CONTINUATION, " "), options)
      if (indented.errors.length === 0) document = indented
    }
    const [error] = document.errors
    if (error) {
      const place = line - 1 + lineCounter.linePos(error.pos[0]).line
      throw new FrontMatterError(`The YAML is not valid: ${withoutPlace(error)}.`, place)
    }
    const names = isMap(document.contents) ? document.contents.items.map(({ key }) => String(key)) : []
    const seen = new Set<string>()
    // A set has no size to grow by if it has the name.
    repeated.push(...new Set(names.filter((name) => name !== "<<" && seen.size === seen.add(name).size)))
    keepWritten(document.contents, "")
    // Aliases may multiply: a small file can stand for gigabytes.
    return document.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    if (cause instanceof FrontMatterError) throw cause
    throw new FrontMatterError(`The YAML is not valid: ${withoutPlace(cause as Error)}.`, line)
  }
}

/** Returns the first line of a message without the place, which counts from the front matter. Matches ` at line 4, column 1:`. Does not match ` at line`. */
const withoutPlace = ({ message }: Error): string =>
  (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$|[.:]$/, "")

const PARSERS: Record<string, (text: string, line: number, repeated: string[]) => unknown> = {
  "---": parseYaml,
  "---yaml": parseYaml,
  "---json": (text, line) => parseJson(text, line),
  "---toml": (text, line) => parseTomlAt(text, line),
  "+++": (text, line) => parseTomlAt(text, line),
  ";;;": (text, line) => parseJson(`{${text}}`, line),
}

const parseJson = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new FrontMatterError(`The JSON is not valid: ${(cause as Error).message.split("\n")[0]}`, line)
  }
}

/** Turns a date of TOML into its text, since dates without an offset must not take the one of this machine, and so large numbers. */
const untag = (value: unknown): unknown => {
  if (value instanceof TomlDate) return value.toISOString()
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return value.map(untag)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, untag(each)]))
}

const parseTomlAt = (text: string, line: number): unknown => {
  try {
    return untag(parseToml(text, { integersAsBigInt: "asNeeded" }))
  } catch (cause) {
    const place = cause instanceof TomlError ? line - 1 + cause.line : line
    throw new FrontMatterError(`The TOML is not valid: ${(cause as Error).message.split("\n")[0]}`, place)
  }
}

/** Returns the end of a JSON object that begins a text, or -1. */
const endOfObject = (text: string): number => {
  let depth = 0
  let isText = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (isText && character === "\\") i += 1
    else if (character === '"') isText = !isText
    else if (!isText && character === "{") depth += 1
    else if (!isText && character === "}" && (depth -= 1) === 0) return i + 1
  }
  return -1
}

/** Matches what tools and editors put before a front matter: blank lines, invisible signs, comments of HTML. */
const BEFORE = /^(?:[\s\u200B-\u200D\u2060]|<!--[^]*?-->)*/
/** Matches a line that is meant as a fence: `-----`, ` ---`, `—-`, `+++`. Does not match `-`. */
const MEANT_FENCE = /^\s*(?:[-\u2010-\u2015\u2212]{2,}|\+{3,}|;{3,})[a-z]*\s*$/
/** Matches a field, with any name: `title: A`, `draft = true`, `date created: 2024`. Does not match `# a` and `https://e.x`. */
const ANY_FIELD = /^[^\s#:=][^:=]*[:=](?:\s|$)/
/** Matches another line of a front matter: `  - a`, `# a`, or none. Does not match `Some text.` */
const MEANT_LINE = /^\s*$|^\s|^- |^#/
/** Matches a field that only a front matter has at the start of a text: `title: A`. Does not match `Note: a`. */
const MEANT_FIELD = /^\s*["']?(?:title|date|layout|tags|categories|draft|published|permalink|slug)["']?\s*[:=](?:\s|$)/i
/** Lines in which a front matter is looked for. */
const MEANT_LINES = 200

/** Finds what is meant as a front matter, but does not begin at the first sign or with three hyphens. @returns its line, or null without it */
const findMeant = (text: string): number | null => {
  const [before = ""] = BEFORE.exec(text) ?? []
  const [first = "", ...others] = text.slice(before.length).split("\n", MEANT_LINES)
  const end = others.findIndex((line) => MEANT_FENCE.test(line))
  const isFenced = MEANT_FENCE.test(first)
  const lines = [...(isFenced ? [] : [first]), ...others.slice(0, Math.max(end, 0))]
  const hasFields =
    lines.every((line) => MEANT_LINE.test(line) || ANY_FIELD.test(line)) && lines.some((line) => ANY_FIELD.test(line))
  // Between fences one field that a text does not have is enough, since the others may be broken.
  const isMeant = hasFields || lines.filter((line) => MEANT_FIELD.test(line)).length > (isFenced ? 0 : 1)
  return end >= 0 && isMeant && (isFenced || MEANT_FIELD.test(first)) ? 1 + countLines(before) : null
}

/** @param start of the text after the front matter */
const toFrontMatter = (data: unknown, text: string, start: number, repeated: string[] = []): FrontMatter => {
  const head = text.slice(0, start)
  const body = text.slice(start)
  const meantLine = start === 0 ? findMeant(text) : null
  return { data: toFields(data), lines: findLines(head), body, bodyLine: 1 + countLines(head), repeated, meantLine }
}

const tooLong = () => new FrontMatterError(`The front matter has more than ${MAX_CHARS} characters.`, 1)

/** Reads JSON without fences. */
const splitJson = (text: string): FrontMatter | null => {
  const end = endOfObject(text.slice(0, MAX_CHARS))
  if (end < 0 && text.length > MAX_CHARS) throw tooLong()
  // Matches the rest of the last line. Does not match text after the object, which then is no front matter.
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end))
  if (end < 0 || !rest) return null
  return toFrontMatter(parseJson(text.slice(0, end), 1), text, end + rest[0].length)
}

/**
 * Splits a file into its front matter, in YAML, TOML or JSON, and its text. Code in a front matter is never run.
 * @throws FrontMatterError
 */
export const splitFrontMatter = (file: string): FrontMatter => {
  const text = file.replace(/^\uFEFF/, "")
  // Matches a brace that begins a field of JSON. Does not match `{{< a >}}` or `{% a %}`.
  if (/^\{\s*"/.test(text)) {
    const found = splitJson(text)
    if (found) return found
  }
  const opening = OPENING.exec(text)
  if (!opening) return toFrontMatter({}, text, 0)
  const [first, fence = "", language = ""] = opening
  // YAML may end with dots as well.
  const ending = fence === "---" ? String.raw`(?:---|\.\.\.)` : fence.replaceAll("+", String.raw`\+`)
  // Matches the closing fence on a line of its own, at the end of the file too. Does not match it after U+2028, as `^` does.
  const closing = new RegExp(`(?<![^\\n])${ending}[ \\t]*(?:\\r?\\n|$)`).exec(text.slice(first.length))
  if (!closing) {
    // A text may begin with a rule.
    if (fence === "---" && language === "" && !FIELD.test(text.slice(first.length))) return toFrontMatter({}, text, 0)
    throw new FrontMatterError(`The front matter has no closing ${fence}.`, 1)
  }
  const head = text.slice(first.length, first.length + closing.index)
  const parse = PARSERS[fence + language]
  if (!parse) throw new FrontMatterError(`Front matter in ${language} is not read: write it in YAML, TOML or JSON.`, 1)
  if (head.length > MAX_CHARS) throw tooLong()
  const start = first.length + closing.index + closing[0].length
  const repeated: string[] = []
  return toFrontMatter(parse(head, 2, repeated), text, start, repeated)
}
