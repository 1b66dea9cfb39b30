import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"

import { eraseAccount, get, patch, setAccount } from "../calls.ts"
import { failing, tapD1 } from "../faults.ts"
import { READER_POLICY } from "../reader/policy.ts"
import { API, type Author, call, newAuthor, newPost, OPERATOR, passSeconds, rows, stopClock } from "../support.ts"

const BROKEN = { DB: tapD1({ before: failing }) }
const WEEK = 7 * 24 * 60 * 60
const TEXT = { title: "Pas encore", meta_description: "De quoi.", body: "Des mots." }
const FRENCH = { lang_code: "fr", translation_languages: ["fr"], ...TEXT }

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

const pathOf = (url: string): string => new URL(url).pathname
const open = (url: string, language = "") => call("GET", `${pathOf(url)}${language}`)
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
/** Opens a link a second before that time and at it. */
const statusesAfter = async (url: string, seconds: number) => {
  passSeconds(seconds - 1)
  const before = await open(url)
  passSeconds(1)
  return [before.status, (await open(url)).status]
}
const renew = (slug: string, key = ann.key) => call("POST", `${API}/posts/${slug}/preview/`, { key })

describe("the preview link of a draft", () => {
  it("shows the post to anyone, without scripts and what readers or search engines need of a page", async () => {
    const { preview_url } = await newPost(ann, { status: "DF", title: "Not yet" })
    const { status, headers, text } = await open(preview_url)
    expect([status, text]).toEqual([200, expect.stringContaining(">Not yet</h1>")])
    expect(headers.get("Content-Security-Policy")).toBe(READER_POLICY)
    expect(text).not.toMatch(/rel="canonical"|rel="alternate" hreflang|property="og:|twitter:|ld\+json|<script|<time/)
  })

  it("says in the language of the page that it is a preview, and the published page does not", async () => {
    const texts = { title: "Noch nicht", meta_description: "Kurz.", body: "Text." }
    const { slug, preview_url } = await newPost(ann, { status: "DF", primary_language: "de", ...texts })
    expect((await open(preview_url)).text).toContain('<p class="preview">Vorschau</p>')
    await patch(ann, slug, { lang_code: "de", status: "PB" })
    expect((await call("GET", `/@${ann.username}/${slug}/`)).text).not.toContain("Vorschau")
  })

  it("shows the translations that are ready, with links between them", async () => {
    const { slug, preview_url } = await newPost(ann, { status: "DF" })
    await patch(ann, slug, FRENCH)
    const { status, text } = await open(preview_url, "fr/")
    expect([status, text]).toEqual([200, expect.stringContaining("Pas encore")])
    expect(text).toContain(`href="${preview_url}"`)
    expect((await open(preview_url, "de/")).status).toBe(404)
    expect((await open(preview_url, "no language/")).status).toBe(404)
  })

  it("leads to the page once readers see the post, in its language if the page has it", async () => {
    const { slug, preview_url } = await newPost(ann, { status: "DF" })
    await patch(ann, slug, { ...FRENCH, status: "PB" })
    const page = `http://localhost:8787/@${ann.username}/${slug}/`
    for (const sent of ["", "en/", "EN/", "fr/", "FR/", "de/", "no language/"]) {
      const target = sent.toLowerCase() === "fr/" ? `${page}fr/` : page
      const { status, headers } = await open(preview_url, sent)
      expect([status, headers.get("Location")], sent).toEqual([302, target])
      expect((await call("GET", pathOf(headers.get("Location") ?? ""))).status, sent).toBe(200)
    }
  })

  it.each(["", "text/html"])(
    "tells search engines and linked sites nothing in any answer, with Accept %j",
    async (Accept) => {
      const { slug, preview_url } = await newPost(ann, { status: "DF" })
      const path = pathOf(preview_url)
      const wrong = path.replace(/.\/$/, (end) => (end === "x/" ? "y/" : "x/"))
      const send = (method: "GET" | "HEAD" | "POST", to: string) => call(method, to, { headers: { Accept } })
      const answers = async () => [
        await send("GET", path),
        await send("HEAD", path),
        await send("GET", `${path}de/`),
        await send("GET", wrong),
        await send("GET", `${path}fr/more/`),
        await send("POST", path),
      ]
      const [before, , ...errors] = await answers()
      expect([before?.status, ...errors.map(({ status }) => status)]).toEqual([200, 404, 404, 404, 405])
      const all = await answers()
      await patch(ann, slug, { status: "PB" })
      for (const { status, headers } of [...all, ...(await answers())]) {
        const told = ["X-Robots-Tag", "Cache-Control", "Referrer-Policy"].map((name) => headers.get(name))
        expect(told, String(status)).toEqual(["noindex", "no-store", "no-referrer"])
      }
    },
  )

  it("leads to the page from the time for which the post is scheduled", async () => {
    const { preview_url } = await newPost(ann, { published_at: inSeconds(60) })
    expect(await statusesAfter(preview_url, 60)).toEqual([200, 302])
  })

  it("works for seven days", async () => {
    const { slug, preview_url } = await newPost(ann, { status: "DF" })
    expect(await statusesAfter(preview_url, WEEK)).toEqual([200, 404])
    expect((await get(ann, slug)).json.post.preview_url).toBe(null)
  })

  it("answers 404 if the account is hidden or erased, or the secret is wrong", async () => {
    const { preview_url } = await newPost(ann, { status: "DF" })
    expect((await open(preview_url.replace(/.\/$/, (end: string) => (end === "x/" ? "y/" : "x/")))).status).toBe(404)
    const statuses = []
    for (const change of [{ hidden: true }, { hidden: false }]) {
      await setAccount(ann, change)
      statuses.push((await open(preview_url)).status)
    }
    await eraseAccount(ann)
    expect([...statuses, (await open(preview_url)).status]).toEqual([404, 200, 404])
  })
})

it("a preview link that no post can have answers 404 without D1", async () => {
  for (const secret of ["a".repeat(21), ...["-", "é", " or 1=1"].map((last) => "a".repeat(21) + last), "a".repeat(23)])
    expect((await call("GET", `/preview/${secret}/`, { env: BROKEN })).status, secret).toBe(404)
})

describe("a new preview link", () => {
  it("replaces the earlier one, for seven days from now, and changes the ETag but not the version", async () => {
    const { slug, preview_url } = await newPost(ann, { status: "DF" })
    passSeconds(60)
    const before = await get(ann, slug)
    const { status, json } = await renew(slug)
    expect([status, Date.parse(json.expires_at)]).toEqual([200, Date.now() + WEEK * 1000])
    expect((await open(preview_url)).status).toBe(404)
    expect((await open(json.preview_url)).status).toBe(200)
    const after = await get(ann, slug)
    expect(after.json.post).toEqual({ ...before.json.post, preview_url: json.preview_url })
    expect(after.headers.get("ETag")).not.toBe(before.headers.get("ETag"))
  })

  it("is made when a post goes back to draft, so that links sent before no longer work", async () => {
    const { slug, preview_url } = await newPost(ann, { status: "DF" })
    await patch(ann, slug, { status: "PB" })
    const { json } = await patch(ann, slug, { status: "DF" })
    expect([(await open(preview_url)).status, (await open(json.post.preview_url)).status]).toEqual([404, 200])
  })

  it("is made when a scheduled post becomes a draft again, and not when its time is changed", async () => {
    const { slug, preview_url } = await newPost(ann, { published_at: inSeconds(60) })
    const later = await patch(ann, slug, { published_at: inSeconds(120) })
    expect(later.json.post.preview_url).toBe(preview_url)
    const { json } = await patch(ann, slug, { status: "DF" })
    expect([(await open(preview_url)).status, (await open(json.post.preview_url)).status]).toEqual([404, 200])
  })

  it("is not made by reading or by changing a draft", async () => {
    const { slug, preview_url } = await newPost(ann, { status: "DF" })
    const [read, changed] = [await get(ann, slug), await patch(ann, slug, { title: "New" })]
    expect([read.json.post.preview_url, changed.json.post.preview_url]).toEqual([preview_url, preview_url])
  })

  it("is not shown to a key that only reads", async () => {
    const { slug } = await newPost(ann, { status: "DF" })
    await patch(ann, slug, { status: "PB" })
    const keys = `/operator/api/accounts/${ann.username}/keys/`
    const made = await call("POST", keys, { headers: OPERATOR, json: { name: "reader", scope: "read" } })
    const { json } = await call("GET", `${API}/posts/${slug}/`, { key: made.json.api_key })
    expect(json.post.preview_url).toBe(null)
    expect((await renew(slug, made.json.api_key)).status).toBe(403)
  })
})

it("no log line has the secret of a preview link, whatever is answered", async () => {
  const lines: string[] = []
  for (const level of ["info", "warn", "error"] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...parts) => void lines.push(parts.map(String).join(" ")))
    onTestFinished(() => spy.mockRestore())
  }
  const { slug, preview_url } = await newPost(ann, { status: "DF" })
  const path = pathOf(preview_url)
  const secret = path.split("/")[2] ?? ""
  const send = async () => [
    await call("GET", path),
    await call("HEAD", path),
    await call("GET", `${path}de/`),
    await call("GET", `${path}a/b/`),
    await call("GET", path.replace("/p", "/%70")),
    await call("POST", path),
    await call("GET", path, { env: BROKEN }),
  ]
  const before = await send()
  await patch(ann, slug, { status: "PB" })
  const after = await send()
  expect(before.map(({ status }) => status)).toEqual([200, 200, 404, 404, 200, 405, 500])
  expect(after.map(({ status }) => status)).toEqual([302, 302, 302, 404, 302, 405, 500])
  expect(secret).toHaveLength(22)
  expect(lines.length).toBeGreaterThan(before.length + after.length)
  expect(lines.filter((line) => line.includes(secret))).toEqual([])
})

it("the secrets of preview links have 22 letters or digits, and lists of posts do not show them", async () => {
  await newPost(ann, { status: "DF" })
  const [{ preview_token } = {}] = await rows("select preview_token from posts where preview_token is not null")
  expect(preview_token).toMatch(/^[0-9A-Za-z]{22}$/)
  const { text } = await call("GET", `${API}/posts/`, { key: ann.key })
  expect(text).not.toContain(String(preview_token))
})
