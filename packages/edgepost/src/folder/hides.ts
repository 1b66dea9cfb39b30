import { valueAt } from "../tools/values.ts"
import { findFields } from "./field-names.ts"
import type { FieldOptions, FieldReader } from "./field-reader.ts"
import type { FrontMatter } from "./front-matter.ts"
import type { LeftOut } from "./post.ts"
import { asText } from "./values.ts"

// The one rule for all tools: a clear wish to hide hides everywhere, also where the blog's own tool would show the post.

/** Values that mean no, as YAML, JSON and TOML have them. */
const OFF = new Set([false, 0, "false", "no", "off", "0"])
/** Matches words for what readers see. Does not match `private` and `unlisted`. */
const PUBLIC = /^(?:public|publish(?:ed)?|visible|listed|everyone|all)$/i
/** Matches words for what is not public: `draft`, `private`. Does not match `published`. */
const DRAFT = /^(?:df|draft|private|pending|unpublished)$/i

/** Matches folders of drafts: `_drafts/`, `Drafts/`. Does not match `my-drafts/`. */
export const DRAFTS = /(?:^|\/)_?drafts\//i

/** Tells which field leaves a post out; null if none does. A password is never named. */
export const whyLeftOut = (front: FrontMatter): Omit<LeftOut, "file"> | null => {
  for (const { name, value, line } of findFields(front, "secret"))
    if (!OFF.has(value as string)) return { reason: value === true ? `${name}: true` : name, line }
  for (const { name, value, line } of findFields(front, "visibility"))
    if (!PUBLIC.test(asText(value) ?? "")) return { reason: `${name}: ${asText(value) ?? "not public"}`, line }
  for (const { name, value, line } of findFields(front, "build")) {
    const render = String(valueAt(value, "render"))
    if (/^(?:false|never|link)$/.test(render)) return { reason: `${name}: render: ${render}`, line }
  }
  for (const { name, value, line } of findFields(front, "permalink"))
    if (value === false || valueAt(value, "build") === false) return { reason: `${name}: false`, line }
  return null
}

/** Returns what edgepost's own field says, which wins over those of tools. */
const isOwnDraft = (reader: FieldReader): boolean | null => {
  const [field] = reader.all("status")
  if (!field) return null
  const word = asText(field.value) ?? ""
  if (/^(?:pb|publish|published|public|live)$/i.test(word)) return false
  if (!DRAFT.test(word))
    reader.say("warning", "unknown_status", "`status` is neither DF nor PB, and so the post is a draft.", field.line)
  return true
}

/** Tells whether the fields make a post a draft: one of them is enough, unless edgepost's own \`status\` says otherwise. */
export const isDraftBy = (reader: FieldReader, options: FieldOptions): boolean => {
  const expiry = reader.date("expiry", options)
  const isExpired = expiry !== null && expiry.time <= options.now.getTime()
  if (isExpired) reader.say("warning", "expired", "The post has expired, and so it is a draft.", expiry.line)
  const noList = reader.all("build").filter(({ value }) => /^(?:false|never)$/.test(String(valueAt(value, "list"))))
  const isUnlisted = reader.says("unlisted", true) || noList.length > 0
  const [place] = [...reader.all("unlisted"), ...noList]
  if (isUnlisted) reader.say("warning", "unlisted", "Unlisted posts are drafts here.", place?.line)
  const reasons = [
    isUnlisted,
    reader.says("draft", true),
    reader.says("published", false),
    options.settings.tool.hidesByShare === true && reader.says("shared", false),
    // The name of a place is no state of a post.
    reader.all("state").some(({ value }) => DRAFT.test(asText(value) ?? "")),
  ]
  return isExpired || (isOwnDraft(reader) ?? reasons.includes(true))
}
