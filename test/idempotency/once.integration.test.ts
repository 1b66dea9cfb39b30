import { expect, it } from "vitest"

import { IDEMPOTENCY_LOCK_SECONDS, CLEANUP_BATCH } from "../../src/limits.ts"
import { accountId, eraseAccount, patch, remove, stored } from "../calls.ts"
import { beforeCall, failing, faulty, INSERT_IMAGE, recordPauses, SAVE_POST, tapD1 } from "../faults.ts"
import { quieten } from "../requests/quiet.ts"
import { type Answer, API, type Author, call, env, fileForm, newAuthor, newPost, passSeconds } from "../support.ts"
import { png, postInput, rows, runCron, stopClock } from "../support.ts"

const POSTS = `${API}/posts/`
const HOURS = 60 * 60
const ENGLISH = { lang_code: "en", primary_language: "en", translation_languages: [] }
const FRENCH = { ...ENGLISH, translation_languages: ["fr"] }

const outOfReach = () => Promise.reject(new Error("D1_ERROR: D1 DB is overloaded. Too many requests queued."))

/** Sends a request with the Idempotency-Key "k", or with another one. */
const once = (
  { key }: Author,
  method: "POST" | "PATCH",
  path: string,
  sent: { json?: unknown; body?: FormData },
  { env: faults = {}, name = "k", ...headers }: { env?: Partial<Env>; name?: string; "If-Match"?: string } = {},
): Promise<Answer> =>
  call(method, path, { key, ...sent, headers: { "Idempotency-Key": name, ...headers }, env: faults })

const createOnce = (author: Author, json: unknown = postInput(), options: Parameters<typeof once>[4] = {}) =>
  once(author, "POST", POSTS, { json }, options)

const uploadOnce = async (author: Author, faults: Partial<Env> = {}, bytes?: Uint8Array<ArrayBuffer>) =>
  once(author, "POST", `${API}/image-upload/`, { body: fileForm(bytes ?? (await png())) }, { env: faults })

/** Returns requests with the Idempotency-Key "k", each of which sends the same at every call. */
const requestsOf = async (author: Author) => {
  const { slug } = await newPost(author, { translation_languages: ["fr"] })
  const path = `${POSTS}${slug}/`
  const input = postInput()
  const change = { json: { ...FRENCH, title: "Another" } }
  return {
    create: (faults = {}) => createOnce(author, input, { env: faults }),
    upload: (faults = {}) => uploadOnce(author, faults),
    PATCH: (faults = {}) => once(author, "PATCH", path, change, { env: faults }),
    translation: (faults = {}) => once(author, "POST", `${path}translations/fr/`, { json: {} }, { env: faults }),
  }
}

const replayed = ({ headers }: Answer) => headers.get("Idempotent-Replayed")
const livingImages = async (author: Author) =>
  rows("select id from images where account_id = ? and deleting_at is null", await accountId(author))

const due = () => rows("select due_at from texts where lang_code = 'fr' order by updated_at desc limit 1")

it("creating a post again with its Idempotency-Key makes one post and answers 201 with its current state", async () => {
  const author = await newAuthor()
  const json = postInput()
  const first = await createOnce(author, json)
  expect([first.status, replayed(first)]).toEqual([201, null])
  await patch(author, json.slug, { title: "Another" })
  for (let i = 0; i < 5; i++) {
    const again = await createOnce(author, json)
    expect([again.status, replayed(again)]).toEqual([201, "true"])
    expect(again.headers.get("Location")).toBe(first.headers.get("Location"))
    expect(again.json.post).toMatchObject({ slug: json.slug, title: "Another", version: 2 })
  }
  expect(await rows("select slug from posts where slug = ?", json.slug)).toHaveLength(1)
})

it.each(["create", "upload", "PATCH"] as const)(
  "a %s answers 503 and no result if the result cannot be stored under its Idempotency-Key",
  async (what) => {
    const DB = beforeCall(/^update "idempotency_keys" set "made" = .*"status"/, outOfReach)
    const { status, headers } = await (await requestsOf(await newAuthor()))[what]({ DB })
    expect([status, headers.get("Content-Type")]).toEqual([503, "application/problem+json"])
    expect(["ETag", "Link", "Location"].filter((name) => headers.has(name))).toEqual([])
  },
)

