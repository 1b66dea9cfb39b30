import { beforeAll, describe, expect, it } from "vitest"

import { mintKey } from "../src/accounts/key.ts"
import { app } from "../src/app.ts"
import type { Access, Method } from "../src/http/operation.ts"
import { routes } from "../src/routes.ts"
import { setAccount } from "./calls.ts"
import { dumpStorage, wipeStorage } from "./storage.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  fetchWorker,
  fileForm,
  newAuthor,
  newPost,
  OPERATOR,
  ORIGIN,
  png,
  postInput,
  rotateKey,
  upload,
} from "./support.ts"

interface Scene {
  author: Author
  slug: string
  /** The URL of an image, if the row is about one. */
  image: string
}
interface Row {
  path: (scene: Scene) => string
  send?: () => { json?: unknown; body?: BodyInit }
  /** The status for the author, the operator or a public caller. */
  status: number
  /** The path belongs to one author. */
  owned?: boolean
  /** The path is that of an image. */
  withImage?: boolean
}

const languages = { lang_code: "fr", primary_language: "en", translation_languages: ["fr"] }
const translated = { ...languages, title: "Un titre", meta_description: "De quoi.", body: "Des mots." }

const post = ({ slug }: Scene) => `${API}/posts/${slug}/`
const translation = (scene: Scene) => `${post(scene)}translations/fr/`
const page = ({ author, slug }: Scene) => `/@${author.username}/${slug}/`
const blog = ({ author }: Scene) => `/@${author.username}/`
const account = ({ author }: Scene) => `/operator/api/accounts/${author.username}/`

