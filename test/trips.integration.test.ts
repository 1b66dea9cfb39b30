import { expect, it } from "vitest"

import { create, patch, put, remove } from "./calls.ts"
import { faulty, tapD1 } from "./faults.ts"
import { API, type Answer, type Author, call, env, fileForm, newAuthor, newPost, png, upload } from "./support.ts"

// Every call that a request makes to another place: the distance to them is what people far away wait for. D1 is one database in
// one place; the others are counted beside it. `npm run trips` writes trips.txt again.

interface Scene {
  author: Author
  slug: string
  /** The path of an image that the post shows, and the id of one that no post shows. */
  image: string
  free: string
  /** The path of a draft's preview. */
  preview: string
}

const IN_FRENCH = {
  lang_code: "fr",
  translation_languages: ["fr"],
  title: "Un titre",
  meta_description: "De quoi.",
  body: "Des mots.",
}

const newScene = async (): Promise<Scene> => {
  const author = await newAuthor()
  const shown = await upload(author)
  const { slug } = await newPost(author, { tags: "sea", image_ids: [shown.image_id], body: `![](${shown.image_url})` })
  const { preview_url } = await newPost(author, { status: "DF" })
  await patch(author, slug, IN_FRENCH)
  const free = await upload(author, await png(3, 3))
  return { author, slug, image: shown.image_url, free: free.image_id, preview: new URL(preview_url).pathname }
}

/** Returns the verb and the tables of a statement: `select posts accounts`. */
const briefly = (sql: string): string => {
  const [verb = ""] = sql.trim().toLowerCase().split(/\s/)
  const tables = [...sql.matchAll(/\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi)].map(([, table = ""]) => table)
  return [verb, ...new Set(tables.filter((table) => !["json_each", "select", "set"].includes(table)))].join(" ")
}

/** Returns the bindings of a request that note its calls: those of D1 with their statements. */
const tapped = () => {
  const calls: string[] = []
  const note = <T extends object>(name: string, real: T, methods: string[]): T =>
    faulty(
      real,
      Object.fromEntries(
        methods.map((method) => [
          method,
          (...args: unknown[]) => {
            calls.push(`${name} ${method}`)
            return Reflect.apply(Reflect.get(real, method) as (...all: unknown[]) => unknown, real, args)
          },
        ]),
      ) as never,
    )
  const DB = tapD1({
    before: (statements) => void calls.push(`D1 ${statements.map(({ sql }) => briefly(sql)).join(" | ")}`),
  })
  const IMAGE_TICKETS = note("KV", env.IMAGE_TICKETS, ["get", "put", "delete"])
  const MEDIA = note("R2", env.MEDIA, ["get", "head", "put", "delete"])
  const TRANSLATIONS = note("queue", env.TRANSLATIONS, ["send", "sendBatch"])
  const WEBHOOK_EVENTS = note("queue, after the answer", env.WEBHOOK_EVENTS, ["send"])
  const UPLOAD_LIMITER = faulty(env.UPLOAD_LIMITER, {
    getByName: (name: string) => note("DO", env.UPLOAD_LIMITER.getByName(name), ["take", "count", "release"]),
  })
  return { calls, env: { DB, IMAGE_TICKETS, MEDIA, TRANSLATIONS, WEBHOOK_EVENTS, UPLOAD_LIMITER } as Partial<Env> }
}

type Ask = (scene: Scene, faults: Partial<Env>) => Promise<Answer>

const visit =
  (path: (scene: Scene) => string): Ask =>
  (scene, faults) =>
    call("GET", path(scene), { env: faults })
const blog =
  (rest: string): Ask =>
  ({ author, slug }, faults) =>
    call("GET", `/@${author.username}/${rest.replace(":slug", slug)}`, { env: faults })
const ask =
  (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: (scene: Scene) => string, json?: unknown): Ask =>
  (scene, faults) =>
    call(method, `${API}/${path(scene)}`, { key: scene.author.key, json, env: faults })
const send =
  (image: (scene: Scene) => Promise<Uint8Array<ArrayBuffer>>): Ask =>
  async (scene, faults) =>
    call("POST", `${API}/image-upload/`, { key: scene.author.key, body: fileForm(await image(scene)), env: faults })

const addWebhook = ({ key }: Author, name: string) =>
  call("POST", `${API}/webhooks/`, { key, json: { url: `https://${name}.example/` } })

