import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { toneFor } from "../accounts/account.ts"
import type { FieldWarning, TextField } from "../db/schema.ts"
import { codePoints } from "../http/fields.ts"
import { parseMediaPath } from "../images/image.ts"
import { MAX_HALVINGS, MAX_META_DESCRIPTION_CHARS, MAX_TITLE_CHARS, MAX_TRANSLATED_BODY_BYTES } from "../limits.ts"
import { headingIdsIn } from "../markdown/headings.ts"
import { finish, render } from "../markdown/render.ts"
import { sourceText, type Post } from "../posts/post.ts"
import { fieldsToMake, type Text, versionsOf } from "../posts/text.ts"
import { hashBytes } from "../tokens.ts"
import { type Stop, type Task, type Translated, translateSegments } from "./batches.ts"
import { contextReader } from "./document/context.ts"
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
import { termsIn } from "./document/wanted-terms.ts"
import type { Failure } from "./engines/engine.ts"
import { type Glossary, openGlossary, type Term } from "./glossary.ts"
import type { ClaimedPost } from "./store.ts"

// Translates the fields of one text: splits them into segments, translates these, rebuilds the fields and renders the body.

type PlainField = Exclude<TextField, "body">

/** The fields to translate, split into segments. */
interface Plan {
  plain: Map<PlainField, Segment>
  body: Document | null
}

const makePlan = (source: Text, fields: TextField[], glossary: Glossary): Plan => ({
  plain: new Map(
    fields.filter((field) => field !== "body").map((field) => [field, plainSegment(source[field] ?? "", glossary)]),
  ),
  body: fields.includes("body") ? readDocument(source.body ?? "", glossary) : null,
})

const allSegments = ({ plain, body }: Plan): Segment[] =>
  [...plain.values(), ...(body ? segmentsOf(body) : [])].filter(({ inlines }) => WORD.test(textOf(inlines)))

const MAX_CHARS: Record<PlainField, number> = {
  title: MAX_TITLE_CHARS,
  meta_description: MAX_META_DESCRIPTION_CHARS,
}

const warnOfLength = (field: PlainField, result: string): FieldWarning[] =>
  codePoints(result) > MAX_CHARS[field]
    ? [{ field, code: "too_long", message: `The translated ${field} has more than ${MAX_CHARS[field]} characters.` }]
    : []

/** Warns of segments that keep their source or their earlier translation. */
const warnOfKept = (field: TextField, all: number, untranslated: number, older: number): FieldWarning[] => {
  const warn = (code: string, count: number, kept: string): FieldWarning[] =>
    count > 0
      ? [{ field, code, message: `${count} of ${all} parts ${kept}: the engine returned no usable translation.` }]
      : []
  return [
    ...warn("not_translated", untranslated, "keep the source text"),
    ...warn("not_translated_again", older, "keep their earlier translation"),
  ]
}

/** Terms that a warning names. */
const MAX_NAMED_TERMS = 5

/** Warns of translations that lack terms of the glossary. */
const warnOfTerms = (field: TextField, all: number, missing: Term[][]): FieldWarning[] => {
  const lacking = missing.filter((terms) => terms.length > 0)
  if (lacking.length === 0) return []
  const names = [...new Set(lacking.flat())].slice(0, MAX_NAMED_TERMS)
  const wanted = names.map(({ term, translation }) => `“${translation}” for “${term}”`).join(", ")
  const message = `${lacking.length} of ${all} parts lack a term of the glossary: ${wanted}.`
  return [{ field, code: "term_missing", message }]
}

