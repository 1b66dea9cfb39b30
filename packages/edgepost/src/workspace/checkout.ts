import { existsSync, readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { dirname, join } from "node:path"

import { git, isShallowClone } from "./git.ts"

// Tells whether a folder has all the files of its repository.

const isInRepository = (root: string): boolean =>
  existsSync(join(root, ".git")) || (root !== dirname(root) && isInRepository(dirname(root)))

/** Tells why files of submodules may be missing; null if none is. */
const whySubmodules = async (root: string, paths: string[]): Promise<string | null> => {
  for (const path of paths) {
    const names = await readdir(join(root, path)).catch((): string[] => [])
    if (names.length === 0)
      return `the submodule ${path} is not there. Run \`git submodule update --init --recursive\`, or check out with \`submodules: recursive\`.`
    const why = names.includes(".git") ? await whyLacking(join(root, path)) : null
    if (why !== null) return why
  }
  return null
}

/** Tells why a working tree may lack files below a folder; null if it lacks none. */
const whyLacking = async (root: string): Promise<string | null> => {
  if (await isShallowClone(root))
    return "the clone is shallow. Run `git fetch --unshallow`, or check out with `fetch-depth: 0`."
  const entries = (await git(root, "ls-files", "-t", "-s", "-z")).split("\0")
  /** Returns the paths of the entries that begin so: with `S` for one that a sparse checkout leaves out, and the mode. */
  const pathsOf = (start: RegExp): string[] =>
    entries.filter((entry) => start.test(entry)).map((entry) => entry.slice(entry.indexOf("\t") + 1))
  // actions/checkout makes a clone with `sparse-checkout` partial as well.
  // Matches `S 100644`. Does not match `H 100644`.
  const [first, ...others] = pathsOf(/^S /)
  if (first !== undefined)
    return `the checkout is sparse: ${first}${others.length > 0 ? ` and ${others.length} more are` : " is"} not there. Run \`git sparse-checkout disable\`, or check out without \`sparse-checkout\`.`
  // Matches `remote.origin.promisor=true`. Does not match `remote.origin.promisor=false`.
  if (/^remote\..*\.promisor=true$/m.test(await git(root, "config", "--list")))
    return "the clone is partial. Clone it without `--filter`, or check out without `filter`."
  // Matches the mode of a submodule: `H 160000`. Does not match `H 100644`.
  return whySubmodules(root, pathsOf(/^. 160000 /))
}

/** Lists the files of a repository that a sparse checkout leaves out; none without Git. */
export const listAbsent = async (root: string): Promise<string[]> => {
  const entries = await git(root, "ls-files", "-t", "-z").catch(() => "")
  return entries.split("\0").flatMap((entry) => (entry.startsWith("S ") ? [entry.slice(2)] : []))
}

/** Reads a small file; "" if it cannot be read. */
const readSmall = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Lists the submodules that `.gitmodules` names. */
export const readSubmodules = (root: string): string[] =>
  // Matches `path = content`. Does not match `url = a`.
  [...readSmall(join(root, ".gitmodules")).matchAll(/^\s*path\s*=\s*(\S.*?)\s*$/gm)].flatMap(([, path]) => path ?? [])

/** Matches the place of a submodule, `/.git/modules/a`. Does not match that of a worktree, `/.git/modules/a/worktrees/b`. */
const MODULE = /[\\/]modules[\\/](?!.*[\\/]worktrees[\\/][^\\/]+\s*$)/

/** Tells whether a folder with a `.git` is a submodule, as that says: Git keeps its data in the repository around it. */
export const isSubmodule = (path: string): boolean => MODULE.test(readSmall(join(path, ".git")))

/**
 * Tells why a folder may lack files that its repository has.
 * @param isChecked the folder must be the checkout of a repository, as in continuous integration
 * @returns the reason and what to do; null if nothing is missing
 */
export const whyIncomplete = async (root: string, isChecked: boolean): Promise<string | null> => {
  try {
    if (isInRepository(root)) return await whyLacking(root)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return `Git cannot read the repository: ${(stderr || message).trim().split("\n", 1)[0]}`
  }
  if (isChecked) return "there is no `.git` here, so that files may be missing. Check out the repository with Git."
  return whySubmodules(root, readSubmodules(root))
}
