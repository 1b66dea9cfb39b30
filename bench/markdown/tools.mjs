// What is measured, by name. Each takes Markdown and says what came of it: HTML, a tree, or words of refusal.
import MarkdownIt from "markdown-it"
import { marked } from "marked"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"

import { placePictures, renderMarkdown } from "../../src/posts/markdown.ts"
import { parseMarkdown } from "../../src/posts/mdast.ts"

const plain = new MarkdownIt()
const linking = new MarkdownIt({ linkify: true })

const edgepost = (text) => {
  const rendered = renderMarkdown(text)
  const placed = "tooComplex" in rendered ? rendered : placePictures(rendered, "post-", () => null)
  return "tooComplex" in placed ? { refused: placed.tooComplex } : { html: placed.html }
}

export const TOOLS = {
  edgepost,
  mdast: (text) => ({ blocks: parseMarkdown(text).children.length }),
  micromark: (text) => ({ html: micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }) }),
  marked: (text) => ({ html: marked.parse(text) }),
  "markdown-it": (text) => ({ html: plain.render(text) }),
  "markdown-it, links": (text) => ({ html: linking.render(text) }),
}
