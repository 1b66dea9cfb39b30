// Publishes the folder examples/ by the command line, with images and in four languages, and ends.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { Failure, main, readOptions } from "./cli.ts"
import { edgepost, EXAMPLE } from "./example.ts"
import { freePort, makeDemoAccount, startService, USERNAME } from "./service.ts"

const USAGE = `npm run demo [-- --keep]

--keep  leave the service running afterwards, to look at the post in a browser`

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

const show = async (access: { origin: string; key: string }, ...args: string[]): Promise<void> => {
  console.log(`\n$ edgepost ${args.join(" ")}\n`)
  await edgepost(access, args)
}

const publishExample = async (access: { origin: string; key: string }): Promise<void> => {
  await show(access, "plan", "examples")
  await show(access, "publish", "examples")
  // A second run finds everything as it should be.
  await show(access, "publish", "examples")
  await show(access, "status", EXAMPLE, "--wait")
  const page = await fetch(`${access.origin}/@${USERNAME}/${EXAMPLE}/`)
  if (!page.ok) throw new Failure(`The page of the post answers ${page.status}.`)
  showReader(await page.text())
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
      await publishExample({ origin: service.origin, key })
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
