import { posix, resolve } from "node:path"

import { isAboutRepository } from "../folder/paths.ts"
import { branchOf, type StartEvent } from "../workspace/event.ts"
import { git } from "../workspace/git.ts"
import { findWorkspace, pathFrom } from "../workspace/workspace.ts"

// Asks GitHub what only it knows.

type Environment = Record<string, string | undefined>

/** Calls GitHub's API. @param path below the repository. @throws Error that says its answer */
export const callGitHub = async (
  env: Environment,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> => {
  const answer = await fetch(`${env["GITHUB_API_URL"]}/repos/${env["GITHUB_REPOSITORY"]}/${path}`, {
    method,
    headers: {
      Accept: "application/vnd.github+json",
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "User-Agent": "edgepost",
      "X-GitHub-Api-Version": "2022-11-28",
    },
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${method} ${path.replace(/\?.*/, "")}.`)
  return answer.json()
}

/** Matches images, which may lie beside the folder of the posts. */
const IMAGE = /\.(?:png|jpe?g|webp|gif|avif|tiff?|bmp|svg|heic)$/i
/** Files of a comparison that GitHub lists; there may be more. */
const MAX_FILES = 300

interface Comparison {
  /** `identical` if both are one commit. */
  status: string
  files?: { filename: string; previous_filename?: string }[]
}

/** Matches the answers of GitHub: those of other forges have none of these words. */
const STATUS = /^(?:ahead|behind|diverged|identical)$/

const isIn = (path: string, folder: string): boolean => folder === "." || `${path}/`.startsWith(`${folder}/`)

const isComparison = (one: unknown): one is Comparison =>
  STATUS.test(String((one as Partial<Comparison> | null)?.status))

/** Tells whether a file may change posts of a folder: one in it, or beside a folder above it, where configurations lie. */
const mayChange = (file: string, folder: string): boolean => {
  if (file.startsWith(".github/")) return false
  if (IMAGE.test(file) || folder === "" || isIn(file, folder)) return true
  return isIn(folder, posix.dirname(file)) && !isAboutRepository(file)
}

/**
 * Tells whether a branch has newer commits than those of this run, which may change what is published.
 * @param path of the posts
 * @returns null if GitHub could not be asked
 */
export const hasNewer = async (
  env: Environment,
  token: string,
  event: StartEvent,
  path: string,
): Promise<boolean | null> => {
  const branch = branchOf(event)
  if (branch === null || token === "" || !env["GITHUB_API_URL"]) return branch === null ? false : null
  const { repository } = findWorkspace(path, env)
  const folder = repository === null ? "" : pathFrom(repository, resolve(path))
  // A step before this one may have committed what it made.
  const head = repository === null ? "" : await git(repository, "rev-parse", "HEAD").catch(() => "")
  const compared = await Promise.all(
    [...new Set([head.trim(), event.sha])]
      .filter((sha) => sha !== "")
      .map((sha) => callGitHub(env, token, "GET", `compare/${sha}...${encodeURIComponent(branch)}`).catch(() => null)),
  )
  const known = compared.filter(isComparison)
  if (known.length === 0) return null
  return !known.some(({ status, files = [] }) => {
    const names = files.flatMap(({ filename, previous_filename: before = filename }) => [filename, before])
    const isHarmless = names.every((name) => !mayChange(name, folder)) && files.length < MAX_FILES
    return status === "identical" || (status === "ahead" && isHarmless)
  })
}
