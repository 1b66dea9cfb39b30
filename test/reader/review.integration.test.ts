import { beforeAll, beforeEach, expect, it } from "vitest"

import { routes } from "../../src/routes.ts"
import { setAccount } from "../calls.ts"
import { API, call, OPERATOR, ORIGIN, passSeconds, rows, stopClock, upload } from "../support.ts"
import { type Desk, newDesk } from "../translations/author.ts"

// With translation_review "hold", no way of readers to a text shows one before its approval; they keep the approved one.

beforeEach(() => stopClock())

interface World {
  desk: Desk
  /** A published post. */
  slug: string
  /** A draft with a preview link. */
  preview: string
  /** A key of the scope `read`. */
  reader: string
  image: string
}

interface Row {
  paths: (world: World) => string[]
  /** Whether the approved text is found there, of a post in all its languages. */
  shows?: true
  /** The status before the first approval, if it is another than 200. */
  hidden?: number[]
}

const blogOf = ({ desk }: World) => `/@${desk.username}/`
const inBoth = (path: (world: World) => string) => (world: World) => [path(world), `${path(world)}?lang=fr`]
const FILE = "/:author{(?:@|%40)[^/]+}/"
const POST = `${API}/posts/`

/** Every route of readers, and of keys that only read. A new one fails the first test until it has a row. */
const ROWS: Record<string, Row> = {
  "/": { paths: () => ["/"] },
  "/robots.txt": { paths: () => ["/robots.txt"] },
  "/sitemap.xml": { paths: () => ["/sitemap.xml"] },
  "/docs/": { paths: () => ["/docs/"] },
  "/docs/errors/": { paths: () => ["/docs/errors/"] },
  "/docs/markdown/": { paths: () => ["/docs/markdown/"] },
  "/healthz/": { paths: () => ["/healthz/"] },
  "/media/:username/blog_img/:file": { paths: ({ image }) => [image] },
  [FILE]: { paths: inBoth(blogOf), shows: true },
  [`${FILE}:slug/`]: { paths: (world) => [`${blogOf(world)}${world.slug}/`] },
  [`${FILE}:slug/:lang_code/`]: { paths: (world) => [`${blogOf(world)}${world.slug}/fr/`], shows: true, hidden: [404] },
  [`${FILE}:rest{.+}`]: { paths: (world) => [`${blogOf(world)}${world.slug}/fr/x/`], hidden: [404] },
  [`${FILE}tags/`]: { paths: inBoth((world) => `${blogOf(world)}tags/`) },
  [`${FILE}tags/:tag/`]: { paths: inBoth((world) => `${blogOf(world)}tags/sea/`), shows: true },
  [`${FILE}categories/:category/`]: { paths: inBoth((world) => `${blogOf(world)}categories/news/`), shows: true },
  [`${FILE}feed.atom`]: { paths: inBoth((world) => `${blogOf(world)}feed.atom`), shows: true },
  [`${FILE}feed.rss`]: { paths: inBoth((world) => `${blogOf(world)}feed.rss`), shows: true },
  [`${FILE}feed.json`]: { paths: inBoth((world) => `${blogOf(world)}feed.json`), shows: true },
  [`${FILE}sitemap.xml`]: { paths: (world) => [`${blogOf(world)}sitemap.xml`] },
  "/preview/:token/": { paths: ({ preview }) => [preview] },
  "/preview/:token/:lang_code/": { paths: ({ preview }) => [`${preview}fr/`], shows: true, hidden: [404] },
  [POST]: { paths: () => [POST], shows: true },
  [`${POST}:slug/`]: {
    paths: ({ slug }) => [`${POST}${slug}/`, `${POST}${slug}/?lang_code=fr`],
    shows: true,
    hidden: [200, 404],
  },
  [`${POST}:slug/translations/`]: { paths: ({ slug }) => [`${POST}${slug}/translations/`], shows: true },
  [`${API}/images/`]: { paths: () => [`${API}/images/?source_sha256=${"0".repeat(64)}`] },
  [`${API}/account/`]: { paths: () => [`${API}/account/`] },
  [`${API}/account/redirects/`]: { paths: () => [`${API}/account/redirects/`], hidden: [403] },
  [`${API}/account/glossary/`]: { paths: () => [`${API}/account/glossary/`], hidden: [403] },
  "/micropub/": {
    paths: ({ desk, slug }) =>
      ["config", "category", `source&url=${ORIGIN}/@${desk.username}/${slug}/`].map((query) => `/micropub/?q=${query}`),
  },
}

const isForReaders = (path: string) => !path.includes("/webhooks/")
const readable = routes
  .map(({ operation }) => operation)
  .filter(({ method, access, path }) => method === "GET" && ["public", "key"].includes(access) && isForReaders(path))

it("the table of readers' routes has one row for each route that readers and keys that only read may call", () => {
  expect(Object.keys(ROWS).toSorted()).toEqual([...new Set(readable.map(({ path }) => path))].toSorted())
})

const words = (title: string, image: string) => ({
  title,
  meta_description: `${title} described.`,
  body: `${title} *body*.\n\n![${title} image](${image})`,
})

/** The words of a text as the test engine translates them. */
const FIRST = "First·fr"
const NEWER = "Newer·fr"

/** Makes a published post and a draft, whose translations wait. */
const newWorld = async (): Promise<World> => {
  const desk = await newDesk({ translation_review: "hold", translation_languages: ["fr"] })
  const image = (await upload(desk)).image_url
  const { slug } = await desk.create({ ...words("First", image), tags: "sea" })
  const { preview_url } = await desk.create({ ...words("First", image), status: "DF" })
  await call("POST", `${API}/webhooks/`, { key: desk.key, json: { url: "https://hooks.example/" } })
  const made = await call("POST", `/operator/api/accounts/${desk.username}/keys/`, {
    headers: OPERATOR,
    json: { name: "reader", scope: "read" },
  })
  await desk.run()
  return { desk, slug, image, preview: new URL(preview_url).pathname, reader: made.json.api_key }
}

