import type { EdgepostError } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import { plain, type Terminal } from "../terminal.ts"
import type { Changes } from "./compare.ts"
import type { Action, Entry, Plan } from "./plan.ts"
import type { Outcome } from "./publish.ts"

// What a plan and its outcome look like for a person, and as JSON.

type Style = Terminal["style"]

const COLOURS = { create: "green", update: "yellow", unchanged: "gray", blocked: "red", remove: "red" } as const
const RESULT_COLOURS = {
  created: "green",
  updated: "yellow",
  unchanged: "gray",
  removed: "red",
  blocked: "red",
  failed: "red",
} as const

const INDENT = " ".repeat(11)

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`

/** Returns the names of changed fields, those of translations behind their language. */
const namesOf = ({ post, translations }: Changes): string[] => [
  ...post,
  ...Object.entries(translations).flatMap(([lang, fields]) => fields.map((field) => `${lang}: ${field}`)),
]

const showFinding = ({ level, message, file, line }: Finding, style: Style): string => {
  const mark = level === "error" ? style("red", "error") : style("yellow", "warning")
  return `${INDENT}${plain(file)}:${line} ${mark}: ${plain(message)}`
}

const showEntry = ({ action, slug, file, changes, uploads, findings }: Entry, style: Style): string => {
  const details = [
    ...(file === null ? ["no longer in the folder"] : [plain(file)]),
    ...(action === "update" ? [namesOf(changes).join(", ")] : []),
    ...(uploads.length > 0 ? [plural(uploads.length, "image")] : []),
  ]
  return [
    `${style(COLOURS[action], action.padEnd(10))} ${slug}`,
    `${INDENT}${details.join(" · ")}`,
    ...findings.map((finding) => showFinding(finding, style)),
  ].join("\n")
}

const DOING: Record<Action, string> = {
  create: "to create",
  update: "to update",
  unchanged: "unchanged",
  blocked: "blocked",
  remove: "to remove",
}

const countOf = (entries: Entry[], action: Action): number => entries.filter((entry) => entry.action === action).length

const minutes = (seconds: number): string =>
  seconds < 60 ? "less than a minute" : `about ${plural(Math.round(seconds / 60), "minute")}`

/** Shows a plan: each post that is not plainly unchanged, then the sums. */
export const showPlan = (plan: Plan, style: Style): string => {
  const { entries, skipped, account, uploadSeconds, translatedCharacters } = plan
  const shown = entries.filter(({ action, findings }) => action !== "unchanged" || findings.length > 0)
  const counts = (Object.keys(DOING) as Action[]).flatMap((action) => {
    const count = countOf(entries, action)
    return count > 0 || action === "unchanged" ? [`${count} ${DOING[action]}`] : []
  })
  const uploads = entries.reduce((sum, entry) => sum + entry.uploads.length, 0)
  const budget = account.limits["translated_characters_per_day"]
  return [
    ...shown.map((entry) => showEntry(entry, style)),
    ...skipped.map((finding) => showFinding(finding, style)),
    ...(shown.length + skipped.length > 0 ? [""] : []),
    `${counts.join(", ")}.`,
    ...(uploads > 0 ? [`${plural(uploads, "image")} to upload: ${minutes(uploadSeconds)} at the service's rate.`] : []),
    ...(translatedCharacters > 0
      ? [
          `${plural(translatedCharacters, "character")} to translate${budget ? ` of ${budget.toLocaleString("en")} a day` : ""}.`,
        ]
      : []),
  ].join("\n")
}

/** Says what an error of the service means in one line, with its fields. */
export const showError = ({ message, errors, requestId }: EdgepostError): string =>
  plain(
    [
      message,
      ...errors.map(({ field, message: detail }) => `${field}: ${detail}`),
      ...(requestId ? [`(request ${requestId})`] : []),
    ].join(" "),
  )

/** Shows what became of a post: its page, or why it failed. */
export const showOutcome = ({ result, slug, url, error }: Outcome, style: Style): string => {
  const head = `${style(RESULT_COLOURS[result], result.padEnd(10))} ${slug}`
  // A slug belongs to one post of the whole service.
  const advice = error?.code === "not_the_author" ? `\n${INDENT}Set another \`slug\` in the post.` : ""
  if (error) return `${head}\n${INDENT}${showError(error)}${advice}`
  return url === null ? head : `${head}\n${INDENT}${url}`
}

/** Returns a plan as data for `--json`. */
export const planToJson = ({ account, entries, skipped, uploadSeconds, translatedCharacters }: Plan) => ({
  account: account.username,
  entries: entries.map(({ changes, ...entry }) => ({ ...entry, changes: namesOf(changes) })),
  skipped,
  upload_seconds: uploadSeconds,
  translated_characters: translatedCharacters,
})

/** Returns an outcome as data for `--json`. */
export const outcomeToJson = ({ error, ...outcome }: Outcome) => ({
  ...outcome,
  error: error && (error.problem ?? { code: error.code, detail: error.message }),
})
