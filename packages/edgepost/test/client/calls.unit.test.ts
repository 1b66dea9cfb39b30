import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { expect, test, vi } from "vitest"

import { type Client, createClient, EdgepostError, paginate, type PutPost } from "../../src/client/index.ts"
import { answer, fakeService, ORIGIN } from "./fake.ts"

const BODY: PutPost = { title: "T", status: "DF", categories: "c", meta_description: "d", body: "b" }
const CHANGE = { lang_code: "en", primary_language: "en", translation_languages: [] }
const AS_JSON = { "Content-Type": "application/json" }
const NO_KEY = { "Idempotency-Key": null }

/** Returns what a call throws. */
const errorOf = (call: Promise<unknown>): Promise<unknown> => call.catch((thrown: unknown) => thrown)

/** A method and its arguments, the request line, and headers that it must have. */
const CALLS: [keyof Client, unknown[], string, Record<string, string | null>?][] = [
  ["getAccount", [], "GET account/"],
  ["listPosts", [], "GET posts/"],
  ["listPosts", [{ limit: 5, tag: "a b" }], "GET posts/?limit=5&tag=a%20b"],
  ["getPost", ["a"], "GET posts/a/", { "If-None-Match": null }],
  ["getPost", ["a", { lang_code: "fr" }], "GET posts/a/?lang_code=fr"],
  ["getPost", ["a/../b?c"], "GET posts/a%2F..%2Fb%3Fc/"],
  [
    "createPost",
    [{ ...BODY, slug: "a" }, { idempotencyKey: "k" }],
    "POST posts/",
    { "Idempotency-Key": "k", ...AS_JSON },
  ],
  ["putPost", ["a", BODY, { ifNoneMatch: "*" }], "PUT posts/a/", { "If-None-Match": "*", "If-Match": null, ...NO_KEY }],
  ["putPost", ["a", BODY, { dryRun: true }], "PUT posts/a/?dry_run=true"],
  ["patchPost", ["a", CHANGE, { ifMatch: '"1.1"' }], "PATCH posts/a/", { "If-Match": '"1.1"', ...NO_KEY }],
  ["deletePost", ["a", { ifMatch: '"1.1"' }], "DELETE posts/a/", { "If-Match": '"1.1"' }],
  ["deletePost", ["a", { dryRun: true }], "DELETE posts/a/?dry_run=true"],
  ["renewPreview", ["a"], "POST posts/a/preview/"],
  ["findImages", [["00", "ff"]], "GET images/?source_sha256=00%2Cff"],
  ["findImages", [["00"], "original_sha256"], "GET images/?original_sha256=00"],
  ["listTranslations", ["a"], "GET posts/a/translations/"],
  ["retranslate", ["a", "pt-BR"], "POST posts/a/translations/pt-BR/"],
  ["deleteTranslation", ["a", "fr"], "DELETE posts/a/translations/fr/"],
]

test.each(CALLS)("%s%j sends %s with the key and follows no redirect", async (name, args, line, headers = {}) => {
  const { client, requests, sent } = fakeService([
    answer(200, { ETag: '"1.1"' }, { account: {}, post: {}, images: [], translations: [] }),
  ])
  await Reflect.apply<Client, unknown[], Promise<unknown>>(client[name] as never, client, args)
  expect(sent).toEqual([line])
  const [request] = requests
  expect(request?.redirect).toBe("manual")
  const wanted = { "X-API-KEY": "a-key-of-the-tests", ...headers }
  expect(Object.keys(wanted).map((header) => request?.headers.get(header))).toEqual(Object.values(wanted))
})

test("a written post has its ETag, warnings and status", async () => {
  const written = { post: { slug: "a" }, warnings: [] }
  const { client } = fakeService([answer(202, { ETag: '"2.1"' }, { success: true, ...written })])
  expect(await client.putPost("a", BODY)).toEqual({ ...written, etag: '"2.1"', status: 202 })
})

test("a dry run has no ETag", async () => {
  const { client } = fakeService([answer(200, {}, { success: true, dry_run: true, post: {}, warnings: [] })])
  expect((await client.putPost("a", BODY, { dryRun: true })).etag).toBeNull()
})

test("uploadImage sends the bytes as the part `file` under the given name, and the hash of the original", async () => {
  const { client, requests } = fakeService([answer(201, {}, { image_id: "01" })])
  expect(await client.uploadImage(new Uint8Array([1, 2, 3]), "été.png")).toEqual({ image_id: "01" })
  const form = await requests[0]?.formData()
  const file = form?.get("file") as File
  expect([form?.has("original_sha256"), file.name, ...(await file.bytes())]).toEqual([false, "été.png", 1, 2, 3])
  await client.uploadImage(new Uint8Array(1), "a.png", { originalSha256: "00" })
  expect((await requests[1]?.formData())?.get("original_sha256")).toBe("00")
})

