import { describe, expect, it, vi } from "vitest"

import { IDEMPOTENCY_LOCK_SECONDS, CLEANUP_BATCH } from "../../src/limits.ts"
import { accountId, stored } from "../calls.ts"
import { beforeCall, failing, faulty, INSERT_IMAGE, recordPauses, SAVE_POST, tapD1 } from "../faults.ts"
import {
  API,
  type Author,
  call,
  env,
  fileForm,
  newAuthor,
  newPost,
  OPERATOR,
  passSeconds,
  png,
  postInput,
  rows,
  runCron,
  stopClock,
  unique,
} from "../support.ts"

const withKey = (key: string) => ({ "Idempotency-Key": key })
const POSTS = `${API}/posts/`
const HOURS = 60 * 60

const outOfReach = () => Promise.reject(new Error("D1_ERROR: D1 DB is overloaded. Too many requests queued."))

const uploadOnce = async ({ key }: Author, faults: Partial<Env> = {}) =>
  call("POST", `${API}/image-upload/`, { key, body: fileForm(await png()), headers: withKey("k"), env: faults })

describe("a request repeated with the same Idempotency-Key", () => {
  it("creating a post again with its Idempotency-Key makes one post and answers 201 with its current state", async () => {
    const { key } = await newAuthor()
    const json = postInput()
    const first = await call("POST", POSTS, { key, json, headers: withKey("a") })
    expect(first.status).toBe(201)
    expect(first.headers.has("Idempotent-Replayed")).toBe(false)
    const changed = { lang_code: "en", primary_language: "en", translation_languages: [], title: "Another" }
    await call("PATCH", `${POSTS}${json.slug}/`, { key, json: changed })
    for (let i = 0; i < 5; i++) {
      const again = await call("POST", POSTS, { key, json, headers: withKey("a") })
      expect(again.status).toBe(201)
      expect(again.headers.get("Idempotent-Replayed")).toBe("true")
      expect(again.headers.get("Location")).toBe(first.headers.get("Location"))
      expect(again.json.post).toMatchObject({ slug: json.slug, title: "Another", version: 2 })
    }
    expect(await rows("select slug from posts where slug = ?", json.slug)).toHaveLength(1)
  })

  it.each<[string, (author: Author, env: Partial<Env>) => ReturnType<typeof call>]>([
    [
      "a create",
      ({ key }, faults) => call("POST", POSTS, { key, json: postInput(), headers: withKey("n"), env: faults }),
    ],
    ["an upload", uploadOnce],
    [
      "a PATCH",
      async (author, faults) => {
        const { slug } = await newPost(author)
        const json = { lang_code: "en", primary_language: "en", translation_languages: ["fr"], title: "Another" }
        return call("PATCH", `${API}/${slug}/`, { key: author.key, json, headers: withKey("n"), env: faults })
      },
    ],
  ])("%s answers 503 and no result if the result cannot be stored under its Idempotency-Key", async (_, send) => {
    const DB = beforeCall(/^update "idempotency_keys" set "made" = .*"status"/, outOfReach)
    const { status, headers } = await send(await newAuthor(), { DB })
    expect([status, headers.get("Content-Type")]).toEqual([503, "application/problem+json"])
    expect(["ETag", "Link", "Location"].filter((name) => headers.has(name))).toEqual([])
  })

  it("a PATCH of a post repeated with its Idempotency-Key takes effect once, despite later changes", async () => {
    const { key } = await newAuthor()
    const json = postInput()
    const { headers } = await call("POST", POSTS, { key, json })
    const path = `${POSTS}${json.slug}/`
    const patch = { lang_code: "en", primary_language: "en", translation_languages: ["fr"], body: "Other words." }
    const sent = { key, json: patch, headers: { ...withKey("b"), "If-Match": headers.get("ETag") ?? "" } }
    const first = await call("PATCH", path, sent)
    expect(first.status).toBe(202)
    await call("PATCH", path, { key, json: { ...patch, body: "Newer words." } })
    const again = await call("PATCH", path, sent)
    expect([again.status, again.headers.get("Link")]).toEqual([202, first.headers.get("Link")])
    expect(again.headers.get("ETag")).toMatch(/^"3\./)
    expect(again.json.post).toMatchObject({ body: "Newer words.", version: 3 })
  })

  it("a request repeated with its Idempotency-Key is answered with the original headers", async () => {
    const { key } = await newAuthor()
    const json = postInput()
    await call("POST", POSTS, { key, json })
    const path = `${POSTS}${json.slug}/`
    const languages = { lang_code: "en", primary_language: "en", translation_languages: [] }
    const patch = { key, json: { ...languages, title: "Other" }, headers: withKey("j") }
    expect((await call("PATCH", path, patch)).status).toBe(200)
    const later = await call("PATCH", path, { key, json: { ...languages, translation_languages: ["fr"] } })
    expect([later.status, later.headers.has("Retry-After")]).toEqual([202, true])
    const again = await call("PATCH", path, patch)
    expect([again.status, again.headers.get("Retry-After"), again.headers.get("Link")]).toEqual([200, null, null])
  })

  it("an upload repeated with its Idempotency-Key stores one image", async () => {
    const { key } = await newAuthor()
    const upload = async (bytes: Uint8Array<ArrayBuffer>) =>
      call("POST", `${API}/image-upload/`, { key, body: fileForm(bytes), headers: withKey("c") })
    const first = await upload(await png())
    // The same image with another multipart boundary.
    const again = await upload(await png())
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers.get("Idempotent-Replayed")).toBe("true")
    expect((await upload(await png(3, 3))).json.code).toBe("idempotency_key_reused")
  })

  it("a request to translate again, repeated with its Idempotency-Key, queues the translation once", async () => {
    stopClock()
    const { key } = await newAuthor()
    const json = postInput({ translation_languages: ["fr"] })
    await call("POST", POSTS, { key, json })
    const path = `${POSTS}${json.slug}/translations/fr/`
    const first = await call("POST", path, { key, json: {}, headers: withKey("d") })
    const asked = await rows("select due_at from texts where lang_code = 'fr' order by updated_at desc limit 1")
    passSeconds(60)
    const again = await call("POST", path, { key, json: {}, headers: withKey("d") })
    expect([first.status, again.status, again.headers.get("Idempotent-Replayed")]).toEqual([202, 202, "true"])
    expect(await rows("select due_at from texts where lang_code = 'fr' order by updated_at desc limit 1")).toEqual(
      asked,
    )
  })

  it("after its Idempotency-Key's lock expired, a repeated upload stores the image and the slow first one stops", async () => {
    stopClock()
    const author = await newAuthor()
    const answers: number[] = []
    const DB = beforeCall(INSERT_IMAGE, async () => {
      passSeconds(IDEMPOTENCY_LOCK_SECONDS)
      answers.push((await uploadOnce(author)).status)
    })
    const { status, json } = await uploadOnce(author, { DB })
    expect([...answers, status, json.code]).toEqual([201, 409, "idempotency_in_progress"])
    const { rows: kept } = await stored(await accountId(author))
    expect(kept).toHaveLength(1)
    const again = await uploadOnce(author)
    expect([again.status, again.headers.get("Idempotent-Replayed"), again.json.image_id]).toEqual([
      201,
      "true",
      kept[0],
    ])
  })

  it("a failed upload repeated after its Idempotency-Key's lock expired also stops the slow first upload", async () => {
    stopClock()
    const author = await newAuthor()
    const answers: number[] = []
    const DB = beforeCall(INSERT_IMAGE, async () => {
      passSeconds(IDEMPOTENCY_LOCK_SECONDS)
      answers.push((await uploadOnce(author, { DB: beforeCall(INSERT_IMAGE, outOfReach) })).status)
    })
    const { status } = await uploadOnce(author, { DB })
    expect([...answers, status]).toEqual([503, 409])
    const again = await uploadOnce(author)
    expect([again.status, again.headers.has("Idempotent-Replayed")]).toEqual([200, false])
    const living = await rows(
      "select id from images where account_id = ? and deleting_at is null",
      await accountId(author),
    )
    expect(living).toEqual([{ id: again.json.image_id }])
  })

  it("of parallel uploads with one Idempotency-Key one stores an image, the others answer 503 busy, 409 or its result", async () => {
    const author = await newAuthor()
    const answers = await Promise.all(Array.from({ length: 5 }, () => uploadOnce(author)))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    const codes = answers.flatMap(({ status, json }) => (status === 201 ? [] : [json.code]))
    expect(codes.filter((code) => !["idempotency_in_progress", "busy"].includes(code))).toEqual([])
    const { rows: kept } = await stored(await accountId(author))
    expect(made.map(({ json }) => json.image_id)).toEqual(made.map(() => kept[0]))
    expect(kept).toHaveLength(1)
  })

  it("of two parallel creates of a post with one Idempotency-Key and other bodies, one answers 201, one 422", async () => {
    const { key } = await newAuthor()
    const send = (changes: Record<string, unknown>) =>
      call("POST", POSTS, { key, json: postInput(changes), headers: withKey("both") })
    const answers = await Promise.all([send({ title: "One" }), send({ title: "Other" })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422])
  })

  it.each<[string, number, (author: Author) => Promise<{ method: "POST" | "PATCH"; path: string; json: object }>]>([
    ["creates", 201, async () => ({ method: "POST", path: POSTS, json: postInput() })],
    [
      "updates",
      202,
      async (author) => {
        const json = { lang_code: "en", primary_language: "en", translation_languages: ["fr"], title: "Another" }
        return { method: "PATCH", path: `${POSTS}${(await newPost(author)).slug}/`, json }
      },
    ],
    [
      "translates again",
      202,
      async (author) => {
        const { slug } = await newPost(author, { translation_languages: ["fr"] })
        return { method: "POST", path: `${POSTS}${slug}/translations/fr/`, json: {} }
      },
    ],
  ])(
    "of parallel requests with one Idempotency-Key, one %s, the others answer 409 or its result",
    async (_, expected, prepare) => {
      const author = await newAuthor()
      const { method, path, json } = await prepare(author)
      const sent = { key: author.key, json, headers: withKey("e") }
      const answers = await Promise.all(Array.from({ length: 5 }, () => call(method, path, sent)))
      const done = answers.filter(({ status, headers }) => status === expected && !headers.has("Idempotent-Replayed"))
      expect(done).toHaveLength(1)
      for (const { status, headers, json: answer } of answers.filter((answered) => !done.includes(answered))) {
        if (status === expected) continue
        expect([status, answer.code]).toEqual([409, "idempotency_in_progress"])
        expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0)
      }
      const after = await call(method, path, sent)
      expect([after.status, after.headers.get("Idempotent-Replayed")]).toEqual([expected, "true"])
      expect(after.json.post?.version).toBe(done[0]?.json.post?.version)
    },
  )
})

