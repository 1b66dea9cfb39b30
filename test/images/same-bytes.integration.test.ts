import { beforeEach, describe, expect, it } from "vitest"

import { openDb } from "../../src/db/client.ts"
import { uploadImage } from "../../src/images/upload.ts"
import { accountId, create, patch, remove, setAccount, stored } from "../calls.ts"
import { beforeCall, failing, faulty, INSERT_IMAGE, MARK_UNLINKED, tapD1 } from "../faults.ts"
import { API, type Author, call, env, newAuthor, newPng, newPost, OPERATOR, passSeconds, rows } from "../support.ts"
import { runCron, stopClock, upload } from "../support.ts"
import { beforePut, LIFETIME, newAttached, send as sendFile, view } from "./uploads.ts"

let ann: Author
let file: Uint8Array<ArrayBuffer>
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  file = await newPng()
})

const send = (faults: Partial<Env> = {}, author: Author = ann) => sendFile(author, faults, file)
const find = (hashes: string[], key = ann.key) =>
  call("GET", `${API}/images/?source_sha256=${hashes.join(",")}`, { key })
const hashOf = async () => new Uint8Array(await crypto.subtle.digest("SHA-256", file)).toHex()
const holdings = async () => {
  const { rows: ids, files } = await stored(await accountId(ann))
  return [ids, files]
}
const canBeUsed = async (image_id: string) => (await create(ann, { image_ids: [image_id] })).status === 201

describe("the same bytes again", () => {
  it("an upload answers the SHA-256 of its bytes, and the same bytes again answer 200 with the same image", async () => {
    const first = await send()
    passSeconds(60)
    const second = await send()
    expect([first.status, second.status]).toEqual([201, 200])
    const { image_id, image_url, source_sha256 } = first.json
    expect(second.json).toMatchObject({ image_id, image_url, source_sha256 })
    expect(source_sha256).toBe(await hashOf())
    expect(Date.parse(second.json.expires_at)).toBe(Date.now() + LIFETIME * 1000)
    expect(await holdings()).toEqual([[image_id], [image_id]])
  })

  it("the second upload of the same bytes renews the image and its ticket", async () => {
    const { image_id } = (await send()).json
    passSeconds(LIFETIME - 1)
    await send()
    passSeconds(LIFETIME - 1)
    await runCron()
    expect(await canBeUsed(image_id)).toBe(true)
  })

  it("an attached image is answered as well, and lives on after it is detached", async () => {
    const { image_id } = (await send()).json
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    passSeconds(10 * LIFETIME)
    const again = await send()
    expect([again.status, again.json.image_id]).toEqual([200, image_id])
    await patch(ann, slug, { body: "Words.", image_ids: [] })
    await remove(ann, slug)
    passSeconds(LIFETIME - 1)
    await runCron()
    expect(await canBeUsed(image_id)).toBe(true)
  })

  it("deleting a post spares an image that has not expired, and deletes it half an hour after its upload", async () => {
    const image = await newAttached(ann)
    await remove(ann, image.slug)
    expect(await view(image)).toBe(200)
    passSeconds(LIFETIME)
    await runCron()
    expect(await holdings()).toEqual([[], []])
  })

  it("bytes whose image has expired make a new image, and the old one is deleted", async () => {
    const { image_id } = (await send()).json
    passSeconds(LIFETIME)
    const again = await send()
    expect(again.status).toBe(201)
    expect(again.json.image_id).not.toBe(image_id)
    await runCron()
    expect(await holdings()).toEqual([[again.json.image_id], [again.json.image_id]])
  })

  it("bytes of another account's image make another image", async () => {
    const ben = await newAuthor()
    const theirs = await send({}, ben)
    const own = await send()
    expect([theirs.status, own.status]).toEqual([201, 201])
    expect(own.json.image_id).not.toBe(theirs.json.image_id)
  })

  it("an image of version 0.1, which has no hash, is never answered", async () => {
    const { image_id } = (await send()).json
    await rows("update images set source_sha256 = null, stored_at = null where id = ?", image_id)
    expect((await find([await hashOf()])).json.images).toEqual([])
    expect((await send()).status).toBe(201)
    expect(await canBeUsed(image_id)).toBe(true)
  })

  it("bytes whose image is being deleted make a new image", async () => {
    const { image_id } = (await send()).json
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    passSeconds(LIFETIME)
    const MEDIA = faulty(env.MEDIA, { delete: failing })
    await remove(ann, slug, { env: { MEDIA } })
    expect((await send()).status).toBe(201)
    await runCron()
    expect((await holdings())[1]).toHaveLength(1)
  })

  it("a cleanup that listed an image before it was renewed leaves it", async () => {
    const { image_id } = (await send()).json
    passSeconds(LIFETIME - 1)
    const DB = beforeCall(MARK_UNLINKED, async () => {
      passSeconds(-2)
      await send()
      passSeconds(2)
    })
    passSeconds(1)
    await runCron({ DB })
    expect(await canBeUsed(image_id)).toBe(true)
  })

  it("a repeated upload counts towards the limit of uploads", async () => {
    expect((await send()).headers.get("RateLimit")).toMatch(/r=9;/)
    expect((await send()).headers.get("RateLimit")).toMatch(/r=8;/)
  })
})

const failingAt = (like: RegExp) => tapD1({ before: (all) => all.some(({ sql }) => like.test(sql)) && failing() })

