import { beforeEach, describe, expect, it } from "vitest"

import { MAX_STORED_BYTES, CLEANUP_BATCH, UPLOAD_GRACE_SECONDS } from "../../src/limits.ts"
import { accountId, create, get, idsOf, patch, remove, statusOf, stored } from "../calls.ts"
import {
  beforeCall,
  failing,
  faulty,
  INSERT_IMAGE,
  INSERT_POST,
  RELEASE_IMAGES,
  MARK_UNLINKED,
  SAVE_POST,
} from "../faults.ts"
import { type Author, call, env, newAuthor, newPng, newPost, OPERATOR, passSeconds, png } from "../support.ts"
import { postInput, rows, runCron, stopClock, unique, upload } from "../support.ts"
import { beforePut, EMPTY, LIFETIME, newAttached, send, view, writeBoth } from "./uploads.ts"

let ann: Author
let account: string
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  account = await accountId(ann)
})

const failingDelete = () => ({ MEDIA: faulty(env.MEDIA, { delete: failing }) })

const putThenFail = async (...args: Parameters<R2Bucket["put"]>) => {
  await env.MEDIA.put(...args)
  return failing()
}

const useBytes = (bytes: number) => rows("update accounts set stored_bytes = ? where id = ?", bytes, account)
const bytesOfImage = async (id: string): Promise<number> =>
  Number((await rows("select bytes from images where id = ?", id))[0]?.["bytes"])

const erase = (faults: Partial<Env> = {}) =>
  call("DELETE", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR, env: faults })

const NOTHING = { posts: [], texts: [], links: [], keys: [], images: [], files: [] }
const leftOf = async () => ({
  posts: await rows("select id from posts where account_id = ?", account),
  texts: await rows("select post_id from texts where post_id not in (select id from posts)"),
  links: await rows("select post_id from post_images where post_id not in (select id from posts)"),
  keys: await rows("select hash from api_keys where account_id = ?", account),
  images: await rows("select id from images where account_id = ?", account),
  files: (await env.MEDIA.list({ prefix: `${account}/` })).objects,
})

