import { describe, expect, it } from "vitest"

import { routes } from "../../src/routes.ts"
import { API, call, fetchWorker, newAuthor, newPost, OPERATOR, ORIGIN, upload } from "../support.ts"

const byPath = Map.groupBy(
  routes.map(({ operation }) => operation),
  ({ path }) => path,
)
const example = (path: string): string =>
  path
    .replace(":author{(?:@|%40)[^/]+}", "@nobody")
    .replace(":file", "01J0000000000000000000000Z.webp")
    .replace(/:(\w+)/g, "some-$1")

const paths = [...byPath].map(([path, operations]) => {
  const methods: string[] = operations.map(({ method }) => method)
  return {
    path: example(path),
    access: operations[0]?.access,
    methods: methods.includes("GET") ? [...methods, "HEAD"] : methods,
  }
})
const METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT"] as const
const wrong = paths.flatMap(({ path, methods }) =>
  METHODS.filter((method) => !methods.includes(method)).map((method) => ({ method, path, methods })),
)
const listed = (allow: string | null) => (allow ?? "").split(", ").filter((method) => method !== "OPTIONS")
const isCors = (path: string) => /^\/(api|media)\//.test(path)

describe("a method that a path does not have", () => {
  it.each(wrong)(
    "$method $path, a method that the path does not have, answers 405 and lists the allowed methods",
    async ({ method, path, methods }) => {
      // Not call(): it takes a PATCH of a reserved word for the short path of a slug.
      const response = await fetchWorker(new Request(ORIGIN + path, { method }))
      expect(response.status).toBe(405)
      expect(listed(response.headers.get("Allow")).toSorted()).toEqual(methods.toSorted())
      if (method === "HEAD") return
      expect(await response.json()).toMatchObject({
        type: "/docs/errors#method_not_allowed",
        title: "Method Not Allowed",
        status: 405,
        code: "method_not_allowed",
        errors: [],
        success: false,
      })
    },
  )

  it("a method that a path does not have answers 405 even if 401, 403 or 404 would apply", async () => {
    const { key } = await newAuthor({ restricted: true })
    const post = await call("POST", `${API}/posts/no-such-post/`, { key })
    const get = await call("GET", `${API}/no-such-post/`, { headers: { "X-API-KEY": "bpa_wrong" } })
    expect([post.status, get.status]).toEqual([405, 405])
  })

  it.each(paths)("the Allow header of $path names no method that answers 405", async ({ path }) => {
    const refused = await fetchWorker(new Request(ORIGIN + path, { method: "PROPFIND" }))
    const allowed = (refused.headers.get("Allow") ?? "").split(", ")
    const answers = await Promise.all(
      allowed.map((method) => fetchWorker(new Request(ORIGIN + path, { method, headers: OPERATOR }))),
    )
    expect(allowed.filter((_, i) => answers[i]?.status === 405)).toEqual([])
  })

  it("the unknown HTTP method PROPFIND answers 405", async () => {
    const response = await fetchWorker(new Request(`${ORIGIN}${API}/posts/`, { method: "PROPFIND" }))
    expect([response.status, response.headers.get("Allow")]).toEqual([405, expect.stringContaining("POST")])
  })
})

describe("an unknown path without a key", () => {
  it.each([
    "/api/",
    "/api/blogcontroller/",
    "/api/blogcontroller/posts/a/b/",
    "/api/blogcontroller/posts/a/translations/fr/x/",
    "/api/blogcontroller/account/x/",
    "/api/v2/posts/",
    "/API/BLOGCONTROLLER/POSTS/",
    "/media/",
    "/media/a/b/c.webp",
    "/operator/api/accounts/",
    "/operator/api/accounts/a/b/",
    "/nobody/slug/",
  ])("the unknown path %s answers 404, not 401, without an API key", async (path) => {
    const { status, json } = await call("GET", path)
    expect([status, json.code, json.title]).toEqual([404, "not_found", "Not Found"])
  })
})