describe("the same bytes while an upload of them runs or has failed", () => {
  it("an image is found by its bytes only once its file is stored", async () => {
    const found: unknown[] = []
    const { json } = await send({
      MEDIA: beforePut(async () => found.push(...(await find([await hashOf()])).json.images)),
    })
    expect(found).toEqual([])
    expect((await find([await hashOf()])).json.images).toMatchObject([{ image_id: json.image_id }])
  })

  it.each<[string, () => Partial<Env>]>([
    ["R2 refuses the file", () => ({ MEDIA: faulty(env.MEDIA, { put: failing }) })],
    ["the insert of its row fails", () => ({ DB: failingAt(INSERT_IMAGE) })],
    ["its file cannot be noted as stored", () => ({ DB: failingAt(/"stored_at" = \?/) })],
  ])("an upload after one that failed because %s answers 201, with its file", async (_, faults) => {
    expect((await send(faults())).status).toBeGreaterThanOrEqual(500)
    const { status, json } = await send()
    expect([status, await view(json)]).toEqual([201, 200])
    passSeconds(2 * LIFETIME)
    await runCron()
    expect(await holdings()).toEqual([[], []])
  })

  it.each(["stores its file", "fails"])(
    "of two uploads at once in two isolates, the second one stores the image, whether the first %s",
    async (outcome) => {
      const [account] = await rows("select * from accounts where username = ?", ann.username)
      const life = { ttlSeconds: LIFETIME, now: new Date() }
      const sent = { bytes: file, sourceSha256: await hashOf(), originalSha256: null, extraStatements: () => [] }
      const stores = { db: openDb(env.DB), media: env.MEDIA, tickets: env.IMAGE_TICKETS }
      const seconds: string[] = []
      const MEDIA = beforePut(async () => {
        // Another isolate knows nothing of this upload's place: it calls the same function.
        seconds.push((await uploadImage(stores, account as never, sent, life)).image.id)
        if (outcome === "fails") await failing()
      })
      const first = await send({ MEDIA })
      expect(first.status).toBe(outcome === "fails" ? 503 : 201)
      expect(await holdings()).toEqual([seconds, seconds])
      expect((await send()).json.image_id).toBe(seconds[0])
    },
  )

  it("an upload whose row is deleted before its file is noted makes another image", async () => {
    const account = await accountId(ann)
    const DB = beforeCall(/^update "images" set "stored_at"/, () =>
      rows("update images set deleting_at = ? where account_id = ?", Date.now(), account),
    )
    const { status, json } = await send({ DB })
    expect([status, await view(json)]).toEqual([201, 200])
  })

  it("an upload that loses the insert to another one answers the other one's image", async () => {
    const account = await accountId(ann)
    const hash = await hashOf()
    const made = await upload(ann)
    const DB = beforeCall(INSERT_IMAGE, () =>
      rows("update images set source_sha256 = ? where id = ? and account_id = ?", hash, made.image_id, account),
    )
    const { status, json } = await send({ DB })
    expect([status, json.image_id]).toEqual([200, made.image_id])
  })
})

describe("GET images/?source_sha256=", () => {
  it("GET images/ lists the usable images of these bytes, as posts show them; expires_at is null for attached ones", async () => {
    const [loose, attached] = [await upload(ann), await upload(ann)]
    const { images } = await newPost(ann, { image_ids: [attached.image_id] })
    expect(images).toMatchObject([{ image_id: attached.image_id, source_sha256: attached.source_sha256 }])
    const theirs = await upload(await newAuthor())
    const hashes = [loose, attached, theirs].map(({ source_sha256 }) => source_sha256)
    const { status, json } = await find([...hashes, "f".repeat(64)])
    const byId = Object.fromEntries(json.images.map((image: { image_id: string }) => [image.image_id, image]))
    const { success: _success, warnings: _warnings, ...found } = loose as Record<string, unknown>
    expect([status, Object.keys(byId).toSorted()]).toEqual([200, [loose.image_id, attached.image_id].toSorted()])
    expect(byId[loose.image_id]).toEqual(found)
    expect(byId[attached.image_id].expires_at).toBe(null)
  })

  it("GET images/ renews no image", async () => {
    const { source_sha256, expires_at } = await upload(ann)
    passSeconds(60)
    expect((await find([source_sha256])).json.images[0].expires_at).toBe(expires_at)
    passSeconds(LIFETIME - 60)
    expect((await find([source_sha256])).json.images).toEqual([])
  })

  it("GET images/ answers a key that only reads with images that readers see", async () => {
    const [draft, shown] = [await upload(ann), await upload(ann)]
    await newPost(ann, { status: "DF", image_ids: [draft.image_id] })
    await newPost(ann, { image_ids: [shown.image_id] })
    const keys = `/operator/api/accounts/${ann.username}/keys/`
    const made = await call("POST", keys, { headers: OPERATOR, json: { name: "reader", scope: "read" } })
    const hashes = [draft.source_sha256, shown.source_sha256]
    expect((await find(hashes, made.json.api_key)).json.images).toMatchObject([{ image_id: shown.image_id }])
    await setAccount(ann, { hidden: true })
    expect((await find(hashes, made.json.api_key)).json.images).toEqual([])
  })

  it("GET images/ takes 100 hashes in capitals or not, and refuses 101, none, and what is no hash", async () => {
    const { source_sha256 } = await upload(ann)
    const hundred = [source_sha256.toUpperCase(), ...Array<string>(99).fill("a".repeat(64))]
    expect((await find(hundred)).json.images).toHaveLength(1)
    for (const wrong of [[...hundred, "b".repeat(64)], [""], ["a".repeat(63)], ["g".repeat(64)]]) {
      const { status, json } = await find(wrong)
      expect([status, json.errors[0].field]).toEqual([400, "source_sha256"])
    }
  })
})
