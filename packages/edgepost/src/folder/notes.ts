import { notesApp } from "../tools/notes-apps.ts"
import type { Tool, ToolSettings } from "../tools/tool.ts"
import { findCopies } from "./copies.ts"
import { findFields } from "./field-names.ts"
import { STORED } from "./field-reader.ts"
import type { Folder } from "./files.ts"
import { OFF } from "./hides.ts"
import { nameOf } from "./paths.ts"
import type { LeftOut } from "./post.ts"
import type { Source } from "./source.ts"

// Tells posts from notes: by what they have, and in vaults in which a note is public only if one of its fields says so.

/** Matches posts of which the name alone says the date: `_posts/2024-01-02-a.md`. Does not match `Daily/2024-01-02.md`. */
const NAMED_POST = /(?:^|\/)_(?:posts|drafts)\//

/** Tells whether a file is a post: it has a title or a date, or is given by name. One that cannot be read may be one. */
export const isPost = (
  { variant, front, fields, isReadable, findings }: Source,
  isNamed: boolean,
  tool: Tool,
): boolean => {
  // It belongs to a post that is not there, or its language has no name.
  if (fields.stored === STORED.translation) return false
  if (isNamed || !isReadable) return true
  const isOfDay = tool.hasDailyNotes === true && !NAMED_POST.test(variant.file)
  if (nameOf(variant, tool.dateOfPath).date !== null && !isOfDay) return !fields.isPage
  // `updated` alone makes no post of a note, unless the tool says so.
  const date = tool.dateFields ? fields.published_at : fields.former_at
  const hasDate = isOfDay ? findFields(front, "date").length > 0 : date !== null
  const isDated = hasDate || findings.some(({ code }) => code.includes("date"))
  return !fields.isPage && Object.keys(front.data).length > 0 && (fields.title !== null || isDated)
}

/** Tells why an app for notes has one of some texts for no readers; null if it does not. */
export const whyForNoReaders = (sources: Source[], { settings: { app, tool }, publishBy }: OptIn): string | null => {
  const skips = ({ front, variant }: Source) =>
    [app, tool].flatMap((room) => room?.skipsNote?.(front, variant.file, publishBy === "all") ?? [])
  return sources.flatMap(skips)[0] ?? null
}

/** Names of the fields by which publishers of notes know the public ones. The last two mean other things in blogs. */
const FIELDS = ["publish", "dg-publish", "share", "published"]
const OF_NOTES = FIELDS.slice(0, 2)
const YES: ReadonlySet<unknown> = new Set<unknown>([true, 1, "1", "true", "yes", "on"])

/** Matches lines of properties at the start of a page: `public:: true`, `- tags:: a`. Does not match `a:: b` further below. */
const PROPERTIES = /^(?:\s*(?:[-*][ \t]+)?[\w-]+::.*(?:\n|$))+/
/** Matches the name and the value of such a line. */
const PROPERTY = /([\w-]+)::[ \t]*(.*)$/gm

/** Tells whether one of the fields of a note, or one of the properties at its start, says yes, or another answer. */
const saysYes = ({ front }: Source, names: string[], answers = YES): boolean => {
  const [head = ""] = PROPERTIES.exec(front.body) ?? []
  const properties = Array.from(head.matchAll(PROPERTY), ([, name = "", value = ""]): [string, unknown] => [
    name,
    value.trimEnd(),
  ])
  return [...Object.entries(front.data), ...properties].some(
    ([name, value]) =>
      names.includes(name.toLowerCase()) && answers.has(typeof value === "string" ? value.toLowerCase() : value),
  )
}

/** Matches a link between notes: `[[Note]]`. Does not match `[[`. */
const LINK = /\[\[[^[\]\n]+\]\]/

/** How the author says which notes are public. */
interface OptIn {
  /** The field of which notes for readers have yes, or `all`; null if the author does not say. */
  publishBy: string | null
  settings: ToolSettings
}

/** Names the fields of which a note needs one with yes to be public; null if all notes are public. */
const publishingFields = (sources: Source[], folder: Folder, { publishBy, settings }: OptIn): string[] | null => {
  if (publishBy !== null) return publishBy === "all" ? null : [publishBy.toLowerCase()]
  const given = settings.tool.publishesBy?.(settings)
  if (given || settings.file !== null) return given ?? null
  const used = (isVault(sources, folder) ? FIELDS : OF_NOTES).filter((name) =>
    sources.some((source) => saysYes(source, [name])),
  )
  return used.length > 0 ? used : null
}

const isVault = (sources: Source[], folder: Folder): boolean =>
  notesApp(folder) !== null || sources.some(({ front }) => LINK.test(front.body))

const ONLY_NO =
  "Notes of the folder say no to readers by a field, and none says yes. Set `publish_by` in edgepost.config.yaml: to the name of that field, or to `all` if the other notes are for readers."

/**
 * Leaves out the notes that do not say that they are public, where notes have to, and copies of posts.
 * @param titleOf a post, also where only a heading gives it
 * @returns the groups of texts, which of them are public because they say so, and by which fields, and what the author must answer before each new post
 */
export const leaveOutPrivate = (
  groups: Source[][],
  folder: Folder,
  options: OptIn,
  titleOf: (source: Source) => string,
): { groups: Source[][]; chosen: Set<Source>; publishedBy: string[] | null; question: string | null } => {
  const sources = groups.flat()
  const fields = publishingFields(sources, folder, options)
  const copies = findCopies(sources, titleOf)
  const whyPrivate = (source: Source): LeftOut | null => {
    if (source.fields.stored !== null || !source.isReadable) return null
    const { file } = source.variant
    if (fields === null || saysYes(source, fields)) return null
    const byField = source.fields.isDraft ? "says no" : "lacks"
    return { file, line: 1, reason: `no ${fields.join(", ")} that says yes`, byField }
  }
  const judged = groups.map((group) =>
    group.map((source) => {
      const unrendered = source.unrendered ?? whyPrivate(source) ?? copies.get(source.variant.file) ?? null
      return { ...source, unrendered }
    }),
  )
  const chosen = judged
    .flat()
    .filter((source) => fields !== null && source.unrendered === null && saysYes(source, fields))
  const isUnsaid = fields === null && options.publishBy === null && options.settings.file === null
  const isAsked = isUnsaid && isVault(sources, folder) && sources.some((source) => saysYes(source, OF_NOTES, OFF))
  return { groups: judged, chosen: new Set(chosen), publishedBy: fields, question: isAsked ? ONLY_NO : null }
}
