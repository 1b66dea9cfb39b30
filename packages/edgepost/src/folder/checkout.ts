import { existsSync } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"

// Tells from Git's own files whether a folder has all that it should have. Git itself is not run: it may not be there.

/** An entry of an index: a path from the top of the repository, in Latin-1. */
interface IndexEntry {
  path: string
  isSubmodule: boolean
  /** A sparse checkout leaves it out. */
  isSkipped: boolean
}

const SUBMODULE = 0o160000
const EXTENDED = 0x4000
const SKIP_WORKTREE = 0x4000

/**
 * Reads the entries of an index. Source: "gitformat-index" of Git's documentation, versions 2 to 4.
 * @param idBytes length of an object's id
 */
const readIndex = (bytes: Buffer, idBytes = 20): IndexEntry[] => {
  if (bytes.toString("latin1", 0, 4) !== "DIRC") return []
  const entries: IndexEntry[] = []
  const isShortened = bytes.readUInt32BE(4) === 4
  let at = 12
  let before = ""
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + 40 + idBytes
    const isExtended = (bytes.readUInt16BE(flagsAt) & EXTENDED) !== 0
    let start = flagsAt + (isExtended ? 4 : 2)
    let kept = ""
    if (isShortened) {
      // How much of the path before ends, as a number of 7 bits a byte.
      let cut = bytes.readUInt8(start) & 0x7f
      while ((bytes.readUInt8(start++) & 0x80) !== 0) cut = ((cut + 1) << 7) | (bytes.readUInt8(start) & 0x7f)
      kept = before.slice(0, before.length - cut)
    }
    const end = bytes.indexOf(0, start)
    before = kept + bytes.toString("latin1", start, end)
    entries.push({
      path: before,
      isSubmodule: bytes.readUInt32BE(at + 24) === SUBMODULE,
      isSkipped: isExtended && (bytes.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) !== 0,
    })
    at = isShortened ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return entries
}

const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "")

const isEmptyFolder = async (path: string): Promise<boolean> => (await readdir(path).catch(() => [])).length === 0

/** Returns the folder of a repository's own files. Of a worktree or a submodule, `.git` is a file that names it. */
const gitFolderOf = async (top: string): Promise<string> => {
  const path = join(top, ".git")
  if ((await stat(path)).isDirectory()) return path
  // Matches `gitdir: ../.git/modules/a`. Does not match `ref: a`.
  const [, folder = ""] = /^gitdir: (.+?)\s*$/m.exec(await readText(path)) ?? []
  return resolve(top, folder)
}

const isWithin = (root: string, path: string): boolean => path === root || path.startsWith(root + sep)

const ofSubmodule = (path: string): string =>
  `the submodule ${path} is not there. Run \`git submodule update --init --recursive\`, or check out with \`submodules: recursive\`.`

/** Tells why a repository's working tree lacks files below a folder; null if it lacks none. */
const whyLacking = async (top: string, root: string): Promise<string | null> => {
  const own = await gitFolderOf(top)
  const common = resolve(own, (await readText(join(own, "commondir"))).trim())
  if ((await readText(join(common, "shallow"))) !== "")
    return "the clone is shallow. Run `git fetch --unshallow`, or check out with `fetch-depth: 0`."
  const config = await readText(join(common, "config"))
  // Matches `promisor = true` and `partialclonefilter = blob:none`. Does not match `promisor = false`.
  if (/^\s*(?:promisor\s*=\s*true|partialclonefilter\s*=)/im.test(config))
    return "the clone is partial. Clone it without `--filter`, or check out without `filter`."
  const index = await readFile(join(own, "index")).catch(() => Buffer.alloc(0))
  const isSha256 = /^\s*objectformat\s*=\s*sha256/im.test(config)
  const entries = readIndex(index, isSha256 ? 32 : 20)
    .filter(({ isSubmodule, isSkipped }) => isSubmodule || isSkipped)
    .map((entry) => ({ ...entry, path: join(top, Buffer.from(entry.path, "latin1").toString()) }))
    .filter(({ path }) => isWithin(root, path))
  const skipped = entries.filter(({ isSkipped }) => isSkipped)
  if (skipped[0])
    return `the checkout is sparse: ${relative(root, skipped[0].path)}${skipped.length > 1 ? ` and ${skipped.length - 1} more are` : " is"} not there. Run \`git sparse-checkout disable\`.`
  for (const { path } of entries) {
    if (await isEmptyFolder(path)) return ofSubmodule(relative(root, path))
    const why = existsSync(join(path, ".git")) ? await whyLacking(path, root) : null
    if (why !== null) return why
  }
  return null
}

/** Names a submodule of which a folder only has the place, by `.gitmodules`; null if there is none. */
const findUnfetched = async (top: string, root: string): Promise<string | null> => {
  // Matches `path = content`. Does not match `url = a`.
  const paths = (await readText(join(top, ".gitmodules"))).matchAll(/^\s*path\s*=\s*(\S.*?)\s*$/gm)
  for (const [, path = ""] of paths)
    if (isWithin(root, join(top, path)) && (await isEmptyFolder(join(top, path))))
      return relative(root, join(top, path))
  return null
}

/**
 * Tells why a folder may lack files that its repository has.
 * @param root absolute path without symbolic links
 * @param isChecked the folder must be the checkout of a repository, as in continuous integration
 * @returns the reason and what to do; null if nothing is missing
 */
export const whyIncomplete = async (root: string, isChecked: boolean): Promise<string | null> => {
  let top = root
  while (!existsSync(join(top, ".git")) && top !== dirname(top)) top = dirname(top)
  const isRepository = existsSync(join(top, ".git"))
  if (!isRepository && isChecked)
    return "there is no `.git` here, so that files may be missing. Check out the repository with Git."
  const unfetched = await findUnfetched(isRepository ? top : root, root)
  if (unfetched !== null) return ofSubmodule(unfetched)
  return isRepository ? whyLacking(top, root) : null
}
