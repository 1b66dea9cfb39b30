import { describe, expect, it } from "vitest"

import { MAX_POST_TEXTS, MAX_TRANSLATION_LANGUAGES } from "../../src/limits.ts"
import { brokenOff } from "../requests/oddities.ts"
import {
  API,
  type Author,
  call,
  newAuthor,
  newPost,
  OPERATOR,
  passSeconds,
  rotateKey,
  stopClock,
  upload,
} from "../support.ts"
import { create, patch } from "./requests.ts"

// The contract's order: 404/405 route → 401 → 403 paid, restricted → 429 → 404 post → 403 author → 400 → 410 → 412.

const BAD = { title: "", status: "XX" }
const STALE = { "If-Match": '"999.1"' }
const AGES_AGO = "01J00000000000000000000000"
const NOT_YET = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"
const NOWHERE = "no-such-post"

const outcome = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code]
const unpaid = async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const json = { paid_until: null }
  await call("PATCH", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, json })
  return { author, slug }
}
const strangers = async () => ({ author: await newAuthor(), slug: (await newPost(await newAuthor())).slug })
const own = async () => {
  const author = await newAuthor()
  return { author, slug: (await newPost(author)).slug }
}
const uploadNothing = ({ key }: Author) => call("POST", `${API}/image-upload/`, { key, body: "nothing" })
const exhaust = async (author: Author) => {
  for (let i = 0; i < 10; i++) await uploadNothing(author)
}

it("a request with the revoked API key of an unpaid account answers 401, not 403", async () => {
  const { author } = await own()
  await rotateKey(author.username)
  const json = { paid_until: null }
  await call("PATCH", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, json })
  expect(outcome(await create(author))).toEqual([401, "unauthorized"])
})

describe("403 for an unpaid account comes before", () => {
  it("creating a post with a bad field in an unpaid account answers 403, not 400", async () => {
    expect(outcome(await create((await unpaid()).author, BAD))).toEqual([403, "subscription_required"])
  })

  it("creating a post with invalid JSON in an unpaid account answers 403, not 400", async () => {
    const { author } = await unpaid()
    const answer = await call("POST", `${API}/posts/`, { key: author.key, body: "{" })
    expect(outcome(answer)).toEqual([403, "subscription_required"])
  })

  it("a PATCH of an unknown post by an unpaid account answers 403, not 404", async () => {
    expect(outcome(await patch((await unpaid()).author, NOWHERE))).toEqual([403, "subscription_required"])
  })

  it("a PATCH of another author's post by an unpaid account answers 403 subscription_required", async () => {
    const { slug } = await strangers()
    expect(outcome(await patch((await unpaid()).author, slug))).toEqual([403, "subscription_required"])
  })

  it("a PATCH of a post with a stale If-Match by an unpaid account answers 403, not 412", async () => {
    const { author, slug } = await unpaid()
    expect(outcome(await patch(author, slug, {}, STALE))).toEqual([403, "subscription_required"])
  })

  it("an invalid upload beyond the upload limit by an unpaid account answers 403, not 429 or 400", async () => {
    stopClock()
    const { author } = await own()
    await exhaust(author)
    const json = { paid_until: null }
    await call("PATCH", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, json })
    expect(outcome(await uploadNothing(author))).toEqual([403, "subscription_required"])
  })
})

it("an invalid upload beyond the upload limit answers 429, not 400", async () => {
  stopClock()
  const author = await newAuthor()
  await exhaust(author)
  expect(outcome(await uploadNothing(author))).toEqual([429, "rate_limited"])
})

