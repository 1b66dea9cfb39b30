import { toOneLine } from "../../packages/edgepost/src/folder/one-line.ts"
import { Budget, TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { countSteps } from "../http/context.ts"
import { type FieldError, fieldErrors } from "../http/errors.ts"
import { codePoints, cut } from "../http/fields.ts"
import type { Warning } from "../http/validate.ts"
import { type ImageStatus, imageStatus, parseMediaPath, type UsableImage } from "../images/image.ts"
import { RECOMMENDED_META_DESCRIPTION_CHARS } from "../limits.ts"
import { headingIdsIn } from "../markdown/headings.ts"
import { hrefOf } from "../markdown/links.ts"
import { finish, type ImageSize, render, type Rendered } from "../markdown/render.ts"
import { hashBytes } from "../tokens.ts"
import type { Content } from "./apply-patch.ts"
import type { CreatePost, PatchPost } from "./input.ts"
import type { Post, PostImage } from "./post.ts"
import { refuseBody, requireFewRefusals, type Sender } from "./refused-bodies.ts"

/** The body and images of a request before the images are looked up. */
export interface RenderedInput {
  sender: Sender
  /** undefined: the request has no image_ids. */
  imageIds: string[] | undefined
  /** undefined: the request has no cover_image_id. */
  coverId: string | null | undefined
  /** null: the request has no body. */
  body: { rendered: Rendered | TooComplex; sha256: string } | null
}

const WARNINGS = {
  external_image:
    "Not an uploaded image, and images from elsewhere are never fetched. Readers get a link. Upload the image and use its image_url.",
  unknown_image: "This account has no such image. Readers get a link. Use the image_url of an upload.",
  unlisted_image: "The body shows this image, but image_ids does not list it. It was attached.",
}

/** The message for an upload's address with an origin. */
const WITH_ORIGIN =
  "With an origin it counts as an image from elsewhere. Readers get a link. Write its image_url as it is: a path."

/** The message for an address that a link may not have. */
const RELATIVE =
  "No image and no link can have this address. Readers get the alt text. Upload the image and use its image_url."

/** The message for an empty address. */
const WITHOUT_ADDRESS =
  "An image has no address that can be shown. Readers get the alt text. Use the image_url of an upload."

const warn = (code: keyof typeof WARNINGS, src: string, message = WARNINGS[code]): Warning => ({
  field: "body",
  code,
  message: src ? `${cut(src, 200)}: ${message}` : WITHOUT_ADDRESS,
})

const expired = (field: string, id: string): FieldError => ({
  field,
  code: "image_expired",
  message: `${id} has expired, and no post shows it. Upload the image again.`,
})

const namedInFields = ({ imageIds = [], coverId }: RenderedInput) => [
  ...imageIds.map((id, i) => ({ id, field: `image_ids.${i}` })),
  ...(coverId ? [{ id: coverId, field: "cover_image_id" }] : []),
]

const refuseUnknown = (input: RenderedInput, statusOf: (id: string) => ImageStatus): void => {
  const unknown = namedInFields(input).filter(({ id }) => statusOf(id) === "unknown")
  if (unknown.length === 0) return
  const code = "unknown_image_id"
  throw fieldErrors(unknown.map(({ field, id }) => ({ field, code, message: `This account has no image ${id}.` })))
}

/** Throws 410 for expired images, after every 400 error. */
const refuseExpired = (input: RenderedInput, shown: string[], statusOf: (id: string) => ImageStatus): void => {
  const inBody = shown.filter((id) => !input.imageIds?.includes(id)).map((id) => ({ id, field: "body" }))
  const gone = [...namedInFields(input), ...inBody].filter(({ id }) => statusOf(id) === "expired")
  if (gone.length > 0) throw fieldErrors(gone.map(({ field, id }) => expired(field, id)))
}

/** Returns the id of an image at this account's media path, or null. */
const idOf = (src: string, username: string): string | null => {
  const media = parseMediaPath(src)
  return media?.username === username ? media.imageId : null
}

// Match `https://a.example/media/x` and `//a.example/media/x`. Do not match `/media/x`.
const isOwnWithOrigin = (src: string, username: string): boolean =>
  /^(?:https?:)?\/\//i.test(src) && idOf(src.replace(/^[^/]*\/\/[^/]*/, ""), username) !== null

const warnLinked = (src: string, username: string): Warning => {
  if (src.startsWith("/media/")) return warn("unknown_image", src)
  if (hrefOf(src) === null) return warn("external_image", src, RELATIVE)
  return warn("external_image", src, isOwnWithOrigin(src, username) ? WITH_ORIGIN : undefined)
}

/**
 * Renders the Markdown body of a request; `resolveImages` looks at its images afterwards, and refuses a body that is too complex.
 * @throws ApiError 429 if too many bodies of the account were refused
 */
export const renderInput = async (
  { body, image_ids, cover_image_id }: Pick<PatchPost, "body" | "image_ids" | "cover_image_id">,
  { account, now, usage }: Sender,
): Promise<RenderedInput> => {
  const sender = { account, now, usage }
  requireFewRefusals(sender)
  const budget = new Budget()
  const rendered = body === undefined ? null : render(body, budget)
  if (rendered) countSteps(usage, budget.usedSteps)
  return {
    sender,
    imageIds: image_ids,
    coverId: cover_image_id,
    body: rendered && { rendered, sha256: await hashBytes(body ?? "") },
  }
}

const shownIds = ({ sender, body }: RenderedInput): string[] => {
  const sources = !body || body.rendered instanceof TooComplex ? [] : body.rendered.images
  return [...new Set(sources.flatMap((src) => idOf(src, sender.account.username) ?? []))]
}

/** Lists the image ids that a request names, as list, cover or in the body by this account's paths, without duplicates. */
export const namedIds = (input: RenderedInput): string[] => [
  ...new Set([...namedInFields(input).map(({ id }) => id), ...shownIds(input)]),
]

type Texts = Pick<PatchPost, "title" | "meta_description" | "categories" | "tags">

/** Warns of line breaks in a title, of labels that cannot be read as a list, and of a meta_description of an unusual length. */
export const textWarnings = ({ title = "", meta_description, ...labels }: Texts): Warning[] => {
  const { min, max } = RECOMMENDED_META_DESCRIPTION_CHARS
  const length = meta_description === undefined ? min : codePoints(meta_description)
  const breaks = { field: "title", code: "line_break", message: "A line break became a blank." }
  const list = "Begins with `[` but is no JSON list of texts. Its commas separate the names: send an array."
  const broken = (["categories", "tags"] as const).filter((field) => labels[field]?.isBroken)
  const ofLabels = broken.map((field) => ({ field, code: "not_a_list", message: list }))
  const others = [...(toOneLine(title) === title ? [] : [breaks]), ...ofLabels]
  if (length >= min && length <= max) return others
  const message = `${min} to ${max} characters are recommended; this has ${length}.`
  return [...others, { field: "meta_description", code: "length", message }]
}

/** Warns of a time of change that a text cannot have. */
const changeWarnings = ({ changed_at: sent }: Pick<CreatePost, "changed_at">, post: Post, lang: string): Warning[] => {
  const taken = post.texts.find(({ lang_code }) => lang_code === lang)?.changed_at
  if (!sent || !taken || taken.getTime() === sent.getTime()) return []
  const message = `A text changes after its publication, and not ahead: ${taken.toISOString()} is taken.`
  return [{ field: "changed_at", code: "changed_at_adjusted", message }]
}

/** Returns the warnings of the fields that a request has sent. @param post as it is with them @param lang the language of its text */
export const fieldWarnings = (sent: Texts & Pick<CreatePost, "changed_at">, post: Post, lang: string): Warning[] => [
  ...textWarnings(sent),
  ...changeWarnings(sent, post, lang),
]

/** Returns images by their ids. */
export const byId = (found: UsableImage[]): Map<string, UsableImage> => new Map(found.map((image) => [image.id, image]))

interface ResolveWith {
  found: Map<string, UsableImage>
  attached: Set<string>
  original?: string
  language: string
  ttlSeconds: number
}

const toPostImage = ({ expires_at: _expires, attached: _attached, ...image }: UsableImage): PostImage => image

/** The result of `resolveImages`. */
interface ResolvedContent extends Omit<Content, "detach"> {
  warnings: Warning[]
}

/**
 * Finishes a body: shows usable images, links others, and lists the images to attach. An image is usable if a post of the
 * account shows it, or for `ttlSeconds` after its upload.
 * @param found the account's images that the request names
 * @param attached ids of the post's images
 * @param original HTML of the source text, if the body is a translation, which gets the ids of its headings
 * @param language BCP 47 code of the body
 * @throws ApiError 400 `body_too_complex`, `unknown_image_id`; 410 `image_expired`
 */
export const resolveImages = (
  input: RenderedInput,
  { found, attached, original = "", language, ttlSeconds }: ResolveWith,
): ResolvedContent => {
  const { sender, imageIds, coverId, body } = input
  const { username } = sender.account
  const rendered = body?.rendered
  if (rendered instanceof TooComplex) throw refuseBody(sender, rendered.messageAt())
  const statusOf = (id: string): ImageStatus => imageStatus(id, found.get(id) ?? null, ttlSeconds, sender.now)
  const show = (src: string): ImageSize | null => {
    const id = idOf(src, username)
    return id !== null && statusOf(id) === "usable" ? (found.get(id) ?? null) : null
  }
  refuseUnknown(input, statusOf)
  const finished = rendered && finish(rendered, { show, language, headingIds: headingIdsIn(original) })
  if (finished instanceof TooComplex) throw refuseBody(sender, finished.messageAt())
  refuseExpired(input, shownIds(input), statusOf)
  const shown = shownIds(input).filter((id) => statusOf(id) === "usable")
  const attach = [...new Set([...(imageIds ?? []), ...shown])].flatMap((id) => found.get(id) ?? [])
  const cover = coverId ? found.get(coverId) : null
  const linked = [...new Set(rendered?.images)].filter((src) => !show(src))
  const unlisted = imageIds ? shown.filter((id) => !imageIds.includes(id) && !attached.has(id)) : []
  return {
    body: body && finished ? { html: finished.html, body_sha256: body.sha256, image_ids: shown } : null,
    attach: attach.map(toPostImage),
    cover: coverId === undefined ? undefined : cover ? toPostImage(cover) : null,
    warnings: [
      ...(finished?.warnings ?? []).map((warning) => ({ field: "body", ...warning })),
      ...linked.map((src) => warnLinked(src, username)),
      ...unlisted.map((id) => warn("unlisted_image", id)),
    ],
  }
}
