import { beforeEach, expect, it } from "vitest"

import { IDEMPOTENCY_LOCK_SECONDS } from "../../src/limits.ts"
import { beforeCall, SAVE_POST } from "../faults.ts"
import { API, type Author, call, newAuthor, newPost, passSeconds, postInput, rows } from "../support.ts"
import { stopClock, unique, upload } from "../support.ts"

const START = new Date("2026-03-01T12:00:00Z")
const MINUTES = 60

let ann: Author
beforeEach(async () => {
  stopClock(START)
  ann = await newAuthor()
})

const at = (seconds: number): string => new Date(START.getTime() + seconds * 1000).toISOString()

/** Returns a body that arrives `seconds` after its headers. */
const arriving = (json: unknown, seconds: number): ReadableStream =>
  new ReadableStream(
    {
      pull: (controller) => {
        passSeconds(seconds)
        controller.enqueue(new TextEncoder().encode(JSON.stringify(json)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )

const PATCH = { lang_code: "en", primary_language: "en", translation_languages: [] }

it("a create or PATCH of a post answers 410 if its image expires while the request body arrives", async () => {
  const { slug } = await newPost(ann)
  const { image_id } = await upload(ann)
  const codes = []
  passSeconds(29 * MINUTES)
  for (const [method, path, json] of [
    ["PATCH", `${API}/posts/${slug}/`, { ...PATCH, body: "b", image_ids: [image_id] }],
    ["POST", `${API}/posts/`, postInput({ image_ids: [image_id] })],
  ] as const) {
    codes.push((await call(method, path, { key: ann.key, body: arriving(json, 5 * MINUTES) })).json.code)
    passSeconds(-5 * MINUTES)
  }
  expect(codes).toEqual(["image_expired", "image_expired"])
})

it("created_at and updated_at of a post are the time at which the request body has arrived", async () => {
  const created = await call("POST", `${API}/posts/`, { key: ann.key, body: arriving(postInput(), 2 * MINUTES) })
  const { slug, ...post } = created.json.post
  expect([post.created_at, post.updated_at, post.published_at]).toEqual(Array(3).fill(at(2 * MINUTES)))
  const body = arriving({ ...PATCH, title: "New" }, 3 * MINUTES)
  const patched = await call("PATCH", `${API}/posts/${slug}/`, { key: ann.key, body })
  expect(patched.json.post).toMatchObject({ title: "New", created_at: at(2 * MINUTES), updated_at: at(5 * MINUTES) })
})

it("a translation requested again is due from the time at which the request body has arrived", async () => {
  const { slug } = await newPost(ann, { translation_languages: ["fr"] })
  const path = `${API}/posts/${slug}/translations/fr/`
  expect((await call("POST", path, { key: ann.key, body: arriving({}, 2 * MINUTES) })).status).toBe(202)
  const [text] = await rows(
    "select due_at from texts join posts on posts.id = post_id where slug = ? and lang_code = 'fr'",
    slug,
  )
  expect(text).toEqual({ due_at: Date.parse(at(2 * MINUTES + 5)) })
})

/** Returns the stored rows of a new Idempotency-Key while its PATCH runs. */
const locksOf = async (sent: unknown) => {
  const { slug } = await newPost(ann)
  const key = unique("key")
  const locks: unknown[] = []
  const read = async () => {
    locks.push(...(await rows("select created_at, locked_until from idempotency_keys where key = ?", key)))
  }
  const DB = beforeCall(SAVE_POST, read)
  const body = arriving(sent, 2 * IDEMPOTENCY_LOCK_SECONDS)
  await call("PATCH", `${API}/posts/${slug}/`, { key: ann.key, headers: { "Idempotency-Key": key }, body, env: { DB } })
  // A request that saves nothing leaves what it has locked.
  if (locks.length === 0) await read()
  return locks
}

it("the lock of an Idempotency-Key begins when the request body has arrived", async () => {
  const locks = await locksOf({ ...PATCH, title: "New" })
  const arrived = Date.parse(at(2 * IDEMPOTENCY_LOCK_SECONDS))
  expect(locks).toEqual([{ created_at: arrived, locked_until: arrived + IDEMPOTENCY_LOCK_SECONDS * 1000 }])
})

it("a request with an invalid body does not lock its Idempotency-Key", async () => {
  expect(await locksOf([])).toEqual([])
})
