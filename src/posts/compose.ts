import { fieldError, fieldErrors } from "../http/problem.ts"
import type { FieldError } from "../http/problem.ts"
import type { Warning } from "../http/validate.ts"
import { judge, parseMediaPath, type Usable, type Usability } from "../images/image.ts"
import { linkPictures, renderMarkdown } from "./markdown.ts"
import type { Composed, PostImage } from "./post.ts"

interface Draft {
  slug: string
  username: string
  body: string
  /** undefined where the request has none. */
  image_ids: string[] | undefined
}

const WARNINGS = {
  external_image:
    "Pictures from elsewhere are never fetched or shown: readers get a link. Upload it and use its image_url.",
  unknown_image: "This is no picture of this account: readers get a link.",
  unlisted_image: "The body shows this picture, but image_ids does not name it. It was attached all the same.",
}

const warn = (code: keyof typeof WARNINGS, src: string): Warning => ({
  field: "body",
  code,
  message: `${src.slice(0, 200)}: ${WARNINGS[code]}`,
})

const expired = (field: string, id: string): FieldError => ({
  field,
  code: "image_expired",
  message: `${id} was not used within its lifetime. Upload the picture again.`,
})

/** Refuses ids that cannot be used: unknown ones first (400), then expired ones (410). */
const refuseUnusable = (imageIds: string[], shown: string[], verdictOf: (id: string) => Usability): void => {
  const listed = imageIds.map((id, i) => ({ id, field: `image_ids.${i}`, verdict: verdictOf(id) }))
  const unknown = listed.filter(({ verdict }) => verdict === "unknown")
  if (unknown.length > 0)
    throw fieldErrors(
      unknown.map(({ field, id }) => ({
        field,
        code: "unknown_image_id",
        message: `This account has no picture ${id}.`,
      })),
    )
  const gone = [
    ...listed.filter(({ verdict }) => verdict === "expired").map(({ field, id }) => expired(field, id)),
    ...shown.filter((id) => !imageIds.includes(id) && verdictOf(id) === "expired").map((id) => expired("body", id)),
  ]
  if (gone.length > 0) throw fieldErrors(gone)
}

/**
 * Renders a body and settles its pictures.
 * @param found the account's pictures among those that the body or image_ids name
 * @throws ApiError 400 `body_too_complex`, `unknown_image_id`; 410 `image_expired`
 */
export const compose = (
  { slug, username, body, image_ids = [] }: Draft,
  found: Map<string, Usable>,
  { ttlSeconds, now }: { ttlSeconds: number; now: Date },
): { composed: Composed; attach: PostImage[]; warnings: Warning[] } => {
  const rendered = renderMarkdown(body, `${slug}-`)
  if ("tooComplex" in rendered) throw fieldError("body", "body_too_complex", rendered.tooComplex)
  const verdictOf = (id: string): Usability => judge(id, found.get(id) ?? null, ttlSeconds, now)
  const idOf = (src: string): string | null => {
    const media = parseMediaPath(src)
    return media?.username === username ? media.imageId : null
  }
  const sources = [...new Set(rendered.pictures)]
  const ownIds = sources.map(idOf).filter((id) => id !== null)
  refuseUnusable(image_ids, ownIds, verdictOf)
  const isShown = (src: string): boolean => {
    const id = idOf(src)
    return id !== null && verdictOf(id) === "usable"
  }
  const pictures = ownIds.filter((id) => verdictOf(id) === "usable")
  const attach = [...new Set([...image_ids, ...pictures])].flatMap((id) => found.get(id) ?? [])
  return {
    composed: { html: linkPictures(rendered.html, isShown), pictures },
    attach: attach.map(({ id, width, height }) => ({ id, width, height })),
    warnings: [
      ...sources
        .filter((src) => !isShown(src))
        .map((src) => warn(src.startsWith("/media/") ? "unknown_image" : "external_image", src)),
      ...pictures.filter((id) => !image_ids.includes(id)).map((id) => warn("unlisted_image", id)),
    ],
  }
}
