import { beforeEach, expect, it } from "vitest"

import { API, call, fetchWorker, ORIGIN, postInput, stopClock, unique, upload } from "../support.ts"
import { type Desk, newDesk } from "../translations/author.ts"
import { READER_POLICY } from "./policy.ts"

beforeEach(() => stopClock())

interface Found {
  tag: string
  attributes: Record<string, string>
}

/** Returns every element of a page as a browser's parser sees it. */
const parse = async (html: string) => {
  const elements: Found[] = []
  let comments = 0
  const rewriter = new HTMLRewriter().on("*", {
    element: ({ tagName, attributes }) => {
      const all = Object.fromEntries(attributes)
      // Browsers do not run a data block.
      const isData = tagName === "script" && all["type"] === "application/ld+json"
      elements.push({ tag: isData ? "data" : tagName, attributes: all })
    },
    comments: () => {
      comments += 1
    },
  })
  await rewriter.transform(new Response(html)).text()
  const all = (tag: string) => elements.filter((element) => element.tag === tag).map(({ attributes }) => attributes)
  const tags = elements.map(({ tag }) => tag)
  const alternates = all("link").flatMap(({ hreflang, href }) => (hreflang ? [[hreflang, href]] : []))
  const markup = [comments, elements.map(({ tag, attributes }) => [tag, Object.keys(attributes)])]
  return { elements, all, tags, alternates, markup }
}

const newTranslated = async (changes: Record<string, unknown> = {}) => {
  const desk = await newDesk()
  const { slug }: { slug: string } = await desk.create({
    title: "Hello",
    translation_languages: ["fr", "de"],
    ...changes,
  })
  await desk.run()
  const path = `/@${desk.username}/${slug}/`
  const see = async (lang?: string) => {
    const page = await desk.page(slug, lang)
    return { ...page, ...(await parse(page.text)) }
  }
  return { desk, slug, path, see }
}

const newSlug = async (desk: Desk, changes: Record<string, unknown> = {}) => String((await desk.create(changes)).slug)

it.each<[string, (desk: Desk, slug: string) => Promise<string> | string]>([
  ["a draft", async (desk) => `/@${desk.username}/${await newSlug(desk, { status: "DF" })}/`],
  ["an unknown slug", (desk) => `/@${desk.username}/never-was/`],
  ["an unknown author", (_, slug) => `/@nobody/${slug}/`],
  ["another author", async (_, slug) => `/@${(await newDesk()).username}/${slug}/`],
  ["an author in capitals", (desk, slug) => `/@${desk.username.toUpperCase()}/${slug}/`],
  ["an author without @", (desk, slug) => `/${desk.username}/${slug}/`],
  ["a language that is not listed", (desk, slug) => `/@${desk.username}/${slug}/ja/`],
  ["an invalid language", (desk, slug) => `/@${desk.username}/${slug}/not_one/`],
  ["a language with an extension", (desk, slug) => `/@${desk.username}/${slug}/fr-u-ca-buddhist/`],
  [
    "a listed language without a text",
    async (desk) => `/@${desk.username}/${await newSlug(desk, { translation_languages: ["fr"] })}/fr/`,
  ],
])("the public page of %s answers 404", async (_, pathOf) => {
  const desk = await newDesk()
  const slug = await newSlug(desk)
  expect((await desk.page(slug)).status).toBe(200)
  const { status, json } = await call("GET", await pathOf(desk, slug))
  expect([status, json.code]).toEqual([404, "not_found"])
})

it("a public page of a post has the documented security policy, no script and no cookie", async () => {
  const { see } = await newTranslated()
  for (const lang of [undefined, "fr"]) {
    const { headers, elements, tags } = await see(lang)
    const names = ["Content-Security-Policy", "X-Content-Type-Options", "Content-Type", "Set-Cookie"]
    const html = expect.stringMatching(/^text\/html; charset=utf-8$/i)
    expect(names.map((name) => headers.get(name))).toEqual([READER_POLICY, "nosniff", html, null])
    expect(tags).not.toContain("script")
    const set = elements.flatMap(({ attributes }) => Object.keys(attributes))
    expect(set.filter((name) => /^on|^style$/.test(name))).toEqual([])
  }
})

