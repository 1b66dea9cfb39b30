import type { Difference, Judged } from "./judged.ts"
import { type Field, FIELDS, type Page } from "./page.ts"

// Compares what edgepost shows with the answers of the blogs' own tools.

/** Lists the wanted differences of a blog. */
export const differencesIn = ({ differences }: Judged, blog: string): Difference[] =>
  Object.entries(differences[blog] ?? {}).flatMap(([name, rows]) =>
    rows.map(([field, reason, tool = "", edgepost = ""]) => ({
      file: name === "*" ? null : name,
      field,
      reason,
      tool,
      edgepost,
    })),
  )

export interface Comparison {
  pages: number
  equal: number
  /** The reason of each wanted difference. */
  wanted: string[]
  others: string[]
}

const nameOf = ({ file, language }: Page): string => (language === null ? file : `${file} (${language})`)

const textOf = (page: Page, field: Field): string => {
  const value = page[field]
  return Array.isArray(value) ? value.join("\n") : (value ?? "")
}

/** Fields that some tools do not have. */
const IF_KNOWN = new Set<Field>(["date", "listed", "language", "newer", "aliases", "tables", "notes"])

const HOURS_14 = 14 * 3600 * 1000

/** Tells whether a tool reads a day as one of its own time zone, and edgepost as that day in UTC. */
const isSameDay = (tool: string, edgepost: string): boolean =>
  edgepost.endsWith("T00:00:00Z") && Math.abs(Date.parse(tool) - Date.parse(edgepost)) <= HOURS_14

/** Returns the tool's text after a difference, or null if the difference is another. */
const applied = (
  { field, tool, edgepost }: Difference,
  text: string,
  actual: string,
  isTie: boolean,
): string | null => {
  if (field === "day") return isSameDay(text, actual) ? actual : null
  if (field === "tie") return isTie ? actual : null
  const changed = text.replace(tool, () => edgepost)
  return changed === text ? null : changed
}

/** The fields of pages that a difference changes, if it is not named as its field. */
const FIELD_OF: Partial<Record<Difference["field"], Field>> = { day: "date", tie: "newer" }

/** Compares the pages of a blog. @param listed the wanted differences of the blog */
export const compare = (tool: Page[], edgepost: Page[], listed: Difference[]): Comparison => {
  const wanted: string[] = []
  const used = new Set<Difference>()
  const others: string[] = []
  let equal = 0
  const both = new Map<Page, Page>()
  const alone: [page: Page, by: string][] = []
  for (const page of edgepost) {
    const same = tool.filter(({ file }) => file === page.file)
    const found = same.find(({ language }) => language === page.language) ?? same[0]
    if (found) both.set(found, page)
    else alone.push([page, "edgepost"])
  }
  for (const page of tool) if (!both.has(page)) alone.push([page, "the tool"])
  const concerning = (page: Page) =>
    listed.filter(({ file }) => file === null || file === page.file || file === nameOf(page))
  for (const [page, by] of alone) {
    const known = concerning(page).find(({ field }) => field === "page")
    if (known) {
      wanted.push(known.reason)
      used.add(known)
    } else others.push(`${nameOf(page)}: only ${by} shows it`)
  }
  for (const [expected, actual] of both) {
    let isEqual = true
    const isTie = tool.some(({ file, date }) => file === expected.newer && date === expected.date)
    for (const field of FIELDS) {
      if (expected[field] === null && IF_KNOWN.has(field)) continue
      const [shown, text] = [textOf(actual, field), textOf(expected, field)]
      const end = concerning(expected).reduce((known, difference) => {
        const isOfField = (FIELD_OF[difference.field] ?? difference.field) === field
        const next = known === shown || !isOfField ? null : applied(difference, known, shown, isTie)
        if (next === null) return known
        wanted.push(difference.reason)
        used.add(difference)
        isEqual = false
        return next
      }, text)
      if (end === shown) continue
      others.push(`${nameOf(expected)}: ${field}\n  expected: ${end}\n  edgepost: ${shown}`)
      isEqual = false
    }
    if (isEqual) equal += 1
  }
  const stale = listed.filter((difference) => !used.has(difference))
  others.push(...stale.map(({ file, field, reason }) => `${file ?? "*"}: no difference of ${field}: ${reason}`))
  return { pages: both.size + alone.length, equal, wanted, others }
}
