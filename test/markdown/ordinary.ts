export const count = (length: number, unit: (i: number) => string): string =>
  Array.from({ length }, (_, i) => unit(i)).join("")
/** Returns as many numbered units as fit into a number of bytes. */
export const fillNumbered = (unit: (i: number) => string, bytes: number): string =>
  count(Math.floor(bytes / unit(1000).length), unit)

/** Long documents as people write them: their size in KB, what they are, and their lines by number. */
export const LONG_DOCUMENTS: [kb: number, what: string, unit: (i: number) => string][] = [
  [200, "a chat log in one paragraph", () => "**Anna:** Hello there, how are *you*?\n"],
  [
    200,
    "a chat log in long lines",
    () => "**Anna:** Hello there, how are *you* and all of yours? Did you see `it`?  \n",
  ],
  [200, "a chat log with names in angle brackets", () => "[12:01] <anna> Hello there\n"],
  [
    250,
    "prose without a blank line",
    () => "Words of a *paragraph*, a [link](https://e.x/a) and `code`, and more of them.\n",
  ],
  [200, "an outline", () => "- One of the items\n  - An item below it\n    - And one below that\n"],
  [200, "one quote", () => "> A line of a mail that somebody quotes in full\n"],
  [200, "a flat list", () => "- An item of a list, with *some* words\n"],
  [200, "quoted mail", () => "> A line of a quoted mail,\n> > and one of the mail before\n\nAn answer.\n\n"],
  [
    250,
    "a changelog",
    (i) => `- [[\`${i}abc\`](https://e.x/c/${i}abc)] - **doc**: fix the thing (Anna) [#${i}](https://e.x/p/${i})\n`,
  ],
  [250, "a page of code", () => "```js\nconst a = b[c] * d_e // **f** and a comment of many words\n```\n\nWords.\n\n"],
  [200, "sections", (i) => `## Section ${i}\n\nWords of it, and *more*.\n\n`],
]