it("a PATCH of a post repeated with its Idempotency-Key takes effect once, despite later changes", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const change = { ...FRENCH, body: "Other words." }
  const send = () => once(author, "PATCH", `${POSTS}${slug}/`, { json: change }, { "If-Match": '"1.1"' })
  const first = await send()
  expect(first.status).toBe(202)
  await patch(author, slug, { ...change, body: "Newer words." })
  const again = await send()
  expect([again.status, again.headers.get("Link")]).toEqual([202, first.headers.get("Link")])
  expect(again.headers.get("ETag")).toMatch(/^"3\./)
  expect(again.json.post).toMatchObject({ body: "Newer words.", version: 3 })
})

it("a request repeated with its Idempotency-Key is answered with the original headers", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const send = () => once(author, "PATCH", `${POSTS}${slug}/`, { json: { ...ENGLISH, title: "Other" } })
  expect((await send()).status).toBe(200)
  const later = await patch(author, slug, FRENCH)
  expect([later.status, later.headers.has("Retry-After")]).toEqual([202, true])
  const again = await send()
  expect([again.status, again.headers.get("Retry-After"), again.headers.get("Link")]).toEqual([200, null, null])
})

it("an upload repeated with its Idempotency-Key stores one image, and another image answers 422", async () => {
  const author = await newAuthor()
  const first = await uploadOnce(author)
  // The same image with another multipart boundary.
  const again = await uploadOnce(author)
  expect([again.status, again.json, replayed(again)]).toEqual([201, first.json, "true"])
  expect((await uploadOnce(author, {}, await png(3, 3))).json.code).toBe("idempotency_key_reused")
})

it("a request to translate again, repeated with its Idempotency-Key, queues the translation once", async () => {
  stopClock()
  const { translation } = await requestsOf(await newAuthor())
  const first = await translation()
  const asked = await due()
  passSeconds(60)
  const again = await translation()
  expect([first.status, again.status, replayed(again), await due()]).toEqual([202, 202, "true", asked])
})

/** Uploads slowly: the lock expires, and a second upload of the same image answers, with `faults`, before the first is stored. */
const uploadSlowly = async (author: Author, faults: Partial<Env>) => {
  stopClock()
  const statuses: number[] = []
  const DB = beforeCall(INSERT_IMAGE, async () => {
    passSeconds(IDEMPOTENCY_LOCK_SECONDS)
    statuses.push((await uploadOnce(author, faults)).status)
  })
  const { status, json } = await uploadOnce(author, { DB })
  return [...statuses, status, json.code]
}

it("after its Idempotency-Key's lock expired, a repeated upload stores the image and the slow first one stops", async () => {
  const author = await newAuthor()
  expect(await uploadSlowly(author, {})).toEqual([201, 409, "idempotency_in_progress"])
  const { rows: kept } = await stored(await accountId(author))
  const again = await uploadOnce(author)
  expect([again.status, replayed(again), [again.json.image_id]]).toEqual([201, "true", kept])
})

it("a failed upload repeated after its Idempotency-Key's lock expired also stops the slow first upload", async () => {
  const author = await newAuthor()
  const failed = { DB: beforeCall(INSERT_IMAGE, outOfReach) }
  expect(await uploadSlowly(author, failed)).toEqual([503, 409, "idempotency_in_progress"])
  const again = await uploadOnce(author)
  expect([again.status, replayed(again)]).toEqual([200, null])
  expect(await livingImages(author)).toEqual([{ id: again.json.image_id }])
})

it("of parallel uploads with one Idempotency-Key one stores an image, the others answer 503 busy, 409 or its result", async () => {
  const author = await newAuthor()
  const answers = await Promise.all(Array.from({ length: 5 }, () => uploadOnce(author)))
  const made = answers.filter(({ status }) => status === 201)
  expect(made.length).toBeGreaterThan(0)
  const codes = answers.flatMap(({ status, json }) => (status === 201 ? [] : [json.code]))
  expect(codes.filter((code) => !["idempotency_in_progress", "busy"].includes(code))).toEqual([])
  const { rows: kept } = await stored(await accountId(author))
  expect(kept).toHaveLength(1)
  expect(made.map(({ json }) => json.image_id)).toEqual(made.map(() => kept[0]))
})

