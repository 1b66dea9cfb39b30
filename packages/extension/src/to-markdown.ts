import TurndownService from "turndown"

import { escapeAddress, escapeText } from "./escape.ts"
import { addTables } from "./tables.ts"

/** Stands before each link until the text before it is known: `!` and a link would be an image. */
const LINK = "\uE000"

// Matches `language-js`, `lang-c++`, `highlight-source-shell` and `brush: php`. Does not match `slang`.
const LANGUAGE = /(?:^|[\s-])(?:lang(?:uage)?-|highlight-(?:source|text)-|brush:\s*)([\w+#-]+)/

const languageOf = (pre: HTMLElement): string => {
  const code = pre.querySelector("code")
  const elements = [code, pre, pre.parentElement, pre.parentElement?.parentElement]
  for (const element of elements) {
    const named = element?.getAttribute("data-lang") ?? element?.getAttribute("data-language")
    const found = named ?? LANGUAGE.exec(element?.getAttribute("class") ?? "")?.[1]
    if (found) return found.toLowerCase().replace(/[^\w+#-]/g, "")
  }
  return ""
}

const toCodeBlock = (pre: HTMLElement): string => {
  const code = (pre.textContent ?? "").replaceAll(/\r\n?/g, "\n").replace(/^\n+|\s+$/g, "")
  if (code === "") return ""
  const longest = Math.max(2, ...[...code.matchAll(/^ *(`{3,})/gm)].map(([, ticks = ""]) => ticks.length))
  const fence = "`".repeat(longest + 1)
  return `\n\n${fence}${languageOf(pre)}\n${code}\n${fence}\n\n`
}

const toLink = (content: string, node: HTMLElement): string => {
  const href = node.getAttribute("href") ?? ""
  // An image that is not uploaded becomes a link, and a link cannot hold another.
  if (href === "" || content.trim() === "" || content.includes("\n\n") || node.querySelector("img")) return content
  return `${LINK}[${content.replaceAll(/\s*\n\s*/g, " ")}](${escapeAddress(href)})`
}

const createService = (): TurndownService => {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
  })
  service.escape = escapeText
  addTables(service)
  service.addRule("code block", { filter: "pre", replacement: (_, node) => toCodeBlock(node) })
  service.addRule("link", { filter: (node) => node.nodeName === "A", replacement: toLink })
  service.addRule("image", {
    filter: "img",
    replacement: (_, node) => {
      const src = node.getAttribute("src")
      const alt = (node.getAttribute("alt") ?? "").replaceAll(/\s+/g, " ").trim()
      return src ? `![${escapeText(alt)}](${escapeAddress(src)})` : ""
    },
  })
  service.addRule("heading", {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6"],
    replacement: (content, node) => {
      const line = content.replaceAll(/\s*\n\s*/g, " ").trim()
      // Matches `#` in `C #`. Does not match `C#`. Markdown drops such an end.
      const kept = line.replace(/(?<=^|\s)#+$/, "\\$&")
      return kept === "" ? "" : `\n\n${"#".repeat(Number(node.nodeName.slice(1)))} ${kept}\n\n`
    },
  })
  service.addRule("paragraph", {
    filter: "p",
    // Matches `1` in `1. May` if an element ends after the digit. Does not match `1\.`.
    replacement: (content) => `\n\n${content.replaceAll(/^(\d{1,9})(?=[.)](?:\s|$))/gm, "$1\\")}\n\n`,
  })
  service.addRule("strikethrough", {
    filter: (node) => ["DEL", "S", "STRIKE"].includes(node.nodeName),
    replacement: (content) => (content.trim() === "" ? content : `~~${content}~~`),
  })
  // Without these elements the text would mean something else: 10³ would be 103.
  service.addRule("kept", {
    filter: ["sup", "sub", "kbd", "ruby", "rt", "rp"],
    replacement: (content, node) => {
      const name = node.nodeName.toLowerCase()
      return content.trim() === "" ? "" : `<${name}>${content}</${name}>`
    },
  })
  service.addRule("quotation", { filter: "q", replacement: (content) => `“${content}”` })
  return service
}

/** Returns the Markdown of HTML whose addresses are absolute. The text of the HTML never becomes markup. */
export const toMarkdown = (html: string | TurndownService.Node): string =>
  createService().turndown(html).replaceAll(`!${LINK}`, "\\!").replaceAll(LINK, "").trim()
