import { ulid } from "ulid"
import { beforeEach, describe, expect, it } from "vitest"

import { create, get, idsOf, patch, remove, statusOf } from "../calls.ts"
import { failing, faulty } from "../faults.ts"
import {
  API,
  type Author,
  call,
  env,
  fileForm,
  newAuthor,
  newPng,
  newPost,
  passSeconds,
  postInput,
} from "../support.ts"
import { rows, stopClock, unique, upload } from "../support.ts"

const LIFETIME = 1800

const show = (image: { image_url: string }): string => `![An image](${image.image_url})`
const textOf = (answer: { json: { warnings: { message: string }[] } }): string =>
  answer.json.warnings.map(({ message }) => message).join("\n")

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

describe("the lifetime of an image", () => {
  it.each([
    ["usable after 29:59", LIFETIME - 1, { create: 201, patch: 200, media: 200 }],
    ["usable after 29:59.999", LIFETIME - 0.001, { create: 201, patch: 200, media: 200 }],
    ["gone after 30:00", LIFETIME, { create: 410, patch: 410, media: 410 }],
  ])(
    "an image that no post shows is %s minutes: its file, and its id in a new or changed post",
    async (_, seconds, expected) => {
      const [first, second, third] = [await upload(ann), await upload(ann), await upload(ann)]
      const { slug } = await newPost(ann)
      passSeconds(seconds)
      expect({
        create: await statusOf(create(ann, { image_ids: [first.image_id] })),
        patch: await statusOf(patch(ann, slug, { body: "b", image_ids: [second.image_id] })),
        media: await statusOf(call("GET", third.image_url)),
      }).toEqual(expected)
    },
  )

  it("expires_at in the answer to an upload is 30 minutes after the upload", async () => {
    const { expires_at } = await upload(ann)
    expect(expires_at).toBe(new Date(Date.now() + LIFETIME * 1000).toISOString())
  })

  it("creating a post with expired image_ids answers 410 with an error for each id and stores no post", async () => {
    const [first, second] = [await upload(ann), await upload(ann)]
    passSeconds(LIFETIME)
    const slug = unique("slug")
    const { json } = await create(ann, { slug, image_ids: [first.image_id, second.image_id] })
    expect(json).toMatchObject({
      status: 410,
      title: "Gone",
      code: "image_expired",
      errors: [{ field: "image_ids.0" }, { field: "image_ids.1" }],
    })
    expect(await rows("select id from posts where slug = ?", slug)).toEqual([])
  })

  it("an image attached to a post does not expire and can be attached to other posts", async () => {
    const { image_id, image_url } = await upload(ann)
    const image_ids = [image_id]
    const { slug } = await newPost(ann, { image_ids })
    const other = await newPost(ann)
    passSeconds(10 * LIFETIME)
    expect(await statusOf(call("GET", image_url))).toBe(200)
    expect(await statusOf(create(ann, { image_ids }))).toBe(201)
    expect(idsOf((await patch(ann, other.slug, { body: "b", image_ids })).json.post)).toEqual(image_ids)
    expect(idsOf((await get(ann, slug)).json.post)).toEqual(image_ids)
  })

  it("a PATCH of a post repeated after 30 minutes with the same image_ids answers 200", async () => {
    const image = await upload(ann)
    const { slug } = await newPost(ann)
    const change = { body: show(image), image_ids: [image.image_id] }
    expect(await statusOf(patch(ann, slug, change))).toBe(200)
    passSeconds(LIFETIME)
    const { status, json } = await patch(ann, slug, change)
    expect([status, idsOf(json.post)]).toEqual([200, [image.image_id]])
  })
})

