const numbered = (line: (i: number) => string) => (length: number) => {
  let text = ""
  for (let i = 0; text.length < length; i++) text += line(i)
  return text.slice(0, length)
}

const PARAGRAPH =
  'A post *says* something, with `code`, a [link](/somewhere "a title") and **words** that count; https://example.org too.\nIt goes on.\n\n'

/** Makes ordinary prose of a length: paragraphs, with other constructs between them. */
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
