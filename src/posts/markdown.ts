/// <reference types="micromark-extension-gfm-table" />
/// <reference types="micromark-extension-gfm-footnote" />
import { compile } from "micromark"
import { gfmHtml } from "micromark-extension-gfm"
import { normalizeIdentifier } from "micromark-util-normalize-identifier"
import type { CompileContext, Event, HtmlExtension, LineEnding } from "micromark-util-types"

import { MAX_HTML_BYTES } from "../limits.ts"
import { type Block, type Blocks, cutBlocks, eventsOf, groupBlocks } from "./blocks.ts"
import { estimate } from "./crowding.ts"
import { refuseDense } from "./density.ts"
import { idsLike } from "./heading-ids.ts"
import { type Picture, sanitize } from "./net.ts"
import { countRepeated } from "./references.ts"

export interface Rendered {
  /** Of one or more top-level blocks each, as the compiler made it: not to be shown yet. */
  parts: string[]
  /** `src` of every picture that the body shows, in order, as written. */
  pictures: string[]
}

/** A sentence that names the construct of which the body holds too much. */
export interface TooComplex {
  tooComplex: string
}

/** micromark 4.0.3 forgets that line endings count again where another block follows a definition or a tight item's text. */
const keepLineEndings: HtmlExtension = {
  enter: Object.fromEntries(
    ["atxHeadingSequence", "codeFencedFence", "codeFlowValue", "htmlFlowData", "thematicBreakSequence"].map((type) => [
      type,
      function (this: CompileContext) {
        this.setData("slurpAllLineEndings")
      },
    ]),
  ),
}
const gfm = gfmHtml({ clobberPrefix: "" })

interface Compiler {
  /** @returns HTML of some of a document's events; what comes later refers to what came before */
  compile: (events: Event[]) => string
  /** @returns the HTML of its footnotes, which stand behind all else */
  end: () => string
}

/** Compiles a document piece by piece: definitions and the numbers of footnotes are known from one to the next. */
const openCompiler = (): Compiler => {
  let html = ""
  let isEnd = false
  const pieces: HtmlExtension = {
    enter: {
      null() {
        this.buffer()
        return undefined
      },
    },
    exit: {
      // In the place of the extension that writes the footnotes behind each.
      null() {
        if (isEnd) gfm.exit?.null?.call(this)
        html = this.resume()
        return undefined
      },
    },
  }
  const compileEvents = compile({ htmlExtensions: [gfm, keepLineEndings, pieces] })
  const take = (events: Event[]): string => {
    compileEvents(events)
    return html
  }
  return {
    compile: take,
    end() {
      isEnd = true
      return take([])
    },
  }
}

type Definitions = Map<string, Event[]>

/** The events of every definition, by its label; the first one counts. */
const collectDefinitions = (events: Event[], into: Definitions): void => {
  let start = 0
  let label = ""
  for (const [i, [kind, token, context]] of events.entries()) {
    if (kind === "enter" && token.type === "definition") start = i
    if (kind === "enter" && token.type === "definitionLabelString")
      label = normalizeIdentifier(context.sliceSerialize(token))
    if (kind === "exit" && token.type === "definition" && !into.has(label)) into.set(label, events.slice(start, i + 1))
  }
}

/** Adds the definitions that some events may refer to, each once in a document. */
const addDefinitions = (events: Event[], definitions: Definitions): void => {
  if (definitions.size === 0) return
  const labels = new Set<string>()
  for (const [kind, token, context] of events)
    if (kind === "enter" && (token.type === "labelText" || token.type === "referenceString"))
      labels.add(normalizeIdentifier(context.sliceSerialize(token)))
  for (const label of labels) {
    for (const event of definitions.get(label) ?? []) events.push(event)
    definitions.delete(label)
  }
}

/** Joins as the compiler does: what begins a line of its own gets one. */
const joinParts = (parts: string[], lineEnding: string): string[] => {
  const joined: string[] = []
  for (const part of parts.filter((text) => text !== "")) {
    const isApart = joined.length === 0 || /[\r\n]$/.test(joined.at(-1) ?? "") || /^[\r\n]/.test(part)
    joined.push(isApart ? part : lineEnding + part)
  }
  return joined
}

