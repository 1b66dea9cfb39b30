import { isUtf8 } from "node:buffer"
import { posix } from "node:path"

import type { Finding } from "../finding.ts"
import { readText } from "../markdown/document.ts"
import { applyEdits, type Edit, lastUpTo, Lines } from "../markdown/edits.ts"
import { type Theme, Names } from "../markdown/theme.ts"
import type { Span } from "../markdown/tree.ts"
import type { FileRule, Inclusion, InclusionSyntax, Tool } from "../tools/tool.ts"
import { type FieldOptions } from "./field-reader.ts"
import { readFields } from "./fields.ts"
import type { Folder } from "./files.ts"
import { FolderError } from "./folder-error.ts"
import { type FrontMatter, FrontMatterError, splitFrontMatter } from "./front-matter.ts"
import { DRAFTS, whyLeftOut } from "./hides.ts"
import { MARKDOWN, nameOf } from "./paths.ts"
import { COMMENT } from "./rendered.ts"

// Puts parts that stand in other files of the folder into a text, as the blog's tool does.

const MAX_PART_BYTES = 262_144
const MAX_PARTS = 20

/** The things that reading parts needs. */
export interface InclusionContext {
  folder: Folder
  options: FieldOptions & { files: ReadonlySet<string> }
  theme: Theme
  /** Tells why a file is left out by its path. */
  ruleOf: FileRule
  addDefaults: (file: string, front: FrontMatter) => FrontMatter
}

/** Says why a part is not included. */
class Refusal extends Error {}

