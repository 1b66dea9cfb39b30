import { type Dirent, existsSync, readdirSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"

import { CONFIG_FILES } from "../config.ts"
import { type Folder, openFolder } from "../folder/files.ts"
import {
  CONFIGURATION_FOLDERS,
  isConfiguration,
  NO_TOOL,
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
  /** The folder around the blog in which its images and the configuration of its tool may lie: that of the Action, or of the repository. */
  top: string
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

/** Matches `a/edgepost.config.yaml` and `a/b/edgepost.config.yml`. Does not match `edgepost.config.yaml`. */
const BELOW = /^(?:[^/]+\/){1,2}edgepost\.config\.(?:json|ya?ml)$/

/** Finds the only folder with `edgepost.config.yaml` at most two folders below a blog's. @throws UsageError if there are several */
export const findBelow = ({ root, files }: Folder): string | null => {
  const [found, other] = files.filter((file) => BELOW.test(file) && !OF_THEMES.test(file))
  if (found !== undefined && other !== undefined)
    throw new UsageError(`${found} and ${other} are of two blogs.`, "Give the folder of one of them.")
  return found === undefined ? null : join(root, dirname(found))
}

/** Finds where a run with a folder stands. */
export const findWorkspace = (folder: string, env: Environment): Workspace => {
  const start = resolve(folder)
  const action = env["GITHUB_WORKSPACE"] ? resolve(env["GITHUB_WORKSPACE"]) : null
  const folders = upwards(start, action)
  const around = findRepository(folders) ?? (folders.at(-1) === action ? action : null)
  const above = upwards(start, around).find(isConfigured)
  const top = around ?? above ?? start
  return { top, blog: above ?? top, configured: above ?? null }
}

/** Names the configuration that a tool of the blog must have, and that cannot be seen; null if none is missed. */
const findUnseen = async ({ top, configured }: Workspace, start: string): Promise<string | null> => {
  const absent = await listAbsent(top)
  const known = absent.find(isConfiguration)
  if (known !== undefined) return `${known}, which the sparse checkout leaves out,`
  return configured === null && OF_CONTENT.test(start) ? SOME_CONFIGURATION : null
}

/** Tells whether a folder has a file with the name of a tool's configuration. */
const hasConfiguration = (folder: string): boolean =>
  CONFIGURATION_FOLDERS.some((path) => list(join(folder, path)).some(({ name }) => isConfiguration(path + name)))

/** Opens the folder of a blog; from that of a tool around it, if the blog lies in the tool's content. */
export const openWorkspace = async (workspace: Workspace, start: string): Promise<Folder> => {
  const { top, blog } = workspace
  const folder = await openFolder(blog)
  if (folder.files.some(isConfiguration)) return folder
  const above = upwards(blog, top).slice(1).find(hasConfiguration)
  const around = above === undefined ? null : await openFolder(above, `${pathFrom(above, blog)}/`)
  const { contentFolder } = around ? await readTool(around) : NO_TOOL
  if (around && contentFolder !== null && around.blog.startsWith(`${contentFolder}/`)) return around
  return { ...folder, unseen: await findUnseen(workspace, start) }
}
