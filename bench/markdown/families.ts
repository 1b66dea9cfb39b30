// Families of hostile documents. A family makes a document of any length in characters.

type Family = (length: number) => string

/** Repeats a unit. */
const repeat =
  (unit: string): Family =>
  (length) =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** Repeats whole units only. Use it if the end of the document decides how the rest is parsed. */
const repeatWhole =
  (unit: string): Family =>
  (length) =>
    unit.repeat(Math.floor(length / unit.length))

/** Joins numbered units. */
const count =
  (unit: (i: number) => string): Family =>
  (length) => {
    let text = ""
    for (let i = 0; text.length < length; i++) text += unit(i)
    return text.slice(0, length)
  }

const between =
  (start: string, rest: Family, end: string): Family =>
  (length) =>
    start + rest(Math.max(0, length - start.length - end.length)) + end

const after = (start: string, rest: Family): Family => between(start, rest, "")

/** Repeats one unit, and another one for the last 800 characters. */
const ending =
  (most: string, end: string): Family =>
  (length) =>
    repeat(most)(Math.max(0, length - 800)) + repeat(end)(Math.min(800, length))

const halves =
  (first: string, second: string): Family =>
  (length) =>
    repeat(first)(length / 2) + repeat(second)(length / 2)

/** Opens a construct for half of the length, over blank lines, and repeats a unit after its end. */
const afterOpen =
  (start: string, end: string, unit: string): Family =>
  (length) =>
    `${start}\n\n${repeat(`${"a ".repeat(1000)}\n\n`)(length / 2)}\n\n${end}\n\n${repeat(unit)(length / 2)}`

