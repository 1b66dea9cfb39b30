import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { BlobReader, BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js"
import { afterAll } from "vitest"

/** Makes a zip of texts and bytes by name. */
export const zip = async (files: Record<string, string | Uint8Array<ArrayBuffer>>): Promise<Buffer> => {
  const writer = new ZipWriter(new BlobWriter())
  for (const [name, content] of Object.entries(files))
    await writer.add(name, typeof content === "string" ? new TextReader(content) : new BlobReader(new Blob([content])))
  return Buffer.from(await (await writer.close()).arrayBuffer())
}

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Makes a new folder, which is removed after the tests of the file. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "edgepost-import-"))
  folders.push(folder)
  return folder
}

/** Writes a file into a new folder. @returns its path */
export const fileWith = async (name: string, content: string | Uint8Array): Promise<string> => {
  const file = join(await newFolder(), name)
  await writeFile(file, content)
  return file
}

/** Returns the export of Medium in this folder as a zip. */
export const mediumZip = async (): Promise<string> => {
  const folder = join(import.meta.dirname, "medium")
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async (name) => [`posts/${name}`, await readFile(join(folder, name), "utf8")] as const),
  )
  return fileWith("medium.zip", await zip(Object.fromEntries([...files, ["profile/profile.html", "<h1>Dan</h1>"]])))
}
