// Parts of markup. Random sequences sometimes form a construct, and often almost one.
const BLOCK_ATOMS = [
  ["a", "b ", "para\n\n", "\n", "\n\n", "\n\n", "\n \n", "\r\n", "\r\n\r\n", "\r", "  ", "    ", "\t", "\\"],
  ["*", "_", "**", "~~", "`", "``", "```\n", "~~~\n", "<", "<b>", "<div>\n", "<!-- ", "-->", "<?", "<script>\n"],
  ["</script>\n", "<pre>\n", "<![CDATA[", "- ", "* ", "1. ", "> ", "# ", "===\n", "---\n", "- [ ] ", "|", "|-|\n"],
  ["[", "]", "(", ")", "![", "](", "[a]", "[a]: /x\n", "[b]: /y 'z'\n", "[b][]", "[^1]", "[^1]: n\n", "&amp;"],
  ["http://a.b", "www.a.b", "a@b.c", "!", '"', "'", ":", ":-\n", "\uFEFF", "\0"],
].flat()
/** Parts of paragraphs whose lines could be other constructs. */
const TEXT_ATOMS = [
  ["Word ", "word", " word", "é", "😀", "1", "1.", "1) ", "-", "- ", "+", "=", "#", ">", "|", "~", ":", ":-", "."],
  ["\n", "\n", "\n", "\n\n", "\n\n", " \n", "  \n", "\\\n", "\r\n", "\r", "\n \n", "\t", " ", "*x*", "**x y**"],
  ["_", "*", "`c`", "``c ` d``", "`", "[a]", "[a](/u)", "[", "]", ")", "![a](/u)", "<b>", "<", "&amp;", "&#0;"],
  ["\\*", "\\", "~~x~~", "http://a.b/c_d", "www.a.b", "a@b.c", "[^1]", "[a]: /x\n", "\0"],
].flat()
const WORDS = "Plain words of a paragraph, which nothing before or after it changes in any way. "

const makePiece = (random: () => number): string => {
  const atoms = random() < 0.6 ? BLOCK_ATOMS : TEXT_ATOMS
  // Every tenth is long.
  const length = random() < 0.1 ? 150 : 1 + random() * 25
  return Array.from({ length }, () => atoms[Math.floor(random() * atoms.length)]).join("")
}

const PARAGRAPH = `\n\n${WORDS.repeat(4)}\n\n`

/** Joins texts with paragraphs of plain words. */
export const spaceOut = (pieces: string[]): string => pieces.join(PARAGRAPH)

/** Makes a document of random markup and paragraphs. */
export const makeDocument = (random: () => number): string => {
  const start = random() < 0.5 ? WORDS.repeat(4) : makePiece(random)
  const pieces = Array.from({ length: random() < 0.8 ? 1 : 3 }, () => makePiece(random))
  return spaceOut([start, ...pieces, makePiece(random)])
}

/** Footnotes, definitions, and references to them. */
const NOTES = ["[a]: /x", "[a]", "[^a]: b[^b]", "[^b]: c", "c[^a] d[^b]", "e[^a]", "[^a]: again", "> [^b]: quoted"]
/** Constructs that continue over blank lines, their ends, lines that look like these, and notes. */
const LINES = [
  ["```", "````", "~~~", "~~~~~", "``` a", "~~~ a `b`", "``` a`b", "``` ", "```\u2028", "  ```", "    ```", "\t~~~"],
  ["> ```", "- ~~~", "-", "1. ```", "[^a]: ```", "<pre>", "</pre>", "<!--", "-->", "<div>", "a <b", "# a", "a", "- a"],
  [...NOTES, "    code"],
].flat()

/** Makes a document of constructs that continue over blank lines, with short and long paragraphs between them. */
export const makeLines = (random: () => number): string => {
  const lines = random() < 0.3 ? NOTES : LINES
  return Array.from({ length: 5 + random() * 25 }, () => {
    const line = lines[Math.floor(random() * lines.length)] ?? ""
    const after = random()
    return line + (after < 0.4 ? "\n" : after < 0.7 ? "\n\n" : `\n\n${WORDS.repeat(after < 0.85 ? 1 : 26)}\n\n`)
  }).join("")
}

const joined = (random: () => number, atoms: string[], length: number): string =>
  Array.from({ length: 1 + random() * length }, () => atoms[Math.floor(random() * atoms.length)] ?? "").join("")

/** Starts and ends of addresses, and markup around them. */
const INLINE_ATOMS = [
  ["www.", "http://", "https://", "Www.", "a@b.c", "a.b", "/c_d", "@", ".", "-", "_", "+", ":", "?", "!", ";", "&amp;"],
  ["(", ")", "[", "]", "](", "![", "<", ">", "*", "**", "~", "~~", "`", " ", " ", "a", "é", "1", "\n", "\\", '"', "|"],
].flat()

/** Makes a short text of addresses, and of texts that look like parts of addresses. */
export const makeInline = (random: () => number): string => joined(random, INLINE_ATOMS, 12)

const RUN_ATOMS = [
  ["*", "**", "***", "*****", "_", "__", "___", "~", "~~", "~~~", "a", "a", "b", " ", " ", ".", "(", "é", "€"],
  ["\u00A0", "[", "](u)", "`", "\\*", "\n"],
].flat()

/** Makes delimiter runs with letters, spaces and punctuation between them. */
export const makeRuns = (random: () => number): string => joined(random, RUN_ATOMS, 30)

/** Returns the items in a random order. */
export const shuffle = <T>(items: T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
