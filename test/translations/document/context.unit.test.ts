import { expect, it } from "vitest"

import { MAX_CONTEXT_CHARS } from "../../../src/limits.ts"
import { contextReader } from "../../../src/translations/document/context.ts"
import { plainSegment, readDocument, segmentsOf } from "../../../src/translations/document/segments.ts"

const LONG = "word ".repeat(MAX_CONTEXT_CHARS)
const CUT = LONG.slice(0, MAX_CONTEXT_CHARS)

/** Returns each segment's text with the heading and the sentence before it. */
const contextsIn = (markdown: string, language = "en") => {
  const document = readDocument(markdown)
  const contextOf = contextReader(document.blocks, language)
  return segmentsOf(document).map((segment) => {
    const { heading, before } = contextOf(segment)
    return [segment.text, heading, before]
  })
}

it.each<[string, string, (string | null)[][]]>([
  ["of the first segment is empty", "One.", [["One.", null, null]]],
  [
    "is the last sentence of the segment before",
    "One. Two two!\n\nThree",
    [
      ["One. Two two!", null, null],
      ["Three", null, "Two two!"],
    ],
  ],
  [
    "has the nearest heading, without its tags",
    "# A *b* & c\n\nOne\n\n## D\n\nTwo",
    [
      ['A <g id="1">b</g> &amp; c', null, null],
      ["One", "A b & c", "A b & c"],
      ["D", "A b & c", "One"],
      ["Two", "D", "D"],
    ],
  ],
  [
    "of equal segments is that of the first",
    "# A\n\nSame\n\n# B\n\nSame",
    [
      ["A", null, null],
      ["Same", "A", "A"],
      ["B", "A", "Same"],
      ["Same", "A", "A"],
    ],
  ],
  [
    "of an alternative text is the sentence around its image",
    "# A\n\nSee ![the bay](/b.webp) at six.\n\nLast",
    [
      ["A", null, null],
      ['See <x id="1"/> at six.', "A", "A"],
      ["the bay", "A", "See  at six."],
      ["Last", "A", "the bay"],
    ],
  ],
  [
    "has a heading without the alternative text of its image",
    "# A ![the bay](/b.webp)\n\nOne",
    [
      ['A <x id="1"/>', null, null],
      ["the bay", "A", "A"],
      ["One", "A", "the bay"],
    ],
  ],
  [
    "skips code and is cut",
    `# ${LONG}\n\n\`\`\`\ncode\n\`\`\`\n\nOne`,
    [
      [LONG.trim(), null, null],
      ["One", CUT, CUT],
    ],
  ],
])("the context of a segment %s", (_, markdown, expected) => expect(contextsIn(markdown)).toEqual(expected))

it("the sentence before a segment is found in the rules of its language", () =>
  // A Greek question ends with what is a semicolon in English.
  expect(contextsIn("Πού; Εδώ.\n\nΑύριο", "el")[1]).toEqual(["Αύριο", null, "Εδώ."]))

it("the sentence before a segment is found without spaces between sentences", () =>
  expect(contextsIn("一つ目。二つ目です。\n\n三つ目", "ja")[1]).toEqual(["三つ目", null, "二つ目です。"]))

it("a segment outside of the body has no context", () =>
  expect(contextReader(readDocument("# A\n\nOne").blocks, "en")(plainSegment("A title"))).toEqual({
    heading: null,
    before: null,
  }))
