import { describe, expect, it } from "vitest"

import { signIn } from "../author-pages/browser.ts"
import { patch } from "../calls.ts"
import { API, type Author, call, fetchWorker, newAuthor, newPost, OPERATOR, postInput, upload } from "../support.ts"

const PUBLIC = "https://blog.example"
const READER = "https://pages.example"
// The suite's engine works on loopback only; this one is never called.
const TOGETHER = { PUBLIC_ORIGIN: PUBLIC, TRANSLATOR: "apertium", APERTIUM_URL: "https://engine.example" }
const SPLIT = { ...TOGETHER, READER_ORIGIN: READER }
const ELSEWHERE = "https://elsewhere.example"

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

const setAccount =
  (json: Record<string, unknown>) =>
  ({ author }: Scene) =>
    call("PATCH", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, json })

interface Row {
  name: string
  path: (scene: Scene) => string
  headers?: (scene: Scene) => Record<string, string>
  /** The statuses on PUBLIC_ORIGIN and on READER_ORIGIN. */
  statuses: [number, number]
}

const key = ({ author }: Scene) => ({ "X-API-KEY": author.key })
const page = ({ author, slug }: Scene) => `/@${author.username}/${slug}/`

const ROWS: Row[] = [
  { name: "a page", path: page, statuses: [404, 200] },
  { name: "a page in another language", path: (scene) => `${page(scene)}fr/`, statuses: [404, 200] },
  { name: "a page by another spelling", path: (scene) => `${page(scene)}FR/`, statuses: [404, 308] },
  { name: "a page whose @ is escaped", path: (scene) => page(scene).replace("@", "%40"), statuses: [404, 200] },
  { name: "a missing page", path: () => "/@nobody/nothing/", statuses: [404, 404] },
  { name: "a blog", path: ({ author }) => `/@${author.username}/`, statuses: [404, 200] },
  { name: "a list by category", path: ({ author }) => `/@${author.username}/categories/news/`, statuses: [404, 200] },
  { name: "a list by tag", path: ({ author }) => `/@${author.username}/tags/t/`, statuses: [404, 200] },
  { name: "a list by another spelling", path: ({ author }) => `/@${author.username}/tags/T/`, statuses: [404, 308] },
  { name: "a preview", path: ({ preview }) => preview, statuses: [404, 200] },
  {
    name: "a preview whose path is escaped",
    path: ({ preview }) => preview.replace("/p", "/%70"),
    statuses: [404, 200],
  },
  { name: "a preview without trailing slash", path: ({ preview }) => preview.slice(0, -1), statuses: [404, 200] },
  { name: "a preview with a wrong secret", path: () => "/preview/wrong/", statuses: [404, 404] },
  { name: "an Atom feed", path: ({ author }) => `/@${author.username}/feed.atom`, statuses: [404, 200] },
  { name: "a JSON feed", path: ({ author }) => `/@${author.username}/feed.json`, statuses: [404, 200] },
  { name: "a blog's sitemap", path: ({ author }) => `/@${author.username}/sitemap.xml`, statuses: [404, 200] },
  { name: "the index of sitemaps", path: () => "/sitemap.xml", statuses: [404, 200] },
  { name: "robots.txt", path: () => "/robots.txt", statuses: [200, 200] },
  ...["/sitemap.xml/", "/%73itemap.xml", "/sitemap%2Exml"].map((path): Row => ({
    name: path,
    path: () => path,
    statuses: [404, 200],
  })),
  ...["/robots.txt/", "/robots%2Etxt"].map((path): Row => ({ name: path, path: () => path, statuses: [200, 200] })),
  { name: "the page of the service", path: () => "/", statuses: [200, 404] },
  { name: "an image", path: ({ image }) => image, statuses: [200, 200] },
  { name: "an image whose path is escaped", path: ({ image }) => image.replace("/m", "/%6D"), statuses: [200, 200] },
  { name: "the API", path: () => `${API}/account/`, headers: key, statuses: [200, 404] },
  { name: "the API without a key", path: () => `${API}/account/`, statuses: [401, 404] },
  { name: "a post", path: ({ slug }) => `${API}/posts/${slug}/`, headers: key, statuses: [200, 404] },
  { name: "sign-in", path: () => "/sign-in/", statuses: [200, 404] },
  { name: "settings", path: () => "/settings/", statuses: [401, 404] },
  { name: "the operator's sign-in", path: () => "/operator/sign-in/", statuses: [200, 404] },
  { name: "the operator's pages", path: () => "/operator/", statuses: [401, 404] },
  {
    name: "the operator's API",
    path: ({ author }) => `/operator/api/accounts/${author.username}/`,
    headers: () => OPERATOR,
    statuses: [200, 404],
  },
  { name: "the reference", path: () => "/docs/", statuses: [200, 404] },
  { name: "the error codes", path: () => "/docs/errors/", statuses: [200, 404] },
  { name: "an unknown path", path: () => "/nothing/", statuses: [404, 404] },
]

