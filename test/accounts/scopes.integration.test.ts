import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

import type { Method } from "../../src/http/operation.ts"
import { routes } from "../../src/routes.ts"
import { hashBytes, hashSecret } from "../../src/tokens.ts"
import { setAccount } from "../calls.ts"
import { note, searchProperty } from "../search.ts"
import {
  API,
  type Author,
  call,
  fileForm,
  newAuthor,
  newPng,
  newPost,
  OPERATOR,
  ORIGIN,
  png,
  postInput,
  rows,
  unique,
  upload,
} from "../support.ts"

const SCOPES = ["publish", "draft", "read"] as const
type Scope = (typeof SCOPES)[number]

const makeKey = async ({ username }: Author, scope: Scope, changes: Record<string, unknown> = {}): Promise<Author> => {
  const json = { name: scope, scope, ...changes }
  const made = await call("POST", `/operator/api/accounts/${username}/keys/`, { headers: OPERATOR, json })
  expect(made.status, made.text).toBe(201)
  return { username, key: made.json.api_key }
}

const TITLE = { lang_code: "en", primary_language: "en", translation_languages: ["fr"], title: "Another title" }

interface Row {
  path: (slug: string) => string
  send?: (slug: string) => Promise<{ json?: unknown; body?: BodyInit; headers?: Record<string, string> }>
  /** For each scope: the status with an own draft, and with an own published post. */
  own: Record<Scope, [draft: number, published: number]>
  /** For each scope: the code with another author's post; missing if the path names no post. */
  another?: Record<Scope, string>
}

const post = (slug: string) => `${API}/posts/${slug}/`
const reads = {
  own: { publish: [200, 200], draft: [200, 200], read: [403, 200] },
  another: { publish: "not_the_author", draft: "not_the_author", read: "not_the_author" },
} satisfies Partial<Row>
const changes = {
  send: () => Promise.resolve({ json: TITLE }),
  own: { publish: [202, 202], draft: [202, 403], read: [403, 403] },
  another: { publish: "not_the_author", draft: "not_the_author", read: "insufficient_scope" },
} satisfies Partial<Row>
const onlyPublish = (status: number): Pick<Row, "own" | "another"> => ({
  own: { publish: [status, status], draft: [403, 403], read: [403, 403] },
  another: { publish: "not_the_author", draft: "insufficient_scope", read: "insufficient_scope" },
})
const always = (publish: number, draft: number, read: number): Pick<Row, "own"> => ({
  own: { publish: [publish, publish], draft: [draft, draft], read: [read, read] },
})

const ROWS: Record<string, Row> = {
  createPost: {
    path: () => `${API}/posts/`,
    send: () => Promise.resolve({ json: postInput({ status: "DF" }) }),
    ...always(201, 201, 403),
  },
  listPosts: { path: () => `${API}/posts/`, ...always(200, 200, 200) },
  getPost: { path: post, ...reads },
  listRedirects: { path: () => `${API}/account/redirects/`, ...always(200, 200, 403) },
  putRedirects: {
    path: () => `${API}/account/redirects/?source=s`,
    send: () => Promise.resolve({ json: { redirects: [] } }),
    ...always(200, 403, 403),
  },
  listGlossary: { path: () => `${API}/account/glossary/`, ...always(200, 200, 403) },
  changeGlossary: {
    path: () => `${API}/account/glossary/`,
    send: () => Promise.resolve({ json: { entries: [{ term: "Edge", keep: true }] } }),
    ...always(200, 403, 403),
  },
  retranslateTerms: {
    path: () => `${API}/account/glossary/retranslate/`,
    send: () => Promise.resolve({ json: { terms: ["Edge"] } }),
    ...always(200, 403, 403),
  },
  listWebhooks: { path: () => `${API}/webhooks/`, ...always(200, 403, 403) },
  listWebhookDeliveries: { path: () => `${API}/webhooks/deliveries/`, ...always(200, 403, 403) },
  createWebhook: {
    path: () => `${API}/webhooks/`,
    send: () => Promise.resolve({ json: { url: `https://${unique("hooks")}.example/` } }),
    ...always(201, 403, 403),
  },
  deleteWebhook: { path: () => `${API}/webhooks/unknown/`, ...always(404, 403, 403) },
  patchPost: { path: post, ...changes },
  patchPostByShortPath: { path: (slug) => `${API}/${slug}/`, ...changes },
  putPost: {
    path: post,
    ...changes,
    send: () => Promise.resolve({ json: { ...postInput({ status: "DF" }), slug: undefined } }),
  },
  renewPreview: {
    path: (slug) => `${post(slug)}preview/`,
    own: { publish: [200, 200], draft: [200, 403], read: [403, 403] },
    another: changes.another,
  },
  deletePost: { path: post, ...onlyPublish(204) },
  listTranslations: { path: (slug) => `${post(slug)}translations/`, ...reads },
  retranslate: { path: (slug) => `${post(slug)}translations/fr/`, ...onlyPublish(202) },
  approveTranslation: { path: (slug) => `${post(slug)}translations/fr/approve/`, ...onlyPublish(200) },
  deleteTranslation: { path: (slug) => `${post(slug)}translations/fr/`, ...onlyPublish(204) },
  uploadImage: {
    path: () => `${API}/image-upload/`,
    send: async () => ({ body: fileForm(await newPng()) }),
    ...always(201, 201, 403),
  },
  findImages: { path: () => `${API}/images/?source_sha256=${"0".repeat(64)}`, ...always(200, 200, 200) },
  "GET /micropub/": {
    path: (slug) => `/micropub/?q=source&url=${ORIGIN}/${slug}/`,
    ...reads,
  },
  "POST /micropub/": {
    path: () => "/micropub/",
    send: (slug) => {
      const json = { action: "update", url: `${ORIGIN}/${slug}/`, replace: { name: ["Another title"] } }
      return Promise.resolve({ json, headers: { "Content-Type": "application/json" } })
    },
    own: { publish: [204, 204], draft: [204, 403], read: [403, 403] },
    another: changes.another,
  },
  "POST /micropub/media/": {
    path: () => "/micropub/media/",
    send: async () => ({ body: fileForm(await newPng()) }),
    ...always(201, 201, 403),
  },
  getOwnAccount: { path: () => `${API}/account/`, ...always(200, 200, 200) },
}

