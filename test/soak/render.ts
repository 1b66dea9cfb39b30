// Run by memory.ts in a process whose memory is bounded: the most of each hostile family that is accepted, rendered and
// parsed for translation.
import { FAMILIES } from "../../bench/markdown/families.ts"
import { MAX_TRANSLATED_BODY_BYTES } from "../../src/limits.ts"
import { placePictures, readBlocks, renderMarkdown } from "../../src/posts/markdown.ts"
import { parseMarkdown } from "../../src/posts/mdast.ts"

const isRefused = (markdown: string): boolean => "tooComplex" in readBlocks(markdown)

const findMost = (make: (length: number) => string): string => {
  let [fits, refused] = [0, MAX_TRANSLATED_BODY_BYTES + 1]
  while (refused - fits > 16 + fits / 1000) {
    const middle = Math.floor((fits + refused) / 2)
    if (isRefused(make(middle))) refused = middle
    else fits = middle
  }
  return make(fits)
}

const [part, parts] = process.argv.slice(2).map(Number)
for (const [i, [name, make]] of Object.entries(FAMILIES).entries()) {
  if (i % (parts ?? 1) !== (part ?? 0)) continue
  console.log(name)
  const markdown = findMost(make)
  const rendered = renderMarkdown(markdown)
  if ("parts" in rendered) placePictures(rendered, "my-post-", () => null)
  parseMarkdown(markdown)
}
