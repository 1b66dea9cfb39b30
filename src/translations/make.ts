import { codePoints } from "../http/fields.ts"
import { parseMediaPath } from "../images/image.ts"
import { MAX_HALVINGS, MAX_META_DESCRIPTION_CHARS, MAX_TITLE_CHARS, MAX_TRANSLATED_BODY_BYTES } from "../limits.ts"
import { placePictures, renderMarkdown } from "../posts/markdown.ts"
import { idPrefix, ownText, type Post } from "../posts/post.ts"
import { fieldsToMake, type Text, versionsOf } from "../posts/text.ts"
import type { FieldWarning, TextField } from "../tables.ts"
import { assemble } from "./assemble.ts"
import type { Failure } from "./engines/engine.ts"
import type { Translation } from "./rebuild.ts"
import { type Outcome, runTask, type Stop, type Task } from "./run.ts"
import { type Document, readDocument, type Segment, segmentOf, segmentsOf, WORD } from "./segments.ts"
import { textOf } from "./tags.ts"

type Fields = Partial<Record<TextField, string>>
type Made = Extract<Outcome, { translations: unknown }>

/** What is to be made of a text: its fields as segments, its body as a document. */
interface Plan {
  plain: Map<Exclude<TextField, "body">, Segment>
  body: Document | null
}

const planOf = (own: Text, fields: TextField[]): Plan => ({
  plain: new Map(fields.filter((field) => field !== "body").map((field) => [field, segmentOf([own[field] ?? ""])])),
  body: fields.includes("body") ? readDocument(own.body ?? "") : null,
})

const allSegments = ({ plain, body }: Plan): Segment[] =>
  [...plain.values(), ...(body ? segmentsOf(body) : [])].filter(({ text }) => WORD.test(text))

/** The HTML of a translated body. It shows the pictures that the own text shows, and is linked to as that is. */
const renderBody = (post: Post, own: Text, body: string): Pick<Text, "html" | "pictures"> | { tooComplex: string } => {
  const show = (src: string) => {
    const media = parseMediaPath(src)
    const isOwn = media?.username === post.author && own.pictures.includes(media.imageId)
    return post.images.find(({ id }) => isOwn && id === media.imageId) ?? null
  }
  if (new TextEncoder().encode(body).length > MAX_TRANSLATED_BODY_BYTES)
    return { tooComplex: `It is longer than ${MAX_TRANSLATED_BODY_BYTES} bytes.` }
  const rendered = renderMarkdown(body)
  const placed = "parts" in rendered ? placePictures(rendered, idPrefix(post.slug), show, own.html ?? "") : rendered
  return "tooComplex" in placed ? placed : { html: placed.html, pictures: own.pictures }
}

const warnOfLength = (field: "title" | "meta_description", max: number, made: Fields): FieldWarning[] =>
  codePoints(made[field] ?? "") > max
    ? [{ field, code: "too_long", message: `The translated ${field} has more than ${max} characters.` }]
    : []

const warnOfKept = (field: TextField, all: number, kept: { source: number; older: number }): FieldWarning[] => {
  const inVain = "the engine made nothing of them that could be used."
  const { source, older } = kept
  const ofSource = {
    field,
    code: "not_translated",
    message: `${source} of ${all} parts are as in the source: ${inVain}`,
  }
  const ofOlder = {
    field,
    code: "not_translated_again",
    message: `${older} of ${all} parts are as they were translated before: ${inVain}`,
  }
  return [...(source > 0 ? [ofSource] : []), ...(older > 0 ? [ofOlder] : [])]
}

const makePlain = (
  { plain }: Plan,
  own: Text,
  { translations, older }: Made,
): { made: Fields; warnings: FieldWarning[] } => {
  const made: Fields = {}
  const warnings: FieldWarning[] = []
  for (const [field, segment] of plain) {
    const translated = translations.get(segment)
    made[field] = translated ? textOf(translated).normalize("NFC") : (own[field] ?? "")
    warnings.push(...warnOfKept(field, 1, { source: Number(translated === null), older: Number(older.has(segment)) }))
  }
  return {
    made,
    warnings: [
      ...warnings,
      ...warnOfLength("title", MAX_TITLE_CHARS, made),
      ...warnOfLength("meta_description", MAX_META_DESCRIPTION_CHARS, made),
    ],
  }
}