describe("image tickets in KV", () => {
  it.each<[string, Partial<Record<keyof KVNamespace, unknown>>]>([
    ["finds no ticket", { get: () => Promise.resolve(null), getWithMetadata: () => Promise.resolve({ value: null }) }],
    ["fails to read", { get: failing, getWithMetadata: failing }],
    ["fails to write", { put: failing }],
    ["returns an invalid ticket", { get: () => Promise.resolve({ account_id: 7 }) }],
  ])("the id of a new image can be used even if the KV store of image tickets %s", async (_, methods) => {
    const faults = { IMAGE_TICKETS: faulty(env.IMAGE_TICKETS, methods) }
    const uploadFaultily = async () => {
      const body = fileForm(await newPng())
      const { status, json } = await call("POST", `${API}/image-upload/`, { key: ann.key, body, env: faults })
      expect(status).toBe(201)
      return json
    }
    const [first, second] = [await uploadFaultily(), await uploadFaultily()]
    const { slug } = await newPost(ann)
    expect({
      media: await statusOf(call("GET", first.image_url, { env: faults })),
      create: await statusOf(create(ann, { image_ids: [first.image_id] }, faults)),
      patch: await statusOf(patch(ann, slug, { body: "b", image_ids: [second.image_id] }, { env: faults })),
    }).toEqual({ media: 200, create: 201, patch: 200 })
  })

  it("the KV ticket of a deleted image does not make its id usable in image_ids", async () => {
    const { image_id, image_url } = await upload(ann)
    const { slug } = await newPost(ann, { image_ids: [image_id] })
    const ticket = await env.IMAGE_TICKETS.get(image_id)
    passSeconds(LIFETIME)
    await remove(ann, slug)
    // As a ticket of an upload in this second.
    const expires_at = new Date(Date.now() + LIFETIME * 1000)
    await env.IMAGE_TICKETS.put(image_id, JSON.stringify({ ...JSON.parse(ticket ?? ""), expires_at }))
    const other = await newPost(ann)
    const refused = postInput({ image_ids: [image_id] })
    const created = await create(ann, refused)
    const patched = await patch(ann, other.slug, { body: "b", image_ids: [image_id] })
    expect([created.json.code, patched.json.code]).toEqual(["image_expired", "image_expired"])
    expect(await statusOf(call("GET", image_url))).toBe(410)
    expect(await rows("select id from posts where slug = ?", refused.slug)).toEqual([])
    expect(await rows("select image_id from post_images where image_id = ?", image_id)).toEqual([])
  })
})

describe("image_ids that are refused", () => {
  const MALFORMED = { status: 400, code: "validation_error" }
  const UNKNOWN = { status: 400, code: "unknown_image_id" }
  const EXPIRED = { status: 410, code: "image_expired" }
  const MINUTES = 60_000

  it.each<[string, (bob: Author) => unknown, object]>([
    ["a word", () => "image", MALFORMED],
    ["an empty text", () => "", MALFORMED],
    ["a number", () => 7, MALFORMED],
    ["a ULID and one more letter", () => `${ulid()}X`, MALFORMED],
    ["a text with letters that are not in Crockford base 32", () => "01ARZ3NDEKTSV4RRFFQ69G5FUL", MALFORMED],
    ["a ULID whose time exceeds 48 bits", () => "8".padEnd(26, "0"), MALFORMED],
    ["an image_url", () => `/media/a/blog_img/${ulid()}.webp`, MALFORMED],
    ["an unknown id, 29 minutes old", () => ulid(Date.now() - 29 * MINUTES), UNKNOWN],
    ["an unknown id with a time in the future", () => ulid(Date.now() + 60 * MINUTES), UNKNOWN],
    ["an unknown id, 31 minutes old", () => ulid(Date.now() - 31 * MINUTES), EXPIRED],
    ["another account's new image", async (bob) => (await upload(bob)).image_id, UNKNOWN],
    [
      "another account's new image, attached",
      async (bob) => {
        const { image_id } = await upload(bob)
        await newPost(bob, { image_ids: [image_id] })
        return image_id
      },
      UNKNOWN,
    ],
  ])(
    "creating or changing a post with an unusable image id is refused and stores nothing: %s",
    async (_, idFor, expected) => {
      const own = await upload(ann)
      const image_ids = [own.image_id, await idFor(await newAuthor())]
      const { slug } = await newPost(ann)
      const problem = { ...expected, errors: [{ field: "image_ids.1" }] }
      expect((await create(ann, { image_ids })).json).toMatchObject(problem)
      expect((await patch(ann, slug, { body: "b", image_ids })).json).toMatchObject(problem)
      expect((await get(ann, slug)).json.post).toMatchObject({ version: 1, images: [], body: "Some *words*." })
    },
  )

  it("creating a post with one expired and one unknown image id answers 400, not 410", async () => {
    const expired = await upload(ann)
    passSeconds(LIFETIME)
    const { status } = await create(ann, { image_ids: [expired.image_id, ulid(Date.now())] })
    expect(status).toBe(400)
  })
})

