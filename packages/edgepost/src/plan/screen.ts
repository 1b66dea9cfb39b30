import type { EdgepostError, OldRedirect } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import type { LeftOut } from "../folder/post.ts"
import { MAX_REDIRECTS } from "../limits.ts"
import { plain, some, type Terminal } from "../terminal.ts"
import type { Changes } from "./compare.ts"
import type { Action, Entry } from "./entry.ts"
import type { ForeignKind } from "./foreign.ts"
import { countNoise, type Noise } from "./noise.ts"
import type { Plan } from "./plan.ts"
import type { Outcome } from "./publish.ts"
import type { Redirects } from "./redirects.ts"
import { adviceOn } from "./refusals.ts"

// Prints a plan and its outcome for a person, and as JSON.

type Style = Terminal["style"]

const INDENT = " ".repeat(11)

/** Writes a count with its noun: `1 post`, `2 posts`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`

/** Returns the names of changed fields, those of translations after their language. */
const namesOf = ({ post, translations }: Changes): string[] => [
  ...post,
  ...Object.entries(translations).flatMap(([lang, fields]) => fields.map((field) => `${lang}: ${field}`)),
]

const COLUMNS = 80

/** Breaks a text between words so that its lines fit a terminal, each after `indent`. */
const wrap = (text: string, indent: string): string => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? ""
    if (last !== "" && indent.length + last.length + word.length >= COLUMNS) lines.push(word)
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
  }
  return lines.map((line) => indent + line).join("\n")
}

const showFinding = ({ level, message, file, line }: Finding, style: Style): string => {
  const mark = level === "error" ? style("red", "error") : style("yellow", "warning")
  return `${INDENT}${plain(file)}:${line} ${mark}\n${wrap(plain(message), `${INDENT}  `)}`
}

const byPlace = (one: Finding, other: Finding): number =>
  one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1

/** An entry as `--json` has it. */
type EntryJson = Omit<Entry, "changes"> & { changes: string[] }

const toEntryJson = ({ changes, ...entry }: Entry): EntryJson => ({ ...entry, changes: namesOf(changes) })

/** Says what an entry does to its post, beside the action. */
export const detailsOf = (entry: EntryJson): string[] => {
  const { action, changes, uploads, state, published_at, listed, languages } = entry
  return [
    action === "update" && changes.join(", "),
    state === "draft" && "draft",
    state === "scheduled" && `from ${published_at}`,
    action === "create" && listed === false && "a page, in no list",
    action === "create" && languages.length > 0 && `with ${languages.join(", ")}`,
    uploads.length > 0 && plural(uploads.length, "image"),
  ].filter((detail) => detail !== false)
}

const showEntry = (entry: Entry, style: Style): string => {
  const { action, slug, file, findings } = entry
  const details = [file ?? "no longer a post of the folder", ...detailsOf(toEntryJson(entry))]
  return [
    `${style(ACTIONS[action][0], action.padEnd(10))} ${plain(slug)}`,
    wrap(plain(details.join(" · ")), INDENT),
    ...findings.toSorted(byPlace).map((finding) => showFinding(finding, style)),
  ].join("\n")
}

/** How a plan shows the posts with each action. */
const ACTIONS: Record<Action, [colour: Parameters<Style>[0], what: string]> = {
  create: ["green", "to create"],
  update: ["yellow", "to update"],
  unchanged: ["gray", "unchanged"],
  checked: ["green", "without errors"],
  blocked: ["red", "blocked"],
  withdraw: ["red", "to withdraw"],
  remove: ["red", "to remove"],
}

const RESULTS: Record<Outcome["result"], Parameters<Style>[0]> = {
  created: "green",
  updated: "yellow",
  withdrawn: "red",
  removed: "red",
  failed: "red",
  blocked: "red",
  unchanged: "gray",
}

