import { beforeAll, describe, expect, it } from "vitest"

import { patch, setAccount } from "../calls.ts"
import {
  API,
  type Author,
  call,
  env as bindings,
  fetchWorker,
  newAuthor,
  newPost,
  OPERATOR,
  upload,
} from "../support.ts"

const PUBLIC = "https://blog.example"
const READER = "https://pages.example"
const TOGETHER = { PUBLIC_ORIGIN: PUBLIC, TRANSLATOR: "apertium", APERTIUM_URL: "https://engine.example" }

interface Scene {
  author: Author
  slug: string
  image: string
  preview: string
}

let [ann, bob]: Scene[] = []
const HOST = "ann.example"
beforeAll(async () => {
  ;[ann, bob] = await Promise.all(
    [HOST, null].map(async (blog_host) => {
      const author = await newAuthor()
      const { slug } = await newPost(author, { tags: "t" })
      const { preview_url } = await newPost(author, { status: "DF" })
      const french = { title: "Un titre", meta_description: "De quoi.", body: "Des mots." }
      await patch(author, slug, { lang_code: "fr", translation_languages: ["fr"], ...french })
      const { image_url: image } = await upload(author)
      await setAccount(author, { blog_host })
      return { author, slug, image, preview: new URL(preview_url).pathname }
    }),
  )
})

const at = ({ author }: Scene, rest = "") => `/@${author.username}/${rest}`

/** Each way to give a blog a host: the variables, the blog's origin, and the origin on which it was before. */
const WAYS: [string, () => { env: Partial<Env>; origin: string; before: string }][] = [
  ["blog_host", () => ({ env: TOGETHER, origin: `https://${HOST}`, before: PUBLIC })],
  [
    "blog_host beside READER_ORIGIN",
    () => ({ env: { ...TOGETHER, READER_ORIGIN: READER }, origin: `https://${HOST}`, before: READER }),
  ],
  [
    "READER_BLOG",
    () => ({
      env: { ...TOGETHER, READER_ORIGIN: READER, READER_BLOG: bob!.author.username },
      origin: READER,
      before: READER,
    }),
  ],
]

type Rows = [
  name: string,
  path: (own: Scene, other: Scene) => string,
  status: number,
  headers?: (own: Scene) => Record<string, string>,
][]
const ROWS: Rows = [
  ["the blog", () => "/", 200],
  ["the blog in a language", () => "/?lang=fr", 200],
  ["a page after the last", () => "/?page=2", 404],
  ["a post", ({ slug }) => `/${slug}/`, 200],
  ["a post without a slash", ({ slug }) => `/${slug}`, 200],
  ["a translation", ({ slug }) => `/${slug}/fr/`, 200],
  ["a translation by another spelling", ({ slug }) => `/${slug}/FR/`, 308],
  ["a tag", () => "/tags/t/", 200],
  ["a tag by another spelling", () => "/tags/T/", 308],
  ["a category", () => "/categories/news/", 200],
  ["all topics", () => "/tags/", 200],
  ["the Atom feed", () => "/feed.atom", 200],
  ["the JSON feed", () => "/feed.json", 200],
  ["another name of the feed", () => "/feed", 301],
  ["the sitemap", () => "/sitemap.xml", 200],
  ["robots.txt", () => "/robots.txt", 200],
  ["an image", ({ image }) => image, 200],
  ["a preview", ({ preview }) => preview, 200],
  ["a page of before", (own) => at(own), 301],
  ["a post of before", (own) => at(own, `${own.slug}/fr/?a=1`), 301],
  ["a post of before whose @ is escaped", (own) => at(own, `${own.slug}/`).replace("@", "%40"), 301],
  ["an unknown post", () => "/nothing/", 404],
  ["an unknown path", () => "/a/b/c/d/", 404],
  ["another blog", (_, other) => at(other), 404],
  ["another blog's post", (_, other) => at(other, `${other.slug}/`), 404],
  ["another blog's post at the root", (_, { slug }) => `/${slug}/`, 404],
  ["another blog's feed", (_, other) => at(other, "feed.atom"), 404],
  ["another blog's image", (_, { image }) => image, 404],
  ["another blog's preview", (_, { preview }) => preview, 404],
  ["the blog by the name that its routes have", () => "/@root/", 404],
  ["the API", () => `${API}/account/`, 404, ({ author }) => ({ "X-API-KEY": author.key })],
  ["a post by the API", ({ slug }) => `${API}/posts/${slug}/`, 404, ({ author }) => ({ "X-API-KEY": author.key })],
  ["the settings", () => "/settings/", 404],
  ["sign-in", () => "/sign-in/", 404],
  ["the operator's pages", () => "/operator/sign-in/", 404],
  ["the operator's API", ({ author }) => `/operator/api/accounts/${author.username}/`, 404, () => OPERATOR],
  ["the reference", () => "/docs/", 404],
  ["the state of the service", () => "/healthz/", 404],
  ["the OpenAPI document", () => "/openapi.json", 404],
  ["Stripe's webhook", () => "/webhooks/stripe/", 404],
]