it("a public page has title, description, canonical URL and links to the post's listed languages with a text", async () => {
  const { desk, slug, path, see } = await newTranslated({ meta_description: "About it." })
  const base = `${ORIGIN}${path}`
  const languages = Object.entries({ en: base, fr: `${base}fr/`, de: `${base}de/`, "x-default": base })
  for (const [lang, canonical, title, description] of [
    ["en", base, "Hello", "About it."],
    ["fr", `${base}fr/`, "Hello·fr", "About·fr it·fr."],
  ] as const) {
    const { text, all, alternates } = await see(lang === "en" ? undefined : lang)
    expect(text).toContain(`<title>${title}</title>`)
    expect(all("meta")).toContainEqual({ name: "description", content: description })
    expect(all("link").filter(({ rel }) => rel === "canonical")).toEqual([{ rel: "canonical", href: canonical }])
    expect(alternates).toEqual(languages)
    expect(all("html")).toMatchObject([{ lang, dir: "ltr" }])
  }
  await desk.patch(slug, { translation_languages: ["fr", "es"] })
  expect((await see()).alternates.map(([lang]) => lang)).toEqual(["en", "fr", "x-default"])
})

const RTL = ["ar", "he", "fa", "ur", "az-Arab"]
it.each(["en", "zh-Hant", ...RTL])("a public page in the language %s has its text direction", async (lang) => {
  const own = await newTranslated({ primary_language: lang, translation_languages: [] })
  const other = await newTranslated({ primary_language: "sv", translation_languages: [lang] })
  for (const { all } of [await own.see(), await other.see(lang)])
    expect(all("html")).toMatchObject([{ lang, dir: RTL.includes(lang) ? "rtl" : "ltr" }])
})

it.each([
  ["en", ""],
  ["EN", ""],
  ["FR", "fr/"],
  ["Pt-bR", "pt-BR/"],
])("the path of a public page with the language %s redirects with 308 to the canonical path", async (sent, right) => {
  const { path } = await newTranslated({ translation_languages: ["fr", "pt-br"] })
  const { status, headers } = await call("GET", `${path}${sent}/`)
  expect([status, new URL(headers.get("Location") ?? "", ORIGIN).href]).toEqual([308, `${ORIGIN}${path}${right}`])
  expect((await call("GET", `${path}${right}`)).status).toBe(200)
})

const ATTACKS = [
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  `'><svg onload=alert(1)>`,
  "</title><script>alert(1)</script>",
  "</main></body></html><h1>x</h1>",
  `" onmouseover="alert(1)`,
  `' onfocus='alert(1)`,
  "<!--",
  "]]>",
  "&lt;script&gt;",
  "{{constructor}}",
]

it.each(ATTACKS)("an XSS attack in any text of a post adds no markup to its public page: %s", async (attack) => {
  const desk = await newDesk()
  const { image_id, image_url } = await upload(desk)
  const create = (text: string) => {
    const labels = [text.replaceAll(",", " ")]
    const body = `Words.\n\n![${text.replaceAll(/[[\]]/g, "\\$&")}](${image_url})`
    const fields = { title: text, meta_description: text, categories: labels, tags: labels, image_ids: [image_id] }
    return newSlug(desk, { ...fields, body })
  }
  const [harmless, hostile] = [await create("harmless"), await create(attack)]
  const page = await desk.page(hostile)
  const expected = await parse((await desk.page(harmless)).text)
  expect((await parse(page.text)).markup).toEqual(expected.markup)
  expect(page.text).not.toMatch(/<script(?! type="application\/ld\+json")|<svg|<h1>x|<img src=x/)

  const body = `Words ${attack} here.\n\n${attack}\n\n- ${attack}\n\n\`${attack}\``
  const blog = await newDesk()
  const { tags } = await parse((await blog.page(await newSlug(blog, { body }))).text)
  const allowed =
    /^(?:html|head|meta|title|link|data|body|main|article|header|h1|p|time|ul|li|a|code|blockquote|footer|bdi|span|div)$/
  expect(tags.filter((tag) => !allowed.test(tag))).toEqual([])
  expect(tags.filter((tag) => tag === "main")).toHaveLength(1)
})

