import * as fc from "fast-check"

const word = fc.constantFrom("tide", "boat", "sea.", "(oar)", "red-ish", "茶。", "1.", "it's", "a_b", "5*6", "x=1")
const inline = fc.oneof(
  { weight: 6, arbitrary: word },
  fc.constantFrom(
    "**strong**",
    "*em*",
    "*em.*",
    "~~gone~~",
    "`code`",
    "`co\nde`",
    "[link](https://e.x/a)",
    "<b>bold</b>",
  ),
  fc.constantFrom(
    "[multi\nline](/b)",
    "![alt](/c.png)",
    "<https://e.x>",
    "\\*",
    "**two\nlines**",
    "!",
    "&amp;",
    "\\\\",
  ),
)
const lineEnd = fc.oneof({ weight: 5, arbitrary: fc.constant("\n") }, fc.constantFrom("  \n", "\\\n", " \n", "   \n"))
const paragraph = fc
  .array(fc.tuple(fc.array(inline, { minLength: 1, maxLength: 4 }), lineEnd), { minLength: 1, maxLength: 5 })
  .map((lines) => `a ${lines.map(([parts, end]) => parts.join(" ") + end).join("b ")}`.replace(/(?:\\| +)?\n$/, ""))
const indent = (text: string, first: string, rest: string): string => first + text.replaceAll("\n", `\n${rest}`)
const block: fc.Arbitrary<string> = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    paragraph,
    fc.constantFrom("## Head", "```\nco\nde\n```", "    in\n    dented", "| a | b |\n|---|---|\n| c | d |", "---"),
    fc.constantFrom("<div>\nhtml\nhtml\n</div>", '[def]: /x\n  "title"', "> a\nlazy", "- a\nlazy"),
    fc.array(tie("block"), { minLength: 1, maxLength: 2 }).map((all) => indent(all.join("\n\n"), "- ", "  ")),
    fc.array(tie("block"), { minLength: 1, maxLength: 2 }).map((all) => indent(all.join("\n\n"), "1. ", "   ")),
    fc.array(tie("block"), { minLength: 1, maxLength: 2 }).map((all) => indent(all.join("\n\n"), "> ", "> ")),
  ),
})).block
/** Generates texts with line ends of any kind, in and beside all kinds of blocks. */
export const lined = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => `${blocks.join("\n\n")}\n`)