const makeBody = (document: Document, { translations, older }: Made): { body: string; warnings: FieldWarning[] } => {
  const segments = segmentsOf(document)
  const used = new Map<Segment, Translation>()
  for (const segment of segments) {
    const inlines = translations.get(segment)
    if (inlines) used.set(segment, { inlines })
  }
  const { body, kept } = assemble(document, used)
  const counts = {
    source: segments.length - used.size + kept.length,
    older: segments.filter((segment) => older.has(segment) && !kept.includes(segment)).length,
  }
  return { body, warnings: warnOfKept("body", segments.length, counts) }
}

const TOO_COMPLEX = (reason: string): Failure => ({
  kind: "final",
  code: "body_too_complex",
  message: `The translated body cannot be shown. ${reason}`,
})

const UNUSABLE: Failure = {
  kind: "final",
  code: "not_translated",
  message: "The engine made nothing of this text that could be used. Ask for it once more, or change it.",
}

/** What is made, of what. */
interface Order {
  post: Post
  own: Text
  text: Text
  plan: Plan
  fields: TextField[]
}

/** What a text is made with: the limits of the day, and whoever wants to hear how far it is. */
type Making = Pick<Task, "db" | "engine" | "charactersPerDay" | "now" | "along" | "report">

const finish = (
  { engine }: Making,
  { post, own, text, plan, fields }: Order,
  segments: Segment[],
  outcome: Made,
): { made: Partial<Text> } | { failure: Failure } => {
  if (segments.length > 0 && segments.every((segment) => !outcome.translations.get(segment)))
    return { failure: UNUSABLE }
  const { made, warnings } = makePlain(plan, own, outcome)
  const body = plan.body && makeBody(plan.body, outcome)
  const rendered = body && renderBody(post, own, body.body)
  if (rendered && "tooComplex" in rendered) return { failure: TOO_COMPLEX(rendered.tooComplex) }
  return {
    made: {
      ...made,
      ...(body && { body: body.body, ...rendered }),
      versions: { ...text.versions, ...versionsOf(fields, (field) => own.versions[field]) },
      warnings: [
        ...text.warnings.filter(({ field }) => !fields.includes(field)),
        ...warnings,
        ...(body?.warnings ?? []),
      ],
      engine: engine.name,
    },
  }
}

/** Code that may have a fault, and what it threw. */
const attempt = <T>(work: () => T): T | { crash: unknown } => {
  try {
    return work()
  } catch (crash) {
    return { crash }
  }
}

/**
 * Translates the fields of a text that nobody edited by hand and that are missing or behind the own text.
 * @returns the columns to write, or why there are none yet
 * @throws when the database does
 */
export const makeText = async (making: Making, post: Post, text: Text): Promise<{ made: Partial<Text> } | Stop> => {
  const own = ownText(post)
  const fields = fieldsToMake(text, own)
  const plan = attempt(() => planOf(own, fields))
  if ("crash" in plan) return plan
  const segments = allSegments(plan)
  const since = text.anew_since ?? new Date(0)
  // A batch that takes too long for the engine would do so again.
  const part = 2 ** -Math.min(text.postponed, MAX_HALVINGS)
  const isBegun = text.segments_total > 0
  const task = { ...making, part, since, isBegun, account_id: post.account_id, from: own.lang_code, to: text.lang_code }
  const outcome = await runTask(task, segments)
  if (!("translations" in outcome)) return outcome
  const finished = attempt(() => finish(making, { post, own, text, plan, fields }, segments, outcome))
  const progress = { segments_done: segments.length, segments_total: segments.length }
  return "made" in finished ? { made: { ...finished.made, ...progress } } : { ...finished, progress }
}
