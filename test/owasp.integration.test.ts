import { afterEach, expect, it, vi } from "vitest"

import staticHeaders from "../public/_headers?raw"
import openapi from "../public/openapi.json"
import { mintKey } from "../src/accounts/key.ts"
import { pseudo } from "../src/translations/engines/pseudo.ts"
import config from "../wrangler.toml?raw"
import { signIn } from "./author-pages/browser.ts"
import { patch } from "./calls.ts"
import { dumpStorage } from "./storage.ts"
import {
  API,
  call,
  fileForm,
  newAuthor,
  newPng,
  newPost,
  OPERATOR,
  passSeconds,
  postInput,
  recordWakeUps,
  rows,
  runCron,
  runTranslations,
  stopClock,
  upload,
} from "./support.ts"

// One test for each of the OWASP API Security Top 10 of 2023. Other tests cover them in more depth.

const POSTS = `${API}/posts/`

afterEach(() => {
  vi.restoreAllMocks()
})

it("OWASP API1 broken object level authorization: no id reaches another author's posts or images", async () => {
  const [owner, other] = [await newAuthor(), await newAuthor()]
  const { slug } = await newPost(owner, { translation_languages: ["fr"] })
  const { image_id } = await upload(owner)
  const before = await dumpStorage()
  const sent = { lang_code: "en", primary_language: "en", translation_languages: [], title: "Mine now" }
  const answers = [
    await call("GET", `${POSTS}${slug}/`, { key: other.key }),
    await call("PATCH", `${POSTS}${slug}/`, { key: other.key, json: sent }),
    await call("PATCH", `${API}/${slug}/`, { key: other.key, json: sent }),
    await call("PUT", `${POSTS}${slug}/`, { key: other.key, json: { ...postInput(), slug } }),
    await call("POST", `${POSTS}${slug}/preview/`, { key: other.key }),
    await call("DELETE", `${POSTS}${slug}/`, { key: other.key }),
    await call("GET", `${POSTS}${slug}/translations/`, { key: other.key }),
    await call("POST", `${POSTS}${slug}/translations/fr/`, { key: other.key, json: {} }),
    await call("DELETE", `${POSTS}${slug}/translations/fr/`, { key: other.key }),
  ]
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(answers.map(() => [403, "not_the_author"]))
  const stolen = await call("POST", POSTS, { key: other.key, json: postInput({ image_ids: [image_id] }) })
  // The answers do not reveal that the post exists.
  expect([stolen.status, stolen.json.code]).toEqual([400, "unknown_image_id"])
  expect(await dumpStorage()).toEqual(before)
})

it("OWASP API2 broken authentication: only the current API key in a documented header is accepted", async () => {
  const author = await newAuthor()
  const flipped = Array.from({ length: author.key.length }, (_, i) => {
    const swapped = author.key[i] === "a" ? "b" : "a"
    return author.key.slice(0, i) + swapped + author.key.slice(i + 1)
  })
  for (const key of [...flipped, mintKey(), author.key.toLowerCase(), `${author.key}0`, author.key.slice(0, -1)])
    expect((await call("GET", `${API}/account/`, { key })).status).toBe(401)
  const elsewhere = [
    await call("GET", `${API}/account/?api_key=${author.key}`),
    await call("GET", `${API}/account/`, { headers: { Cookie: `session=${author.key}; api_key=${author.key}` } }),
    await call("GET", `${API}/account/`, { headers: { Authorization: `Bearer ${author.key}` } }),
  ]
  expect(elsewhere.map(({ status }) => status)).toEqual([401, 401, 401])
  expect((await call("GET", `${API}/account/`, { key: author.key })).status).toBe(200)
})

it("OWASP API3 broken object property level authorization: only documented fields are read or returned", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const [before] = await rows("select * from posts where slug = ?", slug)
  const columns = await rows("select name from pragma_table_info('posts')")
  const languages = ["primary_language", "translation_languages"]
  const cover = ["cover_image_id", "cover_alt", "cover_caption"]
  const optional = ["published_at", "listed", ...cover, "canonical_url", "author_name", "source", "translation_review"]
  const documented = new Set(["status", "categories", "tags", ...languages, ...optional])
  const planted = Object.fromEntries(
    columns.filter(({ name }) => !documented.has(String(name))).map(({ name }) => [String(name), 1]),
  )
  const { slug: _slug, ...fields } = planted
  const { status, json } = await patch(author, slug, { ...fields, html: "<b>", author: "someone", hidden: true })
  expect(status).toBe(200)
  expect(json.warnings.map(({ code }: { code: string }) => code)).toContain("unknown_field")
  expect(await rows("select * from posts where slug = ?", slug)).toEqual([before])
  const [account] = await rows("select * from accounts where username = ?", author.username)
  expect(JSON.stringify(json)).not.toContain(String(account?.["id"]))
})

it("OWASP API4 unrestricted resource consumption: uploads, translated characters and sizes have limits", async () => {
  stopClock()
  const author = await newAuthor()
  const uploads = []
  for (let i = 0; i < 12; i++) {
    const body = fileForm(await newPng())
    uploads.push((await call("POST", `${API}/image-upload/`, { key: author.key, body })).status)
  }
  expect(uploads).toEqual([...Array(10).fill(201), 429, 429])
  const long = await call("POST", POSTS, { key: author.key, json: postInput({ body: "*a_ ".repeat(60_000) }) })
  expect([long.status, long.json.code]).toEqual([400, "body_too_complex"])
  const translate = vi.spyOn(pseudo, "translate")
  const { queue, sent } = recordWakeUps()
  const env = { TRANSLATIONS: queue, TRANSLATED_CHARACTERS_PER_DAY: "1" }
  const json = postInput({ translation_languages: ["fr", "de"] })
  await call("POST", POSTS, { key: author.key, json, env })
  // The first of a day always fits, the second language waits for the next.
  for (let i = 0; i < 2; i++) await runTranslations({ queue, sent: sent.splice(0, 1) }, env)
  expect(translate).toHaveBeenCalledOnce()
  const [german] = await rows("select status, error from texts where lang_code = 'de'")
  expect([german?.["status"], String(german?.["error"])]).toEqual(["queued", expect.stringContaining("daily_limit")])
})

