import { valueAt } from "../tools/values.ts"
import { emptyFields, findFields, type Meaning } from "./field-names.ts"
import type { FieldOptions, FieldReader } from "./field-reader.ts"
import type { FrontMatter } from "./front-matter.ts"
import type { LeftOut, UnknownStatus } from "./post.ts"
import { asText } from "./values.ts"

// The one rule for all tools: a clear wish to hide hides everywhere, also where the blog's own tool would show the post.

/** Values that mean no, as YAML, JSON and TOML have them. */
export const OFF: ReadonlySet<unknown> = new Set([false, 0, "false", "no", "off", "0"])
/** Matches words for what readers see. Does not match `private` and `unlisted`. */
const PUBLIC = /^(?:public|publish(?:ed)?|visible|listed|everyone|all)$/i
/** Matches words for what is not public: `draft`, `private`. Does not match `published` and `finished`. */
const DRAFT = /^(?:df|draft|private|pending|unpublished|hidden)$/i

/** Matches folders of drafts: `_drafts/`, `Drafts/`. Does not match `my-drafts/`. */
export const DRAFTS = /(?:^|\/)_?drafts\//i

/** A field that hides a post. */
interface Sign {
  /** Its name in the file. */
  name: string
  line: number
}

/** The options that say which fields count. */
type Whose = Pick<FieldOptions, "settings" | "showHidden">

/** Tells whether the blog's tool shows a page in spite of a field. Where the theme decides, it does not. */
const isShown = ({ settings: { tool } }: Pick<Whose, "settings">, { name }: Sign): boolean =>
  tool.hidesBy !== undefined && !tool.hidesBy.includes(name.toLowerCase())

/** Takes the fields that the tool does not know out, if the configuration asks for it. */
const counted = <S extends Sign>(signs: S[], whose: Whose): S[] =>
  whose.showHidden ? signs.filter((sign) => !isShown(whose, sign)) : signs

/** Lists the fields that leave a post out. A password is never named. */
const leavesOut = (front: FrontMatter): (Sign & { reason: string })[] => [
  ...findFields(front, "secret").flatMap(({ name, value, line }) =>
    OFF.has(value) ? [] : [{ name, line, reason: value === true ? `${name}: true` : name }],
  ),
  ...findFields(front, "visibility").flatMap(({ name, value, line }) =>
    PUBLIC.test(asText(value) ?? "") ? [] : [{ name, line, reason: `${name}: ${asText(value) ?? "not public"}` }],
  ),
  ...findFields(front, "build").flatMap(({ name, value, line }) => {
    const render = String(valueAt(value, "render"))
    return /^(?:false|never|link)$/.test(render) ? [{ name, line, reason: `${name}: render: ${render}` }] : []
  }),
  ...findFields(front, "permalink").flatMap(({ name, value, line }) =>
    value === false || valueAt(value, "build") === false ? [{ name, line, reason: `${name}: false` }] : [],
  ),
]

/** Tells whether a folder gives the file a field. */
const isGiven = ({ given, lines }: FrontMatter, { name }: Sign): boolean =>
  lines[name] === undefined && given?.some((fields) => Object.hasOwn(fields, name)) === true

/** Tells which field leaves a post out; null if none does. */
export const whyLeftOut = (front: FrontMatter, whose: Whose): Omit<LeftOut, "file"> | null => {
  const [first] = counted(leavesOut(front), whose)
  return first ? { reason: first.reason, line: first.line } : null
}

/** Lists the field of a date after which a post is gone, and says so. */
const expires = (reader: FieldReader, options: FieldOptions): Sign[] => {
  const expiry = reader.date("expiry", options)
  if (expiry === null || expiry.time > options.now.getTime()) return []
  const expired = reader.all("expiry").slice(0, 1)
  if (counted(expired, options).length > 0)
    reader.say("warning", "expired", "The post has expired, and so it is a draft.", expiry.line)
  return expired
}

/** Lists the other fields that make a post a draft. */
const makesDraft = (reader: FieldReader, options: FieldOptions): Sign[] => {
  const answering = (meaning: Meaning, answer: boolean): Sign[] => {
    const answers = reader.answers(meaning)
    return reader.all(meaning).filter((_, i) => answers[i] === answer)
  }
  const noList = reader.all("build").filter(({ value }) => /^(?:false|never)$/.test(String(valueAt(value, "list"))))
  const unlisted = [...answering("unlisted", true), ...noList]
  const [first] = counted(unlisted, options)
  if (first) reader.say("warning", "unlisted", "Unlisted posts are drafts here.", first.line)
  return [
    ...unlisted,
    ...answering("draft", true),
    ...answering("published", false),
    // Templates of editors have them without a value.
    ...emptyFields(reader.front, "published"),
    ...(options.settings.tool.hidesByShare === true ? answering("shared", false) : []),
    // The name of a place is no state of a post.
    ...reader.all("state").filter(({ value }) => DRAFT.test(asText(value) ?? "")),
  ]
}

/** The answer of the fields to who sees a post. */
export interface Status {
  isDraft: boolean
  unknownStatus: UnknownStatus | null
  /** No field of the file says so: its folder makes a draft of it, or a field that would hide it does not count. */
  isByRule: boolean
  /** The field that hides the post although the blog's tool would show it; null without one. */
  hiddenBy: string | null
}

/** Reads whether the fields make a post a draft: one of them is enough, unless edgepost's own `status` says otherwise. */
export const readStatus = (reader: FieldReader, options: FieldOptions): Status => {
  const [own] = reader.all("status")
  const word = own ? (asText(own.value) ?? "") : ""
  const isPublic = /^(?:pb|publish|published|public|live)$/i.test(word)
  const isOwnDraft = DRAFT.test(word)
  const expired = expires(reader, options)
  const others = makesDraft(reader, options)
  const signs = isPublic ? expired : [...expired, ...others]
  const counting = isOwnDraft && own ? [own] : counted(signs, options)
  const isDraft = counting.length > 0
  const [first, ...more] = isOwnDraft ? [] : [...leavesOut(reader.front), ...signs]
  const shared = options.settings.tool.hidesByShare === undefined ? reader.all("shared") : []
  const unshared = shared.find(({ value }) => OFF.has(value))
  const unknown = own ? { name: "status", word, line: own.line } : unshared && { ...unshared, word: "false" }
  const isHiddenHere = first && !options.showHidden && [first, ...more].every((sign) => isShown(options, sign))
  return {
    isDraft,
    isByRule: isDraft ? counting.every((sign) => isGiven(reader.front, sign)) : !isPublic && first !== undefined,
    unknownStatus: unknown && !isPublic && !isDraft ? unknown : null,
    hiddenBy: isHiddenHere ? first.name : null,
  }
}
