// Publishes the example post with its images in four languages, shows every call, and ends.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { Failure, main, readOptions } from "./cli.ts"
import { type Call, caller, LANGUAGES, uploadExample } from "./example.ts"
import { freePort, makeDemoAccount, startService } from "./service.ts"

const USAGE = `npm run demo [-- --keep]

--keep  leave the service running afterwards, to look at the post in a browser`

const POLL_MS = 500
const TRANSLATION_MS = 60_000

interface Translation {
  lang_code: string
  status: string
  error: { message: string } | null
}

const waitFor = async (call: Call, path: string, lang: string): Promise<void> => {
  for (const deadline = Date.now() + TRANSLATION_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const { text } = await call("GET", `${path}translations/`, 200)
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
  console.log("\nUpload the images")
  const { path, post, cover, uploads } = await uploadExample(call)
  for (const image of uploads) console.log(`        ${image.path}, ${image.size} bytes → ${image.image_url}`)
  const draft = { ...post, status: "DF" }

  console.log("\nTry the post out: this writes nothing")
  await call("PUT", `${path}?dry_run=true`, 200, draft)

  console.log("\nCreate it as a draft")
  const created = await call("PUT", path, 201, draft)
  const { preview_url } = (JSON.parse(created.text) as { post: { preview_url: string } }).post
  await call("GET", new URL(preview_url).pathname, 200)

  console.log("\nPublish it")
  await call("PATCH", path, 202, { ...LANGUAGES, lang_code: LANGUAGES.primary_language, status: "PB" })

  console.log("\nWait for the translations, which are made one after another")
  for (const lang of LANGUAGES.translation_languages) await waitFor(call, path, lang)

  console.log("\nRead everything back")
  const { type } = await call("GET", cover.image_url, 200)
  if (type !== "image/webp") throw new Failure(`The image is ${type}, not image/webp.`)
  const { text } = await call("GET", path, 200)
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
      await publishExample(caller(service.origin, key, console.log))
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