describe("404 for an unknown post comes before", () => {
  it("a PATCH of an unknown post with a bad field answers 404, not 400", async () => {
    expect(outcome(await patch(await newAuthor(), NOWHERE, BAD))).toEqual([404, "not_found"])
  })

  it("a PATCH of an unknown post with invalid JSON answers 404, not 400", async () => {
    const { key } = await newAuthor()
    const answer = await call("PATCH", `${API}/posts/${NOWHERE}/`, { key, body: "{" })
    expect(outcome(answer)).toEqual([404, "not_found"])
  })

  it("a PATCH of an unknown post whose request body breaks off answers 404, not 400", async () => {
    const { key } = await newAuthor()
    const body = brokenOff("{", "Network connection lost.")
    expect(outcome(await call("PATCH", `${API}/posts/${NOWHERE}/`, { key, body }))).toEqual([404, "not_found"])
  })

  it.each<["PATCH" | "POST", string]>([
    ["PATCH", `${API}/posts/${NOWHERE}/`],
    ["POST", `${API}/posts/${NOWHERE}/translations/fr/`],
  ])("a %s for an unknown post with an invalid Idempotency-Key answers 404, not 400", async (method, path) => {
    const { key } = await newAuthor()
    const json = { lang_code: "en", primary_language: "en", translation_languages: [] }
    const answer = await call(method, path, { key, headers: { "Idempotency-Key": "k".repeat(256) }, json })
    expect(outcome(answer)).toEqual([404, "not_found"])
  })

  it("a PATCH of an unknown post with an expired image answers 404, not 410", async () => {
    const answer = await patch(await newAuthor(), NOWHERE, { body: "b", image_ids: [AGES_AGO] })
    expect(outcome(answer)).toEqual([404, "not_found"])
  })

  it.each(["PATCH", "DELETE"] as const)(
    "a %s of an unknown post with a stale If-Match answers 404, not 412",
    async (method) => {
      const { key } = await newAuthor()
      const json = { lang_code: "en", primary_language: "en", translation_languages: [] }
      const answer = await call(method, `${API}/posts/${NOWHERE}/`, { key, headers: STALE, json })
      expect(outcome(answer)).toEqual([404, "not_found"])
    },
  )

  it("GET of an unknown post with an invalid lang_code answers 404, not 400", async () => {
    const { key } = await newAuthor()
    expect(outcome(await call("GET", `${API}/posts/${NOWHERE}/?lang_code=und`, { key }))).toEqual([404, "not_found"])
  })

  it("a request to translate an unknown post with an invalid body answers 404, not 400", async () => {
    const { key } = await newAuthor()
    const json = { discard_edits: "title" }
    const answer = await call("POST", `${API}/posts/${NOWHERE}/translations/fr/`, { key, json })
    expect(outcome(answer)).toEqual([404, "not_found"])
  })
})

describe("403 for another author's post comes before", () => {
  it("a PATCH of another author's post with a bad field answers 403, not 400", async () => {
    const { author, slug } = await strangers()
    expect(outcome(await patch(author, slug, BAD))).toEqual([403, "not_the_author"])
  })

  it("a PATCH of another author's post with an invalid or missing JSON body answers 403, not 400", async () => {
    const { author, slug } = await strangers()
    for (const body of ["{", "[]", ""]) {
      const answer = await call("PATCH", `${API}/posts/${slug}/`, { key: author.key, body })
      expect(outcome(answer)).toEqual([403, "not_the_author"])
    }
  })

  it("a PATCH of another author's post with another slug in its body answers 403, not 400", async () => {
    const { author, slug } = await strangers()
    expect(outcome(await patch(author, slug, { slug: "another" }))).toEqual([403, "not_the_author"])
  })

  it("a PATCH of another author's post with a too complex body answers 403, not 400", async () => {
    const { author, slug } = await strangers()
    expect(outcome(await patch(author, slug, { body: "&".repeat(250_000) }))).toEqual([403, "not_the_author"])
  })

  it("a PATCH of another author's post with an expired image answers 403, not 410", async () => {
    const { author, slug } = await strangers()
    const answer = await patch(author, slug, { body: "b", image_ids: [AGES_AGO] })
    expect(outcome(answer)).toEqual([403, "not_the_author"])
  })

  it("a PATCH of another author's post with a stale If-Match answers 403, not 412", async () => {
    const { author, slug } = await strangers()
    expect(outcome(await patch(author, slug, {}, STALE))).toEqual([403, "not_the_author"])
  })

  it("a DELETE of another author's post with a stale If-Match answers 403, not 412", async () => {
    const { author, slug } = await strangers()
    const answer = await call("DELETE", `${API}/posts/${slug}/`, { key: author.key, headers: STALE })
    expect(outcome(answer)).toEqual([403, "not_the_author"])
  })

  it("GET of another author's post with an invalid lang_code answers 403, not 400", async () => {
    const { author, slug } = await strangers()
    const answer = await call("GET", `${API}/posts/${slug}/?lang_code=und`, { key: author.key })
    expect(outcome(answer)).toEqual([403, "not_the_author"])
  })

  it("reading or translating another author's post in a language without text answers 403, not 404", async () => {
    const { author, slug } = await strangers()
    const paths = [`${slug}/?lang_code=fr`, `${slug}/translations/fr/`]
    const get = await call("GET", `${API}/posts/${paths[0]}`, { key: author.key })
    const post = await call("POST", `${API}/posts/${paths[1]}`, { key: author.key, json: { discard_edits: 1 } })
    expect([outcome(get), outcome(post)]).toEqual([
      [403, "not_the_author"],
      [403, "not_the_author"],
    ])
  })
})

