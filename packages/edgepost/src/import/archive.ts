import { openAsBlob } from "node:fs"
import { readFile, stat } from "node:fs/promises"

import { BlobReader, configure, type FileEntry, ZipReader } from "@zip.js/zip.js"

import { UsageError } from "../usage-error.ts"

// Reads export files within limits. The names in an archive are only looked up: nothing is written by them.

const MAX_FILE_BYTES = 500_000_000
const MAX_TEXT_BYTES = 200_000_000
const MAX_ENTRIES = 20_000
const MAX_ENTRY_BYTES = 100_000_000
const MAX_ALL_BYTES = 2_000_000_000
const MAX_NESTING = 200
/** Values of a JSON text. An export of 10,000 posts has about a million. */
const MAX_VALUES = 2_000_000

const ADVICE = "Give the file as it was downloaded, after its kind: ghost, wordpress or medium."

/** The files of an archive. */
export interface Archive {
  names: string[]
  /** Reads a file. @throws UsageError if it is too large or damaged */
  read: (name: string) => Promise<Buffer>
}

/** Checks the size of an export. @throws UsageError */
const checkFile = async (file: string): Promise<number> => {
  const stats = await stat(file).catch(() => null)
  if (!stats?.isFile()) throw new UsageError(`There is no file ${file}.`, "Give the file that the old site exported.")
  if (stats.size > MAX_FILE_BYTES)
    throw new UsageError(`${file} has over ${MAX_FILE_BYTES / 1e6} MB.`, "Export fewer posts at once.")
  return stats.size
}

/** Tells whether a file begins as a zip. */
export const isZip = async (file: string): Promise<boolean> => {
  await checkFile(file)
  const head = Buffer.from(await (await openAsBlob(file)).slice(0, 4).arrayBuffer())
  return head.toString("latin1") === "PK\u0003\u0004"
}

const tooLarge = (name: string): UsageError =>
  new UsageError(
    `${name} in the archive is too large once it is unpacked.`,
    "Remove it from the archive, or export fewer posts.",
  )

/** Opens a zip. Bytes are counted while they are unpacked, since a header can lie. @throws UsageError */
export const openArchive = async (file: string): Promise<Archive> => {
  await checkFile(file)
  configure({ useWebWorkers: false })
  const entries = new Map<string, FileEntry>()
  let count = 0
  try {
    for await (const entry of new ZipReader(new BlobReader(await openAsBlob(file))).getEntriesGenerator()) {
      count += 1
      if (count > MAX_ENTRIES)
        throw new UsageError(`${file} holds over ${MAX_ENTRIES} files and folders.`, "Export fewer posts at once.")
      if (!entry.directory) entries.set(entry.filename, entry)
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} is not a readable zip: ${(error as Error).message}.`, ADVICE)
  }
  let all = 0
  const read = async (name: string): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    let size = 0
    const sink = new WritableStream<Uint8Array>({
      write: (chunk) => {
        size += chunk.length
        all += chunk.length
        if (size > MAX_ENTRY_BYTES || all > MAX_ALL_BYTES) throw tooLarge(name)
        chunks.push(chunk)
      },
    })
    try {
      await entries.get(name)?.getData(sink, { checkSignature: true })
    } catch (error) {
      if (size > MAX_ENTRY_BYTES || all > MAX_ALL_BYTES) throw tooLarge(name)
      throw new UsageError(`${name} in the archive cannot be read: ${(error as Error).message}.`, ADVICE)
    }
    return Buffer.concat(chunks)
  }
  return { names: [...entries.keys()], read }
}

/** Reads an export that is one text. @throws UsageError */
export const readExport = async (file: string): Promise<Buffer> => {
  if ((await checkFile(file)) > MAX_TEXT_BYTES)
    throw new UsageError(`${file} has over ${MAX_TEXT_BYTES / 1e6} MB of text.`, "Export fewer posts at once.")
  return readFile(file)
}

/** Checks JSON before it is parsed: deep data and many small values take much memory. @throws UsageError */
const checkJson = (bytes: Buffer, file: string): void => {
  let [depth, values, isText] = [0, 0, false]
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (isText && byte === 0x5c) i += 1
    else if (byte === 0x22) isText = !isText
    else if (isText) continue
    else if (byte === 0x7d || byte === 0x5d) depth -= 1
    else if (byte === 0x2c) values += 1
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      values += 1
    }
    if (depth > MAX_NESTING) throw new UsageError(`${file} is nested over ${MAX_NESTING} levels deep.`, ADVICE)
    if (values > MAX_VALUES)
      throw new UsageError(`${file} holds over ${MAX_VALUES} values.`, "Export fewer posts at once.")
  }
}

/** Parses JSON within limits. @throws UsageError */
export const parseJson = (bytes: Buffer, file: string): unknown => {
  checkJson(bytes, file)
  try {
    // Matches a mark of byte order at the start.
    return JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, "")) as unknown
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message.split("\n")[0]}.`, ADVICE)
  }
}
