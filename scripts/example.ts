// The example post of examples/tide, as `npm start` and `npm run demo` publish it.
import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

import { Failure } from "./cli.ts"
import { ROOT } from "./tools.ts"

const API = "/api/blogcontroller"
export const LANGUAGES = { primary_language: "en", translation_languages: ["fr", "es", "de"] }
const EXAMPLE = join(ROOT, "examples/tide/post.md")
const CALL_MS = 60_000

// Matches the start and the path of `![A boat](coast.jpg)`. Does not match `![A boat](/media/a.webp)` or `![](https://a.b/c)`.
const RELATIVE_IMAGE = /(!\[[^\]]*\]\()(?!\/|https?:)([^)]+)\)/g
// Matches front matter and the body after it: `---\ntitle: A\n---\n\nWords`. Does not match `Words`.
const FRONT_MATTER = /^---\n([^]*?)\n---\n+([^]*)$/

interface Answer {
  type: string
  text: string
}

export type Call = (method: string, path: string, expected: number | number[], body?: unknown) => Promise<Answer>

/**
 * Returns a function that calls the API and fails unless the answer has an expected status.
 * @param report gets a line for each answer
 */
export const caller =
  (origin: string, key: string, report: (line: string) => void = () => {}): Call =>
  async (method, path, expected, body) => {
    const start = performance.now()
    const isForm = body instanceof FormData
    const isJson = body !== undefined && !isForm
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { "X-API-KEY": key, ...(isJson && { "Content-Type": "application/json" }) },
      signal: AbortSignal.timeout(CALL_MS),
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const ms = Math.round(performance.now() - start)
    report(`  ${method.padEnd(5)} ${path.padEnd(58)} ${answer.status} ${String(ms).padStart(6)} ms`)
    const statuses = [expected].flat()
    if (!statuses.includes(answer.status))
      throw new Failure(`${method} ${path} answers ${answer.status}, not ${statuses.join(" or ")}:\n${text}`)
    return { type: answer.headers.get("Content-Type") ?? "", text }
  }

interface Image {
  /** Relative, as the example's Markdown names it. */
  path: string
  file: File
}

interface Upload {
  path: string
  /** The size of the file in bytes. */
  size: number
  image_id: string
  image_url: string
}

const readImage = (path: string): Image => {
  const bytes = readFileSync(join(dirname(EXAMPLE), path))
  return { path, file: new File([bytes], basename(path)) }
}

/** Reads the example: its front matter as fields of a post, its cover, its Markdown, and the image files that it shows. */
const readExample = () => {
  const [, head, body] = FRONT_MATTER.exec(readFileSync(EXAMPLE, "utf8")) ?? []
  if (head === undefined || body === undefined) throw new Error(`${EXAMPLE} does not begin with front matter.`)
  const front = head.split("\n").map((line): [string, string] => {
    const [name = "", ...value] = line.split(": ")
    return [name, value.join(": ")]
  })
  const { cover = "", ...fields } = Object.fromEntries(front)
  const shown = [...body.matchAll(RELATIVE_IMAGE)].map(([, , path = ""]) => path)
  return { fields, body, cover: readImage(cover), images: shown.map(readImage) }
}

/** Replaces relative paths of images by the URLs of their uploads. */
const showUploads = (body: string, uploads: Upload[]): string => {
  const urls = new Map(uploads.map(({ path, image_url }) => [path, image_url]))
  return body.replace(RELATIVE_IMAGE, (_, start: string, path: string) => `${start}${urls.get(path)})`)
}

const upload = async (call: Call, { path, file }: Image): Promise<Upload> => {
  const form = new FormData()
  form.append("file", file)
  // The answer is 200 if an earlier call has uploaded the same bytes.
  const { text } = await call("POST", `${API}/image-upload/`, [200, 201], form)
  const { image_id, image_url } = JSON.parse(text) as Upload
  return { path, size: file.size, image_id, image_url }
}

/** Uploads the images of the example. @returns the path of its calls, its uploads, and its fields without `status`, for PUT */
export const uploadExample = async (call: Call) => {
  const { fields, body, ...example } = readExample()
  const cover = await upload(call, example.cover)
  const uploads = [cover]
  for (const image of example.images) uploads.push(await upload(call, image))
  const post = {
    ...fields,
    ...LANGUAGES,
    body: showUploads(body, uploads),
    cover_image_id: cover.image_id,
    published_at: "2026-05-01T09:00:00+02:00",
    source: "demo",
  }
  return { path: `${API}/posts/${fields.slug}/`, post, cover, uploads }
}

/** Publishes the example unless the account has a post. Does not wait for its translations. */
export const publishExampleOnce = async (call: Call): Promise<void> => {
  const { text } = await call("GET", `${API}/posts/?limit=1`, 200)
  const { posts } = JSON.parse(text) as { posts: unknown[] }
  if (posts.length > 0) return
  const { path, post } = await uploadExample(call)
  await call("PUT", path, 201, { ...post, status: "PB" })
}
