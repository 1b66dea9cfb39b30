// Publishes the example post with its images in four languages, shows every call, and ends.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { Failure, main, readOptions } from "./cli.ts"
import { freePort, makeDemoAccount, startService } from "./service.ts"
import { ROOT } from "./tools.ts"

const USAGE = `npm run demo [-- --keep]

--keep  leave the service running afterwards, to look at the post in a browser`

const API = "/api/blogcontroller"
const LANGUAGES = { primary_language: "en", translation_languages: ["fr", "es", "de"] }
const POLL_MS = 500
const TRANSLATION_MS = 60_000
const EXAMPLE = join(ROOT, "examples/tide/post.md")

// Matches the start and the path of `![A boat](coast.jpg)`. Does not match `![A boat](/media/a.webp)` or `![](https://a.b/c)`.
const RELATIVE_IMAGE = /(!\[[^\]]*\]\()(?!\/|https?:)([^)]+)\)/g
// Matches front matter and the body after it: `---\ntitle: A\n---\n\nWords`. Does not match `Words`.
const FRONT_MATTER = /^---\n([^]*?)\n---\n+([^]*)$/

interface Image {
  /** Relative, as the example's Markdown names it. */
  path: string
  file: File
}

interface Upload {
  path: string
  image_id: string
  image_url: string
}

interface Translation {
  lang_code: string
  status: string
  error: { message: string } | null
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
  return { fields, body, images: [cover, ...shown].map(readImage) }
}

/** Replaces relative paths of images by the URLs of their uploads. */
const showUploads = (body: string, uploads: Upload[]): string => {
  const urls = new Map(uploads.map(({ path, image_url }) => [path, image_url]))
  return body.replace(RELATIVE_IMAGE, (_, start: string, path: string) => `${start}${urls.get(path)})`)
}

interface Answer {
  type: string
  text: string
}

type Call = (method: string, path: string, expected: number, body?: unknown) => Promise<Answer>

/** Makes calls that print themselves and fail unless the answer has the expected status. */
const caller =
  (origin: string, key: string): Call =>
  async (method, path, expected, body) => {
    const start = performance.now()
    const isForm = body instanceof FormData
    const isJson = body !== undefined && !isForm
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { "X-API-KEY": key, ...(isJson && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const ms = Math.round(performance.now() - start)
    console.log(`  ${method.padEnd(5)} ${path.padEnd(58)} ${answer.status} ${String(ms).padStart(6)} ms`)
    if (answer.status !== expected) throw new Failure(`Expected ${expected}; the answer was:\n${text}`)
    return { type: answer.headers.get("Content-Type") ?? "", text }
  }

const upload = async (call: Call, images: Image[]): Promise<Upload[]> => {
  const uploads = []
  for (const { path, file } of images) {
    const form = new FormData()
    form.append("file", file)
    const { text } = await call("POST", `${API}/image-upload/`, 201, form)
    const { image_id, image_url } = JSON.parse(text) as Upload
    console.log(`        ${path}, ${file.size} bytes → ${image_url}`)
    uploads.push({ path, image_id, image_url })
  }
  return uploads
}

const waitFor = async (call: Call, post: string, lang: string): Promise<void> => {
  for (const deadline = Date.now() + TRANSLATION_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const { text } = await call("GET", `${post}translations/`, 200)
    const { translations } = JSON.parse(text) as { translations: Translation[] }
    const states = translations.map(({ lang_code, status }) => `${lang_code} ${status}`)
    console.log(`        ${states.join(", ")}`)
    const found = translations.find(({ lang_code }) => lang_code === lang)
    if (found?.status === "ready") return
    if (found?.status === "failed") throw new Failure(`The translation to ${lang} failed: ${found.error?.message}`)
  }
  throw new Failure(`There is no translation to ${lang} after ${TRANSLATION_MS / 1000} seconds.`)
}

/** Returns the words of an HTML fragment: `<b>a</b>  &amp; b` becomes `a & b`. */
const plain = (html: string): string =>
  html
    // Matches `<b>` and `</b>`. Does not match `a < b`.
    .replace(/<[^>]+>/g, "")
    // Matches spaces and line breaks. Does not match words.
    .replace(/\s+/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

const showReader = (page: string): void => {
  // Matches `<h1>A</h1>`. Does not match `<h2>A</h2>`.
  const [, title = ""] = /<h1>([^]*?)<\/h1>/.exec(page) ?? []
  // Matches `<p>A</p>`. Does not match `<pre>A</pre>`.
  const paragraphs = [...page.matchAll(/<p>([^]*?)<\/p>/g)].map(([, html = ""]) => plain(html)).filter(Boolean)
  // Matches `hreflang="fr" href="/@demo/tide/fr/"`. Does not match `href="/"`.
  const languages = [...page.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)]
  console.log(`\nWhat a reader sees\n\n  ${plain(title)}\n`)
  for (const paragraph of paragraphs.slice(0, 2)) console.log(`  ${paragraph}\n`)
  for (const [, lang, url] of languages) console.log(`  ${lang}  ${url}`)
}

const publishExample = async (call: Call): Promise<void> => {
  const { fields, body, images } = readExample()
  const post = `${API}/posts/${fields.slug}/`

  console.log("\nUpload the images")
  const uploads = await upload(call, images)

  const [cover] = uploads
  if (!cover) throw new Error(`${EXAMPLE} has no cover.`)
  const draft = {
    ...fields,
    ...LANGUAGES,
    status: "DF",
    body: showUploads(body, uploads),
    cover_image_id: cover.image_id,
    published_at: "2026-05-01T09:00:00+02:00",
    source: "demo",
  }

  console.log("\nTry the post out: this writes nothing")
  await call("PUT", `${post}?dry_run=true`, 200, draft)

  console.log("\nCreate it as a draft")
  const created = await call("PUT", post, 201, draft)
  const { preview_url } = (JSON.parse(created.text) as { post: { preview_url: string } }).post
  await call("GET", new URL(preview_url).pathname, 200)

  console.log("\nPublish it")
  await call("PATCH", post, 202, { ...LANGUAGES, lang_code: LANGUAGES.primary_language, status: "PB" })

  console.log("\nWait for the translations, which are made one after another")
  for (const lang of LANGUAGES.translation_languages) await waitFor(call, post, lang)

  console.log("\nRead everything back")
  const { type } = await call("GET", cover.image_url, 200)
  if (type !== "image/webp") throw new Failure(`The image is ${type}, not image/webp.`)
  const { text } = await call("GET", post, 200)
  const { url } = (JSON.parse(text) as { post: { url: string } }).post
  const page = await call("GET", new URL(url).pathname, 200)
  showReader(page.text)
}

await main(async () => {
  const options = { keep: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const
  const { values } = readOptions({ options }, USAGE)
  if (values.help) return console.log(USAGE)
  console.log("Starting the service with an empty store.")
  const state = mkdtempSync(join(tmpdir(), "edgepost-demo-"))
  try {
    const vars = ["--var", "TRANSLATION_DEBOUNCE_SECONDS:1"]
    const service = await startService(["--port", String(await freePort()), "--persist-to", state, ...vars])
    try {
      const { key } = await makeDemoAccount(service)
      await publishExample(caller(service.origin, key))
      if (values.keep) {
        console.log("\nThe service goes on: open the addresses above. Stop: Ctrl-C.")
        await service.ended
      }
    } catch (error) {
      console.error(service.log.text)
      throw error
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
  return console.log("\nDone. The addresses above were of this run only; `npm start` starts a service that stays.")
})