/** The events of a document, in as many pieces as can be compiled apart. */
function* piecesOf({ blocks, shared }: Blocks): Generator<Event[]> {
  const definitions: Definitions = new Map()
  const known = new Map<Block, Event[]>()
  for (const block of blocks) {
    if (!shared.defined.length || !block.events) continue
    const events = eventsOf(shared, block)
    collectDefinitions(events, definitions)
    known.set(block, events)
  }
  for (const group of groupBlocks(blocks)) {
    const all: Event[] = []
    for (const block of group) {
      for (const event of known.get(block) ?? eventsOf(shared, block)) all.push(event)
      known.delete(block)
      block.events = null
    }
    // The compiler takes definitions first, and the line ending that it writes itself from the first event that has one.
    addDefinitions(all, definitions)
    yield all
  }
}

/** What the compiler puts between blocks. */
const firstLineEnding = (events: Event[]): LineEnding | null => {
  const found = events.find(([, { type }]) => type === "lineEnding" || type === "lineEndingBlank")
  return found ? (found[2].sliceSerialize(found[1]) as LineEnding) : null
}

const TOO_LONG: TooComplex = { tooComplex: `Its HTML is longer than ${MAX_HTML_BYTES} bytes.` }

const REPEATED: TooComplex = {
  tooComplex: `What its references repeat is longer than the ${MAX_HTML_BYTES} bytes that its HTML may have.`,
}

/** Cuts a document into its blocks, unless parsing them would take too long. */
export const readBlocks = (markdown: string): Blocks | TooComplex => {
  const estimated = estimate(markdown)
  if ("tooComplex" in estimated) return estimated
  const blocks = cutBlocks(markdown)
  if (countRepeated(markdown, blocks) > MAX_HTML_BYTES) return REPEATED
  const dense = estimated.isFarFromMost ? null : refuseDense(blocks, estimated.effort)
  return dense ? { tooComplex: dense } : blocks
}

/** Compiles blocks, in parts. @returns the parts of their HTML, joined as they are equal to what micromark makes of all at once */
export const compileBlocks = (blocks: Blocks): string[] | TooComplex => {
  const compiler = openCompiler()
  let lineEnding: LineEnding | null = null
  const parts: string[] = []
  let length = 0
  const add = (part: string): boolean => {
    length += part.length
    parts.push(part)
    return length <= MAX_HTML_BYTES
  }
  for (const events of piecesOf(blocks)) {
    lineEnding ??= firstLineEnding(events)
    if (!add(compiler.compile(events))) return TOO_LONG
  }
  return add(compiler.end()) ? joinParts(parts, lineEnding ?? "\n") : TOO_LONG
}

// Sound on this compiler's output only: it escapes every `<`, `"` and `&` of the author.
const PICTURE = /<img src="([^"]*)"/g

const picturesIn = (part: string): string[] =>
  [...part.matchAll(PICTURE)].map(([, src = ""]) => src.replaceAll("&amp;", "&"))

/**
 * Markdown (CommonMark with GFM) to HTML. Raw HTML of the author is shown as text; links have safe protocols only.
 * @returns what `placePictures` needs, once it is known which pictures may be shown
 */
export const renderMarkdown = (markdown: string): Rendered | TooComplex => {
  const blocks = readBlocks(markdown)
  if ("tooComplex" in blocks) return blocks
  const parts = compileBlocks(blocks)
  if ("tooComplex" in parts) return parts
  return { parts, pictures: parts.flatMap(picturesIn) }
}

/**
 * The HTML to store and to serve.
 * @param idPrefix makes ids differ between the posts of a page
 * @param show the size of a picture that may be shown; null for all others, which become links
 * @param original stored HTML of what this is a translation of: headings keep its ids where they are the same in number and level
 */
export const placePictures = (
  { parts }: Rendered,
  idPrefix: string,
  show: (src: string) => Picture | null,
  original = "",
): { html: string } | TooComplex => {
  const html = sanitize(parts, idPrefix, show, idsLike(parts, original, idPrefix))
  return new TextEncoder().encode(html).length > MAX_HTML_BYTES ? TOO_LONG : { html }
}