describe("an Idempotency-Key", () => {
  it("an Idempotency-Key used again with another body, method or path answers 422", async () => {
    const { key } = await newAuthor()
    const json = postInput()
    const headers = withKey("f")
    await call("POST", POSTS, { key, json, headers })
    const patch = { lang_code: "en", primary_language: "en", translation_languages: [] }
    const others = [
      await call("POST", POSTS, { key, json: { ...json, title: "Other" }, headers }),
      await call("PATCH", `${POSTS}${json.slug}/`, { key, json: patch, headers }),
      await call("PATCH", `${API}/${json.slug}/`, { key, json: patch, headers }),
    ]
    expect(others.map(({ status, json: answer }) => [status, answer.code])).toEqual(
      others.map(() => [422, "idempotency_key_reused"]),
    )
  })

  it("the same Idempotency-Key in two accounts stands for two independent requests", async () => {
    const [one, other] = [await newAuthor(), await newAuthor()]
    const answers = [
      await call("POST", POSTS, { key: one.key, json: postInput(), headers: withKey("g") }),
      await call("POST", POSTS, { key: other.key, json: postInput(), headers: withKey("g") }),
    ]
    expect(answers.map(({ status, headers }) => [status, headers.has("Idempotent-Replayed")])).toEqual([
      [201, false],
      [201, false],
    ])
  })

  it("an Idempotency-Key expires after 24 hours and is deleted by the cleanup", async () => {
    stopClock()
    const { key } = await newAuthor()
    const json = postInput()
    const headers = withKey(unique("old"))
    await call("POST", POSTS, { key, json, headers })
    passSeconds(24 * HOURS - 1)
    expect((await call("POST", POSTS, { key, json, headers })).status).toBe(201)
    passSeconds(1)
    expect((await call("POST", POSTS, { key, json, headers })).json.code).toBe("duplicate_slug")
    const other = postInput()
    expect((await call("POST", POSTS, { key, json: other, headers })).status).toBe(201)
    passSeconds(24 * HOURS)
    await runCron()
    expect(await rows("select * from idempotency_keys where key = ?", headers["Idempotency-Key"])).toEqual([])
  })

  it("the cleanup deletes more expired Idempotency-Keys than one batch in one run", async () => {
    const author = await newAuthor()
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into idempotency_keys (account_id, key, fingerprint, locked_until, created_at)
       select ?, 'many-' || i, '', 0, 0 from n`,
    )
      .bind(2 * CLEANUP_BATCH + 1, await accountId(author))
      .run()
    await runCron()
    expect(await rows("select count(*) as n from idempotency_keys where key like 'many-%'")).toEqual([{ n: 0 }])
  })

  it.each(["", "x".repeat(256), "é"])(
    'creating a post with the invalid Idempotency-Key "%s" answers 400',
    async (name) => {
      const { key } = await newAuthor()
      const { status, json } = await call("POST", POSTS, { key, json: postInput(), headers: withKey(name) })
      expect([status, json.errors[0]?.field]).toEqual([400, "Idempotency-Key"])
    },
  )

  it.each<["POST" | "PATCH", string]>([
    ["POST", POSTS],
    ["PATCH", ""],
  ])("an invalid Idempotency-Key on %s of a post is reported together with all other errors", async (method, at) => {
    const author = await newAuthor()
    const path = at || `${POSTS}${(await newPost(author)).slug}/`
    const json = { ...postInput(), title: "", lang_code: "en", primary_language: "en", translation_languages: [] }
    const answer = await call(method, path, { key: author.key, json, headers: withKey("") })
    const fields = answer.json.errors.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(expect.arrayContaining(["title", "Idempotency-Key"]))
  })

  it("a request that is refused leaves its Idempotency-Key unused", async () => {
    const { key } = await newAuthor()
    const taken = postInput()
    await call("POST", POSTS, { key, json: taken })
    const headers = withKey("h")
    expect((await call("POST", POSTS, { key, json: taken, headers })).json.code).toBe("duplicate_slug")
    expect((await call("POST", POSTS, { key, json: postInput(), headers })).status).toBe(201)
  })

  it.each<[string, (key: string, headers: Record<string, string>, DB: D1Database) => ReturnType<typeof call>]>([
    ["a create", (key, headers, DB) => call("POST", POSTS, { key, json: postInput(), headers, env: { DB } })],
    [
      "an upload",
      async (key, headers, DB) =>
        call("POST", `${API}/image-upload/`, { key, body: fileForm(await png()), headers, env: { DB } }),
    ],
  ])("%s with an Idempotency-Key answers the usual 401 if its account is erased meanwhile", async (_, send) => {
    const { username, key } = await newAuthor()
    const DB = beforeCall(/^insert into "idempotency_keys"/, () =>
      call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR }),
    )
    const { status, headers, json } = await send(key, withKey("gone"), DB)
    const after = await call("GET", `${API}/account/`, { key })
    expect([status, json.detail]).toEqual([401, after.json.detail])
    expect(headers.get("WWW-Authenticate")).toBe(after.headers.get("WWW-Authenticate"))
  })

  it("an Idempotency-Key of a PATCH whose post was deleted meanwhile works for the next post at the slug", async () => {
    const { key } = await newAuthor()
    const input = postInput()
    const path = `${POSTS}${input.slug}/`
    const json = { lang_code: "en", primary_language: "en", translation_languages: [], status: "DF" }
    const sent = { key, json, headers: withKey("late") }
    await call("POST", POSTS, { key, json: input })
    const DB = beforeCall(SAVE_POST, () => call("DELETE", path, { key }))
    expect((await call("PATCH", path, { ...sent, env: { DB } })).json.code).toBe("not_found")
    await call("POST", POSTS, { key, json: input })
    const again = await call("PATCH", path, sent)
    expect([again.status, again.json.post?.status, again.headers.has("Idempotent-Replayed")]).toEqual([
      200,
      "DF",
      false,
    ])
  })

  it("creating a post again with its Idempotency-Key after the post was deleted answers 404", async () => {
    const { key } = await newAuthor()
    const json = postInput()
    const headers = withKey("i")
    await call("POST", POSTS, { key, json, headers })
    await call("DELETE", `${POSTS}${json.slug}/`, { key })
    const again = await call("POST", POSTS, { key, json, headers })
    expect([again.status, again.json.detail]).toEqual([404, expect.stringContaining("POST it with another key")])
    expect(await rows("select slug from posts where slug = ?", json.slug)).toEqual([])
  })
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

describe("a failed first request with an Idempotency-Key", () => {
  it.each([false, true])(
    "if creating a post fails at any D1 call, repeating it with its key succeeds (call took effect: %s)",
    async (takesEffect) => {
      stopClock()
      recordPauses()
      vi.spyOn(console, "error").mockReturnValue()
      vi.spyOn(console, "warn").mockReturnValue()
      const { key } = await newAuthor()
      let failures = 0
      for (let nth = 1; ; nth++) {
        const json = postInput()
        const headers = withKey(unique("try"))
        const first = await call("POST", POSTS, { key, json, headers, env: { DB: failingFrom(nth, takesEffect) } })
        if (first.status === 201) break
        failures += 1
        expect(first.status).toBe(503)
        passSeconds(IDEMPOTENCY_LOCK_SECONDS + 1)
        const second = await call("POST", POSTS, { key, json, headers })
        expect([nth, second.status, second.json.post?.slug]).toEqual([nth, 201, json.slug])
        expect(await rows("select slug from posts where slug = ?", json.slug)).toHaveLength(1)
      }
      // The key of the account, the start of the request, the post, the stored result.
      expect(failures).toBeGreaterThanOrEqual(4)
    },
  )

  it.each<[string, number, () => Partial<Env>]>([
    [
      "before its answer is kept",
      200,
      () => ({ DB: failingAt(/^update "idempotency_keys" set "made" = \?, "status"/) }),
    ],
    [
      "between the row and the file",
      201,
      () => ({ DB: failingAt(/^update "images"/), MEDIA: faulty(env.MEDIA, { put: failing }) }),
    ],
  ])(
    "an upload failing %s leaves one image after it is repeated with its Idempotency-Key",
    async (_, expected, faults) => {
      stopClock()
      vi.spyOn(console, "error").mockReturnValue()
      vi.spyOn(console, "warn").mockReturnValue()
      const author = await newAuthor()
      expect((await uploadOnce(author, faults())).status).toBe(503)
      passSeconds(IDEMPOTENCY_LOCK_SECONDS + 1)
      const { status, json } = await uploadOnce(author)
      expect(status).toBe(expected)
      expect((await call("GET", json.image_url)).status).toBe(200)
      const account = await accountId(author)
      const living = await rows("select id from images where account_id = ? and deleting_at is null", account)
      expect(living).toEqual([{ id: json.image_id }])
      expect((await uploadOnce(author)).json.image_id).toBe(json.image_id)
      passSeconds(10 * 60)
      await runCron()
      expect(await stored(account)).toMatchObject({ rows: [json.image_id], files: [json.image_id] })
    },
  )
})
