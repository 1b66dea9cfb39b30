import { constants } from "node:fs"
import { open, readdir, realpath } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"

import { HTML_POST, MARKDOWN } from "./paths.ts"

/** A file of the folder that is not read, and why. */
export class FolderError extends Error {
  override name = "FolderError"
}

/** A folder of posts. Paths are relative to its root, with `/`. */
export interface Folder {
  /** Absolute path without symbolic links. */
  root: string
  /** All files, sorted; without those of `node_modules` and of folders whose names begin with a dot, and without such Markdown files. */
  files: string[]
  /**
   * Reads a file whose real path lies in the folder, and in none of the folders that are not listed. Markdown is not read through a link.
   * @throws FolderError if it may not be read, is no file, or has more bytes
   */
  read: (path: string, maxBytes: number) => Promise<Buffer>
}

/** Tells whether a name is one of settings and secrets, or of the folder of what npm installs. */
const isPrivate = (name: string): boolean => name === "node_modules" || name.startsWith(".")

const list = async (root: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      // A linked folder may contain itself, so only linked files are taken.
      if (entry.isDirectory()) return isPrivate(entry.name) ? [] : list(root, path)
      if (isPrivate(entry.name) && MARKDOWN.test(entry.name)) return []
      return entry.isFile() || entry.isSymbolicLink() ? [path] : []
    }),
  )
  return paths.flat()
}

const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(root, way) === path
}

/** Opening a pipe must not wait for a writer. Windows has neither of these. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

const read = async (root: string, path: string, maxBytes: number): Promise<Buffer> => {
  const real = await realpath(join(root, path)).catch(() => null)
  if (real === null)
    throw new FolderError("The file is gone, or a link to nothing. Put the file there, or remove the link.")
  if (!isWithin(root, real))
    throw new FolderError("It is a link out of the folder, and is not read. Put the file there instead.")
  const way = relative(root, real).split(sep)
  if (way.some(isPrivate))
    throw new FolderError(
      `It leads to ${way.join("/")}. Names that begin with a dot, and node_modules, are never read: remove the symbolic link.`,
    )
  if ((MARKDOWN.test(path) || HTML_POST.test(path)) && real !== resolve(root, path))
    throw new FolderError(
      `It is a symbolic link to ${way.join("/")}. Posts are not read through links: put the file there instead.`,
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
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Lists the files of a folder. @throws when it cannot be read */
export const openFolder = async (path: string): Promise<Folder> => {
  const root = await realpath(path)
  const files = await list(root, "")
  return { root, files: files.toSorted(), read: (file, maxBytes) => read(root, file, maxBytes) }
}
