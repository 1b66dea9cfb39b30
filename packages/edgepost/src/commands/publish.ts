import { existsSync, statSync } from "node:fs"
import { dirname, relative, resolve, sep } from "node:path"

import type { Client } from "../client/index.ts"
import { findRoot, type FolderConfig, readConfig } from "../config.ts"
import { adviceFor, PartlyDone } from "../failure.ts"
import { type Folder, openFolder } from "../folder/files.ts"
import { endsRun } from "../plan/check.ts"
import { type Entry, isWrite } from "../plan/entry.ts"
import { makePlan, type Plan } from "../plan/plan.ts"
import { type Outcome, publishPlan, publishRedirects } from "../plan/publish.ts"
import { outcomeToJson, planToJson, showOutcome, showPlan, showSum } from "../plan/screen.ts"
import { plain, toJson } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { type Command, type Context, openClient, printResult } from "./context.ts"

interface Opened {
  folder: Folder
  config: FolderConfig
  paths: string[]
}

/** Opens the folder of the given paths, by default the one that the command was called in. */
const open = async (context: Context): Promise<Opened> => {
  const { operands, cwd, options } = context
  const [first = cwd, ...others] = operands.map((path) => resolve(cwd, path))
  const missing = [first, ...others].find((path) => !existsSync(path))
  if (missing !== undefined) throw new UsageError(`There is no ${missing}.`, "Give a folder of posts, or files of it.")
  const folder = await openFolder(findRoot(statSync(first).isFile() ? dirname(first) : first))
  const config = readConfig(folder.root)
  if (options.offline && options.prune)
    throw new UsageError("--prune cannot look for posts with --offline.", "Leave one of them out.")
  if (options.offline && options.check)
    throw new UsageError("--check cannot ask the service with --offline.", "Leave one of them out.")
  if (options.prune && config.source === null)
    throw new UsageError(
      "--prune needs the mark of this folder's posts.",
      "Set `source` in edgepost.config.yaml: `edgepost init` writes one.",
    )
  const paths = [first, ...others].map((path) => relative(folder.root, path).split(sep).join("/"))
  if (paths.some((path) => path.startsWith("..")))
    throw new UsageError("The paths are not in one folder.", "Publish one folder after another.")
  return { folder, config, paths: paths.filter((path) => path !== "") }
}

/** Returns a bar of 20 columns. */
const bar = (done: number, all: number): string => {
  const filled = all === 0 ? 20 : Math.round((done / all) * 20)
  return `[${"#".repeat(filled)}${"-".repeat(20 - filled)}] ${done} of ${all}`
}

/** @param client null to work without the service */
const planOf = (
  client: Client | null,
  { folder, config, paths }: Opened,
  { options, now, terminal }: Context,
): Promise<Plan> => {
  terminal.progress(client === null ? "Checking the folder…" : "Comparing the folder with the service…")
  return makePlan(client, folder, config, {
    paths,
    allowForeign: options["allow-foreign"] ?? false,
    allowMissingImages: options["allow-missing-images"] ?? false,
    prune: options.prune ?? false,
    ...(options.check && {
      onCheck: (number, all) => terminal.progress(`Asking the service about the texts… ${bar(number, all)}`),
    }),
    now,
  })
}

/** Plans the folder of the operands with the posts of this client. */
export const planFolder = async (client: Client, context: Context): Promise<Plan> =>
  planOf(client, await open(context), context)

const isPending = ({ action }: Entry): boolean => ["create", "update", "remove"].includes(action)
const isBlocked = ({ action }: Entry): boolean => action === "blocked"

const CHECK_ADVICE = "`edgepost plan --check` also asks the service what readers would not get."

/** Shows what `publish` would do. */
export const plan: Command = async (context) => {
  const opened = await open(context)
  const client = context.options.offline ? null : openClient(context, opened.config)
  const made = await planOf(client, opened, context)
  const isUnasked = client !== null && !context.options.check && made.entries.some(isWrite)
  printResult(
    context,
    planToJson(made),
    () => showPlan(made, context.terminal.style) + (isUnasked ? `\n${CHECK_ADVICE}` : ""),
  )
  if (made.stop !== null || made.entries.some(isBlocked)) return 1
  const { changed, removed } = made.redirects
  return context.options["exit-code"] && (made.entries.some(isPending) || [...changed, ...removed].length > 0) ? 3 : 0
}

/** Plans, then does what the plan says. */
export const publish: Command = async (context) => {
  const opened = await open(context)
  const client = openClient(context, opened.config)
  const made = await planOf(client, opened, context)
  const { terminal, options, signal } = context
  const outcomes: Outcome[] = []
  const all = made.entries.filter(isPending).length
  if (!options.json) terminal.print(`${showPlan(made, terminal.style)}${all > 0 ? "\n" : ""}`)
  let done = 0
  let at = ""
  const toResult = () => ({ ...planToJson(made), outcomes: outcomes.map(outcomeToJson) })
  const onStep = (entry: Entry, step: string) => {
    at = `${entry.slug}: ${step}`
    terminal.progress(`${bar(done, all)} ${at}`)
  }
  if (made.stop !== null) {
    if (options.json) terminal.print(toJson(toResult()))
    return 1
  }
  let redirected: string | null = null
  try {
    for await (const outcome of publishPlan(client, made, { signal, onStep })) {
      outcomes.push(outcome)
      if (outcome.result === "unchanged" || outcome.result === "blocked") continue
      done += 1
      if (!options.json) terminal.print(showOutcome(outcome, terminal.style))
    }
    if (!outcomes.some((outcome) => outcome.error && endsRun(outcome.error))) {
      at = "redirects from old addresses"
      redirected = await publishRedirects(client, made)
    }
  } catch (error) {
    const written = outcomes.filter(({ result }) => ["created", "updated", "removed"].includes(result)).length
    const message = `Done: ${written} of ${all} posts. Run the command again: it goes on where this one stopped.`
    throw new PartlyDone(message, error, plain(at), toResult())
  }
  terminal.progress("")
  const left = made.entries.length - outcomes.length
  const error = outcomes.at(-1)?.error
  terminal.print(options.json ? toJson(toResult()) : showSum(outcomes))
  if (!options.json && redirected !== null) terminal.print(redirected)
  if (!options.json && error && endsRun(error))
    terminal.note(`Stopped: ${left} of ${made.entries.length} posts were not reached.\n${adviceFor(error)}`)
  const isBad = outcomes.some(({ result }) => result === "failed" || result === "blocked")
  return isBad || left > 0 ? 1 : 0
}