describe("400 comes before 410 for an expired image", () => {
  it.each([
    ["a bad field", BAD, "validation_error"],
    ["too many ids", { image_ids: Array.from({ length: 9 }, () => AGES_AGO) }, "validation_error"],
    ["a malformed id", { image_ids: [AGES_AGO, "x"] }, "validation_error"],
    ["an unknown id", { image_ids: [AGES_AGO, NOT_YET] }, "unknown_image_id"],
    ["a body too complex", { body: "&".repeat(250_000) }, "body_too_complex"],
  ])("creating or changing a post with an expired image and %s answers 400, not 410", async (_, changes, code) => {
    const { author, slug } = await own()
    const gone = { body: "b", image_ids: [AGES_AGO], ...changes }
    expect(outcome(await create(author, gone))).toEqual([400, code])
    expect(outcome(await patch(author, slug, gone))).toEqual([400, code])
  })

  it("a PATCH of a post with an expired image in image_ids and no body answers 400, not 410", async () => {
    const { author, slug } = await own()
    expect(outcome(await patch(author, slug, { image_ids: [AGES_AGO] }))).toEqual([400, "body_required"])
  })

  it("a PATCH of a post with an expired image and another slug in its body answers 400, not 410", async () => {
    const { author, slug } = await own()
    const answer = await patch(author, slug, { slug: "another", body: "b", image_ids: [AGES_AGO] })
    expect(outcome(answer)).toEqual([400, "validation_error"])
  })

  it("creating a post with an expired image and a taken slug answers 400 or 410", async () => {
    const { author, slug } = await own()
    expect([400, 410]).toContain((await create(author, { slug, image_ids: [AGES_AGO] })).status)
  })
})

describe("410 for expired images", () => {
  it("the 410 answer for an expired image names its field in the format of every error", async () => {
    const { status, json } = await create(await newAuthor(), { image_ids: [AGES_AGO] })
    expect([status, json.title, json.type]).toEqual([410, "Gone", "/docs/errors#image_expired"])
    expect(json.errors).toEqual([{ field: "image_ids.0", code: "image_expired", message: expect.stringMatching(/./) }])
  })

  it.each([
    [1799, 201],
    [1800, 410],
  ])("creating a post with an image %i seconds after the upload of the image answers %i", async (seconds, status) => {
    stopClock()
    const author = await newAuthor()
    const { image_id } = await upload(author)
    passSeconds(seconds)
    expect((await create(author, { image_ids: [image_id] })).status).toBe(status)
  })

  it.each([
    [1799, 200],
    [1800, 410],
  ])("a PATCH that attaches an image to a post %i seconds after its upload answers %i", async (seconds, status) => {
    stopClock()
    const { author, slug } = await own()
    const { image_id } = await upload(author)
    passSeconds(seconds)
    expect((await patch(author, slug, { body: "b", image_ids: [image_id] })).status).toBe(status)
  })

  it("a PATCH of a post with an expired image and a stale If-Match answers 410, not 412", async () => {
    const { author, slug } = await own()
    expect(outcome(await patch(author, slug, { body: "b", image_ids: [AGES_AGO] }, STALE))).toEqual([
      410,
      "image_expired",
    ])
  })
})

describe("400 comes before 412 for a stale If-Match", () => {
  it.each([
    ["a bad field", BAD, "validation_error"],
    ["another slug", { slug: "another" }, "validation_error"],
    ["image_ids but no body", { image_ids: [] }, "body_required"],
    ["an unknown id", { body: "b", image_ids: [NOT_YET] }, "unknown_image_id"],
    ["a body too complex", { body: "&".repeat(250_000) }, "body_too_complex"],
  ])("a PATCH of a post with a stale If-Match and %s answers 400, not 412", async (_, changes, code) => {
    const { author, slug } = await own()
    expect(outcome(await patch(author, slug, changes, STALE))).toEqual([400, code])
  })
})

it("a PATCH of a post with one language too many answers 400, not 410 for an image or 412", async () => {
  const { author, slug } = await own()
  const codes = Array.from({ length: MAX_POST_TEXTS }, (_, i) => `de-${100 + i}`)
  const listed = codes.splice(-MAX_TRANSLATION_LANGUAGES)
  for (const lang_code of codes)
    await patch(author, slug, { lang_code, translation_languages: [lang_code], title: "t" })
  const gone = { translation_languages: listed, body: "b", image_ids: [AGES_AGO] }
  const answers = [await patch(author, slug, { translation_languages: listed }, STALE), await patch(author, slug, gone)]
  expect(answers.map(outcome)).toEqual(answers.map(() => [400, "validation_error"]))
})

it("a PATCH of a post with a stale If-Match and no other error answers 412", async () => {
  const { author, slug } = await own()
  expect(outcome(await patch(author, slug, { title: "New" }, STALE))).toEqual([412, "version_conflict"])
})
