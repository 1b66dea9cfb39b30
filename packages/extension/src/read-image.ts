import { ImageProblem, shrink } from "../../../public/assets/shrink.js"
import { MAX_IMAGE_SIDE_PX, MAX_UPLOAD_BYTES } from "../../../src/limits.ts"

// Reads an image of a page, and makes it small.

/** Bytes of an image's file: a larger one is left a link. In Base64 it fits into a message, which has at most 64 MiB. */
const MAX_SOURCE_BYTES = 40 * 1024 * 1024
const TOO_LARGE = `its file has more than ${MAX_SOURCE_BYTES / 2 ** 20} MB`
const READ_MS = 60_000

/** Returns what to ask the browser for so that images of an origin can be read; null if it never allows that. */
export const permissionFor = (url: string): string | null => {
  const { protocol, hostname } = new URL(url)
  const isAskable = protocol === "https:" || (protocol === "http:" && hostname === "localhost")
  return isAskable ? `${protocol}//${hostname}/*` : null
}

export const isAllowed = async (url: string): Promise<boolean> => {
  const origin = permissionFor(url)
  return origin !== null && chrome.permissions.contains({ origins: [origin] })
}

type Answer = { data: string } | { status: number } | { away: true } | { large: true }

/**
 * Reads a file, but no more than the limit: its size may not be known before. Runs in the page too, so it must not use anything
 * outside of itself.
 * @param isOwn true in the page, to read with its cookies
 */
const readFile = async (url: string, isOwn: boolean, ms: number, maxBytes: number): Promise<Answer> => {
  if (isOwn && new URL(url).origin !== location.origin) return { away: true }
  const credentials = isOwn ? "same-origin" : "omit"
  const answer = await fetch(url, { credentials, signal: AbortSignal.timeout(ms) })
  if (!answer.ok) return { status: answer.status }
  if (Number(answer.headers.get("Content-Length")) > maxBytes) return { large: true }
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const stream = answer.body?.getReader()
  for (let read = await stream?.read(); read?.value; read = await stream?.read()) {
    size += read.value.length
    if (size > maxBytes) {
      await stream?.cancel()
      return { large: true }
    }
    chunks.push(read.value)
  }
  const data = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(reader.result as string))
    reader.addEventListener("error", () => reject(reader.error as DOMException))
    reader.readAsDataURL(new Blob(chunks, { type: answer.headers.get("Content-Type") ?? "" }))
  })
  return { data }
}

const throughPage = async (url: string, tabId: number): Promise<Answer | null> => {
  const [injected] = await chrome.scripting
    .executeScript({ target: { tabId }, func: readFile, args: [url, true, READ_MS, MAX_SOURCE_BYTES] })
    .catch(() => [])
  return injected?.result ?? null
}

const fromOrigin = (url: string): Promise<Answer | null> =>
  readFile(url, false, READ_MS, MAX_SOURCE_BYTES).catch(() => null)

/**
 * Reads an image of the page's own origin with the rights of the page, another one with the permission that the user gave.
 * @param pageUrl the address of the page
 * @throws ImageProblem
 */
export const readImage = async (url: string, pageUrl: string, tabId: number): Promise<Blob> => {
  const isOwn = new URL(url).origin === new URL(pageUrl).origin
  if (!isOwn && !(await isAllowed(url))) throw new ImageProblem("you have not allowed to read it from its site")
  const answer = isOwn ? await throughPage(url, tabId) : await fromOrigin(url)
  if (!answer || "away" in answer)
    throw new ImageProblem(isOwn ? "its page is no longer open, or did not give it" : "its site does not answer")
  if ("large" in answer) throw new ImageProblem(TOO_LARGE)
  if ("status" in answer) throw new ImageProblem(`its site answered ${answer.status}`)
  const file = await fetch(answer.data).then((copy) => copy.blob())
  return shrink(file, { maxSide: MAX_IMAGE_SIDE_PX, maxBytes: MAX_UPLOAD_BYTES })
}
