import { BlobReader, configure, type FileEntry, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js"
import { parse } from "yaml"

import { Browser, newLink } from "../author-pages/browser.ts"
import { fetchWorker, ORIGIN } from "../support.ts"

configure({ useWebWorkers: false })

export const browserOf = async (username: string): Promise<Browser> => {
  const browser = new Browser()
  await browser.post(await newLink(username))
  return browser
}

export const exportRequest = ({ cookies }: Browser, query = ""): Request => {
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  return new Request(`${ORIGIN}/settings/export/${query}`, { headers: { Cookie, Accept: "text/html" } })
}

/** Returns every file of a zip after checking its checksum. */
const unzip = async (zip: Uint8Array<ArrayBuffer>): Promise<Map<string, Uint8Array<ArrayBuffer>>> => {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const entry of await new ZipReader(new BlobReader(new Blob([zip]))).getEntries())
    files.set(
      entry.filename,
      await (entry as FileEntry).getData(new Uint8ArrayWriter(), { checkSignature: true, useWebWorkers: false }),
    )
  return files
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Reads the front matter and body of a Markdown file like other programs. */
export const readFile = (bytes: Uint8Array | undefined, version: "1.1" | "1.2" = "1.2") => {
  const text = decoder.decode(bytes)
  const end = text.indexOf("\n---\n", 4)
  // oxlint-disable-next-line typescript/no-explicit-any
  const fields: any = parse(text.slice(4, end), { version })
  return { begin: text.slice(0, 4), fields, body: text.slice(end + "\n---\n".length) }
}

/** Downloads an export and opens it. */
export const download = async (browser: Browser, query = "", env: Partial<Env> = {}) => {
  const response = await fetchWorker(exportRequest(browser, query), env)
  const zip = new Uint8Array(await response.arrayBuffer())
  const files = await unzip(zip)
  const manifest = JSON.parse(decoder.decode(files.get("manifest.json"))) as Record<string, unknown>
  return { response, zip, files, manifest, names: [...files.keys()] }
}