const withKey = routes.flatMap(({ operation: { access, method, path, ...operation } }) =>
  access === "key" ? [{ operationId: operation.tag ? operation.operationId : `${method} ${path}`, method }] : [],
)

it("the table of scopes has one row for each route that takes an API key", () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(withKey.map(({ operationId }) => operationId).toSorted())
})

const scene = async (scope: Scope) => {
  const author = await newAuthor()
  const slugs = []
  for (const status of ["DF", "PB"])
    slugs.push((await newPost(author, { status, primary_language: "en", translation_languages: ["fr"] })).slug)
  return { author, slugs, caller: await makeKey(author, scope) }
}

const once = <T>(make: (scope: Scope) => Promise<T>) => {
  const made = new Map<Scope, Promise<T>>()
  return (scope: Scope): Promise<T> => {
    const known = made.get(scope) ?? make(scope)
    made.set(scope, known)
    return known
  }
}

// What is refused changes nothing, so that the tests of all routes share these.
const victim = once(scene)
const stranger = once(scene)
const expired = once(async (scope) => {
  const made = await scene(scope)
  await rows("update api_keys set expires_at = 1 where hash = ?", await hashSecret(made.caller.key))
  return made
})
const revoked = once(async (scope) => {
  const made = await scene(scope)
  const path = `/operator/api/accounts/${made.author.username}/keys/${scope}/`
  expect((await call("DELETE", path, { headers: OPERATOR })).status).toBe(204)
  return made
})

const ask = async (method: Method, row: Row, slug: string, { key }: Author) =>
  call(method, row.path(slug), { key, ...(await row.send?.(slug)) })

describe.each(withKey)("$operationId", ({ operationId, method }) => {
  const row = ROWS[operationId] as Row

  it.each(SCOPES)(
    `${operationId} answers a key of the scope %s as the table says, for drafts and published posts`,
    async (scope) => {
      const { slugs, caller } = await scene(scope)
      const answers = []
      for (const slug of slugs) answers.push(await ask(method, row, slug, caller))
      expect(answers.map(({ status }) => status)).toEqual(row.own[scope])
      const codes = answers.flatMap(({ status, json }) => (status === 403 ? [json.code] : []))
      expect(new Set(codes).difference(new Set(["insufficient_scope"]))).toEqual(new Set())
    },
  )

  it.each(row.another ? SCOPES : [])(
    `${operationId} refuses a key of the scope %s for another author's posts`,
    async (scope) => {
      const { slugs } = await victim("publish")
      const { caller } = await stranger(scope)
      for (const slug of slugs) expect((await ask(method, row, slug, caller)).json.code).toBe(row.another?.[scope])
    },
  )

  it.each(SCOPES)(`${operationId} answers 401 to expired and revoked keys of the scope %s`, async (scope) => {
    for (const { slugs, caller } of [await expired(scope), await revoked(scope)])
      for (const slug of slugs) expect((await ask(method, row, slug, caller)).status).toBe(401)
  })
})