/** Sums up what became of the posts: `2 created, 1 blocked, 3 unchanged.` */
export const showSum = (outcomes: Outcome[]): string => {
  const counts = Object.keys(RESULTS).map((result) => [outcomes.filter((one) => one.result === result).length, result])
  const shown = counts.filter(([count]) => count !== 0).map(([count, result]) => `${count} ${result}`)
  return `${shown.join(", ")}.`
}

/** Shows the warnings that many posts have, each once. */
export const showNoise = (noise: Noise, style: Style): string[] =>
  noise.lines().map((line) => `${style("yellow", "warning")}    ${wrap(plain(line), INDENT).trimStart()}`)

const isQuiet = (action: Action): boolean => action === "unchanged" || action === "checked"

const countOf = (entries: Entry[], action: Action): number => entries.filter((entry) => entry.action === action).length

const minutes = (seconds: number): string =>
  seconds < 60 ? "less than a minute" : `about ${plural(Math.round(seconds / 60), "minute")}`

/** Shows the kinds of foreign syntax to which the configuration can give a meaning, each on a line. */
const showForeign = (kinds: ForeignKind[]): string[] => {
  const shown = kinds.filter(({ field }) => field !== null)
  const lines = shown.map(({ name, posts }) => `  ${plain(name)}: ${plural(posts, "post")}`)
  const head = "Only your theme knows these. Say in edgepost.config.yaml what becomes of each:"
  return lines.length > 0 ? [head, ...lines] : []
}

/** Says which files are left out: one line for each reason, with the first files. */
const showLeftOut = (leftOut: LeftOut[]): string[] =>
  [...Map.groupBy(leftOut, ({ reason }) => reason)].map(
    ([reason, files]) => `left out: ${plain(reason)}, ${some(files.map(({ file, line }) => `${file}:${line}`))}`,
  )

const countRedirects = (what: string, list: OldRedirect[]): string[] =>
  list.length > 0 ? [`${list.length} to ${what} (${some(list.map(({ from }) => from))})`] : []

/** Says how many old addresses lead to posts, if that changes. */
const showRedirects = ({ changed, removed, leftOut, lost, remarks }: Redirects): string[] => {
  const parts = [...countRedirects("set", changed), ...countRedirects("remove", removed)]
  const head =
    parts.length > 0 ? [`Redirects from old addresses, for a blog on its own host: ${parts.join(", ")}.`] : []
  const meaning =
    lost > 0
      ? `The old site showed posts at ${lost} of these: links to them from other sites lead nowhere.`
      : "The likeliest address of each text is kept."
  const limit =
    leftOut > 0
      ? [`${plural(leftOut, "more is", "more are")} left out: an account has ${MAX_REDIRECTS}, or 1 MB. ${meaning}`]
      : []
  return [...head, ...limit, ...remarks]
}

const PRUNES = "--prune removes them, with their addresses; those whose files are left out become drafts."

/** Says which posts with the folder's mark no post of the folder has, what becomes of them, and why. */
const showGone = ({ gone, alike, heldBy, held }: Pick<Plan, "gone" | "alike" | "heldBy" | "held">): string[] => {
  const blocked = heldBy.length > 0 ? `Nothing is removed while posts are blocked: ${some(heldBy)}.` : null
  const why = blocked ?? (held && `Nothing is removed: ${held}`)
  const pairs = some(alike.map(({ slug, file }) => `${slug} (${file})`))
  const advice = "Set the old `slug` in the file to keep the address, or run `edgepost delete SLUG`."
  return [
    ...(gone.length > 0
      ? [`Still on the service, and no longer posts of the folder: ${some(gone)}. ${why ?? PRUNES}`]
      : []),
    ...(alike.length > 0
      ? [`Posts of the service that look like files of the folder, and stay: ${pairs}. ${advice}`]
      : []),
  ]
}