const sceneOf = (way: string): [Scene, Scene] => (way === "READER_BLOG" ? [bob!, ann!] : [ann!, bob!])

describe.each(WAYS)("a blog's host by %s", (way, placesOf) => {
  it.each(ROWS)("answers %s with its own page or not at all", async (_, pathOf, status, headersOf) => {
    const { env, origin } = placesOf()
    const [own, other] = sceneOf(way)
    const path = pathOf(own, other)
    const answer = await call("GET", path, { env, origin, headers: headersOf?.(own) ?? {} })
    expect(answer.status, answer.text).toBe(status)
    if (status !== 301) return
    const rest = path.replace(/^\/(?:@|%40)[^/]+/, "").replace(/^\/feed$/, "/feed.atom")
    expect(answer.headers.get("Location")).toBe(`${origin}${rest}`)
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600")
  })
})

it.each(WAYS)(
  "every absolute address of a blog's pages and feeds names the blog's host by %s",
  async (way, placesOf) => {
    const { env, origin } = placesOf()
    const [own, other] = sceneOf(way)
    const { slug, author } = own
    const texts = await Promise.all(
      ["/", `/${slug}/`, "/tags/", "/tags/t/", "/feed.atom", "/feed.json", "/sitemap.xml", "/robots.txt"].map(
        async (path) => (await call("GET", path, { env, origin })).text,
      ),
    )
    // Writing apps find the service by it.
    const urls = texts.flatMap(
      (text) => text.replace(/<link rel="micropub"[^>]*>/, "").match(/https:\/\/[a-z]+\.example[^\s"<]*/g) ?? [],
    )
    expect([...new Set(urls.map((url) => new URL(url).origin))]).toEqual([origin])
    expect(urls).toContain(`${origin}/${slug}/fr/`)
    expect(urls.join(" ")).not.toContain("/@")
    const shown = async ({ author: { key } }: Scene, wanted: string) =>
      (await call("GET", `${API}/posts/${wanted}/`, { env, origin: PUBLIC, headers: { "X-API-KEY": key } })).json.post
    expect(await shown(own, slug)).toMatchObject({
      url: `${origin}/${slug}/`,
      translations: [{ url: `${origin}/${slug}/fr/` }],
    })
    const otherPlace = "READER_ORIGIN" in env ? READER : PUBLIC
    expect((await shown(other, other.slug)).url).toBe(
      other === ann ? `https://${HOST}/${other.slug}/` : `${otherPlace}/@${other.author.username}/${other.slug}/`,
    )
    expect(author.username).not.toBe(other.author.username)
  },
)

it.each(WAYS)(
  "a page's old address leads to the blog's host by %s, and a missing page does not",
  async (way, placesOf) => {
    const { env, origin, before } = placesOf()
    const [own] = sceneOf(way)
    for (const rest of ["", `${own.slug}/`, `${own.slug}/fr/`, "tags/t/?page=1", "feed.atom", "sitemap.xml"]) {
      const { status, headers } = await call("GET", at(own, rest), { env, origin: before })
      expect([status, headers.get("Location")], rest).toEqual([301, `${origin}/${rest}`])
    }
    expect((await call("GET", at(own, "nothing/"), { env, origin: before })).status).toBe(404)
  },
)

it.each(WAYS)(
  "links between posts lead to the blog's own address by %s, and code stays as it is",
  async (way, placesOf) => {
    const { env, origin } = placesOf()
    const [own] = sceneOf(way)
    const body = `[there](${at(own, `${own.slug}/#a`)}) and \`<a href="${at(own)}">\``
    const { slug } = await newPost(own.author, { body })
    const { text } = await call("GET", `/${slug}/`, { env, origin })
    expect(text).toContain(` href="/${own.slug}/#a"`)
    expect(text).toMatch(new RegExp(`<code>&[#\\w]+;a href="${at(own)}"`))
  },
)

const hsts = async (origin: string) =>
  (await call("GET", "/robots.txt", { env: TOGETHER, origin })).headers.get("Strict-Transport-Security")

it("a blog's host tells browsers nothing about the other hosts of its domain", async () => {
  expect([await hsts(`https://${HOST}`), await hsts(PUBLIC)]).toEqual([
    "max-age=31536000",
    "max-age=31536000; includeSubDomains",
  ])
})

it("the host of a hidden account answers nothing, and its old addresses lead nowhere", async () => {
  const author = await newAuthor({ blog_host: "hidden.example" })
  const { slug } = await newPost(author)
  await call("PUT", `${API}/account/redirects/?source=s`, {
    ...author,
    json: {
      redirects: [
        { from: "/old/", to: slug },
        { from: `/${slug}/`, to: slug },
      ],
    },
  })
  const statuses = async () =>
    Promise.all(
      ["/", `/${slug}/`, "/old/", "/robots.txt", "/?p=1"].map(
        async (path) => (await call("GET", path, { env: TOGETHER, origin: "https://hidden.example" })).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200, 301, 200, 200])
  await setAccount(author, { hidden: true })
  expect(await statuses()).toEqual([404, 404, 404, 404, 404])
})

it("a post whose slug the root of a host has for something else stays at its old address", async () => {
  const { author } = ann!
  const { slug } = await newPost(author)
  await bindings.DB.prepare("update posts set slug = 'media' where slug = ?").bind(slug).run()
  const { status, text } = await call("GET", at(ann!, "media/"), { env: TOGETHER, origin: PUBLIC })
  expect([status, text]).toEqual([
    200,
    expect.stringContaining(`rel="canonical" href="${PUBLIC}${at(ann!, "media/")}"`),
  ])
})

it.each([
  ["not a host", "https://ann.example/"],
  ["a number", "127.0.0.1"],
  ["a port", "ann.example:8443"],
  ["no domain", "localhost"],
  ["the host of the service", "blog.example"],
  ["the host of another account", HOST],
])("a blog cannot have %s as its host", async (_, blog_host) => {
  const { author } = bob!
  const path = `/operator/api/accounts/${author.username}/`
  const { status, json } = await call("PATCH", path, {
    headers: OPERATOR,
    json: { blog_host },
    env: TOGETHER,
    origin: PUBLIC,
  })
  expect([status, json.errors[0].field]).toEqual([400, "blog_host"])
})

it("the ASCII form of a host in another script is stored, and null takes the host away", async () => {
  const author = await newAuthor()
  expect((await setAccount(author, { blog_host: "Bücher.example" })).json.account.blog_host).toBe(
    "xn--bcher-kva.example",
  )
  expect((await setAccount(author, { blog_host: null })).json.account.blog_host).toBe(null)
})

const dotted = (origin: string) => `${origin}.`
const textAt = async (url: string, env: Partial<Env>) => {
  const answer = await fetchWorker(new Request(url), env)
  return [answer.status, await answer.text()]
}

it.each(WAYS)("a blog's host by %s is the same host with a dot at its end", async (way, placesOf) => {
  const { env, origin } = placesOf()
  const [own] = sceneOf(way)
  for (const path of ["/", `/${own.slug}/`, "/feed.atom", "/nothing/"])
    expect((await textAt(dotted(origin) + path, env))[0], path).toBe((await textAt(origin + path, env))[0])
  expect(await textAt(`${dotted(origin)}/${own.slug}/`, env)).toEqual(await textAt(`${origin}/${own.slug}/`, env))
})

it("the service's own host is the same with a dot at its end: in requests, in Origin and in PUBLIC_ORIGIN", async () => {
  const { key, username } = ann!.author
  for (const [env, origin] of [
    [TOGETHER, dotted(PUBLIC)],
    [{ ...TOGETHER, PUBLIC_ORIGIN: dotted(PUBLIC) }, PUBLIC],
    [TOGETHER, `${dotted(PUBLIC)}:443`],
  ] as const) {
    const account = await fetchWorker(new Request(`${origin}${API}/account/`, { headers: { "X-API-KEY": key } }), env)
    expect(await account.json()).toMatchObject({ account: { username } })
    const headers = { Origin: dotted(PUBLIC), "Content-Type": "application/x-www-form-urlencoded" }
    const form = await fetchWorker(new Request(`${origin}/settings/blog/`, { method: "POST", headers, body: "" }), env)
    expect(await form.json()).toMatchObject({ code: "sign_in_required" })
    expect((await fetchWorker(new Request(`${origin}/sitemap.xml`), env)).status).toBe(200)
  }
  const { json } = await setAccount(await newAuthor(), { blog_host: "dotted.example." })
  expect(json.account.blog_host).toBe("dotted.example")
})
