import { expect, it } from "vitest"

import { routes } from "../../src/routes.ts"
import { API, call, fetchWorker, newAuthor, newPost, OPERATOR, ORIGIN, upload } from "../support.ts"

const example = (path: string): string =>
  path
    .replace(":author{(?:@|%40)[^/]+}", "@nobody")
    .replace(":file", "01J0000000000000000000000Z.webp")
    .replace(/:(\w+)/g, "some-$1")

const operations = routes.map(({ operation }) => ({ method: operation.method, path: example(operation.path) }))
const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, own]) => {
  const methods: string[] = own.map(({ method }) => method)
  return { path, methods: methods.includes("GET") ? [...methods, "HEAD"] : methods }
})
const isCors = (path: string) => /^\/(api|media|micropub)\//.test(path)
const METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "PROPFIND"]
const REFUSED = {
  type: "/docs/errors#method_not_allowed",
  title: "Method Not Allowed",
  status: 405,
  code: "method_not_allowed",
  errors: [],
  success: false,
}
const items = (header: string | null) => (header ?? "").split(/, */).toSorted()

it.each(paths)("$path answers 405 to all methods but its own, and lists these", async ({ path, methods }) => {
  // Not call(): it takes a PATCH of a reserved word for the short path of a slug.
  const send = (method: string, headers = {}) => fetchWorker(new Request(ORIGIN + path, { method, headers }))
  const allowed = isCors(path) ? [...methods, "OPTIONS"] : methods
  for (const method of METHODS.filter((name) => !methods.includes(name))) {
    const response = await send(method)
    expect([method, response.status]).toEqual([method, 405])
    expect(items(response.headers.get("Allow"))).toEqual(allowed.toSorted())
    expect(method === "HEAD" ? REFUSED : await response.json()).toMatchObject(REFUSED)
  }
  const statuses = await Promise.all(allowed.map(async (method) => (await send(method, OPERATOR)).status))
  expect(statuses).not.toContain(405)
})

it("a method that a path does not have answers 405 even if 401, 403 or 404 would apply", async () => {
  const { key } = await newAuthor({ restricted: true })
  const post = await call("POST", `${API}/posts/no-such-post/`, { key })
  const get = await call("GET", `${API}/no-such-post/`, { headers: { "X-API-KEY": "bpa_wrong" } })
  expect([post.status, get.status]).toEqual([405, 405])
})

it.each([
  ["the API", "/api/", `${API}/`, `${API}/posts/a/b/`, `${API}/posts/a/translations/fr/x/`, `${API}/account/x/`],
  ["another API", "/api/v2/posts/", "/API/BLOGCONTROLLER/POSTS/"],
  ["images", "/media/", "/media/a/b/c.webp"],
  ["the operator", "/operator/api/accounts/", "/operator/api/accounts/a/b/"],
  ["a blog", "/nobody/slug/"],
])("an unknown path of %s answers 404, not 401, without an API key", async (_, ...unknown) => {
  for (const path of unknown) {
    const { status, json } = await call("GET", path)
    expect([path, status, json.code, json.title]).toEqual([path, 404, "not_found", "Not Found"])
  }
})

it.each(operations)("$method $path answers the same with and without its trailing slash", async ({ method, path }) => {
  const bare = path.replace(/\/$/, "")
  const [without, slashed] = await Promise.all([call(method, bare), call(method, `${bare}/`)])
  expect([without.status, without.json?.code]).toEqual([slashed.status, slashed.json?.code])
  expect(Math.floor(without.status / 100)).not.toBe(3)
  const refused = ["unauthorized", "sign_in_required", "cross_site", "sign_in_link_used", "invalid_signature"]
  expect([undefined, ...refused, "not_found", "image_expired"]).toContain(without.json?.code)
})

it("a PATCH to a path without its trailing slash receives the request body", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const json = { lang_code: "en", primary_language: "en", translation_languages: [], title: "Bare" }
  const answer = await call("PATCH", `${API}/posts/${slug}`, { key: author.key, json })
  expect([answer.status, answer.json.post.title]).toEqual([200, "Bare"])
})

