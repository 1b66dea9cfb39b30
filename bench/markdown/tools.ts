// The renderers that are measured, by name.
import MarkdownIt from "markdown-it"
import { marked } from "marked"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"

import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { parse } from "../../src/markdown/parse.ts"
import { finish, render } from "../../src/markdown/render.ts"

export interface Rendered {
  html?: string
  /** The number of top-level blocks, of a tool that only parses. */
  blocks?: number
  /** The message of a refusal. */
  refused?: string
}

type Tool = (markdown: string) => Rendered

const plain = new MarkdownIt()
const linking = new MarkdownIt({ linkify: true })

const edgepost: Tool = (markdown) => {
  const rendered = render(markdown)
  const finished =
    rendered instanceof TooComplex ? rendered : finish(rendered, { show: () => null, language: "en", headingIds: [] })
  return finished instanceof TooComplex ? { refused: finished.message } : { html: finished.html }
}

type Before = { tooComplex: string } | { html: string }
interface Version01 {
  renderMarkdown: (markdown: string) => Before
  placePictures: (rendered: Before, prefix: string, show: () => null) => Before
}

/** Loads version 0.1 from a folder: a checkout of commit 42ee74a with its packages. */
const loadBefore = async (folder: string): Promise<Tool> => {
  const { placePictures, renderMarkdown } = (await import(`${folder}/src/posts/markdown.ts`)) as Version01
  return (markdown) => {
    const rendered = renderMarkdown(markdown)
    const placed = "tooComplex" in rendered ? rendered : placePictures(rendered, "post-", () => null)
    return "tooComplex" in placed ? { refused: placed.tooComplex } : { html: placed.html }
  }
}

const { VERSION_0_1: folder } = process.env

export const TOOLS: Record<string, Tool> = {
  edgepost,
  ...(folder && { "edgepost 0.1": await loadBefore(folder) }),
  mdast: (markdown) => ({ blocks: parse(markdown).children.length }),
  micromark: (markdown) => ({ html: micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }) }),
  marked: (markdown) => ({ html: marked.parse(markdown, { async: false }) }),
  "markdown-it": (markdown) => ({ html: plain.render(markdown) }),
  "markdown-it, links": (markdown) => ({ html: linking.render(markdown) }),
}
