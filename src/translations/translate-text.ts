import { codePoints } from "../http/fields.ts"
import { parseMediaPath } from "../images/image.ts"
import { MAX_HALVINGS, MAX_META_DESCRIPTION_CHARS, MAX_TITLE_CHARS, MAX_TRANSLATED_BODY_BYTES } from "../limits.ts"
import { TooComplex } from "../markdown/budget.ts"
import { headingIdsIn } from "../markdown/headings.ts"
import { finish as finishHtml, render } from "../markdown/render.ts"
import { ownText, type Post } from "../posts/post.ts"
import { fieldsToMake, type Text, versionsOf } from "../posts/text.ts"
import type { FieldWarning, TextField } from "../tables.ts"
import { type Stop, type Task, type Translated, translateSegments } from "./batches.ts"
import type { Translation } from "./document/rebuild.ts"
import {
  type Document,
  plainSegment,
  plainText,
  readDocument,
  type Segment,
  segmentsOf,
  WORD,
} from "./document/segments.ts"
import { textOf } from "./document/tags.ts"
import { assemble } from "./document/verify.ts"
import type { Failure } from "./engines/engine.ts"

type Fields = Partial<Record<TextField, string>>

/** What is to be made of a text: its fields as segments, its body as a document. */
interface Plan {
  plain: Map<Exclude<TextField, "body">, Segment>
  body: Document | null
}

const planOf = (own: Text, fields: TextField[]): Plan => ({
  plain: new Map(fields.filter((field) => field !== "body").map((field) => [field, plainSegment(own[field] ?? "")])),
  body: fields.includes("body") ? readDocument(own.body ?? "") : null,
})

const allSegments = ({ plain, body }: Plan): Segment[] =>
  [...plain.values(), ...(body ? segmentsOf(body) : [])].filter(({ inlines }) => WORD.test(textOf(inlines)))

/** The HTML of a translated body. It shows the pictures that the own text shows, and is linked to as that is. @throws TooComplex */
const renderBody = (post: Post, own: Text, language: string, body: string): Pick<Text, "html" | "pictures"> => {
  const show = (src: string) => {
    const media = parseMediaPath(src)
    const isOwn = media?.username === post.author && own.pictures.includes(media.imageId)
    return post.images.find(({ id }) => isOwn && id === media.imageId) ?? null
  }
  if (new TextEncoder().encode(body).length > MAX_TRANSLATED_BODY_BYTES)
    throw new TooComplex(`It is longer than ${MAX_TRANSLATED_BODY_BYTES} bytes.`)
  const rendered = render(body)
  if (rendered instanceof TooComplex) throw rendered
  const finished = finishHtml(rendered, { show, language, headingIds: headingIdsIn(own.html ?? "") })
  if (finished instanceof TooComplex) throw finished
  return { html: finished.html, pictures: own.pictures }
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

/** `<a href="b>c">`, `<!-- a -->`, `&nbsp;`, and what no reader sees of scripts and styles; not `a < b`. */
const NO_TEXT =
  /<!--[^]*?(?:-->|$)|<(script|style|template|svg|math)\b[^]*?(?:<\/\1|$)|<[!?/a-z](?:[^<>"']|"[^"]*"|'[^']*')*>|&#?\w+;/gi

const warnOfHtml = ({ html }: Document): FieldWarning[] => {
  const [first, ...others] = html.filter(({ value }) => WORD.test(value.replaceAll(NO_TEXT, "")))
  if (!first) return []
  const line = first.position?.start.line ?? 1
  const blocks =
    others.length > 0
      ? `${others.length + 1} HTML blocks (the first in line ${line})`
      : `the HTML block in line ${line}`
  const message = `The text of ${blocks} is as in the source. Write it as Markdown between blank lines to have it translated.`
  return [{ field: "body", code: "html_not_translated", message }]
}

const makePlain = (
  { plain }: Plan,
  own: Text,
  { translations, older }: Translated,
): { made: Fields; warnings: FieldWarning[] } => {
  const made: Fields = {}
  const warnings: FieldWarning[] = []
  for (const [field, segment] of plain) {
    const translated = translations.get(segment)
    made[field] = translated ? plainText(translated).normalize("NFC") : (own[field] ?? "")
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

const makeBody = (
  document: Document,
  { translations, older }: Translated,
): { body: string; warnings: FieldWarning[] } => {
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
  return { body, warnings: [...warnOfKept("body", segments.length, counts), ...warnOfHtml(document)] }
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
type Making = Pick<Task, "db" | "engine" | "charactersPerDay" | "now" | "pending" | "report">

const finish = (
  { engine }: Making,
  { post, own, text, plan, fields }: Order,
  segments: Segment[],
  outcome: Translated,
): { made: Partial<Text> } | { failure: Failure } => {
  if (segments.length > 0 && segments.every((segment) => !outcome.translations.get(segment)))
    return { failure: UNUSABLE }
  const { made, warnings } = makePlain(plan, own, outcome)
  const body = plan.body && makeBody(plan.body, outcome)
  const rendered = body && renderBody(post, own, text.lang_code, body.body)
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

/** Code that may have a fault, and what it threw; a text that is too much to read is none. */
const attempt = <T>(work: () => T): T | { crash: unknown } | { failure: Failure } => {
  try {
    return work()
  } catch (crash) {
    if (crash instanceof TooComplex) return { failure: TOO_COMPLEX(crash.message) }
    return crash instanceof RangeError ? { failure: TOO_COMPLEX("Its markup is nested too deeply.") } : { crash }
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
  if ("crash" in plan || "failure" in plan) return plan
  const segments = allSegments(plan)
  const since = text.anew_since
  // A batch that takes too long for the engine would do so again.
  const part = 2 ** -Math.min(text.postponed, MAX_HALVINGS)
  const isBegun = text.segments_total > 0
  const task = { ...making, part, since, isBegun, account_id: post.account_id, from: own.lang_code, to: text.lang_code }
  const outcome = await translateSegments(task, segments)
  if (!("translations" in outcome)) return outcome
  const finished = attempt(() => finish(making, { post, own, text, plan, fields }, segments, outcome))
  const progress = { segments_done: segments.length, segments_total: segments.length }
  return "made" in finished ? { made: { ...finished.made, ...progress } } : { ...finished, progress }
}
