import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { BlobReader, BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js"

import { newFolder } from "../../../../test/after-file.ts"

/** Makes a zip of texts and bytes by name. */
export const zip = async (files: Record<string, string | Uint8Array<ArrayBuffer>>): Promise<Buffer> => {
  const writer = new ZipWriter(new BlobWriter())
  for (const [name, content] of Object.entries(files))
    await writer.add(name, typeof content === "string" ? new TextReader(content) : new BlobReader(new Blob([content])))
  return Buffer.from(await (await writer.close()).arrayBuffer())
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

/** Returns an export of Ghost with some posts. */
export const ghostJson = (posts: object[]): string => JSON.stringify({ db: [{ data: { posts } }] })

/** Returns a public post of Ghost. */
export const ghostPost = (slug: string, fields: object = {}) => ({
  slug,
  title: slug,
  html: "<p>a</p>",
  status: "published",
  published_at: "2024-01-01T00:00:00Z",
  ...fields,
})

/** Returns an export of WordPress. */
export const wxr = (items: string): string =>
  `<rss><channel><wp:wxr_version>1.2</wp:wxr_version>${items}</channel></rss>`

/** Returns a public post of WordPress. @param fields further elements */
export const wordpressPost = (content: string, fields = ""): string =>
  `<item><title>A</title><wp:post_date_gmt>2024-01-01 00:00:00</wp:post_date_gmt><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[${content}]]></content:encoded>${fields}</item>`