/** A new route fails the first test until it has a row. */
const ROWS: Record<string, Row> = {
  "POST /api/blogcontroller/posts/": {
    path: () => `${API}/posts/`,
    send: () => ({ json: postInput() }),
    status: 201,
  },
  "GET /api/blogcontroller/posts/": { path: () => `${API}/posts/`, status: 200 },
  "GET /api/blogcontroller/posts/:slug/": { path: post, status: 200, owned: true },
  "PATCH /api/blogcontroller/posts/:slug/": {
    path: post,
    send: () => ({ json: { ...languages, title: "Un autre" } }),
    status: 200,
    owned: true,
  },
  "PUT /api/blogcontroller/posts/:slug/": {
    path: post,
    send: () => ({ json: { ...postInput(), slug: undefined } }),
    status: 200,
    owned: true,
  },
  "POST /api/blogcontroller/posts/:slug/preview/": {
    path: (scene) => `${post(scene)}preview/`,
    status: 200,
    owned: true,
  },
  "PATCH /api/blogcontroller/:slug/": {
    path: ({ slug }) => `${API}/${slug}/`,
    send: () => ({ json: { ...languages, status: "DF" } }),
    status: 200,
    owned: true,
  },
  "DELETE /api/blogcontroller/posts/:slug/": { path: post, status: 204, owned: true },
  "POST /api/blogcontroller/image-upload/": {
    path: () => `${API}/image-upload/`,
    send: () => ({ body: fileForm(file) }),
    status: 201,
  },
  "GET /api/blogcontroller/posts/:slug/translations/": {
    path: (scene) => `${post(scene)}translations/`,
    status: 200,
    owned: true,
  },
  "POST /api/blogcontroller/posts/:slug/translations/:lang_code/": {
    path: translation,
    send: () => ({ json: { discard_edits: ["title"] } }),
    status: 202,
    owned: true,
  },
  "POST /api/blogcontroller/posts/:slug/translations/:lang_code/approve/": {
    path: (scene) => `${translation(scene)}approve/`,
    send: () => ({ json: {} }),
    status: 200,
    owned: true,
  },
  "DELETE /api/blogcontroller/posts/:slug/translations/:lang_code/": { path: translation, status: 204, owned: true },
  "GET /api/blogcontroller/images/": {
    path: () => `${API}/images/?source_sha256=${"0".repeat(64)}`,
    status: 200,
  },
  "GET /api/blogcontroller/account/": { path: () => `${API}/account/`, status: 200 },
  "GET /api/blogcontroller/account/redirects/": { path: () => `${API}/account/redirects/`, status: 200 },
  "PUT /api/blogcontroller/account/redirects/": {
    path: () => `${API}/account/redirects/?source=s`,
    send: () => ({ json: { redirects: [{ from: "/a/", to: "b" }] } }),
    status: 200,
  },
  "GET /api/blogcontroller/account/glossary/": { path: () => `${API}/account/glossary/`, status: 200 },
  "PATCH /api/blogcontroller/account/glossary/": {
    path: () => `${API}/account/glossary/`,
    send: () => ({ json: { entries: [{ term: "Edge", keep: true }] } }),
    status: 200,
  },
  "POST /api/blogcontroller/account/glossary/retranslate/": {
    path: () => `${API}/account/glossary/retranslate/`,
    send: () => ({ json: { terms: ["Edge"] } }),
    status: 200,
  },
  "GET /api/blogcontroller/webhooks/": { path: () => `${API}/webhooks/`, status: 200 },
  "GET /api/blogcontroller/webhooks/deliveries/": { path: () => `${API}/webhooks/deliveries/`, status: 200 },
  "POST /api/blogcontroller/webhooks/": {
    path: () => `${API}/webhooks/`,
    send: () => ({ json: { url: "https://hooks.example/" } }),
    status: 201,
  },
  "DELETE /api/blogcontroller/webhooks/:id/": { path: () => `${API}/webhooks/unknown/`, status: 404 },
  "GET /micropub/": { path: () => "/micropub/?q=config", status: 200 },
  "POST /micropub/": {
    path: () => "/micropub/",
    send: () => ({ body: new URLSearchParams({ content: "Words of an app." }) }),
    status: 201,
  },
  "POST /micropub/media/": {
    path: () => "/micropub/media/",
    send: () => ({ body: fileForm(file) }),
    status: 201,
  },
  "GET /media/:username/blog_img/:file": { path: ({ image }) => image, status: 200, withImage: true },
  // The webhook is protected by its signature, not by a key.
  "POST /webhooks/stripe/": { path: () => "/webhooks/stripe/", status: 400 },
  "GET /docs/": { path: () => "/docs/", status: 200 },
  "GET /docs/errors/": { path: () => "/docs/errors/", status: 200 },
  "GET /docs/markdown/": { path: () => "/docs/markdown/", status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/:slug/": { path: page, status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/:slug/:lang_code/": { path: (scene) => `${page(scene)}fr/`, status: 200 },
  "GET /": { path: () => "/", status: 200 },
  "GET /robots.txt": { path: () => "/robots.txt", status: 200 },
  "GET /sitemap.xml": { path: () => "/sitemap.xml", status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/": { path: blog, status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/:rest{.+}": { path: (scene) => `${blog(scene)}a/b/c/d/`, status: 404 },
  "GET /:author{(?:@|%40)[^/]+}/tags/": { path: (scene) => `${blog(scene)}tags/`, status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/tags/:tag/": { path: (scene) => `${blog(scene)}tags/none/`, status: 404 },
  "GET /:author{(?:@|%40)[^/]+}/categories/:category/": {
    path: (scene) => `${blog(scene)}categories/news/`,
    status: 200,
  },
  "GET /:author{(?:@|%40)[^/]+}/feed.atom": { path: (scene) => `${blog(scene)}feed.atom`, status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/feed.rss": { path: (scene) => `${blog(scene)}feed.rss`, status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/feed.json": { path: (scene) => `${blog(scene)}feed.json`, status: 200 },
  "GET /:author{(?:@|%40)[^/]+}/sitemap.xml": { path: (scene) => `${blog(scene)}sitemap.xml`, status: 200 },
  "GET /preview/:token/": { path: () => "/preview/unknown/", status: 404 },
  "GET /preview/:token/:lang_code/": { path: () => "/preview/unknown/fr/", status: 404 },
  "GET /operator/api/accounts/:username/": { path: account, status: 200 },
  "PATCH /operator/api/accounts/:username/": {
    path: account,
    send: () => ({ json: { restricted: true } }),
    status: 200,
  },
  "DELETE /operator/api/accounts/:username/": { path: account, status: 204 },
  "POST /operator/api/accounts/:username/keys/": { path: (scene) => `${account(scene)}keys/`, status: 201 },
  "DELETE /operator/api/accounts/:username/keys/:name/": {
    path: (scene) => `${account(scene)}keys/default/`,
    status: 204,
  },
  "POST /operator/api/accounts/:username/sign-in-links/": {
    path: (scene) => `${account(scene)}sign-in-links/`,
    status: 201,
  },
  "GET /healthz/": { path: () => "/healthz/", status: 200 },
}

/** HTML pages, which accept neither API keys nor the operator's token. */
const PAGES = routes.map(({ operation }) => operation).filter(({ tag, access }) => tag === null && access !== "key")

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const mounted = app.routes.filter(({ method }) => method !== "ALL" && method !== "OPTIONS")
const rowsOf = (wanted: Access) =>
  routes
    .filter(({ operation }) => operation.access === wanted)
    .flatMap(({ operation }): [string, { method: Method; row: Row }][] => {
      const row = ROWS[nameOf(operation)]
      return row ? [[nameOf(operation), { method: operation.method, row }]] : []
    })

let file: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  file = await png()
})

/** An author with a published post that has a text in French. */
const newScene = async ({ withImage = false }: Row): Promise<Scene> => {
  // A test compares all that is stored, before and after.
  await wipeStorage()
  const author = await newAuthor()
  const { slug } = await newPost(author)
  await call("PATCH", `${API}/posts/${slug}/`, { key: author.key, json: translated })
  return { author, slug, image: withImage ? (await upload(author, file)).image_url : "" }
}

const withKey = (key: string) => ({ "X-API-KEY": key })
/** Returns the request headers of a caller, given the author of the scene. */
type Caller = (author: Author) => Promise<Record<string, string>>

const noKey: Caller = async () => ({})
const malformed: Caller = async () => withKey("bpa_short")
const invalid: Record<string, Caller> = {
  "a malformed key": malformed,
  "a key with a typo": async ({ key }) => withKey(key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")),
  "an unknown key": async () => withKey(mintKey()),
  "a revoked key": async ({ username, key }) => {
    await rotateKey(username)
    return withKey(key)
  },
}
const twoKeys: Caller = async ({ key }) => ({ Authorization: `Api-Key ${key}`, ...withKey((await newAuthor()).key) })
const bearer =
  (token: string): Caller =>
  async () => ({ Authorization: `Bearer ${token}` })
const changed =
  (changes: Record<string, unknown>): Caller =>
  async ({ username, key }) => {
    await setAccount({ username }, changes)
    return withKey(key)
  }
const another: Caller = async () => withKey((await newAuthor()).key)
const theAuthor: Caller = async ({ key }) => withKey(key)

const STATUS_AND_TITLE = {
  unauthorized: [401, "Unauthorized"],
  subscription_required: [403, "Forbidden"],
  account_restricted: [403, "Forbidden"],
  not_the_author: [403, "Forbidden"],
  not_found: [404, "Not Found"],
} as const
type Denial = keyof typeof STATUS_AND_TITLE

const expectDenied = ({ status, json, headers }: Answer, code: Denial, challenge: string | null, who: string) => {
  const [expected, title] = STATUS_AND_TITLE[code]
  expect(status, who).toBe(expected)
  expect(json, who).toEqual({
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: expect.stringMatching(/./),
    code,
    errors: [],
    request_id: headers.get("X-Request-Id"),
    success: false,
    // In the words of Micropub as well.
    ...("error" in json && { error: expect.any(String), error_description: expect.any(String) }),
  })
  expect(headers.get("WWW-Authenticate"), who).toEqual(challenge)
  expect(headers.get("Cache-Control"), who).toBe("no-store")
}

const KEY_CHALLENGE = 'Api-Key realm="edgepost"'
const OPERATOR_CHALLENGE = expect.stringMatching(/^Bearer/)

describe("the table of access rules", () => {
  it("the table of access rules in the tests has exactly one row for each route of the Worker", () => {
    const documented = routes.map(({ operation }) => nameOf(operation))
    expect([...Object.keys(ROWS), ...PAGES.map(nameOf)].toSorted()).toEqual(documented.toSorted())
    // The path `/` stays as it is.
    expect(new Set(mounted.map(nameOf))).toEqual(new Set(documented.map((name) => name.replace(/(?<! )\/$/, ""))))
  })
})

interface Attempt {
  scene: Scene
  request: { method: Method; row: Row }
}

const sendWith = async ({ scene, request: { method, row } }: Attempt, headers: Record<string, string>, env = {}) =>
  call(method, row.path(scene), { ...row.send?.(), headers, env })

/** Sends the request of a row for a caller. */
const attempt = async (of: Attempt, caller: Caller, env = {}): Promise<Answer> =>
  sendWith(of, await caller(of.scene.author), env)

/** Sends the request of a row for callers in turn, whose credentials are made before. @throws if storage is not as it was */
const attemptAll = async (of: Attempt, callers: Caller[]): Promise<Answer[]> => {
  const credentials = []
  for (const caller of callers) credentials.push(await caller(of.scene.author))
  const before = await dumpStorage()
  const answers = []
  for (const headers of credentials) answers.push(await sendWith(of, headers))
  expect(await dumpStorage()).toEqual(before)
  return answers
}

describe.each(rowsOf("key"))("%s with an API key", (_name, request) => {
  const { row } = request
  const denied: [string, Caller, Denial][] = [
    ["no key", noKey, "unauthorized"],
    ["two different keys", twoKeys, "unauthorized"],
    ...(row.owned ? [["another author's key", another, "not_the_author"] as [string, Caller, Denial]] : []),
    ...Object.entries(invalid).map(([name, caller]): [string, Caller, Denial] => [name, caller, "unauthorized"]),
  ]
  const deniedAccounts: [string, Caller, Denial][] = [
    ["a key of an account that never paid", changed({ paid_until: null }), "subscription_required"],
    ["a key whose time is over", changed({ paid_until: "2020-01-01T00:00:00Z" }), "subscription_required"],
    ["a restricted key", changed({ restricted: true, paid_until: "2099-01-01T00:00:00Z" }), "account_restricted"],
  ]

  it("an API route that needs a key refuses all callers without a right to it, and changes nothing", async () => {
    const of = { scene: await newScene(row), request }
    const bodies = new Set<string>()
    const check = (answer: Answer | undefined, [name, , code]: [string, Caller, Denial]) => {
      if (!answer) throw new Error(`${name} has no answer.`)
      expectDenied(answer, code, code === "unauthorized" ? KEY_CHALLENGE : null, name)
      if (name in invalid) bodies.add(JSON.stringify({ ...answer.json, request_id: "" }))
    }
    // The account has another state for each of these.
    for (const each of deniedAccounts) check((await attemptAll(of, [each[1]]))[0], each)
    await setAccount(of.scene.author, { restricted: false })
    const answers = await attemptAll(
      of,
      denied.map(([, caller]) => caller),
    )
    for (const [i, each] of denied.entries()) check(answers[i], each)
    // Malformed, unknown and revoked keys get the same answer.
    expect(bodies.size).toBe(1)
  })

  it("an API route that needs a key accepts the key of the author who owns the data", async () => {
    expect((await attempt({ scene: await newScene(row), request }, theAuthor)).status).toBe(row.status)
  })

  it.each(row.owned ? [] : [row.status])(
    "an API route without an owner accepts the key of any other author and answers %i",
    async (status) => {
      expect((await attempt({ scene: await newScene(row), request }, another)).status).toBe(status)
    },
  )
})

describe.each(rowsOf("public"))("%s without authentication", (_name, request) => {
  const { row } = request
  it("a public route gives its usual answer to requests with any key or none, and changes nothing", async () => {
    const of = { scene: await newScene(row), request: { ...request, row: { ...row, send: () => ({}) } } }
    const answers = await attemptAll(of, [noKey, malformed, another, theAuthor])
    answers.push(...(await attemptAll(of, [changed({ restricted: true })])))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([row.status]))
  })
})

describe.each(rowsOf("operator"))("%s with the operator's token", (_name, request) => {
  const { row } = request
  const right = OPERATOR.Authorization.slice("Bearer ".length)
  const denied: Record<string, Caller> = {
    "no token": noKey,
    "an empty token": bearer(""),
    "a wrong token": bearer("a-wrong-operator-token-of-some-length"),
    "the beginning of the token": bearer(right.slice(0, -1)),
    "the token and more": bearer(`${right}x`),
    "the token in another scheme": async () => ({ Authorization: `Api-Key ${right}` }),
    "the token as an API key": async () => withKey(right),
    "an API key": theAuthor,
    "an API key as the token": async ({ key }: Author) => ({ Authorization: `Bearer ${key}` }),
  }

  it("an operator route refuses requests without the operator's token, and changes nothing", async () => {
    const answers = await attemptAll({ scene: await newScene(row), request }, Object.values(denied))
    expect(answers).toHaveLength(Object.keys(denied).length)
    for (const [i, answer] of answers.entries())
      expectDenied(answer, "unauthorized", OPERATOR_CHALLENGE, Object.keys(denied)[i] ?? "")
  })

  it("an operator route answers 404 if the deployment has no OPERATOR_TOKEN of 32 characters, and changes nothing", async () => {
    const of = { scene: await newScene(row), request }
    const short = right.slice(0, 31)
    const before = await dumpStorage()
    for (const [OPERATOR_TOKEN, sent] of [
      [undefined, right],
      ["", ""],
      [short, short],
    ] as const)
      expectDenied(await attempt(of, bearer(sent), { OPERATOR_TOKEN }), "not_found", null, String(OPERATOR_TOKEN))
    expect(await dumpStorage()).toEqual(before)
  })

  it.each([right, right.slice(0, 32)])(
    "an operator route accepts the right OPERATOR_TOKEN: %s",
    async (OPERATOR_TOKEN) => {
      const of = { scene: await newScene(row), request }
      expect((await attempt(of, bearer(OPERATOR_TOKEN), { OPERATOR_TOKEN })).status).toBe(row.status)
    },
  )
})

it("uploads refused because the account is restricted do not count towards the upload limit", async () => {
  const { username, key } = await newAuthor({ restricted: true })
  const send = () => call("POST", `${API}/image-upload/`, { key, body: fileForm(file) })
  const refused = await Promise.all(Array.from({ length: 11 }, send))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]))
  await setAccount({ username }, { restricted: false })
  expect((await send()).headers.get("RateLimit")).toMatch(/^"upload";r=9;/)
})

