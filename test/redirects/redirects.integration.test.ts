import { beforeAll, expect, it } from "vitest"

import { patch, setAccount } from "../calls.ts"
import { API, type Author, call, env as bindings, newAuthor, newPost, rotateKey } from "../support.ts"

const HOST = "https://ann.example"
const TOGETHER = {
  PUBLIC_ORIGIN: "https://blog.example",
  TRANSLATOR: "apertium",
  APERTIUM_URL: "https://engine.example",
} as const

let author: Author
let slug: string
beforeAll(async () => {
  author = await newAuthor()
  ;({ slug } = await newPost(author))
  await setAccount(author, { blog_host: new URL(HOST).host })
})

/** Lets one author replace redirects as often as the tests do. */
const EXPENSIVE_CALL_LIMITER: RateLimit = { limit: async () => ({ success: true }) }
const put = (redirects: unknown, source = "s", { key } = author) => {
  const path = `${API}/account/redirects/?source=${encodeURIComponent(source)}`
  return call("PUT", path, { key, json: { redirects }, env: { EXPENSIVE_CALL_LIMITER } })
}
const list = async (query = "") => (await call("GET", `${API}/account/redirects/${query}`, author)).json.redirects
/** Puts the slug of the post into a path. */
const fill = (path: string) => path.replace(":slug", slug)

const visit = async (path: string, method: "GET" | "HEAD" | "POST" = "GET") => {
  const { status, headers } = await call(method, path, { env: TOGETHER, origin: HOST })
  return [status, headers.get("Location")]
}

it.each<[name: string, from: string, to: () => string, asked: string, answer: () => [number, string | null]]>([
  ["a path", "/2023/09/apples/", () => slug, "/2023/09/apples/", () => [301, `${HOST}/${slug}/`]],
  ["a path without its slash", "/a/b/c/d/e/", () => slug, "/a/b/c/d/e", () => [301, `${HOST}/${slug}/`]],
  ["a path with a slash more", "/apples.html", () => slug, "/apples.html/", () => [301, `${HOST}/${slug}/`]],
  ["an escaped path", "/über-uns/", () => slug, "/%C3%BCber-uns/", () => [301, `${HOST}/${slug}/`]],
  ["a path escaped in small letters", "/über-uns/", () => slug, "/%c3%bcber-uns/", () => [301, `${HOST}/${slug}/`]],
  ["a path in another form of Unicode", "/u%CC%88ber/", () => slug, "/%C3%BCber/", () => [301, `${HOST}/${slug}/`]],
  ["an escaped letter", "/%61pples/x/y/z/", () => slug, "/apples/x/y/z/", () => [301, `${HOST}/${slug}/`]],
  [
    "a path with an escape that is no UTF-8",
    "/caf%E9/1/2/3/",
    () => slug,
    "/caf%E9/1/2/3/",
    () => [301, `${HOST}/${slug}/`],
  ],
  [
    "a path with a query that it does not have",
    "/x/1/",
    () => slug,
    "/x/1/?utm_source=a",
    () => [301, `${HOST}/${slug}/`],
  ],
  ["a query at the root", "/?p=12", () => slug, "/?p=12", () => [301, `${HOST}/${slug}/`]],
  ["another query at the root", "/?p=12", () => slug, "/?p=13", () => [200, null]],
  ["a query at a path", "/index.php?p=12", () => slug, "/index.php?p=12", () => [301, `${HOST}/${slug}/`]],
  ["another query at a path", "/index.php?p=12", () => slug, "/index.php?p=13", () => [404, null]],
  ["a path to a path", "/old/tag/x/", () => "/tags/x/", "/old/tag/x/", () => [301, `${HOST}/tags/x/`]],
  ["a path to a path with a query", "/archive/1/", () => "/?page=2", "/archive/1/", () => [301, `${HOST}/?page=2`]],
  ["itself", "/c/1/", () => "/c/1/", "/c/1/", () => [404, null]],
  ["a post that is not there", "/gone/1/", () => "no-such-post", "/gone/1/", () => [404, null]],
  ["the path of a post", `/:slug/`, () => "/tags/", "/:slug/", () => [200, null]],
  ["the post's own page with .html", "/:slug/", () => slug, "/:slug.html", () => [301, `${HOST}/${slug}/`]],
  ["the root", "/", () => "/tags/", "/", () => [200, null]],
  ["the feed", "/feed.atom", () => "/tags/", "/feed.atom", () => [200, null]],
  ["no old address", "/one/1/", () => slug, "/another/1/", () => [404, null]],
])("an old address that is %s leads to its post or page alone, at once", async (_, from, to, asked, answer) => {
  expect((await put([{ from: fill(from), to: to() }])).status).toBe(200)
  expect(await visit(fill(asked))).toEqual(answer())
  expect(await visit(fill(asked), "HEAD")).toEqual(answer())
})

it("redirects that follow one another are one hop, and a circle is a 404", async () => {
  const chain = ["/1/x/", "/2/x/", "/3/x/"].map((from, i, all) => ({ from, to: all[i + 1] ?? slug }))
  await put([...chain, { from: "/r/1/", to: "/r/2/" }, { from: "/r/2/", to: "/r/1/" }])
  expect(await visit("/1/x/")).toEqual([301, `${HOST}/${slug}/`])
  expect(await visit("/r/1/")).toEqual([404, null])
  await put([{ from: "/1/x/", to: "no-such-post" }], "another")
  expect(await visit("/1/x/")).toEqual([301, `${HOST}/${slug}/`])
  await put([], "another")
  expect(await visit("/1/x/", "POST")).toEqual([405, null])
})