test("findImages asks for 100 hashes a request, and for none without hashes", async () => {
  const fake = fakeService([answer(200, {}, { images: [{ image_id: "01" }] })])
  expect(await fake.client.findImages([])).toEqual([])
  const hashes = Array.from({ length: 201 }, (_, i) => String(i))
  expect(await fake.client.findImages(hashes)).toHaveLength(3)
  const asked = fake.requests.flatMap(({ url }) => new URL(url).searchParams.get("source_sha256")?.split(",") ?? [])
  expect(asked).toEqual(hashes)
})

const page = (slugs: string[], next_cursor: string | null) =>
  answer(200, {}, { posts: slugs.map((slug) => ({ slug })), next_cursor })

test("paginatePosts yields the posts of all pages, and keeps its query", async () => {
  const fake = fakeService([page(["a", "b"], "c1"), page([], "c2"), page(["c"], null)])
  const slugs = []
  for await (const { slug } of fake.client.paginatePosts({ status: "PB" })) slugs.push(slug)
  expect(slugs).toEqual(["a", "b", "c"])
  const cursors = ["", "&cursor=c1", "&cursor=c2"]
  expect(fake.sent).toEqual(cursors.map((cursor) => `GET posts/?limit=100&status=PB${cursor}`))
})

test("paginate reads no page that is not asked for", async () => {
  const fake = fakeService([page(["a"], "c1")])
  for await (const { slug } of paginate(fake.client.listPosts, {})) if (slug === "a") break
  expect(fake.sent).toEqual(["GET posts/"])
})

const translations = (status: string, done = 0, listed = true) => [
  { lang_code: "fr", status: "ready", listed: true, segments: { done: 1, total: 1 } },
  { lang_code: "de", status, listed, segments: { done, total: 2 } },
]
const states = (...list: object[][]) => list.map((one) => answer(200, {}, { translations: one }))

test.each(["ready", "failed"])("waitForTranslations reads until each one is ready or %s", async (end) => {
  const running = translations("running")
  const fake = fakeService(
    states(translations("queued"), running, running, translations("running", 1), translations(end, 2)),
  )
  const seen: string[] = []
  const onChange = (list: { status: string; segments: { done: number } }[]) =>
    seen.push(`${list[1]?.status} ${list[1]?.segments.done}`)
  expect(await fake.client.waitForTranslations("a", { onChange })).toEqual(translations(end, 2))
  expect(seen).toEqual(["queued 0", "running 0", "running 1", `${end} 2`])
  expect(fake.waits).toEqual([5, 5, 5, 5])
})

test("waitForTranslations does not wait for languages that are off the post's list", async () => {
  const fake = fakeService(states(translations("queued", 0, false)))
  await fake.client.waitForTranslations("a")
  expect(fake.waits).toEqual([])
})

test("waitForTranslations waits as long as Retry-After says", async () => {
  const queued = answer(200, { "Retry-After": "30" }, { translations: translations("queued") })
  const fake = fakeService([queued, ...states(translations("ready"))])
  await fake.client.waitForTranslations("a")
  expect(fake.waits).toEqual([30])
})

test("waitForTranslations gives up after timeoutMs, having looked a last time", async () => {
  const fake = fakeService(states(translations("queued")))
  const error = await errorOf(fake.client.waitForTranslations("a", { timeoutMs: 12_000 }))
  expect(error).toMatchObject({ code: "timeout", status: 0, message: expect.stringContaining("de is queued") })
  expect(fake.waits).toEqual([5, 5, 2])
})

test("an error has the fields of its problem document, and the document unchanged", async () => {
  const shared = {
    title: "ValidationError",
    status: 400,
    detail: "The slug is taken.",
    code: "duplicate_slug",
    errors: [{ field: "slug", code: "duplicate_slug", message: "Taken." }],
  }
  const more = { type: "/docs/errors#duplicate_slug", request_id: "r1", success: false, suggested_slug: "a-2" }
  const document = { ...shared, ...more }
  const { client } = fakeService([answer(400, { "Retry-After": "7" }, document)])
  const error = await errorOf(client.putPost("a", BODY))
  expect(error).toBeInstanceOf(EdgepostError)
  expect(error).toMatchObject({
    ...shared,
    name: "EdgepostError",
    message: shared.detail,
    requestId: "r1",
    retryAfter: 7,
  })
  expect((error as EdgepostError).problem).toEqual(document)
})