it("OWASP API5 broken function level authorization: an author's key or session cannot act as the operator", async () => {
  const { username, key, browser } = await signIn()
  const path = `/operator/api/accounts/${username}/`
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const callers: Record<string, string>[] = [
    { "X-API-KEY": key },
    { Authorization: `Api-Key ${key}` },
    { Cookie: cookie },
  ]
  for (const headers of callers)
    expect((await call("PATCH", path, { headers, json: { paid_until: null } })).status).toBe(401)
  const override = { "X-API-KEY": key, "X-HTTP-Method-Override": "DELETE" }
  const { slug } = await newPost({ username, key })
  expect((await call("GET", `${POSTS}${slug}/`, { headers: override })).status).toBe(200)
  expect((await call("GET", `${POSTS}${slug}/`, { key })).status).toBe(200)
})

it("OWASP API6 unrestricted access to sensitive business flows: a post saved 100 times is translated once", async () => {
  stopClock()
  const author = await newAuthor()
  const translate = vi.spyOn(pseudo, "translate")
  const wakeUps = recordWakeUps()
  const env = { TRANSLATIONS: wakeUps.queue }
  const { json } = await call("POST", POSTS, { key: author.key, json: postInput(), env })
  for (let i = 0; i < 100; i++)
    await patch(author, json.post.slug, { translation_languages: ["fr"], body: `Version ${i}.` }, { env })
  await runTranslations(wakeUps, env)
  expect(translate).toHaveBeenCalledOnce()
  const image = await upload(author)
  passSeconds(31 * 60)
  expect((await call("GET", image.image_url)).status).toBe(410)
  await runCron()
  expect(await rows("select id from images where id = ?", image.image_id)).toEqual([])
})

it("OWASP API7 server side request forgery: no URL in a request is ever fetched", async () => {
  // test/setup.ts fails every test that calls fetch.
  const author = await newAuthor()
  const addresses = ["http://169.254.169.254/latest/", "http://localhost:8787/", "file:///etc/passwd", "gopher://a"]
  const body = addresses.map((url) => `![a](${url}) [b](${url}) <${url}>`).join("\n\n")
  const post = await newPost(author, { body, title: addresses[0], translation_languages: ["fr"] })
  expect(post.html).not.toMatch(/<img/)
})

it("OWASP API8 security misconfiguration: every kind of answer has its security headers, and no error a stack", async () => {
  const author = await newAuthor()
  const post = await newPost(author)
  const { image_url } = await upload(author)
  const answers = [
    await call("GET", `${POSTS}${post.slug}/`, { key: author.key }),
    await call("GET", `${POSTS}nowhere/`, { key: author.key }),
    await call("GET", `/@${author.username}/${post.slug}/`),
    await call("GET", image_url),
    await call("GET", "/sign-in/"),
  ]
  for (const { headers } of answers) {
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff")
    expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{8}; includeSubDomains$/)
    expect(headers.has("Server") || headers.has("X-Powered-By")).toBe(false)
  }
  expect(answers.slice(2).map(({ headers }) => headers.get("Content-Security-Policy"))).toEqual([
    expect.stringContaining("default-src 'none'"),
    expect.stringContaining("default-src 'none'"),
    expect.stringContaining("default-src 'none'"),
  ])
  expect(answers[1]?.text).not.toMatch(/\bat \w|\.ts\b|select |D1_/i)
})

it("OWASP API9 improper inventory management: undocumented paths answer 404", async () => {
  for (const path of ["/api/", "/api/v1/posts/", "/api/blogcontroller/", "/admin/", "/debug/", "/.env", "/metrics/"])
    expect((await call("GET", path, { headers: OPERATOR })).status).toBe(404)
  expect(Object.keys(openapi.paths)).toContain("/api/blogcontroller/{slug}/")
})

it("OWASP API8 security misconfiguration: fetches go the public way, and no static file takes the pages' HSTS back", () => {
  expect(config).toContain('compatibility_flags = ["global_fetch_strictly_public"]')
  const lifetimes = staticHeaders.split("\n").filter((line) => line.includes("Strict-Transport-Security"))
  expect(lifetimes.every((line) => line.endsWith("; includeSubDomains"))).toBe(true)
})

it("OWASP API10 unsafe consumption of APIs: a translation engine's answer is treated as untrusted text", async () => {
  stopClock()
  const author = await newAuthor()
  vi.spyOn(pseudo, "translate").mockImplementation(async ({ segments }) => ({
    texts: segments.map(
      (text) => `${text} <script>alert(1)</script> [x](javascript:alert(1)) ![y](https://evil.example/)`,
    ),
  }))
  const wakeUps = recordWakeUps()
  const env = { TRANSLATIONS: wakeUps.queue }
  const json = postInput({ translation_languages: ["fr"], body: "Some *words* and `code`." })
  await call("POST", POSTS, { key: author.key, json, env })
  await runTranslations(wakeUps, env)
  const { text } = await call("GET", `/@${author.username}/${json.slug}/fr/`)
  expect(text).not.toMatch(/<script(?! type="application\/ld\+json")|href="javascript|<img/i)
  const { json: read } = await call("GET", `${POSTS}${json.slug}/?lang_code=fr`, { key: author.key })
  expect(read.post.html).toContain("<code>code</code>")
})