/** Matches the start of a region, with its name: `// #region a`, `# region a`, `# --8<-- [start:a]`. Does not match `the region a`. */
const REGION = /(?:#\s?region\s+|--8<--\s*\[\s*start\s*:\s*)([\w-]+)/
/** Matches the end of a region, with its name if it has one: `// #endregion`, `# --8<-- [end:a]`. */
const REGION_END = /(?:#\s?endregion\b\s*|--8<--\s*\[\s*end\s*:\s*)([\w-]*)/
/** Matches a table of data by its name: `a.csv`. Does not match `a.md`. */
const DATA = /\.(?:csv|tsv|xlsx?|ods|sqlite|db)$/i
/** Matches the tags of Liquid around a text that stays as it is written: `{% raw %}`, `{% endraw %}`. Does not match `{% rawhtml %}`. */
const RAW = /\{%-?\s*(?:end)?raw\s*-?%\}/g
/** Matches the start of what Liquid evaluates. Does not match `{ a }`. */
const LOGIC = /\{[{%]/

/** Matches the start of an element that readers do not see: `<p hidden>`. Does not match `<p>`. */
const HIDDEN =
  /<[a-z][^<>]*\s(?:hidden(?=[\s>=])|style\s*=\s*["'][^"']*(?:display\s*:\s*none|visibility\s*:\s*hidden))/i

const isMark = (line: string): boolean => REGION_END.test(line) || REGION.test(line)
/** Removes the comments of a part, but for marks of regions, and keeps its lines. */
const withoutComments = (text: string): string =>
  text.replaceAll(COMMENT, (comment) =>
    !comment.includes("\n") && isMark(comment) ? comment : comment.replaceAll(/[^\n]/g, ""),
  )

const isPrivate = (path: string): boolean => /(?:^|\/)(?:\.|node_modules\/)/.test(path)

/** Makes a function that tells whether a place is in one of some spans, which are in order. */
const within = (spans: Span[]) => {
  const starts = spans.map(({ start }) => start)
  return (at: number): boolean => at < (spans[lastUpTo(starts, at)]?.end ?? 0)
}

/** Returns the lines of a part that are meant, without the marks of regions. @param bodyLine the line of the file, from 1, at which the text begins */
const linesOf = (text: string, bodyLine: number, { lines, region }: Inclusion): string => {
  const all = text.split("\n")
  // Matches `4-9`, `4,`, `:9` and `4`. Does not match `1,3-4`, which only highlights.
  const [, from, to] = /^(\d*)[,:-]?(\d*)$/.exec(lines ?? "-") ?? []
  if (from || to)
    return all
      .slice(Math.max(0, Number(from) - bodyLine), Math.max(0, Number(to || Infinity) - bodyLine + 1))
      .join("\n")
  if (region === undefined) return text.includes("--8<--") ? all.filter((line) => !isMark(line)).join("\n") : text
  const start = all.findIndex((line) => REGION.exec(line)?.[1] === region)
  const end = all.findIndex((line, i) => i > start && [region, ""].includes(REGION_END.exec(line)?.[1] ?? "-"))
  if (start < 0) throw new Refusal(`it has no region ${region}`)
  const found = all.slice(start + 1, end < 0 ? undefined : end)
  return found.filter((line) => !isMark(line)).join("\n")
}

/** Writes a part as code. Fences within it are shorter. */
const toCode = (text: string, language: string): string => {
  // Matches backquotes.
  const run = [...text.matchAll(/`+/g)].reduce((longest, [ticks]) => Math.max(longest, ticks.length), 2)
  const fence = "`".repeat(run + 1)
  return `${fence}${language}\n${text.replace(/\n*$/, "")}\n${fence}`
}

/** Refuses a file that readers do not get by its place. */
const refusePlace = (file: string, { ruleOf }: InclusionContext): void => {
  if (DRAFTS.test(file)) throw new Refusal("it is a draft")
  // A part lies where no page may be made of it: of the rules for paths, only one that names a setting is a wish to hide it.
  const reason = ruleOf(MARKDOWN.test(file) ? file : `${file}.md`)
  if (reason?.includes("`")) throw new Refusal(`it is left out (${reason})`)
}

/** Refuses a text that readers do not get as a post of its own either. */
const refuseHidden = (file: string, own: FrontMatter, { options, addDefaults }: InclusionContext): void => {
  const { settings, now } = options
  const front = addDefaults(file, own)
  const variant = { file, lang: null }
  const pathDate = nameOf(variant, settings.tool.dateOfPath).date
  const { fields, findings } = readFields(front, file, { ...options, fileDate: nameOf(variant).date, pathDate })
  const isAhead = fields.published_at !== null && Date.parse(fields.published_at) > now.getTime()
  if (fields.isDraft || isAhead) throw new Refusal("it is a draft")
  if (typeof own.meantLine === "number" || findings.some(({ level }) => level === "error"))
    throw new Refusal("its front matter cannot be read")
  const byTool = own.bodyLine > 1 ? settings.tool.skipsPost?.(front, file, settings) : null
  const reason = (byTool ?? whyLeftOut(front, options))?.reason
  if (reason !== undefined) throw new Refusal(`it is left out (${reason})`)
}

const readPart = async (part: Inclusion, syntax: InclusionSyntax, context: InclusionContext): Promise<string> => {
  const { folder, options } = context
  const [first = ""] = part.paths
  if (part.paths.some((path) => /^[a-z][a-z0-9+.-]*:\/?\//i.test(path))) throw new Refusal("it is an address")
  if (DATA.test(first)) throw new Refusal("it is a table of data")
  const file = part.paths.find((path) => options.files.has(path) && !isPrivate(path))
  if (file === undefined) throw new Refusal("the folder has no such file that may be read")
  const bytes = await folder.read(file, MAX_PART_BYTES, true)
  if (!isUtf8(bytes) || bytes.includes(0)) throw new Refusal("it is no text in UTF-8")
  const text = bytes.toString().replaceAll(/\r\n?/g, "\n")
  const isText = part.code === undefined || MARKDOWN.test(file)
  const front = isText ? (options.settings.tool.splitFields?.(text, file) ?? splitFrontMatter(text)) : null
  refusePlace(file, context)
  if (front) refuseHidden(file, front, context)
  const isCut = part.code !== undefined || part.lines !== undefined || part.region !== undefined
  if (front && isCut && HIDDEN.test(front.body)) throw new Refusal("it has hidden text")
  const bodyLine = front?.bodyLine ?? 1
  const written = linesOf(front?.body ?? text, bodyLine, part)
  const body = front ? linesOf(withoutComments(front.body), bodyLine, part) : written
  if (part.code !== undefined) return toCode(body, part.code || posix.extname(file).slice(1))
  const isNested = context.options.settings.tool.inclusions?.some(({ pattern }) => written.search(pattern) >= 0)
  if (isNested || (syntax.isForeign && LOGIC.test(body))) throw new Refusal("it has parts of its own")
  return syntax.isForeign && !MARKDOWN.test(file) && !/<pre\b/i.test(body) ? body.replaceAll(/^[ \t]+/gm, "") : body
}

/** Finds the syntax of a tool in a text, in order, none within another. */
const findSyntax = (tool: Tool, body: string) => {
  const found = (tool.inclusions ?? []).flatMap((syntax) =>
    Array.from(body.matchAll(syntax.pattern), (match) => ({ syntax, match, start: match.index })),
  )
  if (found.length === 0) return []
  const isInCode = within(readText(body).document.code)
  const tags = Array.from(body.matchAll(RAW), ({ index }) => index)
  const isRaw = within(tags.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: tags[i + 1] ?? start }] : [])))
  const comments = Array.from(body.matchAll(COMMENT), ({ 0: whole, index }) => ({
    start: index + 1,
    end: index + whole.length,
  }))
  const isInComment = within(comments)
  const shown = found.filter(
    ({ syntax, start }) =>
      (syntax.inCode ?? !isInCode(start)) &&
      !(syntax.isForeign && isRaw(start)) &&
      (syntax.inCode || syntax.isForeign || !isInComment(start)),
  )
  let end = 0
  return shown
    .toSorted((one, other) => one.start - other.start)
    .filter(({ start, match: [whole] }) => {
      const isFree = start >= end
      if (isFree) end = start + whole.length
      return isFree
    })
}

/** Puts the parts of a text into it. What cannot be included is an error, or stays as it is where it blocks the post by itself. */
export const includeParts = async (
  front: FrontMatter,
  file: string,
  context: InclusionContext,
): Promise<{ front: FrontMatter; findings: Finding[] }> => {
  const { body, bodyLine, data } = front
  const { settings } = context.options
  const found = findSyntax(settings.tool, body)
  if (found.length === 0) return { front, findings: [] }
  const names = new Names(context.theme, data)
  const lines = new Lines(body)
  const findings: Finding[] = []
  const edits: Edit[] = []
  let count = 0
  for (const { syntax, match, start } of found) {
    const [whole, target = ""] = match
    // The conversion of a name that is known is more than its file.
    if (syntax.isForeign && names.conversionOf(posix.parse(target).name)) continue
    const parts = syntax.read(match, { file, data, settings })
    try {
      count += parts.length
      if (count > MAX_PARTS) throw new Refusal(`a post has at most ${MAX_PARTS} parts`)
      const texts: string[] = []
      for (const part of parts) texts.push(await readPart(part, syntax, context))
      const text = texts.join("\n").replaceAll("\n", `\n${lines.continuation(start)}`)
      if (parts.length > 0) edits.push({ start, end: start + whole.length, text })
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof FolderError || error instanceof FrontMatterError)) throw error
      const reason = error.message.replace(/\.$/, "")
      const message = `${whole.trim()} is not included: ${reason}. Write its text here, or remove the line.`
      if (!syntax.isForeign)
        findings.push({ level: "error", code: "inclusion", message, file, line: bodyLine + lines.numberOf(start) - 1 })
    }
  }
  const { text, oldOffset } = applyEdits(body, edits)
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  return {
    front: { ...front, body: text, ownLines: starts.map((start) => lines.numberOf(oldOffset(start))) },
    findings,
  }
}
