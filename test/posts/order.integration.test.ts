import { beforeEach, expect, it } from "vitest"

import { MAX_POST_TEXTS, MAX_TRANSLATION_LANGUAGES } from "../../src/limits.ts"
import { create, patch, setAccount } from "../calls.ts"
import { brokenOff } from "../requests/oddities.ts"
import { type Answer, API, type Author, call, newAuthor, newPost, rotateKey, stopClock } from "../support.ts"

// The contract's order: 404/405 route → 401 → 403 paid, restricted → 429 → 404 post → 403 author → 400 → 410 → 412.

const LANGUAGES = { lang_code: "en", primary_language: "en", translation_languages: [] }
const BAD = { title: "", status: "XX" }
const STALE = '"999.1"'
const AGES_AGO = "01J00000000000000000000000"
const NOT_YET = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"
const GONE = { body: "b", image_ids: [AGES_AGO] }
const TOO_COMPLEX = { body: "&".repeat(250_000) }

const outcome = ({ status, json }: Answer) => `${status} ${json.code}`
const stopPaying = (author: Author) => setAccount(author, { paid_until: null })
const uploadNothing = ({ key }: Author) => call("POST", `${API}/image-upload/`, { key, body: "nothing" })

let ann: Author
let slug: string
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  slug = (await newPost(ann)).slug
})

it("a request with the revoked API key of an unpaid account answers 401, not 403", async () => {
  await rotateKey(ann.username)
  await stopPaying(ann)
  expect(outcome(await create(ann))).toBe("401 unauthorized")
})

it("creating a post with a bad field or invalid JSON in an unpaid account answers 403, not 400", async () => {
  await stopPaying(ann)
  const answers = [await create(ann, BAD), await call("POST", `${API}/posts/`, { key: ann.key, body: "{" })]
  expect(answers.map(outcome)).toEqual(Array(2).fill("403 subscription_required"))
})

it("an invalid upload beyond the upload limit answers 429, not 400, and 403 in an unpaid account", async () => {
  for (let i = 0; i < 10; i++) await uploadNothing(ann)
  expect(outcome(await uploadNothing(ann))).toBe("429 rate_limited")
  await stopPaying(ann)
  expect(outcome(await uploadNothing(ann))).toBe("403 subscription_required")
})

type Request = [method: "GET" | "POST" | "PATCH" | "DELETE", rest: string, options: Parameters<typeof call>[2]]
const patchWith = (json: object): Request => ["PATCH", "", { json: { ...LANGUAGES, ...json } }]
const NO_KEY = { "Idempotency-Key": "k".repeat(256) }
const TRANSLATION = "translations/fr/"

/** Requests with errors that are told only of an own post. */
const FAULTY: [what: string, request: () => Request][] = [
  ["a PATCH with a bad field", () => patchWith(BAD)],
  ["a PATCH with another slug in its body", () => patchWith({ slug: "another" })],
  ["a PATCH with an unknown language", () => patchWith({ translation_languages: ["klingon"] })],
  ["a PATCH with a too complex body", () => patchWith(TOO_COMPLEX)],
  ["a PATCH with an expired image", () => patchWith(GONE)],
  ["a PATCH with invalid JSON", () => ["PATCH", "", { body: "{" }]],
  ["a PATCH with an array as its body", () => ["PATCH", "", { body: "[]" }]],
  ["a PATCH with an empty body", () => ["PATCH", "", { body: "" }]],
  ["a PATCH whose body breaks off", () => ["PATCH", "", { body: brokenOff("{", "Network connection lost.") }]],
  ["a PATCH with a stale If-Match", () => ["PATCH", "", { json: LANGUAGES, headers: { "If-Match": STALE } }]],
  ["a PATCH with an invalid Idempotency-Key", () => ["PATCH", "", { json: LANGUAGES, headers: NO_KEY }]],
  ["a DELETE with a stale If-Match", () => ["DELETE", "", { headers: { "If-Match": STALE } }]],
  ["a GET with an invalid lang_code", () => ["GET", "?lang_code=und", {}]],
  ["a GET in a language without text", () => ["GET", "?lang_code=fr", {}]],
  ["a new translation with an invalid body", () => ["POST", TRANSLATION, { json: { discard_edits: "title" } }]],
  ["a new translation with an invalid Idempotency-Key", () => ["POST", TRANSLATION, { json: {}, headers: NO_KEY }]],
]

it.each(FAULTY)("%s answers 404 for an unknown post and 403 for another author's post", async (_, request) => {
  const send = ({ key }: Author, name: string) => {
    const [method, rest, options] = request()
    return call(method, `${API}/posts/${name}/${rest}`, { key, ...options })
  }
  const bob = await newAuthor()
  expect(outcome(await send(bob, "no-such-post"))).toBe("404 not_found")
  expect(outcome(await send(bob, slug))).toBe("403 not_the_author")
  if (request()[0] !== "PATCH") return
  await stopPaying(bob)
  for (const name of ["no-such-post", slug]) expect(outcome(await send(bob, name))).toBe("403 subscription_required")
})

const WRONG: [what: string, changes: Record<string, unknown>, code: string][] = [
  ["a bad field", { ...GONE, ...BAD }, "validation_error"],
  ["too many ids", { ...GONE, image_ids: Array.from({ length: 9 }, () => AGES_AGO) }, "validation_error"],
  ["a malformed id", { ...GONE, image_ids: [AGES_AGO, "x"] }, "validation_error"],
  ["an unknown id", { ...GONE, image_ids: [AGES_AGO, NOT_YET] }, "unknown_image_id"],
  ["a body too complex", { ...GONE, ...TOO_COMPLEX }, "body_too_complex"],
]

it.each(WRONG)("creating a post with an expired image and %s answers 400, not 410", async (_, changes, code) => {
  expect(outcome(await create(ann, changes))).toBe(`400 ${code}`)
})

it.each([
  ...WRONG,
  ["another slug", { ...GONE, slug: "another" }, "validation_error"],
  ["no body", { image_ids: [AGES_AGO] }, "body_required"],
] as const)(
  "a PATCH of a post with a stale If-Match, an expired image and %s answers 400, not 410 or 412",
  async (_, changes, code) => {
    expect(outcome(await patch(ann, slug, changes, { ifMatch: STALE }))).toBe(`400 ${code}`)
  },
)

it("creating a post with an expired image and a taken slug answers 400 or 410", async () => {
  expect([400, 410]).toContain((await create(ann, { slug, ...GONE })).status)
})

it("a PATCH of a post with an expired image and a stale If-Match answers 410, not 412", async () => {
  expect(outcome(await patch(ann, slug, GONE, { ifMatch: STALE }))).toBe("410 image_expired")
})

it("a PATCH of a post with one language too many answers 400, not 410 for an image or 412", async () => {
  const codes = Array.from({ length: MAX_POST_TEXTS }, (_, i) => `de-${100 + i}`)
  const listed = codes.splice(-MAX_TRANSLATION_LANGUAGES)
  for (const lang_code of codes) await patch(ann, slug, { lang_code, translation_languages: [lang_code], title: "t" })
  const answers = [
    await patch(ann, slug, { translation_languages: listed }, { ifMatch: STALE }),
    await patch(ann, slug, { translation_languages: listed, ...GONE }),
  ]
  expect(answers.map(outcome)).toEqual(Array(2).fill("400 validation_error"))
})