test.each([200, 403])("an answer %i that is a page of another server is an unexpected_answer", async (status) => {
  const headers = { "Content-Type": "text/html", "X-Request-Id": "r2" }
  const { client } = fakeService([new Response("<h1>Hello</h1>", { status, headers })])
  const error = { code: "unexpected_answer", status, problem: null, errors: [], requestId: "r2" }
  await expect(client.getAccount()).rejects.toMatchObject(error)
})

test("a lost answer is unreachable, with status 0, the reason and the cause", async () => {
  const message = `${ORIGIN} does not answer (ECONNRESET).`
  const error = await errorOf(fakeService(["cut"]).client.getAccount())
  expect(error).toMatchObject({ code: "unreachable", status: 0, problem: null, requestId: null, message })
  expect((error as EdgepostError).cause).toBeInstanceOf(TypeError)
})

test.each([301, 302, 303, 307, 308])("a redirect %i is an error that names its target", async (status) => {
  const { client, sent } = fakeService([
    new Response(null, { status, headers: { Location: "https://other.example/" } }),
  ])
  const message = expect.stringContaining("https://other.example/")
  await expect(client.getAccount()).rejects.toMatchObject({ code: "redirected", status, message })
  expect(sent).toHaveLength(1)
})

test("a redirect that a browser hides is an error", async () => {
  const hidden = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" })
  const { client } = fakeService([], { fetch: async () => hidden })
  await expect(client.getAccount()).rejects.toMatchObject({ code: "redirected" })
})

const open = (baseUrl: string, apiKey = "key") => createClient({ baseUrl, apiKey })

test.each([
  ["HTTPS", ["https://blog.example", "https://blog.example/"]],
  ["this computer", ["http://localhost:8787", "http://127.0.0.1", "http://[::1]:1"]],
])("a key may be sent to an address of %s: %j", (_, addresses) => {
  for (const address of addresses) expect(() => open(address)).not.toThrow()
})

test.each([
  ["another computer by HTTP", ["http://blog.example", "http://192.168.0.1"]],
  ["a host that begins like this computer", ["http://localhost.example", "http://127.0.0.1.example"]],
  ["no HTTP address", ["ftp://localhost", "blog.example", ""]],
  ["an address with a name", ["https://ann:secret@blog.example"]],
  ["an address with a query or a fragment", ["https://blog.example/?key=1", "https://blog.example/#a"]],
])("no key may be sent to %s: %j", (_, addresses) => {
  const error = expect.objectContaining({ code: "invalid_options" })
  for (const address of addresses) expect(() => open(address), address).toThrow(error)
})

test.each(["", "ep_a b", "ep_a\nb", "ep_é"])("the key %j is refused, and the message does not show it", (apiKey) => {
  const message = expect.not.stringContaining("ep_")
  expect(() => open(ORIGIN, apiKey)).toThrow(expect.objectContaining({ code: "invalid_options", message }))
})

test("an address below a path is kept", async () => {
  const fake = fakeService([answer(200, {}, { account: {} })], { baseUrl: `${ORIGIN}/blog/` })
  await fake.client.getAccount()
  expect(fake.requests[0]?.url).toBe(`${ORIGIN}/blog/api/blogcontroller/account/`)
})

test("the client imports nothing of Node", () => {
  const folder = join(import.meta.dirname, "../../src/client")
  const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"))
  const imports = sources.flatMap((source) => source.match(/(?<=from ")[^"]+/g) ?? [])
  expect(imports.filter((name) => !name.startsWith("./"))).toEqual(["openapi-fetch"])
})

test("a client sends four of ten uploads at once, and the others in their order", async () => {
  const pending: (() => void)[] = []
  const names: string[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const form = await request.formData()
    names.push((form.get("file") as File).name)
    await new Promise<void>((resolve) => pending.push(resolve))
    return answer(201, {}, { success: true })
  }
  const client = createClient({ baseUrl: ORIGIN, apiKey: "a-key-of-the-tests", fetch })
  const uploads = Array.from({ length: 10 }, (_, i) => client.uploadImage(new Uint8Array(1), `${i}.png`))
  for (let ended = 0; ended < 10; ended++) {
    await vi.waitUntil(() => names.length === Math.min(10, ended + 4) && pending.length > ended)
    pending[ended]?.()
    await uploads[ended]
  }
  expect(names).toEqual(Array.from({ length: 10 }, (_, i) => `${i}.png`))
})