describe("images in a body", () => {
  it("creating or changing a post whose body shows an expired image answers 410", async () => {
    const image = await upload(ann)
    const { slug } = await newPost(ann)
    passSeconds(LIFETIME)
    const problem = { status: 410, code: "image_expired", errors: [{ field: "body" }] }
    expect((await create(ann, { body: show(image) })).json).toMatchObject(problem)
    expect((await patch(ann, slug, { body: show(image) })).json).toMatchObject(problem)
  })

  it.each<[string, (bob: Author) => unknown]>([
    ["another account's image", async (bob) => (await upload(bob)).image_url],
    ["an unknown image of the account", () => `/media/${ann.username}/blog_img/${ulid(Date.now())}.webp`],
    ["an invalid media path", () => `/media/${ann.username}/cat.webp`],
    ["an external image", () => "https://images.example/cat.png"],
    ["an external image without a scheme", () => "//images.example/cat.png"],
  ])("%s in a post body becomes a link, with a warning", async (_, urlFor) => {
    const url = String(await urlFor(await newAuthor()))
    const { slug } = await newPost(ann)
    const body = `Look: ![A cat](${url})`
    for (const answer of [await create(ann, { body }), await patch(ann, slug, { body })]) {
      expect(answer.json.post).toMatchObject({ images: [], body })
      expect(answer.json.post.html).not.toContain("<img")
      expect(answer.json.post.html).toMatch(new RegExp(`<a [^>]*href="${url}"[^>]*>A cat</a>`))
      expect(answer.json.warnings).toMatchObject([{ field: "body" }])
      expect(textOf(answer)).toContain(url)
    }
    const page = await call("GET", `/@${ann.username}/${slug}/`)
    expect(page.text).not.toContain("<img")
  })

  it("an external image in a post body gets the warning external_image", async () => {
    const { json } = await create(ann, { body: "![A cat](https://images.example/cat.png)" })
    expect(json.warnings).toMatchObject([{ field: "body", code: "external_image" }])
  })

  it("an image with a relative URL in a post body becomes its alt text, with a warning", async () => {
    const { json } = await create(ann, { body: "![A cat](cat.png)" })
    expect(json.post.html).toBe("<p>A cat</p>")
    expect(json.warnings).toMatchObject([
      { field: "body", code: "external_image", message: expect.stringMatching(/^cat\.png: No image/) },
    ])
  })

  it.each(["![A cat]()", "![A cat](data:image/png;base64,AAAA)"])(
    "%s, an image without a usable URL in a post body, becomes its alt text, with a warning",
    async (body) => {
      const { json } = await create(ann, { body })
      expect(json.warnings).toMatchObject([
        { field: "body", message: expect.stringMatching(/^An image has no address/) },
      ])
      expect(json.post.html).toBe("<p>A cat</p>")
    },
  )

  it("the warning about an uploaded image's absolute URL in a post body says to write only the path", async () => {
    const { image_url } = await upload(ann)
    const warningOf = async (url: string) => (await create(ann, { body: `![A cat](${url})` })).json.warnings[0]?.message
    for (const origin of ["http://localhost:8787", "https://api.example", "//api.example"])
      expect(await warningOf(`${origin}${image_url}`)).toContain("Write its image_url as it is: a path.")
    for (const url of ["https://api.example/media/x.webp", `https://api.example/a${image_url}`])
      expect(await warningOf(url)).toContain("images from elsewhere are never fetched")
  })

  it("an uploaded image in a post body that image_ids leaves out is attached, with a warning", async () => {
    const [first, second] = [await upload(ann), await upload(ann)]
    const created = await create(ann, { body: show(first), image_ids: [] })
    expect(idsOf(created.json.post)).toEqual([first.image_id])
    const patched = await patch(ann, created.json.post.slug, { body: `${show(first)} ${show(second)}`, image_ids: [] })
    expect(idsOf(patched.json.post).toSorted()).toEqual([first.image_id, second.image_id].toSorted())
    expect(textOf(created)).toContain(first.image_id)
    expect(textOf(patched)).toContain(second.image_id)
    passSeconds(LIFETIME)
    expect(await statusOf(call("GET", first.image_url))).toBe(200)
    expect(await statusOf(call("GET", second.image_url))).toBe(200)
  })

  it("an uploaded image in a body sent without image_ids is attached without a warning", async () => {
    const image = await upload(ann)
    const { json } = await create(ann, { body: show(image) })
    expect([idsOf(json.post), json.warnings]).toEqual([[image.image_id], []])
  })

  it("an uploaded image in a post body that image_ids names is shown without a warning", async () => {
    const image = await upload(ann)
    const { json } = await create(ann, { body: show(image), image_ids: [image.image_id] })
    expect(json.warnings).toEqual([])
    expect(json.post.html).toContain(`<img src="${image.image_url}" alt="An image"`)
  })

  it("an uploaded image in inline code of a post body is not attached to the post", async () => {
    const image = await upload(ann)
    const { json } = await create(ann, { body: `\`${show(image)}\`` })
    expect([json.post.images, json.warnings]).toEqual([[], []])
  })
})

it("an image id repeated in image_ids is attached once, at its first position", async () => {
  const [first, second] = [await upload(ann), await upload(ann)]
  const [a, b] = [first.image_id, second.image_id]
  const created = await create(ann, { image_ids: [b, a, b, b], body: `${show(first)}${show(second)}` })
  expect(idsOf(created.json.post)).toEqual([b, a])
  const patched = await patch(ann, created.json.post.slug, { image_ids: [a, a, b, a], body: "b" })
  expect(idsOf(patched.json.post)).toEqual([a, b])
  expect(idsOf((await get(ann, created.json.post.slug)).json.post)).toEqual([a, b])
})