const DELIMITERS: Record<string, Family> = {
  "stars, open": repeat("*a_ "),
  "strong, open": repeat("**a *a "),
  underscores: repeat("_a"),
  tildes: repeat("~~a "),
  "stars, nested": halves("*a ", "a* "),
  "stars, in pairs": repeat("*a* "),
  "names in bold, by line": repeat("**a:** b\n"),
  "strong, nested": halves("**a ", "a** "),
  "run of stars": halves("*", "a*"),
  "three stars": repeat("***a** b* "),
  "runs that grow": count((i) => `${"*".repeat(i % 50)}a `),
  "delimiter runs of many lengths": count((i) => `${"*".repeat(1 + (i % 7))}a${"_".repeat(1 + (i % 5))} `),
  backticks: count((i) => `${"`".repeat(i + 1)} `),
  "backticks, few lengths": count((i) => `${"`".repeat((i % 30) + 1)}a `),
  code: repeat("`a` "),
  escapes: repeat("\\"),
  "escaped stars": repeat("\\*a\\* "),
}

const BRACKETS: Record<string, Family> = {
  "brackets, open": repeat("["),
  "brackets, closed": repeat("]"),
  "brackets, nested": halves("[", "]"),
  "brackets, balanced in open ones": halves("[", "[x]]"),
  "brackets after an image's, beside a footnote": after("[^a]: b\n\n![", repeat("]")),
  "brackets and parentheses": repeat("[ (]("),
  "links, open": repeat("[a]("),
  links: repeat("[a](b) "),
  "links, nested": halves("[a", "](b)"),
  "titles, open": repeat('[a](b "'),
  "parentheses in links": after("[a](", repeat("(")),
  "angles in links": repeat("[a](<b"),
  "images, open": repeat("!["),
  "images, nested": halves("![a", "](b)"),
  images: repeat("![a](b) "),
  "references, open": repeat("[a][b"),
  "footnote calls, open": repeat("[^a"),
  "emphasis in links": repeat("[*a*](b) "),
}

const REFERENCES: Record<string, Family> = {
  definitions: count((i) => `[a${i}]: /x\n`),
  "references and definitions": count((i) => `[a${i}]: /x\n\n[a${i}]\n\n`),
  "references to one definition": after(`[a]: /${"x".repeat(1000)}\n\n`, repeat("[a] ")),
  "references to one definition, by line": after(`[a]: /${"x".repeat(1000)}\n\n`, repeat("[a]\n\n")),
  "full references without a definition": repeat("[a][b] "),
  "references without a definition": count((i) => `[a${i}] `),
  "definitions, open titles": repeat('[a]: b "\n'),
  "definitions, escaped labels": repeat('[\\]]: /x "a"\n'),
  "definitions, indented": repeat("[a]: /x\n\t"),
  "definitions, labels of two lines": repeat("[\na]: /x\n\n"),
  "definitions, long labels": count((i) => `[${i}${"a".repeat(900)}]: b\n`),
  footnotes: count((i) => `[^${i}]: x\n\na[^${i}]\n\n`),
  "footnotes, no calls": count((i) => `[^${i}]: x\n`),
  "calls of one footnote": after("[^1]: x\n\n", repeat("a[^1] ")),
  "footnotes that call": count((i) => `[^${i}]: a[^${i + 1}]\n\n`),
  "footnotes with lists": count((i) => `[^${i}]: - a\n    - b\n\na[^${i}]\n\n`),
}

const HTML: Record<string, Family> = {
  "less-than": repeat("<"),
  instructions: repeat("x<?"),
  comments: repeat("x<!--"),
  "comments in lines": repeat("a <!-- b --> "),
  declarations: repeat("x<!A "),
  "CDATA sections": repeat("x<![CDATA["),
  "tags, open": repeat("<a "),
  tags: repeat("<b>a</b> "),
  attributes: repeat('<a b="'),
  "HTML blocks": repeat("<div>\n\n"),
  "HTML block, open": after("<!--\n\n", repeat("a\n\n")),
  ampersands: repeat("&"),
  entities: repeat("&amp;"),
  "entities, open": repeat("&#1"),
  quotes: repeat('"'),
}

const AUTOLINKS: Record<string, Family> = {
  autolinks: repeat("<http://a.b> "),
  "addresses, open": repeat("a@"),
  addresses: repeat("a@b.cd "),
  "dots in addresses": repeat("a.b@c."),
  www: repeat("www."),
  "www links": repeat("www.a.bc "),
  "http, open": repeat("http://a"),
  "parentheses after a link": after("www.a.bc/", halves("(", ")")),
  "parentheses in a link": between("www.a.bc/", repeat(")"), "a"),
  "entities after a link": after("www.a.bc/", repeat("&amp;")),
  "entities in a link": between("www.a.bc/", repeat("&amp;"), "a"),
  "stops after a link": after("www.a.bc/", repeat("?!.,")),
  "stops in a link": between("www.a.bc/", repeat("?!.,"), "a"),
  "stops in an address": between("a@b", repeat("-_."), "a"),
  colons: repeat("a:"),
}

const CONTAINERS: Record<string, Family> = {
  "quotes, deep": repeat(">"),
  "quotes of 100": repeat(`${">".repeat(100)}a\n`),
  "quotes of 10": repeat(`${">".repeat(10)}a\n`),
  "quotes, staircase": count((i) => `${">".repeat(i % 100)}a\n\n`),
  "quote, lazy": after("> ", repeat("a\n")),
  "quote, lazy after an invalid footnote": after("> a\n[^a b]:\n", repeat("a\n")),
  "paragraphs in quotes": repeat("> a\n\n"),
  "one long quote": repeat("> a\n"),
  "lists, deep": repeat("- "),
  "list, nested": count((i) => `${" ".repeat(2 * (i % 60))}- a\n`),
  "list, flat": repeat("- a\n"),
  "list, loose": repeat("- a\n\n"),
  "lists, mixed": repeat("* - + a\n"),
  "lists, many": repeat("- a\n\nb\n\n"),
  "list, ordered": count((i) => `${i}. a\n`),
  "list of paragraphs": after("- a\n\n", repeat("  a\n\n")),
  "list of fences": repeat("- ```\n  a\n  ```\n"),
  "quotes in lists": repeat("- > a\n"),
  "tabs after many items": after("- ".repeat(99), repeat("\t")),
  "spaces after many items": between("- ".repeat(99), repeat(" "), "a"),
  "a line of tabs after many items": after(`${"- ".repeat(99)}a\n`, repeat("\t")),
  tasks: repeat("- [ ] a\n"),
  "other markers": count((i) => `${"-+*"[i % 3]} a\n`),
}

const WIDE_ROW = `${"|a".repeat(10)}|`

const TABLES: Record<string, Family> = {
  "table, long": after("|a|b|\n|-|-|\n", repeat("|a|b|\n")),
  "table, wide": (length) => `${repeat("|a")(length / 2)}\n${repeat("|-")(length / 2)}`,
  "table, empty rows": after(`${"|a".repeat(100)}\n${"|-".repeat(100)}\n`, repeat("a\n")),
  "table, links": after("|a|\n|-|\n", repeat("|[a](b)|\n")),
  "many tables": repeat("|a|\n|-|\n|b|\n\n"),
  "tables in quotes": repeat("> |a|\n> |-|\n"),
  "tables in a list": after("- a\n\n", repeat(`  ${WIDE_ROW}\n  ${"|-".repeat(10)}|\n\n`)),
  "tables after a blank": repeat(` ${WIDE_ROW}\n ${"|-".repeat(10)}|\n\n`),
  "heads without rows": repeat("|a|b|\n"),
  "heads without rows after a table": after("a|b\n-|-\n\n", repeat("|a|b|\n")),
  pipes: repeat("|"),
  "pipes above an invalid row": between("", repeat("|"), "\nx-|"),
  "words above an invalid row": between("", repeat("a "), "\nx-|"),
  "delimiter rows": repeat("|-|-|\n"),
}

const BLOCKS: Record<string, Family> = {
  headings: repeat("# a\n"),
  "headings, underlined": repeat("a\n===\n"),
  "headings, underlined by items": after("[x]: /y\n", repeat("-\n  a\n")),
  "headings, underlined by items, and code": after("    b\n", repeat("-\n    a\n")),
  "hashes in a heading": after("# ", repeat("a #")),
  paragraphs: repeat("a\n\n"),
  "one long paragraph": repeat("lorem ipsum dolor sit amet consectetur\n"),
  "short lines": repeat("a\n"),
  "indented lines of a paragraph": repeat("*a*\n    b\n"),
  "a paragraph after a pipe": between("|\n", repeat("*a*\n"), "\n\n:-"),
  "paragraphs before tabs": halves("*a* ]:\n", "\t"),
  "lines that begin like items": repeat(`${"+a\n".repeat(25)}> a\n\nWords.\n\n`),
  "hard breaks": repeat("a  \n"),
  "one long line": repeat("lorem ipsum "),
  "one long word": repeat("a"),
  spaces: after("a", repeat(" ")),
  "spaces before a colon": between("", repeat(" "), ":"),
  tabs: (length) => `${"\t".repeat(length - 1)}a`,
  "blank lines": repeat("\n"),
  rules: repeat("---\n"),
  "equals signs": repeat("=\n"),
  "fence, open": after("```\n", repeat("a\n")),
  "fence, open, with blank lines": after("```\n", repeat("a\n\n")),
  fences: repeat("```\na\n```\n"),
  "lines that are almost fences": repeat("``` `\n"),
  "an invalid fence of tildes": between("", repeat("~"), "`"),
  "indented code": repeat("    a\n"),
  "carriage returns": repeat("a\r\n\r\n"),
  emoji: repeat("👩‍🚀 "),
  zeros: repeat("\0"),
}

const MIXED: Record<string, Family> = {
  "quotes that headings end": repeat("> a\n# b\n"),
  "lists in quotes that headings end": repeat("> > - a\n> # b\n"),
  "lists that headings end in a list": after("- x\n\n", repeat("  > - a\n  # b\n")),
  "lists nested line by line": count((i) => `> ${" ".repeat(20 * (i % 20))}${"- ".repeat(10)}a\n`),
  "footnotes in footnotes": repeat(`${"[^a]: ".repeat(9)}a\n    [^a]: b\n`),
  "brackets after exclamation marks": ending("!", "a] "),
  "brackets after words": ending("@ a ", "a] "),
  "words after a bracket, between commas": after("@[", repeat("a,")),
  "an h after each dot, after a bracket": after("@[", repeat(".h")),
  "words after a bracket and a backtick": after("@ [ `", repeat(" h")),
  "words after a bracket, one in a title": after('@ [x [a](b "]")', repeat(" h")),
  "links in one paragraph": repeat("[a](https://b.cd/e) and words  \n"),
  "marks between escapes": repeat("\\!!!"),
  "marks before emphasis in a link": between("[", repeat("!"), `${" a*".repeat(300)}](b)`),
  "hashes apart in a heading": after("# ", repeat("a # ")),
  "words in a heading": after("# ", repeat("a ")),
  "headings of many words": repeat(`# ${"a ".repeat(1000)}\n`),
  "words in rows": after("|a|\n|-|\n", repeat(`|${"a ".repeat(1000)}|\n`)),
  "tables of many words in a quote": repeat(`> |a|\n> |-|\n${`> |${"a ".repeat(1000)}|\n`.repeat(5)}>\n`),
  "tables of many words, byte order marks": after(
    "a\n\n",
    repeat(`\uFEFF\n|a|\n|-|\n${`|${"a ".repeat(1000)}|\n`.repeat(5)}\n`),
  ),
  "indented tables of many words": repeat(` |a|\n |-|\n${` |${"a ".repeat(1000)}|\n`.repeat(5)}\n`),
  "escapes after a fence": after("~~~", repeat("\\*")),
  "escapes in a definition": after("[a]: '", repeat("\\!")),
  "words in code": between("`", repeat("a "), "`"),
  "lines in code": between("`", repeat("a b c d e f\n"), "`"),
  "long destinations": repeat(`[a](${"b".repeat(100)}`),
  "unclosed fences in items": repeat("> a\n\n- ```\n\n"),
  "comments and quotes": repeat("<!-- a -->\n\n> a\n\n"),
  "comments over blank lines": repeat("<!--\n\na\n\n-->\n"),
  "headings after a comment": afterOpen("<!--", "-->", "a\n=\n\n"),
  "headings after an indented fence": afterOpen(" ```", " ```", "a\n=\n\n"),
  "lists in quotes after a comment": afterOpen("<!--", "-->", "> - a\n\n"),
  "stars after an unclosed fence in an item": after("- ```\n\n# ", repeat("*a_")),
  "emphasis in paragraphs of a quote": after("> a\n", repeat("> *a* *a*\n>\n")),
  "references in a list": between("", repeat("- [a] [a] [a] [a] [a] [a]\n"), "\n\n[a]: /x"),
  "paragraphs, indented": repeat(" *a* *a*\n\n"),
  "references in paragraphs, indented": between("- ```\n\n", repeat(" [a] [a]\n\n"), "\n\n[a]: /x"),
  "paragraphs after indented code": repeatWhole("a\n\n    a\n"),
  "emphasis after indented code": repeatWhole("*a* *a* *a* *a*\n\n    a\n"),
  "more emphasis after indented code": repeatWhole("*a* *a* *a* *a* *a* *a*\n\n    a\n"),
  "lines of emphasis after indented code": repeatWhole("*a* *a* *a*\n*a* *a* *a*\n\n    a\n"),
  "images after indented code": between("", repeatWhole("![b] ![b]\n\n    a\n"), "\n[b]: /x\n"),
  "more images after indented code": between("", repeatWhole("![b] ![b] ![b]\n\n    a\n"), "\n[b]: /x\n"),
  "references after indented code": between("", repeatWhole("[b] [b] [b]\n\n    a\n"), "\n[b]: /x\n"),
  "emphasis after comments": repeatWhole("<!-- a -->\n*a* *a*\n"),
  "more emphasis after comments": repeatWhole("<!-- a -->\n*a* *a* *a* *a*\n"),
  "quotation marks after comments": repeatWhole('\n<!-- a -->\na</a """""" '),
  "emphasis after rules": repeatWhole("***\n*a* *a* *a* *a*\n"),
  "more emphasis after rules": repeatWhole("***\n*a* *a* *a* *a* *a* *a* *a* *a*\n"),
  "emphasis after indented fences": repeatWhole(" ```\n ```\n*a* *a* *a* *a*\n"),
  "emphasis after fences with blank lines": repeatWhole("```\n\n```\n*a* *a* *a* *a*\n"),
  "emphasis after ambiguous fences with blank lines": after(
    "a\n<b>\n```\na\n```\n\n",
    repeatWhole("*a* *a* *a* *a*\n~~~\n\n```js\n```\n\n~~~\n"),
  ),
  "emphasis between fences, every other one closed": after(
    "\n ***\n\n```\n",
    repeatWhole("  *a* *a* *a* *a* *a* *a* *a* *a*\n\n```\n"),
  ),
  "emphasis in headings": repeatWhole("# *a* *a* *a* *a*\n"),
  "emphasis in closed headings": repeatWhole("# *a* *a* *a* *a* #\n"),
  "emphasis in headings after tabs": repeatWhole("#\t*a* *a* *a* *a*\n"),
  "emphasis after headings": repeatWhole("#\n*a* *a* *a* *a*\n"),
  "paragraphs after headings": repeatWhole("#\na\n"),
  "paragraphs after byte order marks": after("> ```\n\n", repeat("[^a]\0\n\n\uFEFF?>")),
  "emphasis after rules and ambiguous HTML": after(
    ">\n</b>\n``` js\n-\n- <!--\n---\n \n*b*\n",
    repeatWhole("***\n*a* *a* *a* *a*\n"),
  ),
  "references after rules and ambiguous HTML": between(
    ">\n</b>\n``` js\n-\n- <!--\n---\n \n*b*\n",
    repeatWhole("***\n[b] [b] [b] [b]\n"),
    "\n\n[b]: /x\n",
  ),
  "references after indented emphasis": between(
    " \\\n\n",
    repeatWhole(" *a* *a* *a* \n \n[a[b] [b] [b] [b] [b] \n\n"),
    "\n\n[b]: /x\n",
  ),
  "fences after brackets, and HTML": between(
    "> ```\n\n",
    (length) => repeatWhole("[```\n```\n".repeat(2))(length / 2) + repeat("<div>\n")(length / 2),
    "\n\n[a]: /x",
  ),
  "stars before a fence, after a tag": between("1.<b>\n", repeat("*a_ *a_ *a_\n"), "\n```\nx\n\ny\n```\n"),
  "paragraphs and unclosed fences in items": repeat("a\n\n- ```\n\n"),
  "code after escaped backticks": repeatWhole("\\``\\``"),
  "titles in parentheses, open": repeat("[a](b ("),
  "addresses that an underscore ends": repeat("www.a_"),
  "marks in lines": repeat("!!!!!!!!!!!!\n"),
  "blocks of all kinds": repeat("# h\n- a\n  - b\n> c\n1. d\ntext\n=\n"),
  "a document of all kinds": repeat(
    `${"- [a](b) *c* `d`\n".repeat(20)}\n> # q\n> text *a*\n\n|a|b|\n|-|-|\n|c|d|\n\n[^1]: n\n\npara [^1] www.a.bc\n\n`,
  ),
}

const blocksOf = (language: string, unit: string, size: number): Family =>
  repeat(`\`\`\`${language}\n${unit.repeat(Math.ceil(size / unit.length)).slice(0, size)}\n\`\`\`\n\n`)

/** HTML that parsers repair by adding elements. */
const RAW_HTML: Record<string, Family> = {
  "formatting that is left open": (length) =>
    `<p>${count((i) => `<b id=n${i}>`)(length / 4)}${repeat("<p>x")((3 * length) / 4)}`,
  "formatting before paragraphs": after(`${"<b>".repeat(90)}\n\n`, repeat("x\n\n")),
  "formatting, misnested": repeat("<b><i><p></b></i>"),
  "formatting, closed late": count((i) => `<b id=n${i}><p></b>`),
  "tables in tables": repeat("<table><tr><td>"),
  "text in tables": after("<table>", repeat("x<tr>")),
  "text that tables move out": after("<table>".repeat(50), repeat("x<b>")),
  "elements, open": repeat("<div>"),
  "elements in lines, open": repeat("a <u>b "),
  "links in links of HTML": repeat('<a href="/a">x'),
  "foreign content": repeat("<svg><p><math><mi>"),
  "foreign content, annotated": repeat("<math><annotation-xml encoding='text/html'><p>"),
  templates: repeat("<template><b>"),
  selects: repeat("<select><option><optgroup>"),
  "a long attribute, opened again": (length) =>
    `<p><b title="${"a".repeat(length / 2)}">${repeat("<p>x\n")(length / 2)}`,
  "attributes, many": between(
    "<p ",
    count((i) => `a${i}=1 `),
    ">x",
  ),
  "details around Markdown": repeat("<details><summary>a</summary>\n\n*b*\n\n</details>\n\n"),
  "headings of HTML": repeat("<h2>a</h2>"),
  "closing tags": repeat("a</p>"),
  "quotes of attributes, open": after("<div>\n", repeat("<a b='")),
  "comments in a block, open": after("<div>\n", repeat("<!-- ")),
  "footnotes with HTML": count((i) => `a[^${i}]\n\n[^${i}]: <b>x</b>\n\n`),
  "footnotes with open HTML": count((i) => `a[^${i}]\n\n[^${i}]: <b id=n${i}>x\n\n`),
}

const MACRO_FORMULA = `$\\def\\a{${"x".repeat(64)}}${"\\a ".repeat(89)}$ `

const FORMULAS: Record<string, Family> = {
  formulas: count((i) => `$x_{${i}}$ `),
  "formulas, the same": repeat("$x$ "),
  "braces in formulas": repeat(`$${"{".repeat(1000)}${"}".repeat(1000)}$\n`),
  fractions: repeat(`$${String.raw`\frac{1}{`.repeat(200)}1${"}".repeat(200)}$\n\n`),
  macros: count((i) => `$\\def\\a{${"\\b".repeat(300)}}\\def\\b{xxxxxxxxxxxxxxx}\\a\\a\\a ${i}$\n\n`),
  "a macro formula, the same": repeat(MACRO_FORMULA),
  "macro formulas": count((i) => MACRO_FORMULA.replace("$ ", `${i}$ `)),
  "macros that end in an error": count((i) => `$\\def\\a{${"x".repeat(1740)}}${"\\a ".repeat(95)}\\${i}$ `),
  "macros in a loop": count((i) => `$\\def\\a{\\a\\a}\\a ${i}$\n\n`),
  exponents: count((i) => `$${"x^".repeat(500)} ${i}$\n\n`),
  matrices: count((i) => `$\\begin{matrix}${"a&".repeat(900)}\\end{matrix}${i}$\n\n`),
  "text in formulas": count((i) => `$\\text{${"a$b$".repeat(300)}}${i}$\n\n`),
  dollars: repeat("$ "),
  "dollars in runs": count((i) => `${"$".repeat(2 + (i % 40))} a `),
}

const LANGUAGES = "bash css diff javascript json python sql typescript xml yaml".split(" ")
const CODE_UNITS: Record<string, string> = {
  braces: "{",
  quotes: "\"a' ",
  tags: "<a ",
  "script tags": "<script>",
  "regular expressions": "/a/ ",
  templates: "`${",
  words: "ab ",
  calls: "f(",
  members: "a.b.",
  comments: "/*",
  items: "- a: ",
  numbers: "1,",
  arrows: "(a)=>",
  types: "a<b<c<",
  keys: '"a":',
  "block texts": "a: |\n  b\n",
}
/** highlight.js reads HTML templates as XML, and scripts in them as JavaScript. */
const TAGS_IN_TEMPLATES = ["javascript", "typescript"].flatMap((language) =>
  ["<script>", "<style>"].map((tag): [string, Family] => [
    `${tag} in a template of ${language}`,
    repeat(`\`\`\`${language}\nhtml\`${tag.repeat(1020)}\n\`\`\`\n\n`),
  ]),
)

/** Each language in blocks of the largest size that is highlighted. */
const CODE: Record<string, Family> = Object.fromEntries([
  ...TAGS_IN_TEMPLATES,
  ...LANGUAGES.flatMap((language) =>
    Object.entries(CODE_UNITS).map(([name, unit]) => [
      `${name} in ${language}`,
      blocksOf(language, unit, language === "xml" ? 2040 : 8180),
    ]),
  ),
])

/** Constructs that edgepost adds to Markdown or warns about. */
const ADDED: Record<string, Family> = {
  alerts: repeat("> [!NOTE]\n> a\n\n"),
  "headings with ids": count((i) => `# a {#b${i}}\n\n`),
  "headings, the same": repeat("# a\n\n"),
  "headings like ids of other headings": count((i) => `# a-${i}\n\n# a\n\n`),
  "braces in a heading": after("# a", repeat("{#")),
  "tabs in a heading": between("# a", repeat(" \t"), "b"),
  "relative links": count((i) => `[a](b${i})\n`),
  "shortcodes, open": repeat("{{< a "),
  "Liquid tags, open": repeat("{% a "),
  components: repeat("<Aa "),
  "components in blocks": repeat("<Tabs>\n\n"),
  "addresses before CJK": repeat("https://a.b。"),
}

const GROUPS = [
  DELIMITERS,
  BRACKETS,
  REFERENCES,
  HTML,
  AUTOLINKS,
  CONTAINERS,
  TABLES,
  BLOCKS,
  MIXED,
  RAW_HTML,
  FORMULAS,
  CODE,
  ADDED,
]
const named = GROUPS.flatMap((group) => Object.entries(group))

/** All families by name. */
export const FAMILIES: Record<string, Family> = Object.fromEntries(named)
if (Object.keys(FAMILIES).length !== named.length) throw new Error("Two families have the same name.")