const postsOf = ({ desk }: World) =>
  rows(
    "select slug from posts join accounts on accounts.id = account_id where username = ? order by slug",
    desk.username,
  )

const approveAll = async (world: World) => {
  for (const { slug } of await postsOf(world))
    expect((await world.desk.send("POST", `${String(slug)}/translations/fr/approve/`)).status).toBe(200)
}

const look = async (world: World, { paths }: Row) => {
  const answers = []
  for (const path of paths(world))
    answers.push(await call("GET", path, path.includes("/media/") ? {} : { key: world.reader }))
  return { statuses: answers.map(({ status }) => status), text: answers.map(({ text }) => text).join("\n") }
}

/** Lists what was queued for webhooks. */
const toldOf = async ({ desk }: World) =>
  (
    await rows(
      `select webhook_deliveries.type, webhook_deliveries.data from webhook_deliveries
        join webhook_endpoints on webhook_endpoints.id = endpoint_id join accounts on accounts.id = account_id
        where username = ?`,
      desk.username,
    )
  ).map(({ type, data }) => `${String(type)} ${String(data)}`)

let waiting: World
let outdated: World
beforeAll(async () => {
  // The runs of the engine move the clock.
  stopClock(new Date(Date.now() - 3_600_000))
  waiting = await newWorld()
  outdated = await newWorld()
  await approveAll(outdated)
  for (const { slug } of await postsOf(outdated))
    await outdated.desk.patch(String(slug), { translation_languages: ["fr"], ...words("Newer", outdated.image) })
  passSeconds(60)
  await outdated.desk.run()
})

const states = async ({ desk, slug }: World) => (await desk.translations(slug))["fr"]

it("the newer translations of the table wait for approval", async () => {
  expect(await states(waiting)).toMatchObject({
    approved: false,
    pending: true,
    title: null,
    url: null,
    status: "ready",
  })
  expect(await states(outdated)).toMatchObject({ approved: true, pending: true, title: FIRST, status: "ready" })
  expect(
    (await rows("select pending_fields from texts where lang_code = 'fr'")).map(({ pending_fields }) => pending_fields),
  ).toEqual([FIRST, FIRST, NEWER, NEWER].map((word) => expect.stringContaining(word) as string))
})

it("the images of a body that waits are no images of the translation that readers see", async () => {
  const [held] = await rows(
    "select texts.image_ids, pending_image_ids from texts join posts on posts.id = post_id where slug = ? and lang_code = 'fr'",
    waiting.slug,
  )
  expect(held).toEqual({ image_ids: "[]", pending_image_ids: expect.stringMatching(/^\["\w+"\]$/) })
})

it.each(Object.entries(ROWS))("%s shows no translation before it is approved", async (_, row) => {
  const { statuses, text } = await look(waiting, row)
  const expected = row.paths(waiting).map((__, i) => row.hidden?.[row.hidden.length > 1 ? i : 0] ?? 200)
  expect(statuses).toEqual(expected)
  expect(text).not.toContain("·fr")
  expect(text).not.toMatch(/hreflang="fr"|"pending":true|"approved":true/)
  expect(text).not.toContain(`/${waiting.slug}/fr/`)
})

it.each(Object.entries(ROWS))("%s shows the approved translation while a newer one waits", async (_, row) => {
  const { text } = await look(outdated, row)
  expect(text).not.toContain(NEWER)
  expect(text).not.toMatch(/"pending":true/)
  expect(text.includes(FIRST)).toBe(row.shows === true)
})

it("webhooks are told of a translation once it is approved, and of none that waits", async () => {
  expect((await toldOf(waiting)).filter((event) => event.startsWith("translation."))).toEqual([])
  const told = (await toldOf(outdated)).filter((event) => event.startsWith("translation."))
  expect(told).toEqual([
    expect.stringMatching(/^translation\.ready .*"fr"/),
    expect.stringMatching(/^translation\.ready /),
  ])
})

it("a key that only reads gets no image that only a waiting text shows", async () => {
  const world = await newWorld()
  const change = (body: string) => world.desk.patch(world.slug, { translation_languages: ["fr"], body, image_ids: [] })
  expect((await change("No image.")).status).toBe(202)
  const read = async (path: string, key: string) => {
    const { json } = await call("GET", path, { key })
    return (json.post ?? json.posts.find(({ slug }: { slug: string }) => slug === world.slug)).images.length
  }
  const paths = [`${POST}${world.slug}/`, POST]
  for (const path of paths) expect([await read(path, world.desk.key), await read(path, world.reader)]).toEqual([1, 0])
})

it("the blog of an account with a host of its own keeps to the approval as well", async () => {
  const { desk, slug } = waiting
  const host = "held.example"
  await setAccount(desk, { blog_host: host })
  const read = (path: string) => call("GET", path, { origin: `https://${host}` })
  const [page, french, feed, sitemap] = await Promise.all(
    [`/${slug}/`, `/${slug}/fr/`, "/feed.json?lang=fr", "/sitemap.xml"].map(read),
  )
  await setAccount(desk, { blog_host: null })
  expect([page, french, feed, sitemap].map((answer) => answer?.status)).toEqual([200, 404, 200, 200])
  for (const answer of [page, french, feed, sitemap]) expect(answer?.text).not.toMatch(/·fr|hreflang="fr"|\/fr\//)
})
