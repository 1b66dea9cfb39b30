import { beforeAll, expect, it } from "vitest"

import { signIn } from "../author-pages/browser.ts"
import { eraseAccount, patch, setAccount } from "../calls.ts"
import { API, type Author, call, fetchWorker, newAuthor, newPost, OPERATOR, postInput, upload } from "../support.ts"

const PUBLIC = "https://blog.example"
const READER = "https://pages.example"
// The suite's engine works on loopback only; this one is never called.
const TOGETHER = { PUBLIC_ORIGIN: PUBLIC, TRANSLATOR: "apertium", APERTIUM_URL: "https://engine.example" }
const SPLIT = { ...TOGETHER, READER_ORIGIN: READER }

interface Scene {
  author: Author
  slug: string
  image: string
  /** The path of a draft's preview. */
  preview: string
}

const newScene = async (): Promise<Scene> => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { tags: "t" })
  const { preview_url } = await newPost(author, { status: "DF" })
  const french = { title: "Un titre", meta_description: "De quoi.", body: "Des mots." }
  await patch(author, slug, { lang_code: "fr", translation_languages: ["fr"], ...french })
  return { author, slug, image: (await upload(author)).image_url, preview: new URL(preview_url).pathname }
}

/** For the tests that change nothing. */
let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})

const page = ({ author, slug }: Scene) => `/@${author.username}/${slug}/`
const fileOf = (name: string) => `/@${scene.author.username}/${name}`
const on = (origin: string, path: string, headers?: Record<string, string>) =>
  call("GET", path, { env: SPLIT, origin, ...(headers && { headers }) })

const ROWS: [
  name: string,
  onPublic: number,
  onReader: number,
  path: string | (() => string),
  headers?: () => Record<string, string>,
][] = [
  ["a page", 404, 200, () => page(scene)],
  ["a page in another language", 404, 200, () => `${page(scene)}fr/`],
  ["a page by another spelling", 404, 308, () => `${page(scene)}FR/`],
  ["a page whose @ is escaped", 404, 200, () => page(scene).replace("@", "%40")],
  ["a page without trailing slash", 404, 200, () => page(scene).slice(0, -1)],
  ["a page in another language without trailing slash", 404, 200, () => `${page(scene)}fr`],
  ["a missing page", 404, 404, "/@nobody/nothing/"],
  ["a blog", 404, 200, () => fileOf("")],
  ["a list by category", 404, 200, () => fileOf("categories/news/")],
  ["a list by tag", 404, 200, () => fileOf("tags/t/")],
  ["a list by another spelling", 404, 308, () => fileOf("tags/T/")],
  ["a preview", 404, 200, () => scene.preview],
  ["a preview whose path is escaped", 404, 200, () => scene.preview.replace("/p", "/%70")],
  ["a preview without trailing slash", 404, 200, () => scene.preview.slice(0, -1)],
  ["a preview with a wrong secret", 404, 404, "/preview/wrong/"],
  ["an Atom feed", 404, 200, () => fileOf("feed.atom")],
  ["a JSON feed", 404, 200, () => fileOf("feed.json")],
  ["a blog's sitemap", 404, 200, () => fileOf("sitemap.xml")],
  ["the index of sitemaps", 404, 200, "/sitemap.xml"],
  ["the index of sitemaps with a slash", 404, 200, "/sitemap.xml/"],
  ["the index of sitemaps with an escaped letter", 404, 200, "/%73itemap.xml"],
  ["the index of sitemaps with an escaped dot", 404, 200, "/sitemap%2Exml"],
  ["robots.txt", 200, 200, "/robots.txt"],
  ["robots.txt with a slash", 200, 200, "/robots.txt/"],
  ["robots.txt with an escaped dot", 200, 200, "/robots%2Etxt"],
  ["the page of the service", 200, 404, "/"],
  ["an image", 200, 200, () => scene.image],
  ["an image whose path is escaped", 200, 200, () => scene.image.replace("/m", "/%6D")],
  ["the API without a key", 401, 404, `${API}/account/`],
  ["a post", 200, 404, () => `${API}/posts/${scene.slug}/`, () => ({ "X-API-KEY": scene.author.key })],
  ["sign-in", 200, 404, "/sign-in/"],
  ["settings", 401, 404, "/settings/"],
  ["the operator's sign-in", 200, 404, "/operator/sign-in/"],
  ["the operator's pages", 401, 404, "/operator/"],
  ["the operator's API", 200, 404, () => `/operator/api/accounts/${scene.author.username}/`, () => OPERATOR],
  ["the reference", 200, 404, "/docs/"],
  ["the error codes", 200, 404, "/docs/errors/"],
  ["an unknown path", 404, 404, "/nothing/"],
]

const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString()

it.each(ROWS)(
  "GET of %s answers %i on PUBLIC_ORIGIN, %i on READER_ORIGIN and 404 elsewhere",
  async (_, onPublic, onReader, pathOf, headers) => {
    const path = typeof pathOf === "string" ? pathOf : pathOf()
    const origins = [PUBLIC, READER, READER.replace("https:", "http:"), "https://elsewhere.example"]
    const answers = await Promise.all(origins.map((origin) => on(origin, path, headers?.())))
    expect(answers.map(({ status }) => status)).toEqual([onPublic, onReader, onReader, 404])
  },
)