it("a hand-edited translation with XSS attacks adds no markup to its public page", async () => {
  const desk = await newDesk()
  const slug = await newSlug(desk)
  const text = `</title><script>x</script>"><img src=x onerror=y>`
  const fields = { title: text, meta_description: text, body: text }
  await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], ...fields })
  const { tags, all } = await parse((await desk.page(slug, "fr")).text)
  expect(tags.filter((tag) => ["script", "img"].includes(tag))).toEqual([])
  expect(all("meta")).toContainEqual({ name: "description", content: expect.stringContaining("script") })
})

it("a public page shows the author's own images, and links and other images as nofollow ugc noopener links", async () => {
  const desk = await newDesk()
  const [own, others] = [await upload(desk), await upload(await newDesk())]
  const images = `![own](${own.image_url}) ![others](${others.image_url}) ![far](https://e.x/p.png) ![data](data:image/png;base64,AA)`
  const body = `[a](https://e.x) <https://e.y> https://e.z [b] ${images}\n\n[b]: /c`
  const slug = await newSlug(desk, { body, image_ids: [own.image_id], translation_languages: ["fr"] })
  await desk.run()
  const hrefs = ["https://e.x", "https://e.y", "https://e.z", "/c", others.image_url, "https://e.x/p.png"]
  for (const lang of [undefined, "fr"]) {
    const { all } = await parse((await desk.page(slug, lang)).text)
    expect(all("img")).toMatchObject([{ src: own.image_url, alt: lang ? "own·fr" : "own" }])
    const links = all("a").filter(({ rel }) => rel?.includes("nofollow"))
    expect(links).toMatchObject(hrefs.map((href) => ({ href, rel: "nofollow ugc noopener" })))
  }
})

it("footnotes on a public page link to their references and back with unique ids", async () => {
  const { see } = await newTranslated({ body: "# Fn 1\n\nWord[^1].\n\n[^1]: Note.", translation_languages: [] })
  const { elements } = await see()
  const ids = elements.flatMap(({ attributes }) => attributes.id ?? [])
  const targets = elements.flatMap(({ attributes: { href } }) => (href?.startsWith("#") ? href.slice(1) : []))
  expect(targets.length).toBeGreaterThan(0)
  expect(targets.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})

it.each([
  ["references", `${"[c] ".repeat(2000)}\n\n[c]: ${"d".repeat(2500)}`],
  ["nested quotes", `${"> ".repeat(200)}a`],
  ["emphasis markers", "*a* ".repeat(60_000)],
  ["nested elements", "<div>".repeat(1000)],
  ["bytes of HTML", "&".repeat(220_000)],
])("creating or changing a post with too many %s in its body answers 400 body_too_complex", async (_, body) => {
  const desk = await newDesk()
  const slug = await newSlug(desk)
  for (const { status, json } of [await desk.send("POST", "", postInput({ body })), await desk.patch(slug, { body })])
    expect([status, json.code, json.errors[0].field]).toEqual([400, "body_too_complex", "body"])
  expect((await desk.get(slug)).json.post.version).toBe(1)
})

const EVIL = "evil.example"
const NOT_SET_UP = [503, "not_set_up", expect.stringContaining("PUBLIC_ORIGIN")]
const misconfigured = (variable: string) => [500, "misconfigured", expect.stringContaining(variable)]

it("a foreign host, of the request or of its headers, appears in no answer while PUBLIC_ORIGIN is set", async () => {
  const { desk, slug, path } = await newTranslated()
  const headers = { "X-API-KEY": desk.key, Host: EVIL, "X-Forwarded-Host": EVIL, Forwarded: `host=${EVIL}` }
  const change = { lang_code: "en", primary_language: "en", translation_languages: ["es"] }
  const requests: [string, string, unknown?][] = [
    ["GET", path],
    ["GET", `${path}fr/`],
    ["GET", `${path}FR/`],
    ["GET", `${path}en/`],
    ["GET", `/@${desk.username}/none/`],
    ["POST", `${API}/posts/`, postInput()],
    ["GET", `${API}/posts/?limit=1`],
    ["GET", `${API}/posts/${slug}/`],
    ["GET", `${API}/posts/${slug}/translations/`],
    ["PATCH", `${API}/${slug}/`, change],
    ["GET", `${API}/account/`],
    ["GET", "/openapi.json"],
    ["GET", "/docs/"],
    ["GET", "/docs/errors"],
  ]
  for (const [method, address, json] of requests)
    for (const origin of [`https://${EVIL}`, ORIGIN]) {
      const sent = { method, headers, redirect: "manual", ...(json !== undefined && { body: JSON.stringify(json) }) }
      const answer = await fetchWorker(new Request(`${origin}${address}`, sent))
      const everything = JSON.stringify([...answer.headers]) + (await answer.text())
      expect(everything, `${method} ${origin}${address}`).not.toContain(EVIL)
      expect(origin === ORIGIN || answer.status === 404, `${method} ${origin}${address}`).toBe(true)
    }
})

it.each(["http://localhost:1234", "http://127.0.0.1:8787", "http://[::1]:8787"])(
  "without PUBLIC_ORIGIN, a page requested at %s has URLs with this origin",
  async (origin) => {
    const { path } = await newTranslated()
    const { status, text } = await call("GET", path, { origin, env: { PUBLIC_ORIGIN: "" } })
    expect([status, text]).toEqual([200, expect.stringContaining(`<link rel="canonical" href="${origin}${path}"`)])
  },
)

it.each(["https://blog.example", "http://192.168.0.1", "http://localhost.evil.example", "http://127.0.0.1.nip.io"])(
  "without PUBLIC_ORIGIN, a request to %s answers 503 and names the variable, but for / with the line to set",
  async (origin) => {
    const { status, json } = await call("GET", "/@nobody/nothing/", { origin, env: { PUBLIC_ORIGIN: "" } })
    expect([status, json.code, json.detail]).toEqual(NOT_SET_UP)
    const page = await call("GET", "/", { origin, env: { PUBLIC_ORIGIN: "" } })
    const line = `PUBLIC_ORIGIN = &quot;https://${new URL(origin).host}&quot;`
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(line)])
  },
)

