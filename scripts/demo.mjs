// The main job once, start to end: a post with pictures, from a file to pages in four languages.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { makeDemoAccount } from "./account.mjs"
import { Failure, main } from "./cli.mjs"
import { readExample, showUploads } from "./example.mjs"
import { freePort } from "./port.mjs"
import { installPackages } from "./prepare.mjs"
import { startService } from "./service.mjs"

const API = "/api/blogcontroller"
const LANGUAGES = { primary_language: "en", translation_languages: ["fr", "es", "de"] }
const POLL_MS = 500
const TRANSLATION_MS = 60_000

/** A call that prints itself, and fails unless the status is the expected one. */
const caller = (origin, key) => async (method, path, expected, body) => {
  const start = performance.now()
  const isJson = body !== undefined && !(body instanceof FormData)
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { "X-API-KEY": key, ...(isJson && { "Content-Type": "application/json" }) },
    ...(body && { body: isJson ? JSON.stringify(body) : body }),
  })
  const text = await answer.text()
  const ms = Math.round(performance.now() - start)
  console.log(`  ${method.padEnd(5)} ${path.padEnd(58)} ${answer.status} ${String(ms).padStart(6)} ms`)
  if (answer.status !== expected) throw new Failure(`Expected ${expected}; the answer was:\n${text}`)
  const type = answer.headers.get("Content-Type") ?? ""
  return { type, text, json: type.includes("json") ? JSON.parse(text) : undefined }
}

const upload = async (call, pictures) => {
  const uploads = []
  for (const { path, file } of pictures) {
    const form = new FormData()
    form.append("file", file)
    const { json } = await call("POST", `${API}/image-upload/`, 201, form)
    console.log(`        ${path}, ${file.size} bytes → ${json.image_url}`)
    uploads.push({ path, ...json })
  }
  return uploads
}

const waitFor = async (call, post, lang) => {
  for (const deadline = Date.now() + TRANSLATION_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const { json } = await call("GET", `${post}translations/`, 200)
    const states = json.translations.map(({ lang_code, status }) => `${lang_code} ${status}`)
    console.log(`        ${states.join(", ")}`)
    const { status, error } = json.translations.find(({ lang_code }) => lang_code === lang)
    if (status === "ready") return
    if (status === "failed") throw new Failure(`The translation to ${lang} failed: ${error.message}`)
  }
  throw new Failure(`There is no translation to ${lang} after ${TRANSLATION_MS / 1000} seconds.`)
}

const plain = (html) =>
  html
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

const showReader = (page) => {
  const [, title] = /<h1>([^]*?)<\/h1>/.exec(page)
  const paragraphs = [...page.matchAll(/<p>([^]*?)<\/p>/g)].map(([, html]) => plain(html)).filter(Boolean)
  const languages = [...page.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)]
  console.log(`\nWhat a reader sees\n\n  ${plain(title)}\n`)
  for (const paragraph of paragraphs.slice(0, 2)) console.log(`  ${paragraph}\n`)
  for (const [, lang, url] of languages) console.log(`  ${lang}  ${url}`)
}

const publishExample = async (call) => {
  const { fields, body, pictures } = readExample()
  const post = `${API}/posts/${fields.slug}/`

  console.log("\nUpload the pictures")
  const uploads = await upload(call, pictures)

  console.log("\nCreate the post as a draft")
  await call("POST", `${API}/posts/`, 201, {
    ...fields,
    ...LANGUAGES,
    status: "DF",
    body: showUploads(body, Object.fromEntries(uploads.map(({ path, image_url }) => [path, image_url]))),
    image_ids: uploads.map(({ image_id }) => image_id),
  })

  console.log("\nPublish it")
  await call("PATCH", post, 202, { ...LANGUAGES, lang_code: LANGUAGES.primary_language, status: "PB" })

  console.log("\nWait for the translations, which come one after another")
  for (const lang of LANGUAGES.translation_languages) await waitFor(call, post, lang)

  console.log("\nRead everything back")
  const picture = await call("GET", uploads[0].image_url, 200)
  if (picture.type !== "image/webp") throw new Failure(`The picture is ${picture.type}, not image/webp.`)
  const { json } = await call("GET", post, 200)
  const page = await call("GET", new URL(json.post.url).pathname, 200)
  showReader(page.text)
}

await main(async () => {
  installPackages()
  console.log("Starting the service with an empty store of its own.")
  const state = mkdtempSync(join(tmpdir(), "edgepost-demo-"))
  try {
    const vars = ["--var", "TRANSLATION_DEBOUNCE_SECONDS:1"]
    const service = await startService(["--port", String(await freePort()), "--persist-to", state, ...vars])
    try {
      const { key } = await makeDemoAccount(service)
      await publishExample(caller(service.origin, key))
    } catch (error) {
      console.error(service.log.text)
      throw error
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
  console.log("\nDone. The addresses above were of this run only; `npm start` starts a service that stays.")
})
