import { codePoints } from "../http/fields.ts"
import { parseMediaPath } from "../images/image.ts"
import { MAX_META_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from "../limits.ts"
import { placePictures, renderMarkdown } from "../posts/markdown.ts"
import { idPrefix, ownText, type Post } from "../posts/post.ts"
import { fieldsToMake, type Text } from "../posts/text.ts"
import type { CodedMessage, TextField } from "../tables.ts"
import type { Engine } from "./engines/engine.ts"
import { readSegments } from "./segments.ts"

type Fields = Partial<Record<TextField, string>>

const isPlain = (field: TextField): boolean => field !== "body"

const translateFields = async (
  engine: Engine,
  own: Text,
  fields: TextField[],
  to: string,
): Promise<{ made: Fields; segments: number }> => {
  const hasBody = fields.includes("body")
  const body = readSegments(hasBody ? (own.body ?? "") : "")
  const plain = fields.filter(isPlain)
  const segments = [...plain.map((field) => own[field] ?? ""), ...body.segments]
  const translated = await engine.translate(segments, own.lang_code, to)
  if (translated.length !== segments.length)
    throw new Error(`The engine answered ${translated.length} segments for ${segments.length}.`)
  const made: Fields = Object.fromEntries(plain.map((field, i) => [field, translated[i]]))
  return {
    made: hasBody ? { ...made, body: body.rebuild(translated.slice(plain.length)) } : made,
    segments: segments.length,
  }
}

/** The HTML of a translated body. It shows the pictures that the own text shows. */
const renderBody = (post: Post, own: Text, body: string): Pick<Text, "html" | "pictures"> => {
  const show = (src: string) => {
    const media = parseMediaPath(src)
    const isOwn = media?.username === post.author && own.pictures.includes(media.imageId)
    return post.images.find(({ id }) => isOwn && id === media.imageId) ?? null
  }
  const rendered = renderMarkdown(body)
  const placed = "parts" in rendered ? placePictures(rendered, idPrefix(post.slug), show) : rendered
  if ("tooComplex" in placed) throw new Error(placed.tooComplex)
  return { html: placed.html, pictures: own.pictures }
}

const warnOfLength = (field: "title" | "meta_description", max: number, made: Fields): CodedMessage[] =>
  codePoints(made[field] ?? "") > max
    ? [{ code: "too_long", message: `The translated ${field} has more than ${max} characters.` }]
    : []

/**
 * Translates the fields of a text that nobody edited by hand and that are missing or behind the own text.
 * @returns the columns to write
 * @throws when the engine fails, or what it answers cannot be rendered
 */
export const makeText = async (engine: Engine, post: Post, text: Text): Promise<Partial<Text>> => {
  const own = ownText(post)
  const fields = fieldsToMake(text, own)
  const { made, segments } = await translateFields(engine, own, fields, text.lang_code)
  return {
    ...made,
    ...(made.body !== undefined && renderBody(post, own, made.body)),
    versions: { ...text.versions, ...Object.fromEntries(fields.map((field) => [field, own.versions[field]])) },
    warnings: [
      ...warnOfLength("title", MAX_TITLE_CHARS, made),
      ...warnOfLength("meta_description", MAX_META_DESCRIPTION_CHARS, made),
    ],
    segments_done: segments,
    segments_total: segments,
    engine: engine.name,
  }
}