it("an old address of a post that readers do not see answers 404, and on the hosts of the service and of others as well", async () => {
  const other = await newAuthor({ blog_host: "bob.example" })
  await put([{ from: "/d/1/", to: slug }])
  await patch(author, slug, { status: "DF" })
  expect(await visit("/d/1/")).toEqual([404, null])
  await patch(author, slug, { status: "PB" })
  expect(await visit("/d/1/")).toEqual([301, `${HOST}/${slug}/`])
  for (const origin of [TOGETHER.PUBLIC_ORIGIN, "https://bob.example", "https://nobody.example"])
    expect((await call("GET", "/d/1/", { env: TOGETHER, origin })).status).toBe(404)
  // The slug of another account's post leads nowhere.
  const theirs = await newPost(other)
  await put([{ from: "/d/1/", to: theirs.slug }])
  expect(await visit("/d/1/")).toEqual([404, null])
})

it("a client replaces its own redirects alone, and writes only those that differ", async () => {
  const [one, two] = ["/1/", "/2/"].map((from) => ({ from, to: slug }))
  await put([one, two], "s")
  expect((await put([one], "other")).json).toEqual({ success: true, redirects: 1 })
  expect(await list("?source=s")).toEqual([
    { from: "/1", to: slug, source: "s" },
    { from: "/2", to: slug, source: "s" },
  ])
  const written: number[] = []
  const DB = new Proxy(bindings.DB, {
    get: (db, name) =>
      name === "batch"
        ? async (statements: D1PreparedStatement[]) => {
            const answers = await db.batch(statements)
            written.push(answers.reduce((sum, { meta }) => sum + meta.rows_written, 0))
            return answers
          }
        : (Reflect.get(db, name) as unknown),
  })
  const { key } = author
  const path = `${API}/account/redirects/?source=s`
  await call("PUT", path, { key, json: { redirects: [two, one] }, env: { DB } })
  expect(written.at(-1)).toBe(0)
  await put([{ ...two, to: "/tags/" }], "s")
  expect(await list()).toEqual([
    { from: "/1", to: slug, source: "other" },
    { from: "/2", to: "/tags/", source: "s" },
  ])
  for (const source of ["s", "other"]) await put([], source)
  expect(await list()).toEqual([])
})

it("an account has 5,000 redirects with all sources, and one more writes nothing", async () => {
  const many = Array.from({ length: 4999 }, (_, i) => ({ from: `/${i}/`, to: slug }))
  expect((await put(many)).status).toBe(200)
  expect((await put([{ from: "/a/", to: slug }], "other")).status).toBe(200)
  const { status, json } = await put(
    [
      { from: "/a/", to: slug },
      { from: "/b/", to: slug },
    ],
    "other",
  )
  expect([status, json.errors[0].field]).toEqual([400, "redirects"])
  expect(await list("?source=other")).toEqual([{ from: "/a", to: slug, source: "other" }])
  expect(await visit("/4998/")).toEqual([301, `${HOST}/${slug}/`])
  for (const source of ["s", "other"]) await put([], source)
})

it.each<[name: string, redirects: unknown, field: string]>([
  ["no list", {}, "redirects"],
  ["too many", Array.from({ length: 5001 }, (_, i) => ({ from: `/${i}/`, to: "a" })), "redirects"],
  ["an address of another host", [{ from: "//evil.example/", to: "a" }], "redirects.0.from"],
  ["a target on another host", [{ from: "/a/", to: "//evil.example/" }], "redirects.0.to"],
  ["a target with a tab, which URLs leave out", [{ from: "/a/", to: "/\t/evil.example/" }], "redirects.0.to"],
  ["a target with a line break", [{ from: "/a/", to: "/\n/evil.example/" }], "redirects.0.to"],
  ["an address that is too long once it is escaped", [{ from: `/${"烏".repeat(200)}/`, to: "a" }], "redirects.0.from"],
  ["a target with a backslash", [{ from: "/a/", to: "/\\evil.example/" }], "redirects.0.to"],
  ["a whole URL", [{ from: "/a/", to: "https://evil.example/" }], "redirects.0.to"],
  ["no slug", [{ from: "/a/", to: "Not a slug" }], "redirects.0.to"],
  ["a path that is too long", [{ from: `/${"a".repeat(1000)}`, to: "a" }], "redirects.0.from"],
  [
    "one address to two places",
    [
      { from: "/ü/", to: "a" },
      { from: "/%C3%BC", to: "b" },
    ],
    "redirects.1.from",
  ],
])("redirects with %s are refused, with nothing written", async (_, redirects, field) => {
  await put([{ from: "/kept/", to: slug }])
  const { status, json } = await put(redirects)
  expect([status, json.errors[0].field]).toEqual([400, field])
  expect(await list()).toEqual([{ from: "/kept", to: slug, source: "s" }])
})

it("a body of redirects over 1 MiB, and a key that only writes drafts, are refused", async () => {
  const long = Array.from({ length: 1100 }, (_, i) => ({ from: `/${i}/${"a".repeat(980)}`, to: "a" }))
  expect((await put(long)).json.code).toBe("invalid_json")
  const draft = await call("POST", `/operator/api/accounts/${author.username}/keys/`, {
    headers: { Authorization: "Bearer an-operator-token-of-the-test-suite" },
    json: { name: "draft", scope: "draft" },
  })
  const { json } = await put([], "s", { username: author.username, key: draft.json.api_key })
  expect(json.code).toBe("insufficient_scope")
  author = { ...author, key: await rotateKey(author.username) }
})
