import { beforeEach, describe, expect, it, test } from "vitest"

import {
  API,
  type Author,
  call,
  fileForm,
  newAuthor,
  newPng,
  newPost,
  passSeconds,
  rows,
  stopClock,
} from "../support.ts"

const HALF_AN_HOUR = 30 * 60
const [GIF, BMP] = ["a".repeat(64), "b".repeat(64)]

let ann: Author
let file: Uint8Array<ArrayBuffer>
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  file = await newPng()
})

const send = (original?: string | Blob, headers: Record<string, string> = {}) => {
  const form = fileForm(file)
  if (original !== undefined) form.append("original_sha256", original)
  return call("POST", `${API}/image-upload/`, { key: ann.key, body: form, headers })
}
const sent = async (original?: string) => {
  const { status, json } = await send(original)
  return [status, json.image_id, json.original_sha256]
}
const find = async (query: string, key = ann.key) => (await call("GET", `${API}/images/?${query}`, { key })).json.images

test("the original of an upload is answered, stands in its post, and finds the image", async () => {
  const { json } = await send(GIF.toUpperCase())
  const { image_id, source_sha256 } = json
  const image = { image_id, source_sha256, original_sha256: GIF }
  expect(json).toMatchObject(image)
  expect((await newPost(ann, { image_ids: [image_id] })).images).toMatchObject([image])
  expect(await find(`original_sha256=${BMP},${GIF.toUpperCase()}`)).toMatchObject([image])
  expect(await find(`source_sha256=${source_sha256}`)).toMatchObject([image])
  expect(await find(`original_sha256=${source_sha256}`)).toEqual([])
  expect(await find(`original_sha256=${GIF}`, (await newAuthor()).key)).toEqual([])
})

test("an image without an original is found as its own original", async () => {
  const { image_id, source_sha256, original_sha256 } = (await send()).json
  expect(original_sha256).toBe(null)
  expect(await find(`original_sha256=${source_sha256}`)).toMatchObject([{ image_id, original_sha256: null }])
})

describe("the same bytes again", () => {
  test("an image without an original takes the first one that is sent", async () => {
    const { image_id } = (await send()).json
    expect(await sent(GIF)).toEqual([200, image_id, GIF])
    expect(await find(`original_sha256=${GIF}`)).toMatchObject([{ image_id }])
  })

  test("two originals of the same bytes are two images, and both are found", async () => {
    const [gif, bmp] = [(await send(GIF)).json.image_id, (await send(BMP)).json.image_id]
    expect(bmp).not.toBe(gif)
    expect(await sent(GIF)).toEqual([200, gif, GIF])
    expect(await sent(BMP)).toEqual([200, bmp, BMP])
    const found = await find(`original_sha256=${GIF},${BMP}`)
    expect(new Set(found.map(({ image_id }: Record<string, string>) => image_id))).toEqual(new Set([gif, bmp]))
  })

  test("a file that is its own original stays found when a conversion of another one has its bytes", async () => {
    const { image_id, source_sha256 } = (await send()).json
    expect(await sent(source_sha256)).toEqual([200, image_id, source_sha256])
    expect((await sent(GIF))[0]).toBe(201)
    expect(await find(`original_sha256=${source_sha256}`)).toMatchObject([{ image_id }])
  })

  test("an upload without an original answers the image of any original", async () => {
    const { image_id } = (await send(GIF)).json
    expect(await sent()).toEqual([200, image_id, GIF])
  })

  test("an original whose image has expired makes a new image, although others of the same bytes live", async () => {
    const expired = (await send(GIF)).json.image_id
    passSeconds(HALF_AN_HOUR)
    const [, other] = await sent(BMP)
    const [status, image_id] = await sent(GIF)
    expect([status, [expired, other].includes(image_id)]).toEqual([201, false])
    expect(await find(`original_sha256=${GIF}`)).toMatchObject([{ image_id }])
  })

  test("an image without an original takes one whose own image has expired", async () => {
    await send(GIF)
    const { image_id } = (await send(BMP)).json
    await newPost(ann, { image_ids: [image_id] })
    await rows("update images set original_sha256 = null where id = ?", image_id)
    passSeconds(HALF_AN_HOUR)
    expect(await sent(GIF)).toEqual([200, image_id, GIF])
  })
})

describe("a request that is refused", () => {
  it.each<[string, string | Blob, string]>([
    ["63 digits", "a".repeat(63), "SHA-256"],
    ["no hash", `${GIF},${BMP}`, "SHA-256"],
    ["an empty text", "", "SHA-256"],
    ["a file", new Blob([GIF]), "without a filename"],
  ])("an original_sha256 that is %s answers 400 and stores nothing", async (_, original, message) => {
    const { status, json } = await send(original)
    expect([status, json.errors]).toEqual([
      400,
      [{ field: "original_sha256", code: "invalid", message: expect.stringContaining(message) }],
    ])
  })

  it.each([
    ["", "source_sha256"],
    [`source_sha256=${GIF}&original_sha256=${GIF}`, "original_sha256"],
  ])("a lookup by ?%s answers 400 about %s", async (query, field) => {
    const { status, json } = await call("GET", `${API}/images/?${query}`, { key: ann.key })
    expect([status, json.errors[0].field]).toEqual([400, field])
  })

  it.each(["a".repeat(63), "g".repeat(64), Array(101).fill(GIF).join(",")])(
    "a lookup by the originals %s answers 400",
    async (list) => {
      const { status, json } = await call("GET", `${API}/images/?original_sha256=${list}`, { key: ann.key })
      expect([status, json.errors[0].field]).toEqual([400, "original_sha256"])
    },
  )

  it("an Idempotency-Key with another original answers 422", async () => {
    const headers = { "Idempotency-Key": "one" }
    expect((await send(GIF, headers)).status).toBe(201)
    expect((await send(GIF, headers)).json.original_sha256).toBe(GIF)
    expect((await send(BMP, headers)).json.code).toBe("idempotency_key_reused")
  })
})
