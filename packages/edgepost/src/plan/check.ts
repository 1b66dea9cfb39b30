import { randomUUID } from "node:crypto"

import { type Client, EdgepostError } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import { type DesiredPost, withImages } from "./desired.ts"
import { type Entry, isWrite } from "./entry.ts"
import type { Plan } from "./plan.ts"
import { adviceOn, endsRun } from "./refusals.ts"
import { toFindings } from "./remarks.ts"

const isRefusal = (error: unknown): error is EdgepostError =>
  error instanceof EdgepostError && [400, 403, 413].includes(error.status) && !endsRun(error)

/** Asks by a dry run what the service says about the text of a language. The images are not asked about: some are not uploaded yet. */
const ask = async (
  client: Client,
  { slug, fields, primary_language, source, translations, places }: DesiredPost,
  lang: string,
  { isNew, isDraftKey }: { isNew: boolean; isDraftKey: boolean },
): Promise<Finding[]> => {
  const isSource = lang === primary_language
  const text = isSource ? source : translations[lang]
  const place = places[lang]
  if (!text || !place) throw new Error(`${slug} has no text in ${lang}.`)
  // The service takes translations of existing posts only, and of a draft key only drafts. Their texts are asked about as drafts at a free slug.
  const isOwnSlug = isSource && (isNew || !isDraftKey)
  const { cover_image_id: _, ...others } = fields
  const post = {
    ...others,
    ...text,
    ...((isDraftKey || !isSource) && { status: "DF" as const }),
    ...(!isSource && { primary_language: lang, translation_languages: [] }),
  }
  try {
    const { warnings } = await client.putPost(isOwnSlug ? slug : randomUUID(), post, { dryRun: true })
    return toFindings(warnings, "warning", place)
  } catch (error) {
    // `publish` uploads an image again that has expired.
    if (error instanceof EdgepostError && error.status === 410) return []
    if (!isRefusal(error)) throw error
    const { code, message, errors } = error
    const whole = { field: "", code, message: `${message} ${adviceOn(error)}`.trim() }
    return toFindings(errors.length > 0 ? errors : [whole], "error", place)
  }
}

/** Returns the languages whose texts are to be written. */
const languagesOf = ({ action, changes }: Entry, { primary_language, translations }: DesiredPost): string[] => {
  if (action === "create") return [primary_language, ...Object.keys(translations)]
  return [...(changes.post.length > 0 ? [primary_language] : []), ...Object.keys(changes.translations)]
}

/**
 * Asks the service about each post that is to be written.
 * @param onPost called before each post
 * @returns what it says, by path of the post's file
 * @throws EdgepostError if the service cannot be asked
 */
export const askAbout = async (
  client: Client,
  { entries, wanted, images, account }: Plan,
  onPost: (number: number, all: number) => void,
): Promise<Map<string, Finding[]>> => {
  const isDraftKey = account.key?.scope === "draft"
  const said = new Map<string, Finding[]>()
  const inFolder = entries.filter(({ action }) => action !== "remove")
  for (const [i, entry] of inFolder.entries()) {
    const found = wanted.get(entry.slug)
    if (!found || !isWrite(entry)) continue
    onPost(i + 1, inFolder.length)
    const post = withImages(found, images)
    const isNew = entry.action === "create"
    const findings: Finding[] = []
    for (const lang of languagesOf(entry, post))
      findings.push(...(await ask(client, post, lang, { isNew, isDraftKey })))
    said.set(post.file, findings)
  }
  return said
}
