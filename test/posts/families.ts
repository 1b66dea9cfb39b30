/** A text repeated up to a length. */
const repeat = (text: string) => (length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const numbered = (line: (i: number) => string) => (length: number) => {
  let text = ""
  for (let i = 0; text.length < length; i++) text += line(i)
  return text.slice(0, length)
}
const half = (first: string, second: string) => (length: number) =>
  repeat(first)(length / 2) + repeat(second)(length / 2)

/** What parsers of Markdown are known to take long for, by name: a text of a length. */
export const HOSTILE: Record<string, (length: number) => string> = {
  "delimiter runs": repeat("*a_ "),
  "delimiter runs of many lengths": numbered((i) => `${"*".repeat(1 + (i % 7))}a${"_".repeat(1 + (i % 5))} `),
  "strong and emphasis": repeat("**a *a "),
  tildes: repeat("~~a "),
  "brackets and parentheses": repeat("[ (]("),
  "opening brackets": repeat("["),
  "closing brackets": repeat("]"),
  "nested brackets": half("[", "]"),
  "nested links": half("[a", "](b)"),
  "nested pictures": half("![a", "](b)"),
  "links that stay open": repeat("[a]("),
  "titles that stay open": repeat('[a](b "'),
  links: repeat("[a](b) "),
  "processing instructions": repeat("x<?"),
  comments: repeat("x<!--"),
  declarations: repeat("x<!A "),
  CDATA: repeat("x<![CDATA["),
  tags: repeat("<a "),
  attributes: repeat('<a b="'),
  "angle brackets": repeat("<"),
  "character references": repeat("&amp;"),
  ampersands: repeat("&"),
  "backticks of every length": numbered((i) => `${"`".repeat(i + 1)} `),
  backslashes: repeat("\\"),
  "addresses that stay open": repeat("a@"),
  "mail addresses": repeat("a.b@c."),
  www: repeat("www."),
  protocols: repeat("http://a"),
  autolinks: repeat("<http://a.b> "),
  "nested quotes": repeat(">"),
  "a hundred quotes": repeat(`${">".repeat(100)}a\n`),
  quotes: repeat("> a\n\n"),
  "a quote that is lazy": (length) => `> ${repeat("a\n")(length - 2)}`,
  "nested lists": repeat("- "),
  "lists in lists": numbered((i) => `${" ".repeat(2 * (i % 60))}- a\n`),
  "a list": repeat("- a\n"),
  "a loose list": repeat("- a\n\n"),
  "many lists": repeat("- a\n\nb\n\n"),
  "a long table": (length) => `|a|b|\n|-|-|\n${repeat("|a|b|\n")(length - 14)}`,
  "a wide table": (length) => `${repeat("|a")(length / 2)}\n${repeat("|-")(length / 2)}`,
  pipes: repeat("|"),
  definitions: numbered((i) => `[a${i}]: /x\n`),
  references: numbered((i) => `[a${i}]: /x\n\n[a${i}]\n\n`),
  "references that find nothing": repeat("[a][b] "),
  "titles of definitions": repeat('[a]: b "\n'),
  footnotes: numbered((i) => `[^${i}]: x\n\na[^${i}]\n\n`),
  "setext headings": repeat("a\n===\n"),
  headings: repeat("# a\n"),
  "short paragraphs": repeat("a\n\n"),
  "a paragraph of short lines": repeat("a\n"),
  "a paragraph of one line": repeat("lorem ipsum "),
  fences: repeat("```\na\n```\n"),
  "a fence that stays open": (length) => `\`\`\`\n${repeat("a\n\n")(length - 4)}`,
  "HTML blocks": repeat("<div>\n\n"),
  "a comment that stays open": (length) => `<!--\n\n${repeat("a\n\n")(length - 6)}`,
  "blank lines": repeat("\n"),
  spaces: (length) => `a${repeat(" ")(length - 2)}b`,
  tabs: (length) => `${repeat("\t")(length - 1)}a`,
  "hard breaks": repeat("a  \n"),
  tasks: repeat("- [ ] a\n"),
}

const PARAGRAPH =
  'A post *says* something, with `code`, a [link](/somewhere "a title") and **words** that count; https://example.org too.\nIt goes on.\n\n'

/** What people write: paragraphs, and every construct now and then. */
export const prose = (length: number): string =>
  numbered(
    (i) =>
      PARAGRAPH.repeat(3) +
      [
        `## Heading ${i}`,
        "- one\n- *two*\n- three",
        "> A quote",
        "```js\nlet a = 1\n```",
        "| a | b |\n|---|---|\n| c | d |",
      ][i % 5] +
      "\n\n",
  )(length)