it("a draft key cannot create a published post, nor publish a draft", async () => {
  const { slugs, caller } = await scene("draft")
  const created = await call("POST", `${API}/posts/`, { key: caller.key, json: postInput({ status: "PB" }) })
  expect([created.status, created.json.code]).toEqual([403, "insufficient_scope"])
  const json = { ...TITLE, status: "PB" }
  const published = await call("PATCH", post(slugs[0] ?? ""), { key: caller.key, json })
  expect([published.status, published.json.code]).toEqual([403, "insufficient_scope"])
})

/** Sends a draft. @returns the status of the answer */
const sendDraft = async (key: string, method: Method, path: string, json: object): Promise<number> =>
  (await call(method, path, { key, json: { ...postInput({ status: "DF" }), ...TITLE, ...json } })).status

it("a draft key switches no review of translations off, neither for a new draft nor by a change", async () => {
  const { author, slugs, caller } = await scene("draft")
  const path = post(slugs[0] ?? "")
  await setAccount(author, { translation_review: "hold" })
  const lifted = { translation_review: "none" }
  expect(await sendDraft(caller.key, "POST", `${API}/posts/`, { ...lifted, lang_code: undefined })).toBe(403)
  for (const method of ["PATCH", "PUT"] as const) {
    const more = { slug: undefined, lang_code: method === "PUT" ? undefined : "en" }
    expect(await sendDraft(caller.key, method, path, { ...lifted, ...more })).toBe(403)
    expect(await sendDraft(author.key, method, path, { ...lifted, ...more })).toBe(202)
    expect(await sendDraft(caller.key, method, path, { translation_review: "hold", ...more })).toBe(202)
  }
  await setAccount(author, { translation_review: "none" })
  expect(await sendDraft(caller.key, "PATCH", path, { translation_review: null, slug: undefined })).toBe(403)
})

const SETTING = new Set(["createPost", "patchPost", "patchPostByShortPath", "putPost"])
const WRITES = withKey.filter(({ method }) => method !== "GET")

it.each(["hold", "none"].flatMap((review) => WRITES.map((write) => ({ ...write, review }))))(
  "$operationId by a draft key gives no post a review of none, while its account has $review",
  async ({ operationId, method, review }) => {
    const { author, slugs, caller } = await scene("draft")
    await setAccount(author, { translation_review: review })
    const { path, send } = ROWS[operationId] as Row
    /** Sends it for the draft and for a new slug. @returns the posts that have none */
    const lift = async ({ key }: Author): Promise<number> => {
      for (const slug of [slugs[0] ?? "", unique("new")]) {
        const { json, ...sent } = (await send?.(slug)) ?? {}
        const lifted = typeof json === "object" && { json: { ...json, translation_review: "none" } }
        await call(method, path(slug), { key, ...sent, ...lifted })
      }
      const of = "join accounts on accounts.id = account_id where username = ?"
      return (await rows(`select slug from posts ${of} and posts.translation_review = 'none'`, author.username)).length
    }
    expect(await lift(caller)).toBe(0)
    expect((await lift(author)) > 0).toBe(SETTING.has(operationId))
    expect(await rows("select translation_review from accounts where username = ?", author.username)).toEqual([
      { translation_review: review },
    ])
  },
)

it("a repeated PATCH by a draft key is refused once its post is published", async () => {
  const { author, slugs, caller } = await scene("draft")
  const path = post(slugs[0] ?? "")
  const headers = { "Idempotency-Key": "once" }
  const send = () => call("PATCH", path, { key: caller.key, json: TITLE, headers })
  expect((await send()).status).toBe(202)
  await call("PATCH", path, { key: author.key, json: { ...TITLE, status: "PB" } })
  const repeated = await send()
  expect([repeated.status, repeated.json.code]).toEqual([403, "insufficient_scope"])
})

it("a repeated POST by a draft key that would publish is refused before it is replayed", async () => {
  const { author, caller } = await scene("draft")
  const headers = { "Idempotency-Key": "once" }
  const json = postInput({ status: "PB" })
  expect((await call("POST", `${API}/posts/`, { key: author.key, json, headers })).status).toBe(201)
  const repeated = await call("POST", `${API}/posts/`, { key: caller.key, json, headers })
  expect([repeated.status, repeated.json.code]).toEqual([403, "insufficient_scope"])
})

it("a read key lists published posts only, and none of a hidden account", async () => {
  const { author, slugs, caller } = await scene("read")
  const list = async (query = "") => {
    const { json } = await call("GET", `${API}/posts/${query}`, { key: caller.key })
    return json.posts.map(({ slug }: { slug: string }) => slug)
  }
  expect([await list(), await list("?status=DF")]).toEqual([[slugs[1]], []])
  await call("PATCH", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, json: { hidden: true } })
  expect(await list()).toEqual([])
  expect((await call("GET", post(slugs[1] ?? ""), { key: caller.key })).json.code).toBe("insufficient_scope")
})

