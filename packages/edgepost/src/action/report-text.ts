import type { Finding } from "../finding.ts"
import { countNoise, type Noise } from "../plan/noise.ts"
import { detailsOf, type outcomeToJson, type planToJson } from "../plan/screen.ts"
import { toCode } from "./workflow-commands.ts"

/** An error that stopped a run, as `--json` prints it. */
interface Problem {
  detail?: string
  title?: string
}

/** The JSON of `edgepost plan --json` and `edgepost publish --json`. Of a run that was stopped at its beginning, only `error` is there. */
export interface Report extends Partial<ReturnType<typeof planToJson>> {
  /** Only of `publish`. */
  outcomes?: (Omit<ReturnType<typeof outcomeToJson>, "error"> & { error: Problem | null })[]
  error?: Problem
}

export const describe = ({ detail, title }: Problem): string => detail ?? title ?? "It failed."

/** Says why a run stopped before its end, or would; null if it did not. */
export const stopOf = ({ error, stop = null }: Report): string | null => (error ? describe(error) : stop)

/** One post of a report, by what became of it or by what would. */
export interface Row {
  result: string
  slug: string
  file: string | null
  /** The page for readers. */
  url: string | null
  /** The state of the post once this is done; null for one that is removed, and for one that stays as it is by an error. */
  state: "published" | "scheduled" | "draft" | null
  details: string
}

/** Results of posts that are not as the folder has them. */
const UNDONE = new Set(["blocked", "failed", "not reached"])

/** Puts the posts that change before the others. */
const changedFirst = <One extends { result: string }>(rows: One[]): One[] =>
  rows.toSorted((one, other) => Number(one.result === "unchanged") - Number(other.result === "unchanged"))

/** Counts the warnings of a report's posts. */
export const noiseOf = ({ entries = [], outcomes = [] }: Report): Noise => {
  const warnings = new Map(outcomes.map((one) => [one.slug, one.warnings]))
  return countNoise(entries.map(({ slug, findings }) => ({ findings: [...findings, ...(warnings.get(slug) ?? [])] })))
}

/** Lists the findings of a report's posts, those of posts that change first. */
export const findingsOf = ({ entries = [], outcomes = [] }: Report): Finding[] => {
  const changed = changedFirst(entries.map((entry) => ({ ...entry, result: entry.action })))
  return [...changed.flatMap(({ findings }) => findings), ...outcomes.flatMap(({ warnings }) => warnings)]
}

/** Returns the posts of a report in its order. */
export const rowsOf = (report: Report, noise = noiseOf(report)): Row[] => {
  const { entries = [], outcomes } = report
  return entries.map((entry) => {
    const { action, slug, file, findings } = entry
    const outcome = outcomes?.find((one) => one.slug === slug && one.file === file)
    const result = outcome?.result ?? (outcomes ? "not reached" : action)
    const error = outcome?.error ? [describe(outcome.error)] : []
    const messages = noise
      .rest([...findings, ...(outcome?.warnings ?? [])])
      .map((one) => `${one.file === file ? "" : `${one.file} `}line ${one.line}: ${one.message}`)
    return {
      result,
      slug,
      file,
      url: outcome?.url ?? null,
      state: UNDONE.has(result) ? null : entry.state,
      details: [...error, ...detailsOf(entry), ...messages].join(", "),
    }
  })
}

/** Counts the posts of a result: `created` includes what a plan would `create`. */
export const countOf = (rows: Row[], result: string): number =>
  rows.filter((row) => row.result === result || `${row.result}d` === result).length

/** Returns a text as code in a cell of a table, where a bar would end it even there. */
const toCell = (text: string): string => toCode(text).replaceAll("|", String.raw`\|`)

/** Characters of what is said about a post: each of the service's warnings has at most some hundred. */
const MAX_DETAILS_CHARS = 4000

const HEAD = ["| | post | file | |", "| --- | --- | --- | --- |"]

/** Lines about the folder as a whole, and characters of each. */
const MAX_REMARKS = 50
const MAX_REMARK_CHARS = 400

/**
 * Writes a report as Markdown: the sums, then a table of all posts that are not plainly unchanged, as far as `maxChars` allow, then
 * what a plan says about the folder.
 * @param service the address of the service
 */
export const toMarkdown = (report: Report, isPlan: boolean, service: string, maxChars: number): string => {
  const noise = noiseOf(report)
  const rows = rowsOf(report, noise)
  const stop = stopOf(report)
  const kinds = [...new Set(rows.map(({ result }) => result))].toSorted()
  const sums = kinds.map((kind) => `${countOf(rows, kind)} ${kind}`).join(", ") || "no posts"
  const title = `### edgepost: ${report.error || (stop !== null && !isPlan) ? "not done" : isPlan ? "what publishing would do" : "published"}\n\n${isPlan ? "Would be" : "Posts"}: ${sums}.${report.account ? ` The blog is ${toCode(`${service}/@${report.account}`)}.` : ""}\n`
  const error = stop === null ? "" : `\n${toCode(stop)}\n`
  const shown = changedFirst(rows.filter(({ result, details }) => result !== "unchanged" || details !== ""))
  const lines: string[] = []
  const remarks = [...(report.remarks ?? []), ...noise.lines()]
  const said = remarks.slice(0, MAX_REMARKS).map((line) => `- ${toCode(line.slice(0, MAX_REMARK_CHARS))}\n`)
  const others = remarks.length > said.length ? `- And ${remarks.length - said.length} more: see the log.\n` : ""
  const about = said.length > 0 ? `\n${said.join("")}${others}` : ""
  let left = maxChars - title.length - error.length - about.length - 200
  for (const { result, slug, file, url, details } of shown) {
    // Matches `https://e.x/@ann/a/`. Does not match `https://e.x/(a)`.
    const link = url && /^https?:\/\/[^\s()<>|]+$/.test(url) ? `[${toCell(slug)}](${url})` : toCell(slug)
    const line = `| ${result} | ${link} | ${toCell(file ?? "")} | ${toCell(details.slice(0, MAX_DETAILS_CHARS))} |`
    left -= line.length + 1
    if (left < 0) break
    lines.push(line)
  }
  const more = shown.length > lines.length ? `\nAnd ${shown.length - lines.length} more: see the log.\n` : ""
  const table = lines.length > 0 ? `\n${[...HEAD, ...lines].join("\n")}\n` : ""
  return `${title}${error}${table}${more}${about}`
}
