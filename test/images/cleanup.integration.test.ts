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
import { API, type Author, call, env, fileForm, newAuthor, newPost, OPERATOR, passSeconds } from "../support.ts"
import { newPng, png, postInput, rows, runCron, stopClock, upload } from "../support.ts"

const LIFETIME = 1800
const EMPTY = { rows: [], files: [], bytes: 0 }

let ann: Author
let account: string
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  account = await accountId(ann)
})

const failingDelete = () => ({ MEDIA: faulty(env.MEDIA, { delete: failing }) })
const sendUpload = async (faults: Partial<Env> = {}, file = png()) =>
  call("POST", `${API}/image-upload/`, { key: ann.key, body: fileForm(await file), env: faults })

// The cleanup's clock is ahead of the request's, so both may take the image.
const attachBeforeMark = async (attach: () => Promise<unknown>) => {
  const started = Date.now()
  passSeconds(1)
  const DB = beforeCall(MARK_UNLINKED, async () => {
    passSeconds((started - Date.now()) / 1000)
    await attach()
    passSeconds(1)
  })
  await runCron({ DB })
}

const cleanUpBefore = (like: RegExp, faults: Partial<Env>) =>
  beforeCall(like, async () => {
    passSeconds(1)
    await runCron(faults)
  })

const useBytes = (bytes: number) =>
  env.DB.prepare("update accounts set stored_bytes = ? where id = ?").bind(bytes, account).run()

const sizeOfUpload = async (): Promise<number> => {
  const { image_id } = await upload(await newAuthor(), await png())
  const [image] = await rows("select bytes from images where id = ?", image_id)
  return Number(image?.["bytes"])
}

const erase = (faults: Partial<Env> = {}) =>
  call("DELETE", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR, env: faults })

const leftOf = async () => ({
  posts: await rows("select id from posts where account_id = ?", account),
  texts: await rows("select post_id from texts where post_id not in (select id from posts)"),
  links: await rows("select post_id from post_images where post_id not in (select id from posts)"),
  keys: await rows("select hash from api_keys where account_id = ?", account),
  images: await rows("select id from images where account_id = ?", account),
  files: (await env.MEDIA.list({ prefix: `${account}/` })).objects,
})

const put: R2Bucket["put"] = env.MEDIA.put.bind(env.MEDIA)
const putThenFail = async (...args: Parameters<typeof put>) => {
  await put(...args)
  return failing()
}

const eraseThenPut = async (...args: Parameters<typeof put>) => {
  await erase()
  return put(...args)
}

