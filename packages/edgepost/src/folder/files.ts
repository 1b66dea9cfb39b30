import { constants, type Dirent } from "node:fs"
import { open, readdir, realpath, stat } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"

import { DOT_FILES, DOT_FOLDERS } from "../tools/dot-names.ts"
import { isSubmodule, readSubmodules } from "../workspace/checkout.ts"
import { FolderError } from "./folder-error.ts"
import { HTML_POST, MARKDOWN } from "./paths.ts"
import { isOfAnnex, keptByAnnex, refusePointer } from "./pointer.ts"
import type { LeftOut } from "./post.ts"

/** A folder of posts. Paths are relative to its root, with `/`. */
export interface Folder {
  /** Absolute path without symbolic links. */
  root: string
  /** Folder of the blog, with `/` at its end; "" for the root itself. Files beside it are none of its posts. */
  blog: string
  /** The configuration of the blog's tool that cannot be seen; null if none is missed. */
  unseen: string | null
  /** All files, sorted; without those of `node_modules`, of other checkouts, and of folders whose names begin with a dot, but settings of tools. */
  files: string[]
  /** Folders of settings with `/` at their ends, also those of which no file is listed. */
  signs: string[]
  /** Links and folders of which nothing is read, and why. */
  leftOut: LeftOut[]
  /**
   * Reads a file whose real path lies in the folder, and in none of the folders that are not listed. Markdown is not read through a link.
   * @param isPlain no file is read through a link
   * @throws FolderError if it may not be read, is no file, or has more bytes
   */
  read: (path: string, maxBytes: number, isPlain?: boolean) => Promise<Buffer>
}

/** Tells whether a name is one of settings and secrets, or of the folder of what npm installs. */
const isPrivate = (name: string): boolean => name === "node_modules" || name.startsWith(".")

/** Matches the folders of a folder of settings that are listed, with all that is in them. */
const OF_SETTINGS = /^(?:config|public|templates)$/

/** Tells whether the names of a path are such that it is listed: those of settings of tools are. */
const isListed = (way: string[]): boolean =>
  way.every((name, i) => {
    const isFile = i === way.length - 1
    if (isPrivate(name)) return (isFile ? DOT_FILES : DOT_FOLDERS).test(name)
    return isFile || !DOT_FOLDERS.test(way[i - 1] ?? "") || OF_SETTINGS.test(name)
  })

const isPost = (path: string): boolean => MARKDOWN.test(path) || HTML_POST.test(path)

/** Tells whether a folder is a checkout of its own. A submodule is a part of the repository around it. */
const isCheckout = (path: string, entries: Dirent[]): boolean =>
  entries.some(({ name }) => name === ".git") && !isSubmodule(path)

/** The files, links and signs of a folder. */
interface Listed {
  files: string[]
  /** Symbolic links, by their paths. */
  links: string[]
  signs: string[]
  leftOut: LeftOut[]
}

/** Lists what a folder has. @param submodules paths of folders that are checkouts of this repository */
const list = async (root: string, folder: string, submodules: string[]): Promise<Listed> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const isOther = folder !== "" && !submodules.includes(folder) && isCheckout(join(root, folder), entries)
  const isOfSettings = DOT_FOLDERS.test(folder.split("/").at(-1) ?? "")
  const found = await Promise.all(
    entries.map(async (entry): Promise<Partial<Listed>> => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      const isSign = DOT_FOLDERS.test(entry.name) && (entry.isDirectory() || entry.isSymbolicLink())
      const signs = isSign ? [`${path}/`] : []
      if (entry.isDirectory()) {
        // What a folder of settings holds is more than settings.
        const isRead = isOfSettings
          ? OF_SETTINGS.test(entry.name)
          : !isPrivate(entry.name) || DOT_FOLDERS.test(entry.name)
        const below: Partial<Listed> = isRead ? await list(root, path, submodules) : {}
        return { ...below, signs: [...signs, ...(below.signs ?? [])] }
      }
      if ((isOfSettings || isPrivate(entry.name)) && MARKDOWN.test(entry.name)) return {}
      if (entry.isSymbolicLink()) return { links: [path], signs }
      return entry.isFile() ? { files: [path] } : {}
    }),
  )
  const files = found.flatMap((one) => one.files ?? [])
  const others = files.filter(isPost).map((file) => ({ file, line: 1, reason: "another checkout" }))
  return {
    files: isOther ? [] : files,
    links: isOther ? [] : found.flatMap(({ links = [] }) => links),
    signs: isOther ? [] : found.flatMap(({ signs = [] }) => signs),
    leftOut: [...found.flatMap(({ leftOut = [] }) => leftOut), ...(isOther ? others : [])],
  }
}

