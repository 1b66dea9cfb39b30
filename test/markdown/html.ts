import type { Element, Nodes } from "hast"
import { fromHtml } from "hast-util-from-html"

import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { finish, type ImageSize, render } from "../../src/markdown/render.ts"
import type { MarkdownWarning } from "../../src/markdown/warnings.ts"

const SIZE: ImageSize = { width: 3, height: 2 }
export const showNone = () => null
export const showAll = () => SIZE
/** Allows to show images whose address starts with `/mine`. */
const showMine = (src: string): ImageSize | null => (src.startsWith("/mine") ? SIZE : null)

interface Options {
  show?: (src: string) => ImageSize | null
  language?: string
  headingIds?: string[]
}

/** Renders Markdown to HTML and warnings. @throws TooComplex */
export const renderAll = (
  markdown: string,
  { show = showMine, language = "en", headingIds }: Options = {},
): { html: string; warnings: MarkdownWarning[] } => {
  const rendered = render(markdown)
  if (rendered instanceof TooComplex) throw rendered
  const finished = finish(rendered, { show, language, ...(headingIds && { headingIds }) })
  if (finished instanceof TooComplex) throw finished
  return finished
}

export const htmlOf = (markdown: string, options?: Options): string => renderAll(markdown, options).html

/** Returns the message that refuses Markdown; null if it is accepted. */
export const refusalOf = (markdown: string): string | null => {
  const rendered = render(markdown)
  if (rendered instanceof TooComplex) return rendered.message
  const finished = finish(rendered, { show: showAll, language: "en" })
  return finished instanceof TooComplex ? finished.message : null
}

export const treeOf = (html: string) => fromHtml(html, { fragment: true })

const elementsOf = (node: Nodes): Element[] => [
  ...(node.type === "element" ? [node] : []),
  ...("children" in node ? node.children.flatMap((child) => elementsOf(child)) : []),
]
export const find = (html: string, tagName?: string): Element[] =>
  elementsOf(treeOf(html)).filter((element) => !tagName || element.tagName === tagName)

export const textOf = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map((child) => textOf(child)).join("") : ""

export const words = (list: string): string[] => list.split(/\s+/)

/** Returns a link as it is served. */
export const linkTo = (href: string, text = href, title = "") =>
  `<a rel="nofollow ugc noopener"${title} href="${href}">${text}</a>`

/** Attributes that any element may have, as hast names them. */
const ON_ALL =
  words(`abbr align alt axis border cellPadding cellSpacing char charOff charSet checked clear colSpan color
  cols compact coords dateTime dir frame hSpace headers height hrefLang itemProp label lang maxLength multiple noHref
  noShade noWrap open prompt readOnly rev rowSpan rows rules scope selected shape size span start summary title vAlign
  value width`)
const ARIA = words("ariaDescribedBy ariaLabel ariaLabelledBy")

/** More attributes that MathML may have: numbers and words for the layout of a formula. */
const ON_MATH = words(`accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form
  frame height largeop linethickness lspace mathvariant maxsize minsize movablelimits notation rowalign rowlines
  rowspacing rspace scriptlevel separator stretchy symmetric voffset width`)
const MATH = words(`math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace
  msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none`)

/** A second, independent allow-list: the elements that may be served, each with its attributes. */
export const ALLOWED: Record<string, string[]> = {
  ...Object.fromEntries(
    words(`abbr b br cite code dd details dt em figcaption figure hr i kbd mark p pre rp rt ruby s samp small span
      strike strong sub sup tbody td tfoot th thead tr tt u var`).map((tag) => [tag, ON_ALL]),
  ),
  ...Object.fromEntries(words("h1 h2 h3 h4 h5 h6").map((tag) => [tag, [...ON_ALL, "id", "className"]])),
  ...Object.fromEntries(words("blockquote del ins q").map((tag) => [tag, [...ON_ALL, "cite"]])),
  ...Object.fromEntries(words("dl summary table").map((tag) => [tag, [...ON_ALL, ...ARIA]])),
  ...Object.fromEntries(words("ol ul").map((tag) => [tag, [...ON_ALL, ...ARIA, "className"]])),
  ...Object.fromEntries(MATH.map((tag) => [tag, ON_MATH])),
  a: [...ON_ALL, ...ARIA, ...words("href id rel dataFootnoteRef dataFootnoteBackref className")],
  code: [...ON_ALL, "className"],
  div: [...ON_ALL, ...words("itemScope itemType className role")],
  img: [...ON_ALL, ...words("src loading")],
  input: [...ON_ALL, ...words("type disabled")],
  li: [...ON_ALL, "className", "id"],
  p: [...ON_ALL, "className"],
  section: [...ON_ALL, "dataFootnotes", "className"],
  span: [...ON_ALL, "className"],
}
/** Matches the classes that may be served: `alert-note`, `hljs-keyword`. Does not match `alerts` or `x`. */
const CLASSES =
  /^(?:language-.+|hljs-[\w-]+|alert|alert-[a-z]+|sr-only|task-list-item|contains-task-list|footnotes|data-footnote-backref|(?:function|class|inherited)_)$/

