// Run by memory.test.ts in a process whose memory is bounded: renders the most of each hostile family that is accepted.
import { FAMILIES } from "../../bench/markdown/families.ts"
import { placePictures, renderMarkdown } from "../../src/posts/markdown.ts"
import { KB } from "../posts/steps.ts"

const SIZES = [255, 192, 160, 128, 96, 64, 48, 32, 24, 16, 12, 8, 4]

const isRendered = (markdown: string): boolean => {
  const rendered = renderMarkdown(markdown)
  return "parts" in rendered && "html" in placePictures(rendered, "my-post-", () => null)
}

for (const [name, make] of Object.entries(FAMILIES)) {
  console.log(name)
  SIZES.some((size) => isRendered(make(size * KB)))
}
