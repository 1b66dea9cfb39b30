import { existsSync } from "node:fs"
import { lstat, mkdir, readdir, readFile, realpath } from "node:fs/promises"
import { join } from "node:path"

import { sha256 } from "../hash.ts"
import { replaceFile } from "../replace-file.ts"
import { UsageError } from "../usage-error.ts"
import { isFields } from "./data.ts"

/** The result of writing a file. A file that its author has changed differs, and is kept. */
export type Result = "written" | "unchanged" | "differs"

/** Writes files into one folder, and nowhere else. */
export interface Writer {
  /** Results by path from the folder. */
  results: Map<string, Result>
  /** Names in the folder of images before anything was written. */
  images: string[]
  /** Paths of files that earlier imports wrote and that are still there. */
  earlier: string[]
  write: (path: string, content: string | Buffer) => Promise<void>
  /** Returns the text of a file; "" without one. */
  read: (path: string) => Promise<string>
  /** Keeps the hashes of what was written, by which the next import recognizes unedited files. */
  close: () => Promise<void>
}

/** The folders that are made. */
const FOLDERS = ["posts", "images"]
/** The file of hashes (SHA-256, hexadecimal) by path. */
const RECORD = ".edgepost-import.json"

const readRecord = async (file: string): Promise<Map<string, unknown>> => {
  try {
    const record: unknown = JSON.parse(await readFile(file, "utf8"))
    return new Map(isFields(record) ? Object.entries(record) : [])
  } catch {
    // Without it all files that differ are kept.
    return new Map()
  }
}

const make = (path: string): Promise<unknown> =>
  mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new UsageError(`${path} cannot be made: ${error.message}.`, "Give another folder with -o.")
  })

/** Opens a folder, and makes it if it is not there. @param isForced replaces files that differ @throws UsageError */
export const openWriter = async (folder: string, isForced: boolean): Promise<Writer> => {
  await make(folder)
  const root = await realpath(folder)
  for (const name of FOLDERS) await make(join(root, name))
  const record = await readRecord(join(root, RECORD))
  const results: Writer["results"] = new Map()
  const replace = (path: string, bytes: Buffer): Promise<void> =>
    replaceFile(join(root, path), bytes).catch((error: Error) => {
      throw new UsageError(
        `${join(root, path)} cannot be written: ${error.message}.`,
        "Make room for it, and run the command again.",
      )
    })
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    const file = join(root, path)
    const bytes = Buffer.from(content as string)
    const stats = await lstat(file).catch(() => null)
    const there = stats?.isFile() ? await readFile(file) : null
    const isSame = there?.equals(bytes) ?? false
    const isOurs = there !== null && (isForced || record.get(path) === sha256(there))
    if (stats && !isSame && !isOurs) return void results.set(path, "differs")
    if (!isSame) await replace(path, bytes)
    record.set(path, sha256(bytes))
    results.set(path, isSame ? "unchanged" : "written")
  }
  const close = () => replace(RECORD, Buffer.from(`${JSON.stringify(Object.fromEntries(record), null, 2)}\n`))
  const earlier = [...record.keys()].filter((path) => existsSync(join(root, path)))
  const read = (path: string) => readFile(join(root, path), "utf8").catch(() => "")
  return { results, images: await readdir(join(root, "images")), earlier, write, read, close }
}