export const PROTOCOLS = ["http:", "https:", "irc:", "ircs:", "mailto:", "sms:", "tel:", "xmpp:"]
/** Elements that are removed with their content. */
export const STRIPPED = words(`script style template noscript svg math object audio video canvas select textarea title
  noembed noframes xmp plaintext`)

/** Returns the protocol of the page that a browser would load for an address. */
export const protocolOf = (address: unknown): string => {
  const url = URL.parse(String(address), "https://page.test/a/b")
  // Browsers do not follow invalid addresses.
  return url?.protocol ?? "https:"
}

const complaintsOnElement = ({ tagName, properties }: Element): string[] => {
  const { href, src, cite, id, className, role } = properties
  const names = Object.keys(properties).filter((name) => !ALLOWED[tagName]?.includes(name))
  const classes = Array.isArray(className) ? className.map(String) : []
  const addresses = [href, src, cite].filter((url) => url !== undefined)
  return [
    ...(tagName in ALLOWED ? [] : [`<${tagName}>`]),
    ...names.map((name) => `${name} of <${tagName}>`),
    ...classes.filter((name) => !CLASSES.test(name)).map((name) => `class ${name}`),
    ...addresses.filter((url) => !PROTOCOLS.includes(protocolOf(url))).map(String),
    ...(href === "" ? ["empty href"] : []),
    ...(tagName === "img" && properties["loading"] !== "lazy" ? [`image ${src} that is not allowed`] : []),
    ...(tagName === "a" && href !== undefined && !href.startsWith("#") && properties["rel"] === undefined
      ? [`link ${href} without rel`]
      : []),
    ...(typeof id === "string" && id.startsWith("ep-") && !/-1(?:-\d+)?$|^ep-footnotes$/.test(id) ? [`#${id}`] : []),
    ...(tagName === "li" && id !== undefined && !id.startsWith("fn-") ? [`#${id} of <li>`] : []),
    ...(role === undefined || role === "note" ? [] : [`role ${role}`]),
    ...(tagName === "input" && !(properties["disabled"] === true && properties["type"] === "checkbox")
      ? ["live input"]
      : []),
  ]
}

/** Checks served HTML against the second allow-list. Returns a line for each violation. */
export const complaintsOn = (html: string): string[] => find(html).flatMap(complaintsOnElement)

/** The HTML before and after an element that is only valid in a table. */
const around: Record<string, [before: string, after: string]> = {
  tr: ["<table>", "</table>"],
  td: ["<table><tr>", "</table>"],
  th: ["<table><tr>", "</table>"],
  thead: ["<table>", "</table>"],
  tbody: ["<table>", "</table>"],
  tfoot: ["<table>", "</table>"],
}
/** Returns the start tag of an element where a browser accepts it. */
export const put = (tag: string, attributes: string) => {
  const [before, after] = around[tag] ?? ["", ""]
  // A link without an address is text.
  return `${before}<${tag} ${tag === "a" ? 'href="/u" ' : ""}${attributes}>${after}`
}

/** Renders raw HTML as a block of Markdown. Blank lines are removed, because one would end the block. */
export const sanitized = (raw: string, options?: Options): string =>
  htmlOf(`<div>${raw.replaceAll(/\n\s*\n/g, "\n")}`, options).replace(/^<div>([^]*)<\/div>$/, "$1")