/** Matches tags `<a href="b>c">`, comments `<!-- a -->`, `&nbsp;` and the content of scripts and styles; not `a < b`. */
const INVISIBLE_HTML =
  /<!--[^]*?(?:-->|$)|<(script|style|template|svg|math)\b[^]*?(?:<\/\1|$)|<[!?/a-z](?:[^<>"']|"[^"]*"|'[^']*')*>|&#?\w+;/gi

const warnOfHtml = ({ html }: Document): FieldWarning[] => {
  const [first, ...others] = html.filter(({ value }) => WORD.test(value.replaceAll(INVISIBLE_HTML, "")))
  if (!first) return []
  const line = first.position?.start.line ?? 1
  const blocks =
    others.length > 0
      ? `The text of ${others.length + 1} HTML blocks (the first in line ${line})`
      : `The text of the HTML block in line ${line}`
  const message = `${blocks} was not translated. Write it as Markdown between blank lines.`
  return [{ field: "body", code: "html_not_translated", message }]
}

/** Renders a translated body with the images and heading ids of the source text. @throws TooComplex */
const renderBody = (post: Post, source: Text, language: string, body: string): Pick<Text, "html" | "image_ids"> => {
  const show = (src: string) => {
    const media = parseMediaPath(src)
    const isOwn = media?.username === post.author && source.image_ids.includes(media.imageId)
    return post.images.find(({ id }) => isOwn && id === media.imageId) ?? null
  }
  if (new TextEncoder().encode(body).length > MAX_TRANSLATED_BODY_BYTES)
    throw new TooComplex(`It is longer than ${MAX_TRANSLATED_BODY_BYTES} bytes.`)
  const rendered = render(body)
  if (rendered instanceof TooComplex) throw rendered
  const finished = finish(rendered, { show, language, headingIds: headingIdsIn(source.html ?? "") })
  if (finished instanceof TooComplex) throw finished
  return { html: finished.html, image_ids: source.image_ids }
}

interface FinishedField {
  columns: Partial<Text>
  warnings: FieldWarning[]
}

const finishField = (
  field: PlainField,
  segment: Segment,
  source: Text,
  { translations, older, missing }: Translated,
): FinishedField => {
  const translation = translations.get(segment)
  const result = translation ? plainText(translation).normalize("NFC") : (source[field] ?? "")
  const kept = warnOfKept(field, 1, Number(translation === null), Number(older.has(segment)))
  const lacking = warnOfTerms(field, 1, [missing.get(segment) ?? []])
  return { columns: { [field]: result }, warnings: [...kept, ...lacking, ...warnOfLength(field, result)] }
}

/** @throws TooComplex */
const composeBody = (
  document: Document,
  post: Post,
  source: Text,
  language: string,
  { translations, older, missing }: Translated,
): FinishedField => {
  const segments = segmentsOf(document)
  const { body, kept } = assemble(document, translations)
  const unused = new Set(kept)
  const used = segments.filter((segment) => !unused.has(segment))
  const earlier = used.filter((segment) => older.has(segment)).length
  const lacking = used.map((segment) => missing.get(segment) ?? [])
  return {
    columns: { body, ...renderBody(post, source, language, body) },
    warnings: [
      ...warnOfKept("body", segments.length, kept.length, earlier),
      ...warnOfTerms("body", segments.length, lacking),
      ...warnOfHtml(document),
    ],
  }
}

const UNUSABLE: Failure = {
  kind: "final",
  code: "not_translated",
  message: "Translation failed: the engine returned no usable text. Request it again, or change the source text.",
}

const tooComplex = (reason: string): Failure => ({
  kind: "final",
  code: "body_too_complex",
  message: `The translated body cannot be shown. ${reason}`,
})

/** Calls a function that may throw. @returns its result, a failure for a text that is too complex, or the exception */
const attempt = <T>(work: () => T): T | { crash: unknown } | { failure: Failure } => {
  try {
    return work()
  } catch (crash) {
    if (crash instanceof TooComplex) return { failure: tooComplex(crash.message) }
    return crash instanceof RangeError ? { failure: tooComplex("Its markup is nested too deeply.") } : { crash }
  }
}

/**
 * Translates the fields of a text that are missing or outdated and were not edited by hand.
 * @returns the columns to write, or the reason why there are none yet
 * @throws Error when the database fails
 */
export const translateText = async (
  task: Pick<Task, "db" | "engine" | "charactersPerDay" | "now" | "readClock" | "pending" | "report">,
  post: ClaimedPost,
  text: Text,
): Promise<{ result: Partial<Text> & Pick<Text, "versions"> } | Stop> => {
  const source = sourceText(post)
  const fields = fieldsToMake(text, source)
  const glossary = openGlossary(post.glossary, source.lang_code, text.lang_code)
  const plan = attempt(() => makePlan(source, fields, glossary))
  if (!("plain" in plan)) return plan
  const segments = allSegments(plan)
  const wanted = attempt(() => new Map(segments.map((segment) => [segment.text, termsIn(segment.inlines, glossary)])))
  if (!(wanted instanceof Map)) return wanted
  const translated = await translateSegments(
    {
      ...task,
      glossary,
      wanted,
      scope: {
        account_id: post.account_id,
        engine: task.engine.name,
        from_code: source.lang_code,
        to_code: text.lang_code,
      },
      // A batch that took the engine too long would do so again.
      batchShare: 2 ** -Math.min(text.postponed, MAX_HALVINGS),
      since: text.retranslate_after,
      isBegun: text.segments_total > 0,
      segmentsDone: text.segments_done,
      reference: {
        title: source.title ?? "",
        tone: toneFor(post, text.lang_code),
        contextOf: contextReader(plan.body?.blocks ?? [], source.lang_code),
      },
    },
    segments,
  )
  if (!("translations" in translated)) return translated
  const progress = { segments_done: segments.length, segments_total: segments.length }
  if (segments.length > 0 && segments.every((segment) => !translated.translations.get(segment)))
    return { failure: UNUSABLE, progress }
  const parts = attempt(() => [
    ...[...plan.plain].map(([field, segment]) => finishField(field, segment, source, translated)),
    ...(plan.body ? [composeBody(plan.body, post, source, text.lang_code, translated)] : []),
  ])
  if (!Array.isArray(parts)) return { ...parts, progress }
  const kept = text.warnings.filter(({ field }) => !fields.includes(field))
  const columns: Partial<Text> = Object.assign({}, ...parts.map((part) => part.columns))
  const hashes = columns.body ? { body_sha256: await hashBytes(columns.body) } : {}
  return {
    result: {
      ...columns,
      ...hashes,
      ...progress,
      versions: { ...text.versions, ...versionsOf(fields, (field) => source.versions[field]) },
      warnings: [...kept, ...parts.flatMap(({ warnings }) => warnings)],
      engine: task.engine.name,
    },
  }
}