it("of two parallel creates of a post with one Idempotency-Key and other bodies, one answers 201, one 422", async () => {
  const author = await newAuthor()
  const answers = await Promise.all(["One", "Other"].map((title) => createOnce(author, postInput({ title }))))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422])
})

it.each([
  ["create", 201],
  ["PATCH", 202],
  ["translation", 202],
] as const)(
  "of parallel requests with one Idempotency-Key for a %s one answers %i, the others 409 or its result",
  async (what, expected) => {
    const send = (await requestsOf(await newAuthor()))[what]
    const answers = await Promise.all(Array.from({ length: 5 }, () => send()))
    const done = answers.filter((answer) => answer.status === expected && !replayed(answer))
    expect(done).toHaveLength(1)
    for (const { status, headers, json } of answers) {
      if (status === expected) continue
      expect([status, json.code]).toEqual([409, "idempotency_in_progress"])
      expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0)
    }
    const after = await send()
    expect([after.status, replayed(after)]).toEqual([expected, "true"])
    expect(after.json.post?.version).toBe(done[0]?.json.post?.version)
  },
)

it("an Idempotency-Key used again with another body, method or path answers 422", async () => {
  const author = await newAuthor()
  const json = postInput()
  await createOnce(author, json)
  const others = [
    await createOnce(author, { ...json, title: "Other" }),
    await once(author, "PATCH", `${POSTS}${json.slug}/`, { json: ENGLISH }),
    await once(author, "PATCH", `${API}/${json.slug}/`, { json: ENGLISH }),
  ]
  const outcomes = others.map(({ status, json: answer }) => `${status} ${answer.code}`)
  expect(outcomes).toEqual(Array(3).fill("422 idempotency_key_reused"))
})

it("an Idempotency-Key expires after 24 hours and is deleted by the cleanup", async () => {
  stopClock()
  const author = await newAuthor()
  const json = postInput()
  await createOnce(author, json)
  passSeconds(24 * HOURS - 1)
  expect((await createOnce(author, json)).status).toBe(201)
  passSeconds(1)
  expect((await createOnce(author, json)).json.code).toBe("duplicate_slug")
  expect((await createOnce(author)).status).toBe(201)
  passSeconds(24 * HOURS)
  await runCron()
  expect(await rows("select * from idempotency_keys where account_id = ?", await accountId(author))).toEqual([])
})

