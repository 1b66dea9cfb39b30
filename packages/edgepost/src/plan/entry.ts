import type { ListedPost } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import type { LeftOut } from "../folder/post.ts"
import { sha256 } from "../hash.ts"
import { type Changes, compare } from "./compare.ts"
import type { DesiredPost } from "./desired.ts"

/** A step of a plan with a post. `checked` is for a plan without the service, and says that nothing blocks the post. */
export type Action = "create" | "update" | "unchanged" | "checked" | "blocked" | "withdraw" | "remove"

export interface Entry {
  action: Action
  slug: string
  /** Path of the source text's file; null for a post that is only on the service. */
  file: string | null
  /** The fields that differ, if the post is updated. */
  changes: Changes
  /** Paths of the images that are sent: they are not on the service, or it does not know their files. No earlier entry sends them. */
  uploads: string[]
  /** The state of the post once this is done; null for a post that is removed. */
  state: "published" | "scheduled" | "draft" | null
  /** RFC 3339; null to leave the time to the service. */
  published_at: string | null
  /** False for a page that is in no list; null to leave it as it is on the service. */
  listed: boolean | null
  /** BCP 47 codes of the translations that the folder has. */
  languages: string[]
  findings: Finding[]
}

/** Tells whether a post is to be written. */
export const isWrite = ({ action }: Entry): boolean => action === "create" || action === "update"

const NOTHING: Changes = { post: [], translations: {} }

const isError = ({ level }: Finding): boolean => level === "error"

const stateOf = ({ status, published_at }: DesiredPost["fields"], now: Date): Entry["state"] => {
  if (status === "DF") return "draft"
  return published_at && Date.parse(published_at) > now.getTime() ? "scheduled" : "published"
}

/** Says that a post belongs to another folder, or to none yet. */
export const checkOwner = ({ slug, file, fields }: DesiredPost, { source }: Pick<ListedPost, "source">): Finding[] => {
  const mine = fields.source ?? null
  if (source === mine) return []
  if (source === null) {
    const message = `The service has a post ${slug} without a source, such as one of an extension. This file replaces it.`
    return [{ level: "warning", code: "unmarked_post", message, file, line: 1 }]
  }
  const message = `The service has a post ${slug} of another folder, “${source}”. Set another \`slug\` in this file. If this folder replaces that one, set \`source: ${source}\` in the configuration.`
  return [{ level: "error", code: "other_source", message, file, line: 1 }]
}

/** Refuses a text that is a translation on the service, of a source text that the folder does not have, and that would stay public. */
const checkLanguage = (
  { slug, file, fields, primary_language, source, translations }: DesiredPost,
  { texts, primary_language: is }: ListedPost,
): Finding[] => {
  const isCorrection = primary_language === is || !texts[primary_language]
  if (fields.primary_language === undefined || isCorrection || translations[is]) return []
  // The service was told another language of the same text.
  if (texts[is]?.body_sha256 === sha256(source.body)) return []
  const message = `The service has the post ${slug} in ${is}, and this text as its translation. The folder has no text in ${is}, which readers would still see. Run \`edgepost delete ${slug}\` and publish again, or set another \`slug\`.`
  return [{ level: "error", code: "source_language", message, file, line: 1 }]
}

/** Warns of translations on the service that lack terms of the glossary. */
const missingTerms = ({ translations }: ListedPost, file: string): Finding[] =>
  translations.flatMap(({ lang_code, warnings }) =>
    warnings
      .filter(({ code }) => code === "term_missing")
      .map(({ code, message }) => ({
        level: "warning" as const,
        code,
        message: `${lang_code}: ${message}`,
        file,
        line: 1,
      })),
  )

/** Makes a warning of syntax that the service does not have: a post that it has shows that already. */
const keepShown = (finding: Finding): Finding =>
  finding.code === "unsupported_syntax" ? { ...finding, level: "warning" } : finding

/** Decides what to do with a post. @param found the post of its slug on the service */
export const planPost = (desired: DesiredPost, found: ListedPost | undefined, now: Date): Entry => {
  const { slug, file, fields, translations } = desired
  const findings = found ? desired.findings.map(keepShown) : desired.findings
  const { published_at = null, listed = null } = fields
  const languages = Object.keys(translations)
  const state = stateOf(fields, now)
  const entry = { slug, file, changes: NOTHING, uploads: [], state, published_at, listed, languages, findings }
  if (findings.some(isError)) return { ...entry, action: "blocked" }
  if (!found) return { ...entry, action: "create" }
  const changes = compare(desired, found)
  const known = [...findings, ...missingTerms(found, file)]
  if (changes.post.length === 0 && Object.keys(changes.translations).length === 0)
    return { ...entry, findings: known, action: "unchanged" }
  const all = [...known, ...checkOwner(desired, found), ...checkLanguage(desired, found)]
  return { ...entry, changes, findings: all, action: all.some(isError) ? "blocked" : "update" }
}

/** Adds what the service says about the texts of a post. One that it refuses is blocked. */
export const addSaid = (entry: Entry, said: Finding[]): Entry => ({
  ...entry,
  findings: [...entry.findings, ...said],
  ...(said.some(isError) && { action: "blocked" }),
})

/** Names what goes with a post that somebody wrote on the service. */
const lostTexts = ({ texts, primary_language }: ListedPost): Finding[] => {
  const byHand = Object.entries(texts).filter(([lang, { edited }]) => lang !== primary_language && edited.length > 0)
  if (byHand.length === 0) return []
  const message = `Its translations that were edited by hand go too: ${byHand.map(([lang]) => lang).join(", ")}.`
  return [{ level: "warning", code: "edited_translations", message, file: "edgepost.config.yaml", line: 1 }]
}

/** Makes a draft of a post whose file is left out. */
export const planWithdrawal = ({ slug, published_at }: ListedPost, { file, line, reason }: LeftOut): Entry => {
  const message = `Its file is left out (${reason}), so the post becomes a draft, which readers do not see.`
  const findings: Finding[] = [{ level: "warning", code: "withdrawn", message, file, line }]
  return {
    action: "withdraw",
    slug,
    file,
    changes: NOTHING,
    uploads: [],
    state: "draft",
    published_at,
    listed: null,
    languages: [],
    findings,
  }
}

/** Removes a post that its folder no longer has. */
export const planRemoval = (post: ListedPost): Entry => ({
  action: "remove",
  slug: post.slug,
  file: null,
  changes: NOTHING,
  uploads: [],
  state: null,
  published_at: null,
  listed: null,
  languages: [],
  findings: lostTexts(post),
})
