import { compile, parse, postprocess, preprocess } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import type { CompileContext, CompileOptions, Event } from "micromark-util-types"

function keepLineEndings(this: CompileContext): void {
  this.setData("slurpAllLineEndings")
}
const BEFORE_LINE_ENDINGS = [
  "atxHeadingSequence",
  "codeFencedFence",
  "codeFlowValue",
  "htmlFlowData",
  "thematicBreakSequence",
]
/** The one correction of micromark 4.0.3: see src/posts/markdown.ts. */
const CORRECTION = { enter: Object.fromEntries(BEFORE_LINE_ENDINGS.map((type) => [type, keepLineEndings])) }

const eventsOf = (markdown: string, extensions: ReturnType<typeof gfm>[]): Event[] =>
  postprocess(
    parse({ extensions })
      .document()
      .write(preprocess()(markdown, undefined, true)),
  )

const compiled = (markdown: string, extensions: ReturnType<typeof gfm>[], options: CompileOptions): string =>
  compile(options)(eventsOf(markdown, extensions))

/** The events of a document with GFM, parsed as one. */
export const parsePlain = (markdown: string): Event[] => eventsOf(markdown, [gfm()])

/** What micromark makes of Markdown with GFM as one document: what ours has to be equal to. */
export const compileWhole = (markdown: string): string =>
  compiled(markdown, [gfm()], { htmlExtensions: [gfmHtml({ clobberPrefix: "" }), CORRECTION] })

/** Without GFM: CommonMark alone. */
export const compileCommonMark = (markdown: string, options: CompileOptions): string => compiled(markdown, [], options)

/** Without the correction. */
export const compileUncorrected = (markdown: string): string =>
  compiled(markdown, [gfm()], { htmlExtensions: [gfmHtml({ clobberPrefix: "" })] })
