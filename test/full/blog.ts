import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { deflateSync } from "node:zlib"

import { expect } from "vitest"

import type { Service } from "../e2e/child.ts"
import { call, eventually } from "../e2e/support.ts"
import { bytesOf, pngChunk, pngHead } from "../images/chunks.ts"

// A small blog with everything an export carries, and the helpers that other blogs need.

const execute = promisify(execFile)

/** Runs a program and returns its output. @throws when its exit code is not 0 */
export const run = async (command: string, ...args: string[]): Promise<string> =>
  (await execute(command, args, { maxBuffer: 2 ** 26 })).stdout

/** Returns a function that calls the API and requires success. */
export const clientOf =
  ({ origin, key }: Pick<Service, "origin" | "key">) =>
  async (method: string, path: string, sent?: unknown) => {
    const body = sent instanceof FormData ? sent : JSON.stringify(sent)
    const init = { headers: { "X-API-KEY": key }, ...(sent !== undefined && { body }) }
    const { status, json } = await call(method, `${origin}/api/blogcontroller/${path}`, init)
    expect([200, 201, 202], JSON.stringify(json)).toContain(status)
    return json
  }
export type Client = ReturnType<typeof clientOf>

/** Returns a PNG. @param pixelAt returns red, green, blue and alpha */
export const drawPng = (width: number, height: number, pixelAt: (x: number, y: number) => number[]) => {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (__, x) => pixelAt(x, y).map(Math.floor)).flat(),
  ])
  return bytesOf(pngHead(width, height), pngChunk("IDAT", deflateSync(Uint8Array.from(rows.flat()))), pngChunk("IEND"))
}

/** Returns an image of gradients and edges whose size depends on `i`. */
const drawing = (i: number) =>
  drawPng(96 + 16 * i, 80, (x, y) => {
    const edge = (y >> 4) % 2 === 0 ? 40 : 0
    return [(x * 2 + i * 20) % 200, 215 - y - edge, 60 + edge, 255]
  })

export const readExample = async (name: string) => Uint8Array.from(await readFile(`examples/tide/${name}`))

/** Uploads an image. */
export const upload = async (
  client: Client,
  file: Uint8Array<ArrayBuffer>,
): Promise<{ image_id: string; image_url: string }> => {
  const form = new FormData()
  form.append("file", new Blob([file]), "image")
  return client("POST", "image-upload/", form)
}

/** At most nine: the second import uploads the draft's image again, and ten uploads a minute are allowed. */
const uploadImages = async (client: Client) => {
  const examples = await Promise.all(["coast.jpg", "twelfths.png"].map(readExample))
  const uploaded = []
  for (const file of [...examples, ...Array.from({ length: 7 }, (_, i) => drawing(i))])
    uploaded.push(await upload(client, file))
  return uploaded
}

/** Waits until all translations of these posts are ready. */
export const settle = (client: Client, ...slugs: string[]) =>
  eventually(async () => {
    const answers = await Promise.all(slugs.map((slug) => client("GET", `posts/${slug}/translations/`)))
    const statuses = answers.flatMap(({ translations }) => translations.map(({ status }: { status: string }) => status))
    expect(statuses.filter((status) => status !== "ready")).toEqual([])
  })

/** API paths of all texts of the blog. */
export const TEXTS = ["nine en", "nine fr", "nine es", "unlisted en", "unlisted de", "draft pt-BR"].map((text) =>
  text.replace(" ", "/?lang_code="),
)

const FIELDS = { title: "A title", meta_description: "What it is about.", categories: "x, y", tags: "a, b" }
const RICH =
  "---\nTwo\r\nlines\n\n| a | b |\n|---|--:|\n| `1` | **2** |\n\n```js\n1 < 2\n```\n\nA note[^1].\n\n[^1]: Of it.\n\n"

/** Makes a post with nine images, the last one not shown, and hand-edited translations, one of them outdated. */
const writeNine = async (client: Client, images: string[], image_ids: string[]): Promise<void> => {
  const languages = { lang_code: "en", primary_language: "en", translation_languages: ["fr", "es"] }
  const patch = (changes: object) => client("PATCH", "posts/nine/", { ...languages, ...changes })
  await client("POST", "posts/", { ...FIELDS, slug: "nine", status: "PB", body: images.at(-1), image_ids })
  await patch({ body: RICH + images.slice(0, 8).join("\n\n") })
  await settle(client, "nine")
  await patch({ lang_code: "fr", title: "Un titre", body: `Mots\n\n${images[1]}` })
  await patch({ lang_code: "es", meta_description: "De qué trata." })
  await patch({ title: "Another title" })
  await settle(client, "nine")
}

/** Makes a post with a text in a language that is no longer listed. */
const writeUnlisted = async (client: Client): Promise<void> => {
  const languages = { primary_language: "en", translation_languages: ["de"] }
  await client("POST", "posts/", { ...FIELDS, ...languages, slug: "unlisted", status: "PB", body: "Words" })
  await settle(client, "unlisted")
  await client("PATCH", "posts/unlisted/", { ...languages, lang_code: "de", title: "Ein Titel" })
  await client("PATCH", "posts/unlisted/", { ...languages, lang_code: "en", translation_languages: [] })
}

export const writeBlog = async (client: Client): Promise<void> => {
  const uploaded = await uploadImages(client)
  const images = uploaded.map(({ image_url }) => `![An image](${image_url})`)
  const image_ids = uploaded.slice(0, 8).map(({ image_id }) => image_id)
  await writeNine(client, images, image_ids)
  await writeUnlisted(client)
  const languages = { primary_language: "pt-BR", translation_languages: [] }
  await client("POST", "posts/", { ...FIELDS, ...languages, slug: "draft", status: "DF", body: images[0] })
}
