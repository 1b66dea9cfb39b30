import GithubSlugger from "github-slugger"
import * as z from "zod"

import { HtmlError, parseHtml } from "../../packages/edgepost/src/html/parse.ts"
import { simplifyHtml } from "../../packages/edgepost/src/html/simplify.ts"
import { writeMarkdown } from "../../packages/edgepost/src/html/to-markdown.ts"
import { writeImage, writeLink } from "../../packages/edgepost/src/markdown/write.ts"
import { blogOrigin } from "../addresses.ts"
import type { AppContext } from "../http/context.ts"
import { fieldError } from "../http/errors.ts"
import { cut } from "../http/fields.ts"
import type { Warning } from "../http/validate.ts"
import { mediaPath, parseMediaPath } from "../images/image.ts"
import { MAX_BODY_BYTES } from "../limits.ts"

// Makes the Markdown of a post from its content, the links of replies and bookmarks, and its photos.

const Links = z.array(z.string("Must be the text of an address.")).default([])
/** Properties whose addresses become links below the text. */
const LINKS = {
  "in-reply-to": Links,
  "bookmark-of": Links,
  "like-of": Links,
  "repost-of": Links,
  audio: Links,
  video: Links,
}

const PHOTO = "Must be the address of an image, or its value and alt."
const Photo = z.union(
  [z.string().transform((value) => ({ value })), z.object({ value: z.string(), alt: z.string().optional() })],
  PHOTO,
)

/** The properties of which the body of a post is made. A text is Markdown. */
export const OfBody = z.object({
  content: z
    .array(
      z.union(
        [
          z.string(),
          z.object({ html: z.string() }),
          z.object({ markdown: z.string() }).transform(({ markdown }) => markdown),
        ],
        'Must be a text, or {"html": "…"}.',
      ),
    )
    .default([]),
  photo: z.array(Photo.transform((photo): { value: string; alt?: string | undefined } => photo)).default([]),
  "mp-photo-alt": z.array(z.string()).default([]),
  ...LINKS,
})
type OfBody = z.output<typeof OfBody>

/** Writes the addresses of the account's images as paths, as the body of a post has them. */
const withPaths = (text: string, { places, account }: AppContext["var"]): string => {
  const folder = mediaPath(account.username, "").replace(".webp", "")
  const origins = new Set([places.origin, places.readerOrigin, blogOrigin(places, account)])
  return [...origins].reduce((made, origin) => made.replaceAll(origin + folder, folder), text)
}

const fromHtml = (html: string, warnings: Warning[]): string => {
  try {
    if (html.length > MAX_BODY_BYTES) throw new HtmlError(`Its text has over ${MAX_BODY_BYTES} characters.`)
    const { tree, losses } = simplifyHtml(parseHtml(html))
    warnings.push(...losses.map((loss) => ({ field: "content", ...loss })))
    return writeMarkdown(tree, new GithubSlugger())
  } catch (error) {
    if (error instanceof HtmlError) throw fieldError("content", "validation_error", error.message)
    throw error
  }
}

/** Returns the Markdown of a post. What the content shows already is not added again. @throws ApiError 400, also for images from elsewhere */
export const bodyOf = (c: AppContext, entry: OfBody): { body: string; warnings: Warning[] } => {
  const warnings: Warning[] = []
  const contents = entry.content.map((each) => (typeof each === "string" ? each : fromHtml(each.html, warnings)))
  const text = withPaths(contents.join("\n\n"), c.var)
  const links = Object.keys(LINKS).flatMap((name) => entry[name as keyof typeof LINKS])
  const photos = entry.photo.map(({ value, alt }, i) => {
    const src = withPaths(value, c.var)
    if (parseMediaPath(src)?.username === c.var.account.username)
      return { src, alt: alt ?? entry["mp-photo-alt"][i] ?? "" }
    const message = `${cut(value, 200)} is no image of this account, and images from elsewhere are never fetched. Send the file to the media endpoint, and name its address.`
    throw fieldError("photo", "validation_error", message)
  })
  const parts = [
    ...(text.trim() === "" ? [] : [text]),
    ...links.filter((url) => !text.includes(url)).map((url) => writeLink(url, undefined)),
    ...photos.filter(({ src }) => !text.includes(src)).map((photo) => writeImage(photo)),
  ]
  return { body: parts.join("\n\n"), warnings }
}