const cleanUpThenPut = async (...args: Parameters<typeof put>) => {
  passSeconds(61)
  await runCron()
  return put(...args)
}

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
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into images (id, account_id, bytes, width, height, created_at, expires_at, cleanup_at)
       select 'many-' || i, ?, 0, 1, 1, 0, 0, 0 from n`,
    )
      .bind(2 * CLEANUP_BATCH + 1, account)
      .run()
    await runCron()
    expect(await stored(account)).toEqual(EMPTY)
  })

  it("the image cleanup deletes an image after R2 failed in an earlier run, and subtracts its bytes once", async () => {
    await upload(ann)
    passSeconds(LIFETIME)
    await runCron(failingDelete())
    expect(await rows("select id from images where account_id = ? and deleting_at is not null", account)).toHaveLength(
      1,
    )
    await runCron()
    await runCron()
    expect(await stored(account)).toEqual(EMPTY)
  })

  it("the image cleanup deletes the row of an image if an earlier run deleted only the file", async () => {
    await upload(ann)
    passSeconds(LIFETIME)
    await runCron({ DB: beforeCall(/^update "accounts"/, failing) })
    expect(await stored(account)).toMatchObject({ rows: [expect.anything()], files: [] })
    await runCron()
    expect(await stored(account)).toEqual(EMPTY)
  })
})

describe("cleanup and attach at the same time", () => {
  it("the image cleanup keeps an image that was attached in the last second of its lifetime", async () => {
    const { image_id, image_url } = await upload(ann)
    passSeconds(LIFETIME - 1)
    await newPost(ann, { image_ids: [image_id] })
    passSeconds(1)
    await runCron()
    expect(await statusOf(call("GET", image_url))).toBe(200)
  })

  it("an image deleted by the cleanup answers 410 as a file and when a post is to use it", async () => {
    const { image_id, image_url } = await upload(ann)
    const { slug } = await newPost(ann)
    passSeconds(LIFETIME)
    await runCron()
    const image_ids = [image_id]
    expect(await statusOf(create(ann, { image_ids }))).toBe(410)
    expect(await statusOf(patch(ann, slug, { body: "b", image_ids }))).toBe(410)
    expect(await statusOf(call("GET", image_url))).toBe(410)
  })

  it.each<[string, (image_ids: string[]) => Promise<string>]>([
    ["create", async (image_ids) => (await newPost(ann, { image_ids })).slug],
    [
      "PATCH",
      async (image_ids) => {
        const { slug } = await newPost(ann)
        expect(await statusOf(patch(ann, slug, { body: "b", image_ids }))).toBe(200)
        return slug
      },
    ],
  ])("an image that a %s attaches to a post while the cleanup is about to delete it is kept", async (_, attach) => {
    const { image_id, image_url } = await upload(ann)
    passSeconds(LIFETIME - 1)
    let slug = ""
    await attachBeforeMark(async () => {
      slug = await attach([image_id])
    })
    await runCron()
    expect(idsOf((await get(ann, slug)).json.post)).toEqual([image_id])
    expect(await statusOf(call("GET", image_url))).toBe(200)
    expect(await stored(account)).toMatchObject({ rows: [image_id], files: [image_id] })
  })

  describe.each([
    ["finishes", () => ({}), EMPTY],
    ["only marks the image", failingDelete, { bytes: expect.any(Number) as number }],
  ])("a cleanup that %s", (what, faultsOf, left) => {
    it(`creating a post with an expiring image is refused and stores no post if the cleanup ${what} meanwhile`, async () => {
      const { image_id } = await upload(ann)
      passSeconds(LIFETIME - 1)
      const input = postInput({ image_ids: [image_id] })
      const DB = cleanUpBefore(INSERT_POST, faultsOf())
      expect([400, 410]).toContain(await statusOf(create(ann, input, { DB })))
      expect(await rows("select id from posts where slug = ?", input.slug)).toEqual([])
      expect(await stored(account)).toMatchObject(left)
    })

    it(`a PATCH of a post with an expiring image is refused and changes nothing if the cleanup ${what} meanwhile`, async () => {
      const { image_id } = await upload(ann)
      const { slug } = await newPost(ann)
      passSeconds(LIFETIME - 1)
      const change = { title: "New", body: "b", image_ids: [image_id] }
      const DB = cleanUpBefore(SAVE_POST, faultsOf())
      expect([400, 410]).toContain(await statusOf(patch(ann, slug, change, { env: { DB } })))
      expect((await get(ann, slug)).json.post).toMatchObject({ title: "A title", version: 1, images: [] })
      expect(await stored(account)).toMatchObject(left)
    })
  })
})

describe("DELETE of a post", () => {
  it("DELETE of a post deletes the images older than 30 minutes that only this post shows", async () => {
    const [own, shared, unused] = [await upload(ann), await upload(ann), await upload(ann)]
    const { slug } = await newPost(ann, { image_ids: [own.image_id, shared.image_id] })
    await newPost(ann, { image_ids: [shared.image_id] })
    passSeconds(LIFETIME)
    expect(await statusOf(remove(ann, slug))).toBe(204)
    const left = [shared.image_id, unused.image_id].toSorted()
    const after = await stored(account)
    expect({ rows: after.rows, files: after.files.toSorted() }).toEqual({ rows: left, files: left })
    expect(await statusOf(call("GET", shared.image_url))).toBe(200)
    expect(await statusOf(call("GET", own.image_url))).toBe(410)
  })

  it("an image that two posts share is deleted when both posts are deleted at the same time", async () => {
    const { image_id } = await upload(ann)
    const [first, second] = [
      await newPost(ann, { image_ids: [image_id] }),
      await newPost(ann, { image_ids: [image_id] }),
    ]
    passSeconds(LIFETIME)
    await Promise.all([remove(ann, first.slug), remove(ann, second.slug)])
    expect(await stored(account)).toEqual(EMPTY)
  })

  it("DELETE of a post that is refused with 403 or 412 deletes no image", async () => {
    const { image_id, image_url } = await upload(ann)
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    expect(await statusOf(remove(await newAuthor(), slug))).toBe(403)
    expect(await statusOf(remove(ann, slug, { ifMatch: '"2.1"' }))).toBe(412)
    expect(await statusOf(call("GET", image_url))).toBe(200)
  })

  it("DELETE of a post keeps an image that a new post attaches meanwhile", async () => {
    const { image_id, image_url } = await upload(ann)
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    passSeconds(LIFETIME)
    const DB = beforeCall(RELEASE_IMAGES, () => newPost(ann, { image_ids: [image_id] }))
    expect(await statusOf(remove(ann, slug, { env: { DB } }))).toBe(204)
    expect(await statusOf(call("GET", image_url))).toBe(200)
    expect(await stored(account)).toMatchObject({ rows: [image_id], files: [image_id] })
  })

  it("creating a post answers 410 image_expired if a DELETE of another post deletes its image meanwhile", async () => {
    const { image_id } = await upload(ann)
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    const input = postInput({ image_ids: [image_id] })
    passSeconds(LIFETIME)
    const DB = beforeCall(INSERT_POST, () => remove(ann, slug))
    expect((await create(ann, input, { DB })).json).toMatchObject({ status: 410, code: "image_expired" })
    expect(await rows("select id from posts where slug = ?", input.slug)).toEqual([])
    expect(await stored(account)).toEqual(EMPTY)
  })

  it("DELETE of a post answers 204 while R2 fails, and the next cron deletes the image file", async () => {
    const { image_id } = await upload(ann)
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    passSeconds(LIFETIME)
    expect(await statusOf(remove(ann, slug, { env: failingDelete() }))).toBe(204)
    expect(await stored(account)).toMatchObject({ rows: [image_id], files: [image_id] })
    await runCron()
    expect(await stored(account)).toEqual(EMPTY)
  })
})

const markOne = async () => {
  const image = await upload(ann)
  const { slug } = await newPost(ann, { image_ids: [image.image_id] })
  passSeconds(LIFETIME)
  await remove(ann, slug, { env: failingDelete() })
  return image
}

describe("an image that is marked for deletion", () => {
  it("attaching an image that is marked for deletion answers 410", async () => {
    const { image_id } = await markOne()
    const image_ids = [image_id]
    const { slug } = await newPost(ann)
    expect(await statusOf(create(ann, { image_ids }))).toBe(410)
    expect(await statusOf(patch(ann, slug, { body: "b", image_ids }))).toBe(410)
    expect(await rows("select post_id from post_images where image_id = ?", image_id)).toEqual([])
  })

  it("GET of an image that is marked for deletion answers 410", async () => {
    const { image_url } = await markOne()
    expect(await statusOf(call("GET", image_url))).toBe(410)
  })
})

describe("an upload while R2 or D1 fails", () => {
  describe.each([
    ["before", failing],
    ["after", putThenFail],
  ])("R2 fails %s it stores the file", (order, faultyPut) => {
    const failUpload = () => sendUpload({ MEDIA: faulty(env.MEDIA, { put: faultyPut }) })

    it(`an upload whose R2 put fails ${order} storing the file answers 503, and the cleanup deletes it`, async () => {
      const { status, headers } = await failUpload()
      expect([status, headers.has("Retry-After")]).toEqual([503, true])
      const left = await stored(account)
      expect(left.rows).toEqual(expect.arrayContaining(left.files))
      passSeconds(LIFETIME)
      await runCron()
      expect(await stored(account)).toEqual(EMPTY)
    })

    it(`an upload whose R2 put fails ${order} storing the file leaves no usable image id`, async () => {
      await failUpload()
      const { slug } = await newPost(ann)
      for (const id of (await stored(account)).rows) {
        const image_ids = [id]
        expect(await statusOf(create(ann, { image_ids })), "create").toBe(400)
        expect(await statusOf(patch(ann, slug, { body: "b", image_ids })), "PATCH").toBe(400)
      }
    })
  })

  it("an upload whose insert into D1 fails stores nothing", async () => {
    const DB = beforeCall(INSERT_IMAGE, failing)
    expect(await statusOf(sendUpload({ DB }))).toBeGreaterThanOrEqual(500)
    expect(await stored(account)).toEqual(EMPTY)
  })
})

it("an upload whose file is stored only after the image expired answers 410, and the cleanup deletes it", async () => {
  const MEDIA = faulty(env.MEDIA, { put: cleanUpThenPut })
  const { json } = await sendUpload({ MEDIA, IMAGE_ID_TTL_SECONDS: "60" })
  expect(await stored(account)).toMatchObject({ rows: [json.image_id], files: [json.image_id] })
  expect(await statusOf(call("GET", json.image_url))).toBe(410)
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

  it("an upload that exactly fills the account's storage quota answers 201", async () => {
    await useBytes(MAX_STORED_BYTES - (await sizeOfUpload()))
    expect(await statusOf(sendUpload())).toBe(201)
    expect(await stored(account)).toMatchObject({ bytes: MAX_STORED_BYTES })
  })

  it("an upload one byte over the account's storage quota answers 400 and stores nothing", async () => {
    const full = MAX_STORED_BYTES - (await sizeOfUpload()) + 1
    await useBytes(full)
    const before = await stored(account)
    expect((await sendUpload()).json).toMatchObject({ status: 400, code: "storage_quota" })
    expect(await stored(account)).toEqual(before)
  })

  it("of three uploads one after another the first gets the last free bytes of the account's storage quota", async () => {
    await useBytes(MAX_STORED_BYTES - (await sizeOfUpload()))
    const statuses = []
    for (const file of [png(), newPng(), newPng()]) statuses.push(await statusOf(sendUpload({}, file)))
    expect(statuses).toEqual([201, 400, 400])
  })

  it("DELETE of a post frees the bytes of its images in the account's storage quota", async () => {
    const black = await png(2, 2, [0, 0, 0])
    const { image_id } = await upload(ann, black)
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    const [image] = await rows("select bytes from images where id = ?", image_id)
    await useBytes(MAX_STORED_BYTES)
    expect(await statusOf(sendUpload())).toBe(400)
    passSeconds(LIFETIME)
    await remove(ann, slug)
    expect(await stored(account)).toMatchObject({ bytes: MAX_STORED_BYTES - Number(image?.["bytes"]) })
    expect(await statusOf(sendUpload({}, Promise.resolve(black)))).toBe(201)
  })
})

describe("erasing an account", () => {
  const NOTHING = { posts: [], texts: [], links: [], keys: [], images: [], files: [] }

  it("erasing an account deletes all of its image files and database rows", async () => {
    const [attached, fresh] = [await upload(ann), await upload(ann)]
    await newPost(ann, { image_ids: [attached.image_id], translation_languages: ["fr"] })
    passSeconds(UPLOAD_GRACE_SECONDS)
    expect(await statusOf(erase())).toBe(204)
    expect(await leftOf()).toEqual(NOTHING)
    expect(await statusOf(call("GET", attached.image_url))).toBe(404)
    expect(await statusOf(call("GET", fresh.image_url))).toBe(404)
  })

  it("erasing an account keeps the images of other accounts", async () => {
    const bob = await newAuthor()
    const { image_id, image_url } = await upload(bob)
    await newPost(bob, { image_ids: [image_id] })
    await erase()
    expect(await statusOf(call("GET", image_url))).toBe(200)
  })

  it("erasing an account answers 204 while R2 fails, and the next cron deletes its image files", async () => {
    const { image_id } = await upload(ann)
    await newPost(ann, { image_ids: [image_id] })
    passSeconds(UPLOAD_GRACE_SECONDS)
    expect(await statusOf(erase(failingDelete()))).toBe(204)
    await runCron()
    expect(await leftOf()).toEqual(NOTHING)
  })

  it("erasing an account before a running upload writes its database row leaves nothing stored", async () => {
    const DB = beforeCall(INSERT_IMAGE, () => erase())
    expect(await statusOf(sendUpload({ DB }))).toBeGreaterThanOrEqual(400)
    expect(await leftOf()).toEqual(NOTHING)
  })

  it("erasing an account while one of two uploads of the same bytes has stored its file leaves no file of the other", async () => {
    const bytes = await newPng()
    const { image_id } = await upload(ann, bytes)
    const setStored = (time: number | null) => rows("update images set stored_at = ? where id = ?", time, image_id)
    await setStored(null)
    // The grace of the first upload is over.
    passSeconds(LIFETIME - 1)
    const putLate = async (...args: Parameters<typeof put>) => {
      // What the other upload does in another isolate.
      await setStored(Date.now())
      await erase()
      return put(...args)
    }
    const MEDIA = faulty(env.MEDIA, { put: putLate })
    const sent = await call("POST", `${API}/image-upload/`, { key: ann.key, body: fileForm(bytes), env: { MEDIA } })
    expect(sent.status).toBe(401)
    passSeconds(UPLOAD_GRACE_SECONDS)
    await runCron()
    expect(await leftOf()).toEqual(NOTHING)
  })

  it("erasing an account before a running upload stores its file leaves no file after the cleanup", async () => {
    await sendUpload({ MEDIA: faulty(env.MEDIA, { put: eraseThenPut }) })
    passSeconds(LIFETIME)
    await runCron()
    expect(await leftOf()).toEqual(NOTHING)
  })
})
