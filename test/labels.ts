// Labels as they arrive, for the tests of all ways in: the API, forms, Micropub, front matter and importers.

/** Labels in one of the two forms in which they arrive, and what becomes of them. */
export interface LabelCase {
  what: string
  /** A text, or the items of a list. */
  sent: string | string[]
  kept: string[]
  /** The labels that are kept where a text is one item: in Micropub and exports; by default as `kept`. */
  item?: string[]
  /** The code with which the API refuses it, and of which others warn. */
  refused?: "comma" | "too_long"
  /** Readers of texts warn of it. */
  isBroken?: true
}

const LONG = "x".repeat(65)

export const LABELS: LabelCase[] = [
  { what: "commas", sent: " one,two , ,one", kept: ["one", "two"], item: ["one two one"] },
  { what: "commas of Chinese", sent: "摄影，旅行、美食", kept: ["摄影", "旅行", "美食"], item: ["摄影，旅行、美食"] },
  { what: "commas of Arabic", sent: "سفر، طعام", kept: ["سفر", "طعام"], item: ["سفر، طعام"] },
  { what: "commas of Chinese in a list", sent: ["摄影，旅行", "b、c"], kept: ["摄影，旅行", "b、c"] },
  { what: "commas of several scripts", sent: "a，b, c、d،e", kept: ["a", "b", "c", "d", "e"], item: ["a，b c、d،e"] },
  {
    what: "a list of JSON as a text",
    sent: '["travel", "two  words"]',
    kept: ["travel", "two words"],
    item: ['["travel" "two words"]'],
  },
  {
    what: "a list of JSON of one, with blanks around",
    sent: ' ["food，drink"] ',
    kept: ["food，drink"],
    item: ['["food，drink"]'],
  },
  {
    what: "a list in single quotes",
    sent: "['travel','food']",
    kept: ["['travel'", "'food']"],
    item: ["['travel' 'food']"],
    isBroken: true,
  },
  { what: "a list of JSON that ends early", sent: '["a', kept: ['["a'], isBroken: true },
  { what: "a list of JSON of numbers", sent: "[1]", kept: ["[1]"], isBroken: true },
  { what: "a bracket in a list", sent: ["[draft] a"], kept: ["[draft] a"] },
  { what: "two blanks", sent: "two  blanks", kept: ["two blanks"] },
  { what: "blanks of other kinds", sent: "a\u00a0b\u3000 c\u2009d\u2800e", kept: ["a b c d e"] },
  { what: "labels that look alike", sent: ["a b", "a  b", " a\u00a0b", "a\u200b b", "a\u3164b"], kept: ["a b"] },
  { what: "what has no width", sent: "\ufefft\u200be\u2060a\u00ad\uffff", kept: ["tea"] },
  { what: "marks of direction and joiners beside Latin letters", sent: "\u200et\u200dea\u200c", kept: ["tea"] },
  { what: "the joiners of Persian and of emoji", sent: ["می‌خواهم", "👩‍🚀"], kept: ["می‌خواهم", "👩‍🚀"] },
  { what: "a sign before a name", sent: "#tea, ##two words", kept: ["tea", "two words"], item: ["tea ##two words"] },
  { what: "a wide sign", sent: ["＃茶", "c#"], kept: ["茶", "c#"] },
  { what: "a sign alone, and one before a blank", sent: ["#", "# a"], kept: ["#", "# a"] },
  { what: "dots that would be the folder above", sent: ["..", ".", "..."], kept: ["‥", "․", "..."] },
  { what: "names of JavaScript", sent: ["constructor", "__proto__"], kept: ["constructor", "__proto__"] },
  { what: "dots behind a sign", sent: "#..", kept: ["‥"] },
  {
    what: "a comma in an item",
    sent: ["washington, dc", "travel"],
    kept: ["washington dc", "travel"],
    refused: "comma",
  },
  { what: "commas alone in an item", sent: [", ,", "a"], kept: ["a"], refused: "comma" },
  { what: "65 characters", sent: ["a", LONG], kept: ["a", LONG.slice(1)], refused: "too_long" },
  { what: "65 characters of which one is not seen", sent: [`${LONG.slice(1)}\u200b`], kept: [LONG.slice(1)] },
  { what: "two code points that NFC joins", sent: ["e\u0301", "é"], kept: ["é"] },
]

/** Labels that versions of before have stored, and that no new post would get. */
export const ODD_LABELS = [
  "a  b",
  "a b",
  "t\u200bea",
  "#x",
  "..",
  "摄影，旅行",
  '["travel"',
  "[x",
  "a\u00a0c",
  "Washington, DC",
]