/** Says what a plan finds about the folder as a whole, each remark in a line, for all who show it. */
const remarksOf = (plan: Plan): string[] => {
  const { entries, leftOut, foreign, elsewhere, notices, account, uploadSeconds, translatedCharacters } = plan
  const uploads = entries.reduce((sum, entry) => sum + entry.uploads.length, 0)
  const budget = account.limits["translated_characters_per_day"]
  const perDay = budget ? ` of ${budget.toLocaleString("en")} a day` : ""
  const edited = some(elsewhere.map(({ slug, lang_code }) => `${slug} (${lang_code})`))
  return [
    plan.readAs,
    uploads > 0 && `${plural(uploads, "image")} to upload: ${minutes(uploadSeconds)} at the service's rate.`,
    translatedCharacters > 0 && `${plural(translatedCharacters, "character")} to translate${perDay}.`,
    ...showRedirects(plan.redirects),
    ...showLeftOut(leftOut),
    ...showGone(plan),
    elsewhere.length > 0 && `Edited on the service, and in no file: ${edited}. \`edgepost pull\` saves them.`,
    ...showForeign(foreign),
    ...notices,
  ].filter((line) => line !== false && line !== null)
}

/** Shows a plan: each post that is not plainly unchanged, then the sums. */
export const showPlan = (plan: Plan, style: Style): string => {
  const { entries, stop } = plan
  const noise = countNoise(entries)
  const shown = entries
    .map((entry) => ({ ...entry, findings: noise.rest(entry.findings) }))
    .filter(({ action, findings }) => !isQuiet(action) || findings.length > 0)
  const isOffline = entries.some(({ action }) => action === "checked")
  const counts = (Object.keys(ACTIONS) as Action[]).flatMap((action) => {
    const count = countOf(entries, action)
    return count > 0 || (action === "unchanged" && !isOffline) ? [`${count} ${ACTIONS[action][1]}`] : []
  })
  return [
    ...shown.map((entry) => showEntry(entry, style)),
    ...showNoise(noise, style),
    shown.length > 0 && "",
    `${counts.join(", ")}.`,
    // An indented line is one of a list.
    ...remarksOf(plan).map((line) => (line.startsWith(" ") ? plain(line) : wrap(plain(line), ""))),
    stop !== null && wrap(`${style("red", "Stopped:")} ${stop}`, ""),
  ]
    .filter((line) => line !== false)
    .join("\n")
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
export const showOutcome = ({ result, slug, url, warnings, error }: Outcome, style: Style): string => {
  const head = `${style(RESULTS[result], result.padEnd(10))} ${plain(slug)}`
  if (error) return `${head}\n${INDENT}${showError(error)}\n${INDENT}${adviceOn(error)}`.trimEnd()
  return [
    head,
    ...(url === null ? [] : [`${INDENT}${plain(url)}`]),
    ...warnings.toSorted(byPlace).map((warning) => showFinding(warning, style)),
  ].join("\n")
}

/** Returns a plan as data for `--json`. */
export const planToJson = (plan: Plan) => ({
  root: plan.root,
  account: plan.account.username,
  entries: plan.entries.map(toEntryJson),
  left_out: plan.leftOut,
  foreign: plan.foreign,
  edited_elsewhere: plan.elsewhere,
  gone: plan.gone,
  alike: plan.alike,
  held_by: plan.heldBy,
  held: plan.held,
  notices: [...showGone(plan), ...plan.notices],
  remarks: remarksOf(plan),
  at_risk: plan.risks.map(({ kind, slug }) => ({ change: kind, slug })),
  upload_seconds: plan.uploadSeconds,
  translated_characters: plan.translatedCharacters,
  redirects: { to_set: plan.redirects.changed, to_remove: plan.redirects.removed },
  stop: plan.stop,
})

/** Returns an outcome as data for `--json`. */
export const outcomeToJson = ({ error, ...outcome }: Outcome) => ({
  ...outcome,
  error: error && (error.problem ?? { code: error.code, detail: error.message }),
})
