import type { Element, Nodes } from "hast"
import { fromHtml } from "hast-util-from-html"

import { type Picture, sanitize } from "../../src/posts/net.ts"

export const PREFIX = "p-"
export const SIZE = { width: 3, height: 2 }
export const none = () => null
export const mine = (src: string): Picture | null => (src.startsWith("/mine") ? SIZE : null)

export const net = (...parts: string[]): string => sanitize(parts, PREFIX, mine)

export const treeOf = (html: string) => fromHtml(html, { fragment: true })

const elementsOf = (node: Nodes): Element[] => [
  ...(node.type === "element" ? [node] : []),
  ...("children" in node ? node.children.flatMap((child) => elementsOf(child)) : []),
]
export const find = (html: string, tagName?: string): Element[] =>
  elementsOf(treeOf(html)).filter((element) => !tagName || element.tagName === tagName)

export const textOf = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map((child) => textOf(child)).join("") : ""

/** What may be served, written down a second time: elements, and their attributes as hast names them. */
export const ALLOWED: Record<string, string[]> = {
  a: "href title id rel ariaDescribedBy ariaLabel dataFootnoteRef dataFootnoteBackref className".split(" "),
  code: ["className"],
  img: "src alt title width height loading".split(" "),
  input: ["type", "disabled", "checked"],
  li: ["id"],
  ol: ["start"],
  section: ["dataFootnotes", "className"],
  td: ["align"],
  th: ["align"],
  h2: ["id", "className"],
  ...Object.fromEntries(["h1", "h3", "h4", "h5", "h6"].map((tag) => [tag, ["id"]])),
  ...Object.fromEntries(
    "blockquote br del em hr p pre strong sup table tbody thead tr ul".split(" ").map((tag) => [tag, []]),
  ),
}
export const PROTOCOLS = ["http:", "https:", "irc:", "ircs:", "mailto:", "xmpp:"]
/** They go with what is in them. */
export const STRIPPED = "script style template noscript iframe noembed noframes xmp plaintext math svg".split(" ")

/** Where a browser would go. */
export const protocolOf = (address: unknown): string => {
  const url = URL.parse(String(address), "https://page.test/a/b")
  // No browser goes to what is no address.
  return url?.protocol ?? "https:"
}

/** What is not as it must be, each told in a line. */
export const complaintsOn = (html: string): string[] =>
  find(html).flatMap(({ tagName, properties }) => {
    const { href, src, id, ...others } = properties
    const names = Object.keys(properties).filter((name) => !ALLOWED[tagName]?.includes(name))
    return [
      ...(tagName in ALLOWED ? [] : [`<${tagName}>`]),
      ...names.map((name) => `${name} of <${tagName}>`),
      ...[href, src].filter((url) => url !== undefined && !PROTOCOLS.includes(protocolOf(url))).map(String),
      ...(id === undefined || id.startsWith(PREFIX) ? [] : [`#${id}`]),
      ...(tagName === "input" && !(others["disabled"] === true && others["type"] === "checkbox") ? ["live input"] : []),
    ]
  })

/** Where elements of tables may stand. */
const around: Record<string, [before: string, after: string]> = {
  tr: ["<table>", "</table>"],
  td: ["<table><tr>", "</table>"],
  th: ["<table><tr>", "</table>"],
  thead: ["<table>", "</table>"],
  tbody: ["<table>", "</table>"],
}
export const put = (tag: string, attributes: string) => {
  const [before, after] = around[tag] ?? ["", ""]
  return `${before}<${tag} ${attributes}>${after}`
}