const signedIn = PAGES.filter(({ access }) => access !== "page")

describe.each(signedIn.map((operation) => [nameOf(operation), operation] as const))(
  "%s with a session",
  (_name, { method, path, contentType = "application/json" }) => {
    const address = path.replaceAll(/:\w+/g, "x")
    const own = { Origin: ORIGIN, "Content-Type": contentType }

    it("a page that needs a session answers 401 to API keys, operator tokens and unknown cookies", async () => {
      const { key } = await newAuthor()
      const before = await dumpStorage()
      const cookie = { Cookie: `session=${"a".repeat(43)}; operator_session=${"b".repeat(43)}` }
      const callers: Record<string, string>[] = [{}, withKey(key), OPERATOR, cookie]
      for (const headers of callers) {
        const { status, json } = await call(method, address, { headers: { ...headers, ...own } })
        expect([status, json.code]).toEqual([401, "sign_in_required"])
      }
      expect(await dumpStorage()).toEqual(before)
    })

    it("a page that needs a session redirects a browser without a session to the sign-in page", async () => {
      const headers = { Accept: "text/html", ...own }
      const answer = await fetchWorker(new Request(`${ORIGIN}${address}`, { method, headers, redirect: "manual" }))
      const expected = path.startsWith("/operator") ? "/operator/sign-in/" : "/sign-in/"
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, expected])
    })
  },
)