it("a read key sees neither a withdrawn translation nor the image that only it shows, and the image is not public", async () => {
  const { author, caller } = await scene("read")
  const bytes = await newPng()
  const image = await upload(author, bytes)
  const { slug } = await newPost(author, { translation_languages: ["fr"] })
  const languages = { lang_code: "fr", primary_language: "en", translation_languages: ["fr"] }
  const french = { title: "Un titre", meta_description: "Une description", body: `![](${image.image_url})` }
  const change = (json: object) => call("PATCH", post(slug), { key: author.key, json: { ...languages, ...json } })
  expect((await change(french)).status).toBe(200)
  const hash = await hashBytes(bytes)
  const read = async (path: string) => (await call("GET", path, { key: caller.key })).json
  const look = async () => {
    const { posts } = await read(`${API}/posts/`)
    const listed = posts.find((found: { slug: string }) => found.slug === slug)
    const media = await call("GET", image.image_url)
    return {
      french: (await call("GET", `${post(slug)}?lang_code=fr`, { key: caller.key })).status,
      texts: Object.keys(listed.texts),
      languages: listed.translation_languages,
      translations: (await read(`${post(slug)}translations/`)).translations.length,
      images: [listed.images.length, (await read(`${API}/images/?source_sha256=${hash}`)).images.length],
      cached: media.headers.get("Cache-Control")?.split(",")[0],
    }
  }
  const one = { french: 200, texts: ["en", "fr"], languages: ["fr"], translations: 1, images: [1, 1], cached: "public" }
  expect(await look()).toEqual(one)
  expect((await change({ lang_code: "en", translation_languages: [] })).status).toBe(200)
  const none = { french: 404, texts: ["en"], languages: [], translations: 0, images: [0, 0], cached: "private" }
  expect(await look()).toEqual(none)
  // As a cover, readers see it again.
  expect((await change({ lang_code: "en", translation_languages: [], cover_image_id: image.image_id })).status).toBe(
    200,
  )
  expect(await look()).toEqual({ ...none, images: [1, 1], cached: "public" })
})

/** Returns all that readers see of an author: published posts with their texts, and the pages' HTML. */
const seen = async ({ username }: Author) => {
  const published = await rows(
    `select posts.*, texts.* from posts join texts on texts.post_id = posts.id join accounts on accounts.id = account_id
      where username = ? and posts.status = 'PB' order by slug, lang_code`,
    username,
  )
  const slugs = [...new Set(published.map(({ slug }) => String(slug)))]
  const pages = []
  for (const slug of slugs) pages.push((await call("GET", `/@${username}/${slug}/`)).text)
  return { published, pages }
}

const status = fc.constantFrom("DF", "PB")
const action = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), status }),
  fc.record({
    kind: fc.constant("patch" as const),
    on: fc.nat(3),
    status: fc.option(status, { nil: undefined }),
    ifMatch: fc.boolean(),
    once: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom("delete" as const, "retranslate" as const, "forget" as const), on: fc.nat(3) }),
  fc.constant({ kind: "upload" as const }),
)

it("no sequence of calls with a draft key changes what readers see", async () => {
  await searchProperty(
    100,
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 6 }), async (actions) => {
      const { author, slugs, caller } = await scene("draft")
      const { key } = caller
      const before = await seen(author)
      for (const step of actions) {
        note(`${step.kind} ${"status" in step ? step.status : ""} ${slugs.length}`)
        const slug = "on" in step ? (slugs[step.on % slugs.length] ?? "") : ""
        if (step.kind === "create") {
          const created = await call("POST", `${API}/posts/`, { key, json: postInput({ status: step.status }) })
          if (created.status === 201) slugs.push(created.json.post.slug)
        } else if (step.kind === "patch") {
          const json = { ...TITLE, body: "New *words*.", ...(step.status && { status: step.status }) }
          const headers = { ...(step.ifMatch && { "If-Match": "*" }), ...(step.once && { "Idempotency-Key": slug }) }
          await call("PATCH", post(slug), { key, json, headers })
        } else if (step.kind === "delete") await call("DELETE", post(slug), { key })
        else if (step.kind === "retranslate") await call("POST", `${post(slug)}translations/fr/`, { key })
        else if (step.kind === "forget") await call("DELETE", `${post(slug)}translations/fr/`, { key })
        else await call("POST", `${API}/image-upload/`, { key, body: fileForm(await png()) })
      }
      expect(await seen(author)).toEqual(before)
    }),
  )
})
