import { type Dirent, existsSync, readdirSync, realpathSync } from "node:fs"
import { dirname, join, posix, relative, resolve, sep } from "node:path"

import { CONFIG_FILES } from "../config.ts"
import { type Folder, openFolder } from "../folder/files.ts"
import { MARKDOWN } from "../folder/paths.ts"
import { makePathRule } from "../folder/rendered.ts"
import {
  CONFIGURATION_FOLDERS,
  isConfiguration,
  OF_CONTENT,
  OF_THEMES,
  readTool,
  SOME_CONFIGURATION,
} from "../tools/index.ts"
import { UsageError } from "../usage-error.ts"
import { isSubmodule, listAbsent, readSubmodules } from "./checkout.ts"

// Tells where a run stands: which folder is the blog's, and how far around it its files may lie.

/** The folders of a run, as absolute paths. */
export interface Workspace {
  /** The folder around the blog in which the configuration of its tool may lie: that of the Action, else of the repository. */
  top: string
  /** The folder of the repository; null without one. A submodule belongs to the repository around it. */
  repository: string | null
  /** The folder whose posts are the blog's. */
  blog: string
  /** The nearest folder upwards with `edgepost.config.yaml`; null without one. */
  configured: string | null
}

type Environment = Record<string, string | undefined>

/** Lists a folder and those above it, up to a last one. */
const upwards = (folder: string, last: string | null = null): string[] => {
  const above = dirname(folder)
  return folder === last || folder === above ? [folder] : [folder, ...upwards(above, last)]
}

/** Returns a path from a folder, with `/`. */
export const pathFrom = (folder: string, path: string): string => relative(folder, path).split(sep).join("/")

/** Lists a folder; [] if it cannot be read. */
const list = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

const isConfigured = (folder: string): boolean => CONFIG_FILES.some((name) => existsSync(join(folder, name)))

/** Finds the folder of the repository of the first of some folders, each in the next; a submodule belongs to the one around it. */
const findRepository = (folders: string[]): string | null => {
  let found: string | null = null
  for (const folder of folders) {
    if (!existsSync(join(folder, ".git"))) continue
    const isPart = found === null || isSubmodule(found) || readSubmodules(folder).includes(pathFrom(folder, found))
    if (!isPart) break
    found = folder
  }
  return found
}

/** Finds the folder of the Action among some; null without one. Its path may be given through a link. */
const findAction = (folders: string[], { GITHUB_WORKSPACE: given }: Environment): string | null => {
  if (!given || !existsSync(given)) return null
  return [resolve(given), realpathSync(given)].find((path) => folders.includes(path)) ?? null
}

/** Finds where a run with a folder stands. */
export const findWorkspace = (folder: string, env: Environment): Workspace => {
  const start = resolve(folder)
  const action = findAction(upwards(start), env)
  const repository = findRepository(upwards(start, action))
  const around = repository ?? action
  const configured = upwards(start, around).find(isConfigured) ?? null
  const blog = configured ?? around ?? start
  return { top: action ?? repository ?? blog, repository, blog, configured }
}

/** Matches `a/edgepost.config.yaml` and `a/b/edgepost.config.yml`. Does not match `edgepost.config.yaml`. */
const BELOW = /^(?:[^/]+\/){1,2}edgepost\.config\.(?:json|ya?ml)$/

/**
 * Finds the only folder with `edgepost.config.yaml` at most two folders below a path.
 * @param path from the folder's root; "" for the root
 * @throws UsageError if there are several
 */
export const findBelow = ({ root, files }: Folder, path: string): string | null => {
  const start = path === "" ? "" : `${path}/`
  const [found, other] = files.filter(
    (file) => file.startsWith(start) && BELOW.test(file.slice(start.length)) && !OF_THEMES.test(file),
  )
  if (found !== undefined && other !== undefined)
    throw new UsageError(`${found} and ${other} are of two blogs.`, "Give the folder of one of them.")
  return found === undefined ? null : join(root, dirname(found))
}

/** Names the configuration that a tool of the blog must have, and that cannot be seen; null if none is missed. */
const findUnseen = async ({ repository, configured }: Workspace, start: string): Promise<string | null> => {
  const path = repository === null ? start.split(sep).slice(-3).join("/") : pathFrom(repository, start)
  const absent = repository === null ? [] : await listAbsent(repository)
  const isAbove = (folder: string): boolean => folder === "." || `${path}/`.startsWith(`${folder}/`)
  const known = absent.find((file) => isConfiguration(file) && isAbove(posix.dirname(file)))
  if (known !== undefined) return `${known}, which the sparse checkout leaves out,`
  return configured === null && OF_CONTENT.test(path) ? SOME_CONFIGURATION : null
}

/** Tells whether a folder has a file with the name of a tool's configuration. */
const hasConfiguration = (folder: string): boolean =>
  CONFIGURATION_FOLDERS.some((path) => list(join(folder, path)).some(({ name }) => isConfiguration(path + name)))

/** Tells whether a folder has a tool that makes pages of its blog. One whose configuration cannot be read has a tool. */
const isOfTool = async (folder: Folder): Promise<boolean> => {
  const settings = await readTool(folder).catch(() => null)
  if (settings === null || folder.blog === "") return settings?.file !== null
  if (settings.file === null) return false
  const rule = await makePathRule(folder, settings, () => false)
  const isContent = settings.contentFolder !== null && folder.blog.startsWith(`${settings.contentFolder}/`)
  return (
    isContent || folder.files.some((file) => file.startsWith(folder.blog) && MARKDOWN.test(file) && rule(file) === null)
  )
}

/** Opens the folder of a blog; from the nearest folder around it with a tool that makes pages of it, if it has none itself. */
export const openWorkspace = async (workspace: Workspace, start: string): Promise<Folder> => {
  const { top, blog } = workspace
  const folder = await openFolder(blog)
  if (folder.files.some(isConfiguration) && (await isOfTool(folder))) return folder
  for (const above of upwards(blog, top).slice(1).filter(hasConfiguration)) {
    const around = await openFolder(above, `${pathFrom(above, blog)}/`)
    if (await isOfTool(around)) return around
  }
  return { ...folder, unseen: await findUnseen(workspace, start) }
}
