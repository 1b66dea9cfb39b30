import { posix } from "node:path"

import { readHtml, type Shown } from "../page.ts"

// The tools in which people write, what each makes of one rich document, and the differences that we want.

/** What readers see of a document. */
export interface Seen extends Required<{ [K in keyof Shown]: NonNullable<Shown[K]> }> {
  /** The words before and after each line break. */
  lines: string[]
  /** The letters and signs of each formula. */
  formulas: string[]
}

/** The answer of a tool. */
export interface WriterAnswer {
  /** The package that was run, with its version. */
  version: string
  /** The document as edgepost gets it, without front matter. */
  text: string
  /** What the tool shows readers of the document. */
  seen: Seen
}

/** Matches MathML. */
const FORMULA = /<math\b[^>]*>([^]*?)<\/math>/g

/** Returns the letters and signs of MathML. */
const formulaOf = (mathMl: string): string =>
  // Matches the text of a formula in TeX, tags, and signs without width.
  mathMl.replaceAll(/<annotation[^]*?<\/annotation>|<[^>]*>|[\s\u2061-\u2064]/g, "")

/** Reads what readers see of HTML. */
export const seenOf = (html: string): Seen => {
  const shown = readHtml(html)
  // Matches code, in which a line end is no line break.
  const { words } = readHtml(html.replaceAll(/<pre\b[^]*?<\/pre>/g, "").replaceAll(/<br\b[^>]*>/g, " ⏎ "))
  return {
    ...shown,
    // Those of footnotes lead elsewhere in the page.
    links: shown.links.filter((link) => !link.startsWith("#")),
    images: shown.images.map((src) => posix.basename(src)),
    lines: Array.from(words.matchAll(/(\S*) ⏎ (?=(\S*))/g), ([, before = "", after = ""]) => `${before} ⏎ ${after}`),
    formulas: Array.from(html.matchAll(FORMULA), ([, formula = ""]) => formulaOf(formula)),
  }
}

/** A wanted difference: a part of the tool's answer, and what edgepost has in its place. Entries of a list are lines. */
type Row = [field: keyof Seen, reason: string, tool: string, edgepost: string]

export interface Writer {
  /** The document that the tool reads, in this folder. */
  source: "rich.md" | "rich.org" | "rich.html"
  /** The package of npm. */
  package: string
  /** Path of the post in the folder that edgepost reads, and the other files of the folder. */
  file: string
  /** Fields of the post's front matter beside its title and date. */
  front?: string
  frame: Record<string, string>
  differences: Row[]
}

const MARK = "The mark of a footnote has no brackets."
const PLUGIN = "Formulas and footnotes need a plugin of Hexo, which the judge does not run."
const OLD = "kramed knows no backslash at the end of a line, and marks formulas and footnotes for scripts."
const TILDE = "A single tilde strikes nothing through."
const NOTE = "Those with sails and those without."
const FORMULAS = "d1=2\nd1+d2"
const NO_MARK: Row[] = [
  ["words", MARK, "Ships[1]", "Ships1"],
  ["lines", MARK, "Ships[1]", "Ships1"],
]

/** What edgepost shows of the document, and Hexo without plugins does not. */
const OF_PLUGINS: Row[] = [
  ["words", PLUGIN, "depth $d_1 = 2$ of the", "depth of the"],
  ["words", PLUGIN, "$$ d_1 + d_2 $$ Ships[^1]", "Ships1"],
  ["words", PLUGIN, "[^1]: Those", "Those"],
  ["notes", PLUGIN, "", NOTE],
  ["formulas", PLUGIN, "", FORMULAS],
]
const LINES_OF_PLUGINS: Row[] = [
  ["lines", PLUGIN, "$$ ⏎ d_1\n+ ⏎ d_2\nd_2 ⏎ $$\nShips[^1]", "Ships1"],
  ["lines", PLUGIN, "[^1]: ⏎ Those\n", ""],
]

const hexo = (renderer: string, differences: Row[], settings = ""): Writer => ({
  source: "rich.md",
  package: `hexo-renderer-${renderer}`,
  file: "source/_posts/rich.md",
  frame: {
    "_config.yml": `title: B\nsyntax_highlighter: ""\n${settings}`,
    "package.json": JSON.stringify({
      name: "b",
      version: "0.0.0",
      hexo: { version: "" },
      dependencies: { hexo: "*", [`hexo-renderer-${renderer}`]: "*" },
    }),
  },
  differences,
})

export const WRITERS: Record<string, Writer> = {
  joplin: {
    source: "rich.md",
    package: "@joplin/renderer",
    file: "Notes/Rich.md",
    front: "updated: 2024-03-10 09:00:00Z\ncreated: 2024-03-10 08:00:00Z\n",
    frame: { "edgepost.config.yaml": "publish_by: all\n" },
    differences: NO_MARK,
  },
  marked: hexo("marked", [...OF_PLUGINS, ...LINES_OF_PLUGINS]),
  "marked-plain": hexo("marked", OF_PLUGINS, "marked:\n  breaks: false\n"),
  "markdown-it": hexo("markdown-it", [...OF_PLUGINS, ...LINES_OF_PLUGINS]),
  "markdown-it-plus": hexo("markdown-it-plus", [...NO_MARK]),
  kramed: hexo("kramed", [
    ["words", OLD, "backslash\\ and", "backslash and"],
    ["words", OLD, "1: Those", "Those"],
    ["lines", OLD, "backslash\\ ⏎", "backslash ⏎"],
    ["words", OLD, "depth $d_1 = 2$ of", "depth of"],
    ["lines", OLD, "1: ⏎ Those\n", ""],
    ["notes", OLD, "", NOTE],
    ["formulas", OLD, "", FORMULAS],
  ]),
  pandoc: {
    source: "rich.org",
    package: "pandoc-wasm",
    file: "rich.md",
    frame: {},
    differences: [],
  },
  turndown: {
    source: "rich.html",
    package: "turndown",
    file: "rich.md",
    frame: {},
    differences: [["words", TILDE, "blue", "~blue~"]],
  },
}