it.each<[string, (scene: Scene) => unknown, number, string[]]>([
  ["a hidden account", ({ author }) => setAccount(author, { hidden: true }), 404, []],
  ["a restricted account", ({ author }) => setAccount(author, { restricted: true }), 200, []],
  ["an unpaid account", ({ author }) => setAccount(author, { paid_until: null }), 200, []],
  ["an erased account", ({ author }) => eraseAccount(author), 404, []],
  ["an unknown account", ({ author }) => Object.assign(author, { username: "nobody-at-all" }), 404, []],
  [
    "an account whose only post is scheduled",
    ({ author, slug }) => patch(author, slug, { published_at: IN_AN_HOUR }),
    200,
    ["post", "tags/t/", "categories/news/"],
  ],
])("all readers' pages of %s answer the same, on READER_ORIGIN alone", async (_, change, status, missing) => {
  const changed = await newScene()
  await change(changed)
  for (const name of ["post", "", "tags/t/", "categories/news/", "feed.atom", "feed.json", "sitemap.xml"]) {
    const path = name === "post" ? page(changed) : `/@${changed.author.username}/${name}`
    const statuses = [(await on(PUBLIC, path)).status, (await on(READER, path)).status]
    expect(statuses, path).toEqual([404, missing.includes(name) ? 404 : status])
  }
})

it("a page beyond the end of a list answers 404 on READER_ORIGIN, and links of lists stay on it", async () => {
  expect((await on(READER, fileOf("?page=2"))).status).toBe(404)
  for (const name of ["", "tags/t/", "feed.atom", "feed.json", "sitemap.xml"]) {
    const { text } = await on(READER, fileOf(name))
    expect(text, name).toContain(`${READER}${fileOf("")}`)
    expect(text.replace(MICROPUB, ""), name).not.toContain(PUBLIC)
  }
  expect((await on(READER, fileOf("tags/T/"))).headers.get("Location")).toBe(`${READER}${fileOf("tags/t/")}`)
})

it("robots.txt allows nothing on PUBLIC_ORIGIN, and names the sitemap on READER_ORIGIN", async () => {
  expect((await on(PUBLIC, "/robots.txt")).text).toBe("User-agent: *\nDisallow: /\n")
  expect((await on(READER, "/robots.txt")).text).toContain(`Sitemap: ${READER}/sitemap.xml`)
})

it("openapi.json is served on PUBLIC_ORIGIN and not on READER_ORIGIN", async () => {
  const answers = [PUBLIC, READER].map((origin) => fetchWorker(new Request(`${origin}/openapi.json`), SPLIT))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 404])
})

it("creating a post on READER_ORIGIN answers 404 and writes nothing", async () => {
  const { key } = scene.author
  expect((await call("POST", `${API}/posts/`, { key, json: postInput(), env: SPLIT, origin: READER })).status).toBe(404)
  expect((await call("GET", `${API}/posts/`, { key })).json.posts).toHaveLength(2)
})

/** By it, writing apps find the service. */
const MICROPUB = `<link rel="micropub" href="${PUBLIC}/micropub" />`

it("URLs of public pages are on READER_ORIGIN, all other URLs on PUBLIC_ORIGIN", async () => {
  const { author, slug } = scene
  const own = `${READER}${page(scene)}`
  const { post } = (await on(PUBLIC, `${API}/posts/${slug}/`, { "X-API-KEY": author.key })).json
  expect([post.url, post.translations[0].url]).toEqual([own, `${own}fr/`])
  const { text } = await on(READER, page(scene))
  expect(text).toContain(`<link rel="canonical" href="${own}"`)
  expect(text).toContain(`hreflang="fr" href="${own}fr/"`)
  expect(text.replace(MICROPUB, "")).not.toContain(PUBLIC)
  expect((await on(READER, `${page(scene)}fr/`)).text).toContain(`<link rel="canonical" href="${own}fr/"`)
  expect((await on(READER, `${page(scene)}en/`)).headers.get("Location")).toBe(own)
  const link = `/operator/api/accounts/${author.username}/sign-in-links/`
  const made = await call("POST", link, { headers: OPERATOR, env: SPLIT, origin: PUBLIC })
  expect(made.json.sign_in_url).toMatch(new RegExp(`^${PUBLIC}/sign-in/`))
})

it.each(["cross-site", "same-site", ""])(
  "a settings form sent from READER_ORIGIN with Sec-Fetch-Site %j is refused",
  async (site) => {
    const { browser } = await signIn({}, SPLIT)
    const headers = { Origin: READER, "Sec-Fetch-Site": site }
    for (const path of ["/settings/sessions/end-all/", "/sign-out/"])
      expect((await browser.post(path, {}, headers)).status, path).toBe(403)
    expect((await browser.get("/settings/")).status).toBe(200)
    expect((await browser.post("/sign-out/")).status).toBe(303)
  },
)

it("without READER_ORIGIN public pages and sign-in are both on PUBLIC_ORIGIN", async () => {
  for (const path of [page(scene), "/sign-in/"])
    expect((await call("GET", path, { env: TOGETHER, origin: PUBLIC })).status, path).toBe(200)
})

it.each([
  ["READER_ORIGIN without PUBLIC_ORIGIN", { PUBLIC_ORIGIN: "", READER_ORIGIN: READER }],
  ["READER_BLOG without READER_ORIGIN", { READER_BLOG: "ann" }],
  ["one origin for both", { PUBLIC_ORIGIN: PUBLIC, READER_ORIGIN: PUBLIC }],
  ["one host for both", { PUBLIC_ORIGIN: PUBLIC, READER_ORIGIN: "http://blog.example" }],
  ["a READER_ORIGIN with a path", { PUBLIC_ORIGIN: PUBLIC, READER_ORIGIN: `${READER}/` }],
])("a request answers misconfigured if the variables have %s", async (_, variables) => {
  const { status, json } = await call("GET", "/docs/errors/", { env: { ...TOGETHER, ...variables } })
  expect([status, json.code]).toEqual([500, "misconfigured"])
  expect(json.detail).toContain("READER_ORIGIN")
})