/** The requests, each with the calls of D1 that it may make. A reason stands where that is more than a reader or writer has to wait for. */
const REQUESTS: [name: string, trips: number, ask: Ask, reason?: string][] = [
  ["a reader's page", 1, blog(":slug/")],
  ["a reader's page in another language", 1, blog(":slug/fr/")],
  ["a blog", 1, blog("")],
  ["the posts with a tag", 1, blog("tags/sea/")],
  ["all topics", 1, blog("tags/")],
  ["the Atom feed", 1, blog("feed.atom")],
  ["the RSS feed", 1, blog("feed.rss")],
  ["the JSON feed", 1, blog("feed.json")],
  ["the sitemap of a blog", 1, blog("sitemap.xml")],
  ["the index of sitemaps", 1, visit(() => "/sitemap.xml")],
  ["the page of the service", 1, visit(() => "/")],
  ["robots.txt", 0, visit(() => "/robots.txt")],
  ["a missing page", 1, blog("nothing/")],
  ["a preview", 1, visit(({ preview }) => preview)],
  ["an image that readers see", 1, visit(({ image }) => image)],
  ["an image that no post shows", 1, visit(({ author, free }) => `/media/${author.username}/blog_img/${free}.webp`)],
  ["the account", 1, ask("GET", () => "account/")],
  ["a post", 1, ask("GET", ({ slug }) => `posts/${slug}/`)],
  ["a post in another language", 1, ask("GET", ({ slug }) => `posts/${slug}/?lang_code=fr`)],
  ["a list of posts", 2, ask("GET", () => "posts/"), "the account of the key comes first"],
  ["the translations of a post", 1, ask("GET", ({ slug }) => `posts/${slug}/translations/`)],
  [
    "the images with a hash",
    2,
    ask("GET", () => `images/?source_sha256=${"0".repeat(64)}`),
    "the account of the key comes first",
  ],
  ["a new post", 2, ({ author }, faults) => create(author, {}, faults)],
  ["a new post with an image", 3, ({ author, free }, faults) => create(author, { image_ids: [free] }, faults)],
  [
    "a new post with an Idempotency-Key",
    4,
    ({ author }, faults) =>
      call("POST", `${API}/posts/`, {
        key: author.key,
        json: { title: "T", slug: "with-a-key", status: "PB", categories: "c", meta_description: "m", body: "b" },
        headers: { "Idempotency-Key": "k" },
        env: faults,
      }),
  ],
  ["a changed post", 2, ({ author, slug }, faults) => patch(author, slug, { title: "New" }, { env: faults })],
  [
    "a changed translation",
    3,
    ({ author, slug }, faults) => patch(author, slug, { ...IN_FRENCH, title: "Un autre" }, { env: faults }),
    "its body is read once the request names its language",
  ],
  [
    "a changed post with an image that it does not have yet",
    3,
    ({ author, slug, free }, faults) => patch(author, slug, { body: "b", image_ids: [free] }, { env: faults }),
  ],
  ["an unchanged post", 2, ({ author, slug }, faults) => patch(author, slug, { title: "A title" }, { env: faults })],
  ["a replaced post", 2, ({ author, slug }, faults) => put(author, slug, { title: "New" }, { env: faults })],
  ["a post made by PUT", 2, ({ author }, faults) => put(author, "made-by-put", {}, { env: faults })],
  ["a deleted post", 2, ({ author, slug }, faults) => remove(author, slug, { env: faults })],
  ["a new upload", 4, send(() => png(4, 4))],
  ["the same upload again", 4, send(() => png(3, 3))],
  [
    "a translation made again",
    2,
    ask("POST", ({ slug }) => `posts/${slug}/translations/fr/`, { discard_edits: ["title"] }),
  ],
  [
    "an approved translation",
    3,
    ask("POST", ({ slug }) => `posts/${slug}/translations/fr/approve/`, {}),
    "its body is read once its language is known",
  ],
  ["a removed translation", 2, ask("DELETE", ({ slug }) => `posts/${slug}/translations/fr/`)],
  ["a new post, told to three addresses", 2, ({ author }, faults) => create(author, {}, faults)],
  [
    "a changed post, told to three addresses",
    2,
    ({ author, slug }, faults) => patch(author, slug, { title: "New" }, { env: faults }),
  ],
  ["the webhooks", 2, ask("GET", () => "webhooks/"), "the account of the key comes first"],
  ["the redirects", 2, ask("GET", () => "account/redirects/"), "the account of the key comes first"],
  ["replaced redirects", 2, ask("PUT", () => "account/redirects/?source=s", { redirects: [] })],
]

it("the calls of each request to other places are those of trips.txt, and no more of D1 than promised", async () => {
  const lines: string[] = []
  const over: string[] = []
  for (const [name, trips, request, reason] of REQUESTS) {
    const scene = await newScene()
    if (name.includes("told to three")) for (const each of ["one", "two", "three"]) await addWebhook(scene.author, each)
    // The use of the key is written once in a while, behind the answer.
    await call("GET", `${API}/account/`, { key: scene.author.key })
    const { calls, env: faults } = tapped()
    const { status } = await request(scene, faults)
    const d1 = calls.filter((one) => one.startsWith("D1"))
    if (d1.length > trips) over.push(`${name}: ${d1.length}, not ${trips}`)
    const others = calls.filter((one) => !one.startsWith("D1"))
    lines.push(`${name}: ${status}, ${d1.length} of ${trips}${reason === undefined ? "" : ` (${reason})`}`)
    lines.push(...[...d1, ...others].map((one) => `  ${one}`), "")
  }
  await expect(lines.join("\n")).toMatchFileSnapshot("trips.txt")
  expect(over).toEqual([])
})