describe("GET with separate PUBLIC_ORIGIN and READER_ORIGIN", () => {
  it.each(ROWS)(
    "GET of $name answers the statuses $statuses on PUBLIC_ORIGIN and READER_ORIGIN",
    async ({ path, headers, statuses }) => {
      const scene = await newScene()
      const options = { env: SPLIT, ...(headers && { headers: headers(scene) }) }
      const onPublic = await call("GET", path(scene), { ...options, origin: PUBLIC })
      const onReader = await call("GET", path(scene), { ...options, origin: READER })
      expect([onPublic.status, onReader.status]).toEqual(statuses)
      const plain = { ...options, origin: READER.replace("https:", "http:") }
      expect((await call("GET", path(scene), plain)).status).toBe(statuses[1])
      expect((await call("GET", path(scene), { ...options, origin: ELSEWHERE })).status).toBe(404)
    },
  )

  it.each<[string, (scene: Scene) => Promise<unknown>, number, string[]]>([
    ["hidden", setAccount({ hidden: true }), 404, []],
    ["restricted", setAccount({ restricted: true }), 200, []],
    ["unpaid", setAccount({ paid_until: null }), 200, []],
    [
      "erased",
      ({ author }) => call("DELETE", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR }),
      404,
      [],
    ],
    [
      "scheduled",
      ({ author, slug }) => patch(author, slug, { published_at: new Date(Date.now() + 60_000).toISOString() }),
      200,
      ["post", "tags/t/", "categories/news/"],
    ],
  ])("readers' pages of %s accounts and posts answer the same on READER_ORIGIN", async (_, change, status, missing) => {
    const scene = await newScene()
    await change(scene)
    for (const file of ["post", "", "tags/t/", "categories/news/", "feed.atom", "feed.json", "sitemap.xml"]) {
      const path = file === "post" ? page(scene) : `/@${scene.author.username}/${file}`
      const on = async (origin: string) => (await call("GET", path, { env: SPLIT, origin })).status
      expect([await on(PUBLIC), await on(READER)], path).toEqual([404, missing.includes(file) ? 404 : status])
    }
  })

  it("a page beyond the end of a list answers 404 on READER_ORIGIN, and links of lists stay on it", async () => {
    const { author } = await newScene()
    const on = (path: string) => call("GET", `/@${author.username}/${path}`, { env: SPLIT, origin: READER })
    expect((await on("?page=2")).status).toBe(404)
    for (const path of ["", "tags/t/", "feed.atom", "feed.json", "sitemap.xml"]) {
      const { text } = await on(path)
      expect(text, path).toContain(`${READER}/@${author.username}/`)
      expect(text, path).not.toContain(PUBLIC)
    }
    expect((await on("tags/T/")).headers.get("Location")).toBe(`${READER}/@${author.username}/tags/t/`)
  })

  it("robots.txt allows nothing on PUBLIC_ORIGIN, and names the sitemap on READER_ORIGIN", async () => {
    const [onPublic, onReader] = await Promise.all(
      [PUBLIC, READER].map((origin) => call("GET", "/robots.txt", { env: SPLIT, origin })),
    )
    expect(onPublic?.text).toBe("User-agent: *\nDisallow: /\n")
    expect(onReader?.text).toContain(`Sitemap: ${READER}/sitemap.xml`)
  })

  it("openapi.json is served on PUBLIC_ORIGIN and not on READER_ORIGIN", async () => {
    const answers = [PUBLIC, READER].map((origin) => fetchWorker(new Request(`${origin}/openapi.json`), SPLIT))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 404])
  })

  it("creating a post on READER_ORIGIN answers 404 and writes nothing", async () => {
    const { author } = await newScene()
    const sent = { key: author.key, json: postInput(), env: SPLIT, origin: READER }
    expect((await call("POST", `${API}/posts/`, sent)).status).toBe(404)
    expect((await call("GET", `${API}/posts/`, { key: author.key })).json.posts).toHaveLength(2)
  })

  it("URLs of public pages are on READER_ORIGIN, all other URLs on PUBLIC_ORIGIN", async () => {
    const scene = await newScene()
    const { author, slug } = scene
    const { json } = await call("GET", `${API}/posts/${slug}/`, { key: author.key, env: SPLIT, origin: PUBLIC })
    expect(json.post.url).toBe(`${READER}${page(scene)}`)
    expect(json.post.translations[0].url).toBe(`${READER}${page(scene)}fr/`)
    const { text } = await call("GET", page(scene), { env: SPLIT, origin: READER })
    expect(text).toContain(`<link rel="canonical" href="${READER}${page(scene)}"`)
    expect(text).toContain(`hreflang="fr" href="${READER}${page(scene)}fr/"`)
    expect(text).not.toContain(PUBLIC)
    const french = await call("GET", `${page(scene)}fr/`, { env: SPLIT, origin: READER })
    expect(french.text).toContain(`<link rel="canonical" href="${READER}${page(scene)}fr/"`)
    const moved = await call("GET", `${page(scene)}en/`, { env: SPLIT, origin: READER })
    expect(moved.headers.get("Location")).toBe(`${READER}${page(scene)}`)
    const link = `/operator/api/accounts/${author.username}/sign-in-links/`
    const made = await call("POST", link, { headers: OPERATOR, env: SPLIT, origin: PUBLIC })
    expect(made.json.sign_in_url).toMatch(new RegExp(`^${PUBLIC}/sign-in/`))
  })
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
  const scene = await newScene()
  expect((await call("GET", page(scene), { env: TOGETHER, origin: PUBLIC })).status).toBe(200)
  expect((await call("GET", "/sign-in/", { env: TOGETHER, origin: PUBLIC })).status).toBe(200)
})

it.each([
  ["READER_ORIGIN without PUBLIC_ORIGIN", { PUBLIC_ORIGIN: "", READER_ORIGIN: READER }],
  ["one origin for both", { PUBLIC_ORIGIN: PUBLIC, READER_ORIGIN: PUBLIC }],
  ["one host for both", { PUBLIC_ORIGIN: PUBLIC, READER_ORIGIN: "http://blog.example" }],
  ["a READER_ORIGIN with a path", { PUBLIC_ORIGIN: PUBLIC, READER_ORIGIN: `${READER}/` }],
])("a request answers misconfigured if the variables have %s", async (_, variables) => {
  const { status, json } = await call("GET", "/docs/errors/", { env: { ...TOGETHER, ...variables } })
  expect([status, json.code]).toEqual([500, "misconfigured"])
  expect(json.detail).toContain("READER_ORIGIN")
})
