import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

import type { Client } from "../client/index.ts"
import { EMPTY_CONFIG, type FolderConfig, readConfig, withTool } from "../config.ts"
import type { Folder } from "../folder/files.ts"
import { type Blog, type PlanOptions, readBlog } from "../plan/blog.ts"
import { askAbout } from "../plan/check.ts"
import { type Entry, isWrite } from "../plan/entry.ts"
import { NO_ACCOUNT, NO_STATE, toChecked } from "../plan/offline.ts"
import { makePlan, type Plan } from "../plan/plan.ts"
import { planToJson, showPlan } from "../plan/screen.ts"
import { findOthers, readService, type ServiceState } from "../plan/service.ts"
import { UsageError } from "../usage-error.ts"
import { whyIncomplete } from "../workspace/checkout.ts"
import { findBelow, findWorkspace, openWorkspace, pathFrom } from "../workspace/workspace.ts"
import { type Command, type Context, openClient, printResult } from "./context.ts"

/** A folder of posts that a command was called for. */
export interface OpenBlog {
  folder: Folder
  config: FolderConfig
  paths: string[]
}

/** Opens the folder of the given paths, by default the one that the command was called in. */
export const openBlog = async (context: Context): Promise<OpenBlog> => {
  const { operands, cwd, options, env } = context
  const [first = cwd, ...others] = operands.map((path) => resolve(cwd, path))
  const missing = [first, ...others].find((path) => !existsSync(path))
  if (missing !== undefined) throw new UsageError(`There is no ${missing}.`, "Give a folder of posts, or files of it.")
  const start = statSync(first).isFile() ? dirname(first) : first
  const workspace = findWorkspace(start, env)
  const folder = await openWorkspace(workspace, start)
  const configured = workspace.configured ?? findBelow(folder, pathFrom(folder.root, realpathSync(start)))
  const config = withTool(configured === null ? EMPTY_CONFIG : readConfig(configured), options.as)
  if (options.offline && options.prune)
    throw new UsageError("--prune cannot look for posts with --offline.", "Leave one of them out.")
  if (options.offline && options.check)
    throw new UsageError("--check cannot ask the service with --offline.", "Leave one of them out.")
  if (options.prune && config.source === null)
    throw new UsageError(
      "--prune needs the mark of this folder's posts.",
      "Set `source` in edgepost.config.yaml: `edgepost init` writes one.",
    )
  const asked = [first, ...others].map((path) => pathFrom(workspace.blog, path))
  if (asked.some((path) => path.startsWith("..")))
    throw new UsageError("The paths are not in one folder.", "Publish one folder after another.")
  return { folder, config, paths: asked.includes("") ? [] : asked.map((path) => folder.blog + path) }
}

/** Returns a bar of 20 columns. */
export const bar = (done: number, all: number): string => {
  const filled = all === 0 ? 20 : Math.round((done / all) * 20)
  return `[${"#".repeat(filled)}${"-".repeat(20 - filled)}] ${done} of ${all}`
}

/** Makes a plan whose new posts have slugs that no other author has, as far as these are derived. */
const withFreeSlugs = async (client: Client, blog: Blog, state: ServiceState) => {
  const derived = new Set(blog.posts.all.filter((post) => post.isSlugDerived).map((post) => post.source.file))
  const asked = new Set<string>()
  for (let known = state; ;) {
    const plan = makePlan(blog, known)
    const isNew = ({ action, slug, file }: Entry) => action === "create" && derived.has(file ?? "") && !asked.has(slug)
    const slugs = plan.entries.filter(isNew).map(({ slug }) => slug)
    for (const slug of slugs) asked.add(slug)
    const found = await findOthers(client, slugs)
    if (found.length === 0) return { plan, state: known }
    known = { ...known, others: new Set([...known.others, ...found]) }
  }
}

/**
 * Reads a folder, compares it with the service, and writes nothing.
 * @param client null to check the folder alone
 * @param options `onCheck` makes it ask the service about each text that would be written, and is called before each post with its number
 */
export const planFolder = async (
  client: Client | null,
  folder: Folder,
  config: FolderConfig,
  { onCheck, ...options }: PlanOptions & { onCheck?: ((number: number, all: number) => void) | undefined },
): Promise<Plan> => {
  const account = client ? await client.getAccount() : NO_ACCOUNT
  const blog = await readBlog(folder, config, account.primary_language, options)
  if (!client) return toChecked(makePlan(blog, NO_STATE))
  const first = await readService(client, blog, account)
  const { plan, state } = await withFreeSlugs(client, blog, first)
  return onCheck ? makePlan(blog, state, await askAbout(client, plan, onCheck)) : plan
}

/** Plans the folder of the operands. @param client null to work without the service */
export const planBlog = async (
  client: Client | null,
  { folder, config, paths }: OpenBlog,
  context: Context,
): Promise<Plan> => {
  const { options, now, terminal, env } = context
  terminal.progress(client === null ? "Checking the folder…" : "Comparing the folder with the service…")
  const onCheck = (number: number, all: number) =>
    terminal.progress(`Asking the service about the texts… ${bar(number, all)}`)
  return planFolder(client, folder, config, {
    paths,
    allowForeign: options["allow-foreign"] ?? false,
    allowMissingImages: options["allow-missing-images"] ?? false,
    noPages: options["no-pages"] ?? false,
    acceptChanges: options["accept-changes"] ?? false,
    prune: options.prune ?? false,
    incomplete: options.prune ? await whyIncomplete(folder.root, Boolean(env["CI"])) : null,
    now,
    onCheck: options.check ? onCheck : undefined,
  })
}

/** Tells whether `publish` would write, withdraw or remove a post. */
export const isPending = ({ action }: Entry): boolean => ["create", "update", "withdraw", "remove"].includes(action)
const isBlocked = ({ action }: Entry): boolean => action === "blocked"

const CHECK_ADVICE = "`edgepost plan --check` also asks the service what readers would not get."

/** Shows what `publish` would do. */
export const plan: Command = async (context) => {
  const blog = await openBlog(context)
  const client = context.options.offline ? null : openClient(context, blog.config)
  const made = await planBlog(client, blog, context)
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