describe("a path without its trailing slash", () => {
  const twins = routes.map(({ operation }) => ({ method: operation.method, path: example(operation.path) }))
  it.each(twins)("$method $path answers the same with and without its trailing slash", async ({ method, path }) => {
    const bare = path.replace(/\/$/, "")
    const [without, with_] = await Promise.all([call(method, bare), call(method, `${bare}/`)])
    expect(without.status).toBe(with_.status)
    expect([without.status, with_.status].filter((status) => status >= 300 && status < 400)).toEqual([])
    expect(without.json?.code).toBe(with_.json?.code)
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
})

it("HEAD answers with the status and headers of GET, without a body", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const { image_url } = await upload(author)
  const addresses = [
    `${API}/posts/`,
    `${API}/posts/${slug}/`,
    `${API}/posts/${slug}/translations/`,
    `${API}/account/`,
    `/@${author.username}/${slug}/`,
    "/docs/",
    "/docs/errors/",
    image_url,
  ]
  for (const path of addresses) {
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

const ALLOWED = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
const REQUEST_HEADERS = ["Authorization", "X-API-KEY", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key"]
const EXPOSED = [
  "ETag",
  "Location",
  "Link",
  "Allow",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "WWW-Authenticate",
  "X-Request-Id",
  "Idempotent-Replayed",
]
const list = (value: string | null) =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .toSorted()
const lower = (items: string[]) => items.map((item) => item.toLowerCase()).toSorted()

describe("OPTIONS without authentication", () => {
  const preflight = { Origin: "https://site.example", "Access-Control-Request-Method": "PATCH" }
  it.each(paths.filter(({ path }) => isCors(path)))(
    "OPTIONS $path answers 204 with CORS headers without authentication",
    async ({ path }) => {
      const { status, headers, text } = await call("OPTIONS", path, { headers: preflight })
      expect([status, text]).toEqual([204, ""])
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*")
      expect(headers.get("Access-Control-Max-Age")).toBe("86400")
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull()
      expect(list(headers.get("Access-Control-Allow-Methods"))).toEqual(lower(ALLOWED))
      expect(list(headers.get("Access-Control-Allow-Headers"))).toEqual(lower(REQUEST_HEADERS))
    },
  )

  it("OPTIONS on the operator API answers without CORS headers", async () => {
    const { headers } = await call("OPTIONS", "/operator/api/accounts/demo/", { headers: preflight })
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
  })
})

describe("CORS headers", () => {
  const ask = { headers: { Origin: "https://site.example" } }
  it.each([
    "/api/",
    `${API}/posts/`,
    `${API}/posts/x/`,
    `${API}/x/`,
    `${API}/account/`,
    "/media/",
    "/media/a/blog_img/x",
  ])("an error answer of %s has CORS headers", async (path) => {
    const { status, headers } = await call("GET", path, ask)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*")
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull()
    expect(list(headers.get("Access-Control-Expose-Headers"))).toEqual(lower(EXPOSED))
  })

  it("an error answer about an invalid deployment variable has CORS headers", async () => {
    const { status, headers } = await call("GET", `${API}/posts/`, { ...ask, env: { UPLOADS_PER_MINUTE: "many" } })
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([500, "*"])
  })

  it("successful answers of the API and of images have CORS headers", async () => {
    const author = await newAuthor()
    const { image_url } = await upload(author)
    const account = await call("GET", `${API}/account/`, { key: author.key })
    const media = await call("GET", image_url)
    for (const { status, headers } of [account, media]) {
      expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"])
      expect(list(headers.get("Access-Control-Expose-Headers"))).toEqual(lower(EXPOSED))
    }
  })

  it.each(["/operator/api/accounts/demo/", "/docs/", "/docs/errors/", "/@nobody/nothing/"])(
    "an answer of %s has no CORS headers",
    async (path) => {
      for (const headers of [{ Origin: "https://site.example" }, { Origin: "https://site.example", ...OPERATOR }]) {
        const answer = await call("GET", path, { headers })
        expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
      }
    },
  )
})
