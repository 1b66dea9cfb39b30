import * as fc from "fast-check"
import { beforeEach, describe, expect, it } from "vitest"

import { get } from "../calls.ts"
import { INSERT_POST, SAVE_POST, beforeCall } from "../faults.ts"
import { quieten } from "../requests/quiet.ts"
import { note, searchProperty } from "../search.ts"
import { dumpStorage } from "../storage.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  newAuthor,
  newPost,
  OPERATOR,
  passSeconds,
  postInput,
} from "../support.ts"
import { recordWakeUps, stopClock, unique, upload } from "../support.ts"

type Method = "POST" | "PUT" | "PATCH" | "DELETE"

interface Request {
  method: Method
  path: string
  json?: unknown
  headers: Record<string, string>
}

beforeEach(() => stopClock())

/** A draft, a published post with a translation and an image, a post of another author, and a slug without a post. */
const SLUGS = ["draft", "published", "other", "none"] as const
const IMAGES = ["fresh", "shown", "expired", "other"] as const
type Image = (typeof IMAGES)[number]

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 })
const image = fc.constantFrom<Image>("fresh", "fresh", "shown", "shown", ...IMAGES)
const generated = fc.record({
  method: fc.constantFrom<Method>("POST", "PUT", "PUT", "PATCH", "PATCH", "DELETE"),
  slug: fc.constantFrom("draft", "draft", "published", "published", ...SLUGS),
  ifMatch: fc.constantFrom(undefined, undefined, undefined, "*", '"1"', '"2"'),
  fields: fc.record({
    title: maybe(fc.constantFrom("A title", "Another", "Another", "")),
    status: maybe(fc.constantFrom("DF", "PB")),
    tags: maybe(fc.constantFrom("a", "a,b", [])),
    published_at: maybe(fc.constantFrom(null, "2020-01-01T00:00:00Z", "2030-06-01T00:00:00Z", "2040-01-01T00:00:00Z")),
    canonical_url: maybe(fc.constantFrom(null, "https://example.org/a", "https://example.org/a", "ftp://example.org/")),
    source: maybe(fc.constantFrom(null, "cli")),
    translation_languages: maybe(fc.constantFrom([], ["fr"], ["fr", "xx"], ["fr", "klingon"])),
  }),
  body: maybe(fc.array(image, { maxLength: 2 })),
  image_ids: maybe(fc.array(image, { maxLength: 2 })),
  cover_image_id: maybe(fc.option(image)),
})
type Generated = typeof generated extends fc.Arbitrary<infer T> ? T : never

interface World {
  author: Author
  slugs: Record<string, string>
  images: Record<Image, { image_id: string; image_url: string }>
}

const newWorld = async (): Promise<World> => {
  stopClock(new Date("2030-01-01T00:00:00Z"))
  const [author, other] = [await newAuthor(), await newAuthor()]
  const [shown, expired] = [await upload(author), await upload(author)]
  const draft = await newPost(author, { status: "DF" })
  const published = await newPost(author, { body: `![](${shown.image_url})`, translation_languages: ["fr"] })
  passSeconds(60 * 60)
  const [fresh, theirs] = [await upload(author), await upload(other)]
  const { slug: others } = await newPost(other)
  const slugs = { draft: draft.slug, published: published.slug, other: others, none: unique("none") }
  return { author, slugs, images: { fresh, shown, expired, other: theirs } }
}

const REQUIRED = { lang_code: "en", primary_language: "en", translation_languages: [] }

const requestOf = ({ slugs, images }: World, { method, slug, ifMatch, ...sent }: Generated): Request => {
  const given = Object.entries({
    ...sent.fields,
    body: sent.body && ["Words.", ...sent.body.map((name) => `![](${images[name].image_url})`)].join(" "),
    image_ids: sent.image_ids?.map((name) => images[name].image_id),
    cover_image_id: sent.cover_image_id && images[sent.cover_image_id].image_id,
  }).filter(([, value]) => value !== undefined)
  const fields = Object.fromEntries(given)
  const payloads = {
    POST: { ...postInput(fields), slug: slugs[slug] },
    PUT: { ...postInput(fields), slug: undefined },
    PATCH: { ...REQUIRED, ...fields },
    DELETE: undefined,
  }
  return {
    method,
    path: method === "POST" ? `${API}/posts/` : `${API}/posts/${slugs[slug]}/`,
    json: payloads[method],
    headers: ifMatch === undefined || method === "POST" ? {} : { "If-Match": ifMatch },
  }
}

/** Leaves out what no two answers have in common: the secret of a new preview link and the id of the request. */
const comparable = ({ json }: Answer) =>
  JSON.parse(
    JSON.stringify(json ?? null, (name, value: unknown) =>
      (name === "preview_url" && value !== null) || name === "request_id" ? name : value,
    ),
  )

const SUCCESSES: Record<Method, number[]> = { POST: [201], PUT: [200, 201, 202], PATCH: [200, 202], DELETE: [204] }

