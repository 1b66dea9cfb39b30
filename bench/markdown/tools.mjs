// What is measured, by name. Each takes Markdown and says what came of it: HTML, a tree, or words of refusal.
import MarkdownIt from "markdown-it"
import { marked } from "marked"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"

import { TooComplex } from "../../src/markdown/budget.ts"
import { parse } from "../../src/markdown/parse.ts"
import { finish, render } from "../../src/markdown/render.ts"

const plain = new MarkdownIt()
const linking = new MarkdownIt({ linkify: true })

const edgepost = (text) => {
  const rendered = render(text)
  const finished =
    rendered instanceof TooComplex ? rendered : finish(rendered, { show: () => null, language: "en", headingIds: [] })
  return finished instanceof TooComplex ? { refused: finished.message } : { html: finished.html }
}

/** Version 0.1 in a folder of its own, where one is named: a checkout of commit 42ee74a with its packages. */
const before = async (folder) => {
  const { placePictures, renderMarkdown } = await import(`${folder}/src/posts/markdown.ts`)
  return (text) => {
    const rendered = renderMarkdown(text)
    const placed = "tooComplex" in rendered ? rendered : placePictures(rendered, "post-", () => null)
    return "tooComplex" in placed ? { refused: placed.tooComplex } : { html: placed.html }
  }
}

const { VERSION_0_1: folder } = process.env

export const TOOLS = {
  edgepost,
  ...(folder && { "edgepost 0.1": await before(folder) }),
  mdast: (text) => ({ blocks: parse(text).children.length }),
  micromark: (text) => ({ html: micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }) }),
  marked: (text) => ({ html: marked.parse(text) }),
  "markdown-it": (text) => ({ html: plain.render(text) }),
  "markdown-it, links": (text) => ({ html: linking.render(text) }),
}