it("the cleanup deletes more expired Idempotency-Keys than one batch in one run", async () => {
  await rows(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into idempotency_keys (account_id, key, fingerprint, locked_until, created_at)
       select ?, 'many-' || i, '', 0, 0 from n`,
    2 * CLEANUP_BATCH + 1,
    await accountId(await newAuthor()),
  )
  await runCron()
  expect(await rows("select count(*) as n from idempotency_keys where key like 'many-%'")).toEqual([{ n: 0 }])
})

it.each(["", "x".repeat(256), "é"])(
  'creating a post with the invalid Idempotency-Key "%s" answers 400',
  async (name) => {
    const { status, json } = await createOnce(await newAuthor(), postInput(), { name })
    expect([status, json.errors[0]?.field]).toEqual([400, "Idempotency-Key"])
  },
)

it.each(["POST", "PATCH"] as const)(
  "an invalid Idempotency-Key on %s of a post is reported together with all other errors",
  async (method) => {
    const author = await newAuthor()
    const path = method === "POST" ? POSTS : `${POSTS}${(await newPost(author)).slug}/`
    const answer = await once(author, method, path, { json: { ...postInput(), ...ENGLISH, title: "" } }, { name: "" })
    const fields = answer.json.errors.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(expect.arrayContaining(["title", "Idempotency-Key"]))
  },
)

it("a request that is refused leaves its Idempotency-Key unused", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  expect((await createOnce(author, postInput({ slug }))).json.code).toBe("duplicate_slug")
  expect((await createOnce(author)).status).toBe(201)
})

it.each(["create", "upload"] as const)(
  "a %s with an Idempotency-Key answers the usual 401 if its account is erased meanwhile",
  async (what) => {
    const author = await newAuthor()
    const DB = beforeCall(/^insert into "idempotency_keys"/, () => eraseAccount(author))
    const { status, headers, json } = await (await requestsOf(author))[what]({ DB })
    const after = await call("GET", `${API}/account/`, { key: author.key })
    expect([status, json.detail]).toEqual([401, after.json.detail])
    expect(headers.get("WWW-Authenticate")).toBe(after.headers.get("WWW-Authenticate"))
  },
)

it("an Idempotency-Key of a PATCH whose post was deleted meanwhile works for the next post at the slug", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const send = (faults: Partial<Env> = {}) =>
    once(author, "PATCH", `${POSTS}${slug}/`, { json: { ...ENGLISH, status: "DF" } }, { env: faults })
  const DB = beforeCall(SAVE_POST, () => remove(author, slug))
  expect((await send({ DB })).json.code).toBe("not_found")
  await newPost(author, { slug })
  const again = await send()
  expect([again.status, again.json.post?.status, replayed(again)]).toEqual([200, "DF", null])
})

it("creating a post again with its Idempotency-Key after the post was deleted answers 404", async () => {
  const author = await newAuthor()
  const json = postInput()
  await createOnce(author, json)
  await remove(author, json.slug)
  const again = await createOnce(author, json)
  expect([again.status, again.json.detail]).toEqual([404, expect.stringContaining("POST it with another key")])
  expect(await rows("select slug from posts where slug = ?", json.slug)).toEqual([])
})

/** Returns a D1 binding that fails from the nth call on; the nth call takes effect or not. */
const failingFrom = (nth: number, takesEffect: boolean): D1Database => {
  let calls = 0
  return tapD1({
    around: async (make) => {
      calls += 1
      if (calls < nth) return make()
      if (takesEffect && calls === nth) await make()
      throw new Error("Network connection lost.")
    },
  })
}

/** Returns a D1 binding that fails from the first matching statement on. */
const failingAt = (like: RegExp): D1Database => {
  let isOut = false
  return tapD1({
    before: (statements) => {
      isOut ||= statements.some(({ sql }) => like.test(sql))
      if (isOut) throw new Error("Network connection lost.")
    },
  })
}

it.each([false, true])(
  "if creating a post fails at any D1 call, repeating it with its key succeeds (call took effect: %s)",
  async (takesEffect) => {
    stopClock()
    recordPauses()
    quieten()
    const author = await newAuthor()
    let failures = 0
    for (let nth = 1; ; nth++) {
      const json = postInput()
      const name = `try-${nth}`
      const first = await createOnce(author, json, { name, env: { DB: failingFrom(nth, takesEffect) } })
      if (first.status === 201) break
      failures += 1
      expect(first.status).toBe(503)
      passSeconds(IDEMPOTENCY_LOCK_SECONDS + 1)
      const second = await createOnce(author, json, { name })
      expect([nth, second.status, second.json.post?.slug]).toEqual([nth, 201, json.slug])
      expect(await rows("select slug from posts where slug = ?", json.slug)).toHaveLength(1)
    }
    // The key of the account, the start of the request, the post, the stored result.
    expect(failures).toBeGreaterThanOrEqual(4)
  },
)

it.each<[string, number, RegExp, Partial<Env>]>([
  ["before its answer is kept", 200, /^update "idempotency_keys" set "made" = \?, "status"/, {}],
  ["between the row and the file", 201, /^update "images"/, { MEDIA: faulty(env.MEDIA, { put: failing }) }],
])(
  "an upload failing %s leaves one image after it is repeated with its Idempotency-Key",
  async (_, expected, like, faults) => {
    stopClock()
    quieten()
    const author = await newAuthor()
    expect((await uploadOnce(author, { DB: failingAt(like), ...faults })).status).toBe(503)
    passSeconds(IDEMPOTENCY_LOCK_SECONDS + 1)
    const { status, json } = await uploadOnce(author)
    expect(status).toBe(expected)
    expect((await call("GET", json.image_url)).status).toBe(200)
    expect(await livingImages(author)).toEqual([{ id: json.image_id }])
    expect((await uploadOnce(author)).json.image_id).toBe(json.image_id)
    passSeconds(10 * 60)
    await runCron()
    expect(await stored(await accountId(author))).toMatchObject({ rows: [json.image_id], files: [json.image_id] })
  },
)