/** Sends the request as a dry run, then really, and compares. @returns the outcome of the real answer and its warnings */
const sendTwice = async ({ method, path, json, headers }: Request, key: string): Promise<string[]> => {
  const { queue, sent } = recordWakeUps()
  const env = { TRANSLATIONS: queue }
  const stored = await dumpStorage()
  const withKey = { ...headers, "Idempotency-Key": unique("key") }
  const dry = await call(method, `${path}?dry_run=true`, { key, json, headers: withKey, env })
  expect(await dumpStorage()).toEqual(stored)
  expect(sent).toEqual([])
  const real = await call(method, path, { key, json, headers, env })
  if (real.status >= 400) {
    expect([dry.status, comparable(dry)]).toEqual([real.status, comparable(real)])
    return [`${real.status} ${real.json.code}`]
  }
  expect(SUCCESSES[method]).toContain(real.status)
  const shown = method === "DELETE" ? [204, null] : [200, { ...comparable(real), dry_run: true }]
  expect([dry.status, comparable(dry)]).toEqual(shown)
  const warnings: { code: string }[] = real.json?.warnings ?? []
  return [`${real.status}`, ...warnings.map(({ code }) => code)]
}

describe("dry_run=true", () => {
  it("of generated requests answers as the real requests that follow, and writes nothing", async () => {
    quieten()
    const seen = new Set<string>()
    const property = fc.asyncProperty(fc.array(generated, { minLength: 20, maxLength: 20 }), async (requests) => {
      const world = await newWorld()
      for (const request of requests)
        for (const outcome of await sendTwice(requestOf(world, request), world.author.key)) {
          seen.add(outcome)
          note(outcome)
        }
    })
    await searchProperty(40, property)
    const refused = [
      "400 unknown_language",
      "400 validation_error",
      "400 duplicate_slug",
      "400 unknown_image_id",
      "410 image_expired",
    ]
    const missing = ["403 not_the_author", "404 not_found", "412 version_conflict"]
    for (const outcome of ["200", "201", "202", "204", "unnamed_language", ...refused, ...missing])
      expect(seen).toContain(outcome)
  })

  const METHODS: Method[] = ["POST", "PUT", "PATCH", "DELETE"]
  const WRITE = { POST: INSERT_POST, PUT: SAVE_POST, PATCH: SAVE_POST, DELETE: /^delete from "posts"/ }

  /** Makes a draft, and returns a function that sends a request to it or, with POST, for another post. */
  const make = async (changes = {}) => {
    const author = await newAuthor()
    const { slug } = await newPost(author, { status: "DF" })
    const path = `${API}/posts/${slug}/`
    const payloads: Record<Method, unknown> = {
      POST: postInput(changes),
      PUT: { ...postInput(changes), slug: undefined },
      PATCH: { ...REQUIRED, title: "New", ...changes },
      DELETE: undefined,
    }
    const send = (method: Method, dryRun: string, env: Partial<Env> = {}, key = author.key) => {
      const at = `${method === "POST" ? `${API}/posts/` : path}?dry_run=${dryRun}`
      return call(method, at, { key, json: payloads[method], env })
    }
    return { author, slug, path, send }
  }

  it.each(METHODS)("of a %s whose key is revoked meanwhile answers 401", async (method) => {
    const { author, send } = await make()
    const key = `/operator/api/accounts/${author.username}/keys/default/`
    const DB = beforeCall(WRITE[method], () => call("DELETE", key, { headers: OPERATOR }))
    expect((await send(method, "true", { DB })).status).toBe(401)
  })

  it.each(["POST", "PUT", "PATCH"] as const)(
    "of a %s beyond the stored text of the account answers 400",
    async (method) => {
      const { send } = await make({ body: "x".repeat(500) })
      const { status, json } = await send(method, "true", { MAX_STORED_TEXT_BYTES: "600" })
      expect([status, json.code]).toEqual([400, "text_quota"])
    },
  )

  it.each(METHODS)("of a %s with another value than true or false answers 400 and names dry_run", async (method) => {
    const { status, json } = await (await make()).send(method, "yes")
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ field: "dry_run" })]])
  })

  it.each(METHODS)("=false of a %s takes effect", async (method) => {
    const { author, slug, send } = await make({ title: "New" })
    const { status, json } = await send(method, "false")
    expect(SUCCESSES[method]).toContain(status)
    const after = await get(author, json?.post.slug ?? slug)
    expect(after.json.post?.title).toBe(method === "DELETE" ? undefined : "New")
  })

  it("of a draft key that would publish answers 403", async () => {
    const { author, send } = await make()
    const keys = `/operator/api/accounts/${author.username}/keys/`
    const { json } = await call("POST", keys, { headers: OPERATOR, json: { name: "drafts", scope: "draft" } })
    expect((await send("POST", "true", {}, json.api_key)).status).toBe(403)
  })
})