it("creating a post on a deployment without PUBLIC_ORIGIN answers 503 and makes no post", async () => {
  const { key, get } = await newDesk()
  const json = postInput({ slug: unique("refused") })
  const options = { key, json, origin: "https://blog.example", env: { PUBLIC_ORIGIN: "" } }
  const answer = await call("POST", `${API}/posts/`, options)
  expect([answer.status, answer.json.code, answer.json.detail]).toEqual(NOT_SET_UP)
  expect((await get(json.slug)).status).toBe(404)
})

it.each<[keyof Env, string[], Partial<Env>?]>([
  ["PUBLIC_ORIGIN", ["blog.example", "http://user@localhost", "ftp://localhost", "javascript:alert(1)", "null"]],
  ["PUBLIC_ORIGIN", ["http://localhost:8787/", "http://localhost:8787/path"]],
  ["TRANSLATOR", ["", "nobody"]],
  // It translates nothing, so it works on loopback alone.
  ["TRANSLATOR", ["pseudo"], { PUBLIC_ORIGIN: "https://blog.example" }],
  ["IMAGE_ID_TTL_SECONDS", ["0", "-1", "1.5", "half an hour", ""]],
  ["UPLOADS_PER_MINUTE", ["0", "1e3"]],
  ["TRANSLATION_DEBOUNCE_SECONDS", ["-5", "soon"]],
])(
  "a request to a deployment with an invalid %s of %j answers misconfigured and names the variable",
  async (variable, values, others) => {
    for (const value of values) {
      const { status, json } = await call("GET", "/@nobody/nothing/", { env: { [variable]: value, ...others } })
      expect([status, json.code, json.detail], value).toEqual(misconfigured(variable))
    }
  },
)

it("a request answers misconfigured with the names of all invalid variables at once", async () => {
  const { json } = await call("GET", "/", { env: { UPLOADS_PER_MINUTE: "no", IMAGE_ID_TTL_SECONDS: "no" } })
  expect(json.detail).toMatch(/IMAGE_ID_TTL_SECONDS.*UPLOADS_PER_MINUTE/)
})
