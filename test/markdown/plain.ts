import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { gfmAutolinkLiteralHtml } from "micromark-extension-gfm-autolink-literal"
import { gfmFootnoteHtml } from "micromark-extension-gfm-footnote"
import { gfmStrikethroughHtml } from "micromark-extension-gfm-strikethrough"
import { gfmTableHtml } from "micromark-extension-gfm-table"
import { gfmTaskListItemHtml } from "micromark-extension-gfm-task-list-item"
import { EditMap } from "micromark-util-edit-map"
import type { CompileContext, HtmlExtension } from "micromark-util-types"

/** A second instance of the package, because packages/edgepost/src/parser/meter.ts changes the class of the first one. */
const { EditMap: Original }: typeof import("micromark-util-edit-map") = await import(
  /* @vite-ignore */ `${import.meta.resolve("micromark-util-edit-map")}?unchanged`
)
const consumeOf = ({ prototype }: typeof EditMap): PropertyDescriptor =>
  Object.getOwnPropertyDescriptor(prototype, "consume") ?? {}

/** Tells whether the first instance of the package is unchanged. */
export const isUnchanged = (): boolean => consumeOf(EditMap).value === consumeOf(Original).value

/** Runs a function while the package is unchanged. */
const withUnchanged = <T>(work: () => T): T => {
  const changed = consumeOf(EditMap)
  Object.defineProperty(EditMap.prototype, "consume", consumeOf(Original))
  try {
    return work()
  } finally {
    Object.defineProperty(EditMap.prototype, "consume", changed)
  }
}

/** Compiles Markdown to HTML with micromark and GFM. */
export const compilePlain = (markdown: string): string =>
  withUnchanged(() => micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }))

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
/** Keeps line endings that micromark 4.0.3 loses after these tokens if a definition or a list item precedes them. */
const CORRECTION: HtmlExtension = {
  enter: Object.fromEntries(BEFORE_LINE_ENDINGS.map((type) => [type, keepLineEndings])),
}

/** Compiles Markdown to HTML with raw HTML and all addresses unchanged, like the tree before it is sanitized. */
export const compileUnsafe = (markdown: string): string =>
  withUnchanged(() =>
    micromark(markdown, {
      extensions: [gfm({ singleTilde: false })],
      htmlExtensions: [
        gfmAutolinkLiteralHtml(),
        gfmFootnoteHtml({ clobberPrefix: "" }),
        gfmStrikethroughHtml(),
        gfmTableHtml(),
        gfmTaskListItemHtml(),
        CORRECTION,
      ],
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
    }),
  )
