import GithubSlugger, { slug as githubSlug } from "github-slugger"

import type { LocalText } from "../folder/post.ts"
import type { Document, Target } from "./document.ts"
import type { Edit } from "./edits.ts"

// Ids of headings as the service makes them: see src/markdown/headings.ts there.

/** A place that a link may lead to. */
export interface Anchor extends Target {
  id: string
}

/** Matches ids that the service uses itself: `fn-1`, `ep-title`. Does not match `fn` or `step-1`. */
const RESERVED = /^(?:fn|fnref|ep)-/

/**
 * Lists the places of a text that links may lead to, in order.
 * @param targets the places that may have an id
 * @param sourceIds of a translation: the ids of the source text's headings, which a text with as many headings takes
 */
export const anchorsOf = (targets: Target[], sourceIds: string[] = []): Anchor[] => {
  const slugger = new GithubSlugger()
  const reserve = (id: string): string | null => {
    if (id === "" || Object.hasOwn(slugger.occurrences, id)) return null
    slugger.occurrences[id] = 0
    return id
  }
  const make = (text: string): string => {
    const slug = githubSlug(text) === "" ? "" : slugger.slug(text)
    return RESERVED.test(slug) || slug === "" ? slugger.slug(`${slug || "section"}-1`) : slug
  }
  const ids = targets.map(({ id }) => (id === null ? null : reserve(RESERVED.test(id) ? `${id}-1` : id)))
  const headings = [...targets.keys()].filter((i) => targets[i]?.isHeading)
  if (headings.length === sourceIds.length)
    for (const [n, i] of headings.entries()) ids[i] ??= reserve(sourceIds[n] ?? "")
  for (const i of headings) ids[i] ??= make(targets[i]?.text ?? "")
  return targets.flatMap(({ isHeading, text }, i) => {
    const id = ids[i] ?? null
    return id === null ? [] : [{ id, isHeading, text }]
  })
}

/** Returns the ids of a text's headings, in order. @param targets the places of the text that may have an id */
export const headingIds = (targets: Target[], sourceIds: string[] = []): string[] =>
  anchorsOf(targets, sourceIds).flatMap(({ id, isHeading }) => (isHeading ? [id] : []))

/** Returns a text's letters and digits: what headings and ids of all tools have in common. */
const looseText = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    // Matches `-`, ` ` and accents. Does not match `a` and `1`.
    .replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Matches digits before a letter: `1` of `1intro`, which some tools leave out. Does not match `2024`. */
const NUMBER = /^\p{N}+(?=\p{L})/u

/** Finds the id that a link's fragment means: its own, or that of a heading of equal letters and digits; null if none. */
export const findAnchor = (anchors: Anchor[], fragment: string): string | null => {
  if (anchors.some(({ id }) => id === fragment)) return fragment
  const wanted = looseText(fragment)
  if (wanted === "") return null
  const find = (form: (text: string) => string) =>
    anchors.find(({ id, text }) => [id, text].some((name) => form(looseText(name)) === form(wanted)))?.id ?? null
  return find((text) => text) ?? find((text) => text.replace(NUMBER, ""))
}

/** Returns what a title and a heading that repeats it have in common. */
const keyOfTitle = (text: string): string => looseText(text) || text.trim()

/** Returns the edit that removes a first heading that repeats the title, with the blank lines after it; null if there is none. */
export const removeTitle = (
  { title, body }: Pick<LocalText, "title" | "body">,
  { firstHeading }: Document,
): Edit | null => {
  if (firstHeading?.depth !== 1) return null
  const whole = firstHeading.text.trim()
  // Attributes at its end are no part of a title.
  const text = whole.endsWith("}") ? whole.slice(0, whole.lastIndexOf("{")).trim() : whole
  if (![whole, text].some((each) => keyOfTitle(each) === keyOfTitle(title))) return null
  const { start, end } = firstHeading
  // Matches blank lines and kramdown's attributes after a heading. Does not match the indent of the next line.
  const [rest = ""] = /^(?:[ \t]*(?:\{:[^{}\n]*\}[ \t]*)?(?:\r\n?|\n))*/.exec(body.slice(end)) ?? []
  return { start, end: end + rest.length, text: "" }
}