/**
 * Finds what symbolic links add to a folder: posts are read once, under their real paths, and other files under those of the links too.
 * @param files of the folder, by their real paths
 */
const follow = async (root: string, files: string[], links: string[]): Promise<Pick<Listed, "files" | "leftOut">> => {
  const found: Pick<Listed, "files" | "leftOut"> = { files: [], leftOut: [] }
  for (const path of links) {
    const real = await realpath(join(root, path)).catch(() => null)
    const isFolder = real !== null && (await stat(real)).isDirectory()
    const way = real === null ? "" : relative(root, real).split(sep).join("/")
    const leaveOut = (reason: string) => found.leftOut.push({ file: path, line: 1, reason })
    // A post that git-annex keeps is one, but cannot be read.
    if (!isFolder && (!isPost(path) || (await isOfAnnex(join(root, path))))) found.files.push(path)
    else if (real === null) leaveOut("a link to nothing")
    else if (!isWithin(root, real) && real !== root) leaveOut("a link out of the folder")
    else if (way.split("/").some(isPrivate)) leaveOut(`a link to ${way}`)
    else if (!isFolder && !(isPost(way) && files.includes(way))) leaveOut(`a link to ${way}`)
    // A folder that lies in what it links to would contain itself.
    else if (isFolder && way !== "" && !path.startsWith(`${way}/`))
      for (const file of files)
        if (file.startsWith(`${way}/`) && !isPost(file)) found.files.push(path + file.slice(way.length))
  }
  return found
}

const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(root, way) === path
}

/** Opening a pipe must not wait for a writer. Windows has neither of these. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

const read = async (
  root: string,
  path: string,
  maxBytes: number,
  files: ReadonlySet<string>,
  isPlain: boolean,
): Promise<Buffer> => {
  const real = await realpath(join(root, path)).catch(() => null)
  if (real !== resolve(root, path) && (await isOfAnnex(join(root, path)))) throw keptByAnnex()
  if (real === null)
    throw new FolderError("The file is gone, or a link to nothing. Put the file there, or remove the link.")
  if (!isWithin(root, real))
    throw new FolderError("It is a link out of the folder, and is not read. Put the file there instead.")
  const way = relative(root, real).split(sep)
  // Settings of tools are read by their own names alone.
  if (real === resolve(root, path) ? !isListed(way) : way.some(isPrivate))
    throw new FolderError(
      `It leads to ${way.join("/")}. Names that begin with a dot, and node_modules, are never read: remove the symbolic link.`,
    )
  if ((isPlain || isPost(path)) && real !== resolve(root, path))
    throw new FolderError(
      `It is a symbolic link to ${way.join("/")}. Texts are not read through links: put the file there instead.`,
    )
  // The real path is opened, so a link that is changed meanwhile leads nowhere else. A folder in the path that becomes a link is not
  // noticed: who can change the folder during the run could as well put the file into it.
  const file = await open(real, FLAGS).catch((error: Error) => {
    throw new FolderError(`It cannot be opened: ${error.message}`)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new FolderError("It is no file.")
    if (stats.size > maxBytes) throw new FolderError(`It has ${stats.size} bytes; at most ${maxBytes} are read.`)
    const bytes = await file.readFile()
    refusePointer(bytes, path, files)
    return bytes
  } finally {
    await file.close()
  }
}

/** Lists the files of a folder. @param blog see `Folder` @throws when it cannot be read */
export const openFolder = async (path: string, blog = ""): Promise<Folder> => {
  const root = await realpath(path)
  const found = await list(root, "", [...readSubmodules(root), blog.slice(0, -1)])
  const linked = await follow(root, found.files, found.links)
  const files = [...found.files, ...linked.files].toSorted()
  const known = new Set(files)
  return {
    root,
    blog,
    unseen: null,
    files,
    signs: found.signs,
    leftOut: [...found.leftOut, ...linked.leftOut].toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    read: (file, maxBytes, isPlain = false) => read(root, file, maxBytes, known, isPlain),
  }
}