it("HEAD answers with the status and headers of GET, without a body", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const { image_url } = await upload(author)
  const calls = ["posts/", `posts/${slug}/`, `posts/${slug}/translations/`, "account/"].map((rest) => `${API}/${rest}`)
  for (const path of [...calls, `/@${author.username}/${slug}/`, "/docs/", "/docs/errors/", image_url]) {
    const get = await call("GET", path, { key: author.key })
    const head = await call("HEAD", path, { key: author.key })
    expect([head.status, head.text], path).toEqual([200, ""])
    for (const name of ["Content-Type", "ETag", "Cache-Control"])
      expect(head.headers.get(name), `${name} of ${path}`).toBe(get.headers.get(name))
  }
})

it("HEAD answers the error status of GET, without a body, if GET fails", async () => {
  const { status, text, headers } = await call("HEAD", `${API}/posts/`)
  expect([status, text, headers.get("WWW-Authenticate")]).toEqual([401, "", 'Api-Key realm="edgepost"'])
})

const SITE = { Origin: "https://site.example" }
const names = (text: string | null) =>
  items(text)
    .map((name) => name.toLowerCase())
    .toSorted()
const ALLOWED = names("GET, HEAD, POST, PUT, PATCH, DELETE")
const SENT = names("Authorization, X-API-KEY, Content-Type, If-Match, If-None-Match, Idempotency-Key")
const RATES = "Retry-After, RateLimit, RateLimit-Policy"
const EXPOSED = names(`ETag, Location, Link, Allow, ${RATES}, WWW-Authenticate, X-Request-Id, Idempotent-Replayed`)

it.each(paths.filter(({ path }) => isCors(path)))(
  "OPTIONS $path answers 204 with CORS headers without authentication",
  async ({ path }) => {
    const preflight = { ...SITE, "Access-Control-Request-Method": "PATCH" }
    const { status, headers, text } = await call("OPTIONS", path, { headers: preflight })
    expect([status, text]).toEqual([204, ""])
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*")
    expect(headers.get("Access-Control-Max-Age")).toBe("86400")
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull()
    expect(names(headers.get("Access-Control-Allow-Methods"))).toEqual(ALLOWED)
    expect(names(headers.get("Access-Control-Allow-Headers"))).toEqual(SENT)
  },
)

it.each([
  "/api/",
  `${API}/posts/`,
  `${API}/posts/x/`,
  `${API}/x/`,
  `${API}/account/`,
  "/media/",
  "/media/a/blog_img/x",
])("an error answer of %s has CORS headers", async (path) => {
  const { status, headers } = await call("GET", path, { headers: SITE })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*")
  expect(headers.get("Access-Control-Allow-Credentials")).toBeNull()
  expect(names(headers.get("Access-Control-Expose-Headers"))).toEqual(EXPOSED)
})

it("an error answer about an invalid deployment variable has CORS headers", async () => {
  const { status, headers } = await call("GET", `${API}/posts/`, { headers: SITE, env: { UPLOADS_PER_MINUTE: "many" } })
  expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([500, "*"])
})

it("successful answers of the API and of images have CORS headers", async () => {
  const author = await newAuthor()
  const { image_url } = await upload(author)
  for (const path of [`${API}/account/`, image_url]) {
    const { status, headers } = await call("GET", path, { key: author.key })
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"])
    expect(names(headers.get("Access-Control-Expose-Headers"))).toEqual(EXPOSED)
  }
})

it.each<["GET" | "OPTIONS", string]>([
  ["OPTIONS", "/operator/api/accounts/demo/"],
  ["GET", "/operator/api/accounts/demo/"],
  ["GET", "/docs/"],
  ["GET", "/docs/errors/"],
  ["GET", "/@nobody/nothing/"],
])("the answer to %s %s has no CORS headers", async (method, path) => {
  for (const headers of [SITE, { ...SITE, ...OPERATOR }, { ...SITE, "Access-Control-Request-Method": "PATCH" }]) {
    const answer = await call(method, path, { headers })
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
  }
})
