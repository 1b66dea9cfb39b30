import GithubSlugger from "github-slugger"
import * as z from "zod"

import { parseHtml } from "../../packages/edgepost/src/html/parse.ts"
import { simplifyHtml } from "../../packages/edgepost/src/html/simplify.ts"
import { writeMarkdown } from "../../packages/edgepost/src/html/to-markdown.ts"
import { writeImage, writeLink } from "../../packages/edgepost/src/markdown/write.ts"
import { Budget, TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { blogOrigin } from "../addresses.ts"
import { type AppContext, countSteps } from "../http/context.ts"
import { fieldError } from "../http/errors.ts"
import { cut } from "../http/fields.ts"
import type { Warning } from "../http/validate.ts"
import { mediaPath, parseMediaPath } from "../images/image.ts"
import { MAX_BODY_BYTES, MAX_MICROPUB_HTML_CHARS } from "../limits.ts"
import { refuseBody, requireFewRefusals } from "../posts/refused-bodies.ts"

// Makes the Markdown of a post from its content, the links of replies and bookmarks, and its photos.

/** An address, alone or in an object such as an h-cite. */
const Address = z.union(
  [
    z.string(),
    z.object({ value: z.string() }).transform(({ value }) => value),
    z
      .object({ properties: z.object({ url: z.array(z.string()).min(1) }) })
      .transform(({ properties }) => properties.url[0] ?? ""),
  ],
  "Must be the text of an address.",
)
const Addresses = z.array(Address).default([])
/** Properties whose addresses become links below the text. */
const LINKED = ["in-reply-to", "bookmark-of", "like-of", "repost-of", "audio", "video"] as const

const Photo = z.union(
  [
    z.string().transform((value) => ({ value, alt: undefined })),
    z.object({ value: z.string(), alt: z.string().optional() }),
  ],
  "Must be the address of an image, or its value and alt.",
)

/** The properties of which the body of a post is made. A text is Markdown. */
export const OfBody = z.object({
  content: z
    .array(z.union([z.string(), z.object({ html: z.string() })], 'Must be a text, or {"html": "…"}.'))
    .default([]),
  photo: z.array(Photo).default([]),
  "mp-photo-alt": z.array(z.string()).default([]),
  ...(Object.fromEntries(LINKED.map((name) => [name, Addresses])) as Record<(typeof LINKED)[number], typeof Addresses>),
})
type OfBody = z.output<typeof OfBody>

/** Writes the addresses of the account's images as paths, as the body of a post has them. */
const withPaths = (text: string, { places, account }: AppContext["var"]): string => {
  const folder = mediaPath(account.username, "").replace(".webp", "")
  const origins = new Set([places.origin, places.readerOrigin, blogOrigin(places, account)])
  return [...origins].reduce((made, origin) => made.replaceAll(origin + folder, folder), text)
}

/** The part of the steps of a body that its HTML may take: its Markdown is rendered in the same request. */
const HTML_SHARE = 1 / 2

const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** Returns the Markdown of HTML. @param written bytes of Markdown made before, of the same post */
const fromHtml = (c: AppContext, html: string, written: number, warnings: Warning[]): string => {
  // A refused text costs as much as the dearest accepted one.
  requireFewRefusals(c.var)
  const budget = new Budget(HTML_SHARE)
  try {
    const { tree, losses } = simplifyHtml(parseHtml(html, { budget }))
    warnings.push(...losses.map((loss) => ({ field: "content", ...loss })))
    const markdown = writeMarkdown(tree, new GithubSlugger(), budget)
    if (written + byteLength(markdown) > MAX_BODY_BYTES)
      throw new TooComplex(`Its Markdown would have over ${MAX_BODY_BYTES} bytes.`)
    return markdown
  } catch (error) {
    if (error instanceof TooComplex) throw refuseBody(c.var, error.message, "content")
    throw error
  } finally {
    countSteps(c.var.usage, budget.usedSteps)
  }
}

/** Requires that HTML takes little time to convert. @throws ApiError 400 */
const requireShortHtml = ({ content }: OfBody): void => {
  const chars = content.reduce((sum, each) => sum + (typeof each === "string" ? 0 : each.html.length), 0)
  const message = `At most ${MAX_MICROPUB_HTML_CHARS} characters of HTML; this has ${chars}. Send longer texts as Markdown.`
  if (chars > MAX_MICROPUB_HTML_CHARS) throw fieldError("content", "body_too_complex", message)
}

/** Returns the Markdown of a post. What the content shows already is not added again. @throws ApiError 400, also for images from elsewhere */
export const bodyOf = (c: AppContext, entry: OfBody): { body: string; warnings: Warning[] } => {
  requireShortHtml(entry)
  const warnings: Warning[] = []
  const contents: string[] = []
  for (const each of entry.content)
    contents.push(typeof each === "string" ? each : fromHtml(c, each.html, byteLength(contents.join("")), warnings))
  const text = withPaths(contents.join("\n\n"), c.var)
  // Matches what stands around addresses: blanks, `(`, `<`. Does not match `/`.
  const shown = new Set(text.split(/[\s()<>[\]"']+/))
  const links = LINKED.flatMap((name) => entry[name])
  const photos = entry.photo.map(({ value, alt }, i) => {
    const src = withPaths(value, c.var)
    if (parseMediaPath(src)?.username === c.var.account.username)
      return { src, alt: alt ?? entry["mp-photo-alt"][i] ?? "" }
    const message = `${cut(value, 200)} is no image of this account, and images from elsewhere are never fetched. Send the file to the media endpoint, and name its address.`
    throw fieldError("photo", "validation_error", message)
  })
  const parts = [
    ...(text.trim() === "" ? [] : [text]),
    ...links.filter((url) => !shown.has(url)).map((url) => writeLink(url, undefined)),
    ...photos.filter(({ src }) => !shown.has(src)).map((photo) => writeImage(photo)),
  ]
  return { body: parts.join("\n\n"), warnings }
}