describe("image cleanup", () => {
  it("the image cleanup deletes the file and the row of an unused image after 30 minutes", async () => {
    const { image_id } = await upload(ann)
    passSeconds(LIFETIME - 1)
    await runCron()
    expect(await stored(account)).toMatchObject({ rows: [image_id], files: [image_id] })
    passSeconds(1)
    await runCron()
    expect(await stored(account)).toEqual(EMPTY)
  })

  it("the image cleanup deletes more expired images than one batch in one run", async () => {
    await rows(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into images (id, account_id, bytes, width, height, created_at, expires_at, cleanup_at)
       select 'many-' || i, ?, 0, 1, 1, 0, 0, 0 from n`,
      2 * CLEANUP_BATCH + 1,
      account,
    )
    await runCron()
    expect(await stored(account)).toEqual(EMPTY)
  })

  it.each<[string, () => Partial<Env>, number]>([
    ["R2 failed", failingDelete, 1],
    ["D1 failed after the file was deleted", () => ({ DB: beforeCall(/^update "accounts"/, failing) }), 0],
  ])(
    "the image cleanup deletes an image if %s in an earlier run, and subtracts its bytes once",
    async (_, faults, files) => {
      await upload(ann)
      passSeconds(LIFETIME)
      await runCron(faults())
      expect((await stored(account)).files).toHaveLength(files)
      expect(await rows("select id from images where account_id = ? and deleting_at > 0", account)).toHaveLength(1)
      await runCron()
      await runCron()
      expect(await stored(account)).toEqual(EMPTY)
    },
  )
})

describe("cleanup and attach at the same time", () => {
  it.each<[string, (slug: string, change: object) => Promise<unknown>]>([
    ["create", (slug, change) => newPost(ann, { ...change, slug })],
    ["PATCH", (slug, change) => patch(ann, slug, { ...change })],
  ])("an image that a %s attaches to a post while the cleanup is about to delete it is kept", async (write, attach) => {
    const image = await upload(ann)
    const slug = unique("kept")
    if (write === "PATCH") await newPost(ann, { slug })
    // The cleanup's clock is ahead of the request's, so both may take the image.
    passSeconds(LIFETIME)
    const attachBefore = async () => {
      passSeconds(-1)
      await attach(slug, { body: "b", image_ids: [image.image_id] })
      passSeconds(2)
    }
    await runCron({ DB: beforeCall(MARK_UNLINKED, attachBefore) })
    await runCron()
    expect(idsOf((await get(ann, slug)).json.post)).toEqual([image.image_id])
    expect(await view(image)).toBe(200)
    expect(await stored(account)).toMatchObject({ rows: [image.image_id], files: [image.image_id] })
  })

  it.each<["creating" | "a PATCH of", string, () => Partial<Env>, object]>([
    ["creating", "finishes", () => ({}), EMPTY],
    ["creating", "only marks the image", failingDelete, { bytes: expect.any(Number) }],
    ["a PATCH of", "finishes", () => ({}), EMPTY],
    ["a PATCH of", "only marks the image", failingDelete, { bytes: expect.any(Number) }],
  ])(
    "%s a post with an expiring image is refused and stores nothing if the cleanup %s meanwhile",
    async (write, _, faults, left) => {
      const { image_id } = await upload(ann)
      const { slug } = await newPost(ann)
      passSeconds(LIFETIME - 1)
      const change = { title: "New", body: "b", image_ids: [image_id] }
      const DB = beforeCall(write === "creating" ? INSERT_POST : SAVE_POST, async () => {
        passSeconds(1)
        await runCron(faults())
      })
      const written = write === "creating" ? create(ann, change, { DB }) : patch(ann, slug, change, { env: { DB } })
      expect([400, 410]).toContain(await statusOf(written))
      expect(await rows("select slug from posts where account_id = ?", account)).toEqual([{ slug }])
      expect((await get(ann, slug)).json.post).toMatchObject({ title: "A title", version: 1, images: [] })
      expect(await stored(account)).toMatchObject(left)
    },
  )
})

describe("DELETE of a post", () => {
  it("DELETE of a post deletes the images older than 30 minutes that only this post shows", async () => {
    const [own, shared, unused] = [await upload(ann), await upload(ann), await upload(ann)]
    const { slug } = await newPost(ann, { image_ids: [own.image_id, shared.image_id] })
    const other = await newPost(ann, { image_ids: [shared.image_id] })
    passSeconds(LIFETIME)
    expect(await statusOf(remove(ann, slug))).toBe(204)
    const left = [shared.image_id, unused.image_id].toSorted()
    const after = await stored(account)
    expect({ rows: after.rows, files: after.files.toSorted() }).toEqual({ rows: left, files: left })
    expect([await view(shared), await view(own)]).toEqual([200, 410])
    await remove(ann, other.slug)
    expect(await view(shared)).toBe(410)
  })

  it("an image that two posts share is deleted when both posts are deleted at the same time", async () => {
    const { image_id, slug } = await newAttached(ann)
    const second = await newPost(ann, { image_ids: [image_id] })
    passSeconds(LIFETIME)
    await Promise.all([remove(ann, slug), remove(ann, second.slug)])
    expect(await stored(account)).toEqual(EMPTY)
  })

  it("DELETE of a post that is refused with 403 or 412 deletes no image", async () => {
    const image = await newAttached(ann)
    passSeconds(LIFETIME)
    expect(await statusOf(remove(await newAuthor(), image.slug))).toBe(403)
    expect(await statusOf(remove(ann, image.slug, { ifMatch: '"2.1"' }))).toBe(412)
    expect(await view(image)).toBe(200)
  })

  it("DELETE of a post keeps an image that a new post attaches meanwhile", async () => {
    const image = await newAttached(ann)
    passSeconds(LIFETIME)
    const DB = beforeCall(RELEASE_IMAGES, () => newPost(ann, { image_ids: [image.image_id] }))
    expect(await statusOf(remove(ann, image.slug, { env: { DB } }))).toBe(204)
    expect(await view(image)).toBe(200)
    expect(await stored(account)).toMatchObject({ rows: [image.image_id], files: [image.image_id] })
  })

  it("creating a post answers 410 image_expired if a DELETE of another post deletes its image meanwhile", async () => {
    const { image_id, slug } = await newAttached(ann)
    const input = postInput({ image_ids: [image_id] })
    passSeconds(LIFETIME)
    const DB = beforeCall(INSERT_POST, () => remove(ann, slug))
    expect((await create(ann, input, { DB })).json).toMatchObject({ status: 410, code: "image_expired" })
    expect(await rows("select id from posts where slug = ?", input.slug)).toEqual([])
    expect(await stored(account)).toEqual(EMPTY)
  })

  it("DELETE of a post answers 204 while R2 fails, its image is gone, and the next cron deletes the file", async () => {
    const image = await newAttached(ann)
    passSeconds(LIFETIME)
    expect(await statusOf(remove(ann, image.slug, { env: failingDelete() }))).toBe(204)
    expect(await stored(account)).toMatchObject({ rows: [image.image_id], files: [image.image_id] })
    expect((await writeBoth(ann, { image_ids: [image.image_id] })).statuses).toEqual([410, 410])
    expect(await view(image)).toBe(410)
    expect(await rows("select post_id from post_images where image_id = ?", image.image_id)).toEqual([])
    await runCron()
    expect(await stored(account)).toEqual(EMPTY)
    expect((await writeBoth(ann, { image_ids: [image.image_id] })).statuses).toEqual([410, 410])
    expect(await view(image)).toBe(410)
  })
})

describe("an upload while R2 or D1 fails", () => {
  it.each<[string, R2Bucket["put"]]>([
    ["before", failing],
    ["after", putThenFail],
  ])(
    "an upload whose R2 put fails %s storing the file answers 503, leaves no usable id, and is cleaned up",
    async (_, put) => {
      const { status, headers } = await send(ann, { MEDIA: faulty(env.MEDIA, { put }) })
      expect([status, headers.has("Retry-After")]).toEqual([503, true])
      const left = await stored(account)
      expect(left.rows).toEqual(expect.arrayContaining(left.files))
      for (const id of left.rows) expect((await writeBoth(ann, { image_ids: [id] })).statuses).toEqual([400, 400])
      passSeconds(LIFETIME)
      await runCron()
      expect(await stored(account)).toEqual(EMPTY)
    },
  )

  it("an upload whose insert into D1 fails stores nothing", async () => {
    const DB = beforeCall(INSERT_IMAGE, failing)
    expect(await statusOf(send(ann, { DB }))).toBeGreaterThanOrEqual(500)
    expect(await stored(account)).toEqual(EMPTY)
  })
})

it("an upload whose file is stored only after the image expired answers 410, and the cleanup deletes it", async () => {
  const MEDIA = beforePut(async () => {
    passSeconds(61)
    await runCron()
  })
  const { json } = await send(ann, { MEDIA, IMAGE_ID_TTL_SECONDS: "60" })
  expect(await stored(account)).toMatchObject({ rows: [json.image_id], files: [json.image_id] })
  expect(await view(json)).toBe(410)
  expect(await statusOf(create(ann, { image_ids: [json.image_id] }))).toBe(410)
  passSeconds(UPLOAD_GRACE_SECONDS - 61)
  await runCron()
  expect(await stored(account)).toEqual(EMPTY)
})

describe("storage_quota", () => {
  it("the storage quota of an account counts the bytes of the stored image file", async () => {
    const { image_id } = await upload(ann)
    const file = await env.MEDIA.head(`${account}/${image_id}.webp`)
    expect(await stored(account)).toMatchObject({ bytes: file?.size })
  })

  it("an upload one byte over the account's storage quota answers 400, and the first that fills it exactly 201", async () => {
    const { image_id } = await upload(await newAuthor(), await png())
    const room = MAX_STORED_BYTES - (await bytesOfImage(image_id))
    await useBytes(room + 1)
    const before = await stored(account)
    expect((await send(ann, {}, await png())).json).toMatchObject({ status: 400, code: "storage_quota" })
    expect(await stored(account)).toEqual(before)
    await useBytes(room)
    const statuses = []
    for (const file of [png(), newPng(), newPng()]) statuses.push(await statusOf(send(ann, {}, await file)))
    expect(statuses).toEqual([201, 400, 400])
    expect(await stored(account)).toMatchObject({ bytes: MAX_STORED_BYTES })
  })

  it("DELETE of a post frees the bytes of its images in the account's storage quota", async () => {
    const black = await png(2, 2, [0, 0, 0])
    const { image_id } = await upload(ann, black)
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    const bytes = await bytesOfImage(image_id)
    await useBytes(MAX_STORED_BYTES)
    expect(await statusOf(send(ann))).toBe(400)
    passSeconds(LIFETIME)
    await remove(ann, slug)
    expect(await stored(account)).toMatchObject({ bytes: MAX_STORED_BYTES - bytes })
    expect(await statusOf(send(ann, {}, black))).toBe(201)
  })
})

describe("erasing an account", () => {
  it("erasing an account deletes all of its image files and database rows, and no image of another account", async () => {
    const [attached, fresh, other] = [await upload(ann), await upload(ann), await newAttached(await newAuthor())]
    await newPost(ann, { image_ids: [attached.image_id], translation_languages: ["fr"] })
    passSeconds(UPLOAD_GRACE_SECONDS)
    expect(await statusOf(erase())).toBe(204)
    expect(await leftOf()).toEqual(NOTHING)
    expect([await view(attached), await view(fresh), await view(other)]).toEqual([404, 404, 200])
  })

  it("erasing an account answers 204 while R2 fails, and the next cron deletes its image files", async () => {
    await newAttached(ann)
    passSeconds(UPLOAD_GRACE_SECONDS)
    expect(await statusOf(erase(failingDelete()))).toBe(204)
    await runCron()
    expect(await leftOf()).toEqual(NOTHING)
  })

  it("erasing an account before a running upload writes its database row leaves nothing stored", async () => {
    const DB = beforeCall(INSERT_IMAGE, () => erase())
    expect(await statusOf(send(ann, { DB }))).toBeGreaterThanOrEqual(400)
    expect(await leftOf()).toEqual(NOTHING)
  })

  it("erasing an account while one of two uploads of the same bytes has stored its file leaves no file of the other", async () => {
    const bytes = await newPng()
    const { image_id } = await upload(ann, bytes)
    const setStored = (time: number | null) => rows("update images set stored_at = ? where id = ?", time, image_id)
    await setStored(null)
    // The grace of the first upload is over.
    passSeconds(LIFETIME - 1)
    const MEDIA = beforePut(async () => {
      // What the other upload does in another isolate.
      await setStored(Date.now())
      await erase()
    })
    expect(await statusOf(send(ann, { MEDIA }, bytes))).toBe(401)
    passSeconds(UPLOAD_GRACE_SECONDS)
    await runCron()
    expect(await leftOf()).toEqual(NOTHING)
  })

  it("erasing an account before a running upload stores its file leaves no file after the cleanup", async () => {
    await send(ann, { MEDIA: beforePut(() => erase()) })
    passSeconds(LIFETIME)
    await runCron()
    expect(await leftOf()).toEqual(NOTHING)
  })
})
