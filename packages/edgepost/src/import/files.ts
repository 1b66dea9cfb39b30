import { lstat, mkdir, readdir, readFile, realpath } from "node:fs/promises"
import { join } from "node:path"

import { replaceFile } from "../replace-file.ts"
import { UsageError } from "../usage-error.ts"

/** The result of writing a file. A file that differs is kept. */
export type Result = "written" | "unchanged" | "differs"

/** Writes files into one folder, and nowhere else. */
export interface Writer {
  /** Results by path from the folder. */
  results: Map<string, Result>
  /** Names in the folder of images before anything was written. */
  images: string[]
  write: (path: string, content: string | Buffer) => Promise<void>
}

/** The folders that are made. */
const FOLDERS = ["posts", "images"]

const make = (path: string): Promise<unknown> =>
  mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new UsageError(`${path} cannot be made: ${error.message}.`, "Give another folder with -o.")
  })

/** Opens a folder, and makes it if it is not there. @param isForced replaces files that differ @throws UsageError */
export const openWriter = async (folder: string, isForced: boolean): Promise<Writer> => {
  await make(folder)
  const root = await realpath(folder)
  for (const name of FOLDERS) {
    await make(join(root, name))
    if ((await lstat(join(root, name))).isSymbolicLink())
      throw new UsageError(`${join(folder, name)} is a link.`, "Give a folder without links with -o.")
  }
  const results: Writer["results"] = new Map()
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    const file = join(root, path)
    const bytes = Buffer.from(content as string)
    const stats = await lstat(file).catch(() => null)
    const isFile = stats?.isFile() ?? false
    if (isFile && bytes.equals(await readFile(file))) return void results.set(path, "unchanged")
    if (stats && !(isFile && isForced)) return void results.set(path, "differs")
    await replaceFile(file, bytes).catch((error: Error) => {
      throw new UsageError(
        `${file} cannot be written: ${error.message}.`,
        "Make room for it, and run the command again.",
      )
    })
    results.set(path, "written")
  }
  return { results, images: await readdir(join(root, "images")), write }
}
