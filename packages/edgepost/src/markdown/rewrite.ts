import { escapeText, removeMarkup } from "../escape.ts"
import type { Finding } from "../finding.ts"
import { decode } from "../site.ts"
import type { Converted } from "./convert.ts"
import type { Document, Reference } from "./document.ts"
import { applyEdits, type Edit } from "./edits.ts"
import { anchorsOf, findAnchor } from "./headings.ts"
import { isData } from "./images.ts"
import type { FindPost } from "./links.ts"
import { escapeHtml, writeDestination } from "./write.ts"

// Gives links and images the addresses that they have on the service.

export interface RewriteContext {
  /** Single line ends become line breaks. */
  isBroken: boolean
  /** Finds the post that a link leads to: see links.ts. */
  findPost: FindPost
  /** Finds the image of a reference on a line. @returns its address on the service, "remote" for another site's, "" for a broken one, null if there is no such file */
  findImage: (reference: string, file: string, line: number) => string | null
}

/** A new address, or what is wrong with the old one, or both. */
interface Outcome {
  url?: string
  title?: string | undefined
  /** The link becomes its text. */
  isText?: boolean
  problem?: Pick<Finding, "code" | "message">
}

const warn = (code: string, message: string) => ({ problem: { code, message } })

/** Leaves an image out: without an address readers get its alt text. */
const lose = (code: string, message: string): Outcome => ({ url: "", ...warn(code, message) })

/** Fragments that browsers know without an id: `#`, `#top`, `#:~:text=a`. Does not match `topic`. */
const NO_ID = /^$|^top$|^:~:/

const shorten = (url: string): string => (url.length > 80 ? `${url.slice(0, 80).toWellFormed()}…` : url)

const rewriteImage = (url: string, file: string, line: number, { findImage }: RewriteContext): Outcome => {
  if (url === "") return warn("missing_image", "An image has no address. Name its file.")
  const found = findImage(url, file, line)
  const name = shorten(url)
  if (found === null && isData(url)) {
    const advice = "Save it as a file beside the post, and name that file."
    return lose("data_image", `Readers do not get the image ${url.slice(0, 20)}… in the text. ${advice}`)
  }
  if (found === null) return lose("missing_image", `There is no image ${name}. Add the file, or correct the path.`)
  if (found === "remote")
    return warn("remote_image", `Readers get a link for the image ${name}. Save it in the folder to show it.`)
  return { url: found }
}

/** Messages about links to nothing that the service has: the parts before and after what becomes of the link. `URL` stands for its address. */
const LOST = {
  missing: ["missing_link", "No post of the folder is at URL", "Correct the link, or write an address with https:."],
  file: ["unhosted_file", "The service does not host URL", "Put the file on another site, and link to it there."],
  "left out": ["left_out_link", "The post at URL is left out", "Publish it, or remove the link."],
  unreadable: ["unreadable_link", "The file of the post at URL cannot be read", "Correct that file."],
} as const

/** Returns the address of a link's target. */
const linkTo = (target: ReturnType<FindPost>, url: string, { targets }: Document): Outcome => {
  const at = url.indexOf("#")
  const fragment = at < 0 ? null : decode(url.slice(at + 1))
  const isInPage = at === 0
  if (target && "lost" in target) {
    const [code, what, advice] = LOST[target.lost]
    const outcome = target.oldAddress === null ? "the link becomes text" : "the link leads to the old site"
    const problem = warn(code, `${what.replace("URL", () => shorten(url))}, so that ${outcome}. ${advice}`)
    return target.oldAddress === null ? { isText: true, ...problem } : { url: target.oldAddress, ...problem }
  }
  if (target === null && !isInPage) return {}
  const address = isInPage ? "" : (target?.address ?? "")
  const title = target?.title
  if (fragment === null) return { url: address, title }
  if (NO_ID.test(fragment)) return { url: `${address}#${url.slice(at + 1)}`, title }
  const id = findAnchor(target?.anchors() ?? anchorsOf(targets), fragment)
  if (id !== null) return { url: id === fragment && isInPage ? url : `${address}#${id}`, title }
  const message = `No heading has the id of ${shorten(url)}. Name an id of the page that it leads to.`
  return { url: address + url.slice(at), title, ...warn("missing_anchor", message) }
}

const rewriteLink = (url: string, document: Document, file: string, { findPost }: RewriteContext): Outcome => {
  if (url === "") return {}
  const target = findPost(url.startsWith("#") ? "" : url, file)
  const outcome = linkTo(target, url, document)
  if (outcome.problem || !target || "lost" in target || !target.isHidden) return outcome
  const message = `Readers do not see the post at ${shorten(url)} yet. Publish it first, or remove the link.`
  return { ...outcome, ...warn("hidden_link", message) }
}

/** Writes a new address in place of an old one. */
const write = ({ form, start, end, url: old, emptyText }: Reference, url: string, title: string): Edit[] => {
  const text = emptyText !== null && title !== "" ? [{ start: emptyText, end: emptyText, text: escapeText(title) }] : []
  if (url === old) return text
  if (form === "href" || form === "src") return [{ start, end, text: `${form}="${escapeHtml(url)}"` }]
  if (form === "autolink") return [{ start, end, text: `[${escapeText(old)}](${writeDestination(url)})` }]
  return [...text, { start, end, text: writeDestination(url) }]
}

/** Gives links and images of a converted text their new addresses. A stored text keeps its links, and no image is an error. @param file path of the text's file from the folder's root */
export const rewrite = (
  { body, document, lineOf, findings: reported, lineEnds, isStored }: Converted,
  file: string,
  context: RewriteContext,
): { body: string; findings: Finding[] } => {
  const edits: Edit[] = context.isBroken ? [...lineEnds] : []
  const findings: Finding[] = []
  const { references, problem: tooComplex } = document
  if (tooComplex !== null && !isStored && !reported.some(({ code }) => code === "too_complex"))
    findings.push({ level: "error", code: "too_complex", message: tooComplex.message, file, line: lineOf(0) })
  for (const reference of references) {
    const { kind, url: old, start, end } = reference
    if (isStored && kind === "link") continue
    const { url, title, isText, problem } =
      kind === "image" ? rewriteImage(old, file, lineOf(start), context) : rewriteLink(old, document, file, context)
    if (problem) findings.push({ level: "warning", ...problem, file, line: lineOf(start) })
    if (isText) edits.push(...reference.around.map((span) => removeMarkup(body, span)))
    if (isText && reference.form === "autolink") edits.push({ start, end, text: escapeText(old) })
    if (url !== undefined && !(isStored && problem)) edits.push(...write(reference, url, title ?? ""))
  }
  return { body: applyEdits(body, edits).text, findings }
}
