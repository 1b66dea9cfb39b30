import { ulid } from "ulid"
import { beforeEach, describe, expect, it } from "vitest"

import { create, get, idsOf, patch, remove, statusOf } from "../calls.ts"
import { failing, faulty } from "../faults.ts"
import { type Author, call, env, newAuthor, newPost, passSeconds, rows, stopClock, unique, upload } from "../support.ts"
import { LIFETIME, newAttached, send, show, view, writeBoth } from "./uploads.ts"

const messagesOf = (answer: { json: { warnings: { message: string }[] } }): string =>
  answer.json.warnings.map(({ message }) => message).join("\n")

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

describe("the lifetime of an image", () => {
  it.each([
    ["usable after 29:59", LIFETIME - 1, [201, 200, 200]],
    ["usable after 29:59.999", LIFETIME - 0.001, [201, 200, 200]],
    ["gone after 30:00", LIFETIME, [410, 410, 410]],
  ])(
    "an image that no post shows is %s minutes: its id in a new or changed post, and its file",
    async (_, seconds, expected) => {
      const [first, second, third] = [await upload(ann), await upload(ann), await upload(ann)]
      const { slug } = await newPost(ann)
      expect(first.expires_at).toBe(new Date(Date.now() + LIFETIME * 1000).toISOString())
      passSeconds(seconds)
      const created = await create(ann, { image_ids: [first.image_id] })
      const patched = await patch(ann, slug, { body: "b", image_ids: [second.image_id] })
      expect([created.status, patched.status, await view(third)]).toEqual(expected)
    },
  )

  it("creating a post with expired image_ids answers 410 with an error for each id and stores no post", async () => {
    const image_ids = [(await upload(ann)).image_id, (await upload(ann)).image_id]
    passSeconds(LIFETIME)
    const slug = unique("slug")
    const [type, code, message] = ["/docs/errors#image_expired", "image_expired", expect.stringMatching(/./)]
    const errors = ["image_ids.0", "image_ids.1"].map((field) => ({ field, code, message }))
    const expected = { status: 410, title: "Gone", type, code, errors }
    expect((await create(ann, { slug, image_ids })).json).toMatchObject(expected)
    expect(await rows("select id from posts where slug = ?", slug)).toEqual([])
  })

  it("an image attached to a post does not expire and can be attached to other posts", async () => {
    const image = await newAttached(ann)
    const image_ids = [image.image_id]
    passSeconds(10 * LIFETIME)
    expect(await view(image)).toBe(200)
    const { created, patched } = await writeBoth(ann, { image_ids })
    expect(created.status).toBe(201)
    expect(idsOf(patched.json.post)).toEqual(image_ids)
    expect(idsOf((await get(ann, image.slug)).json.post)).toEqual(image_ids)
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
    const { status, json } = await send(ann, faults)
    expect([status, await statusOf(call("GET", json.image_url, { env: faults }))]).toEqual([201, 200])
    expect(await statusOf(create(ann, { image_ids: [json.image_id] }, faults))).toBe(201)
    // Attached images need no ticket.
    const second = (await send(ann, faults)).json
    const { slug } = await newPost(ann)
    expect(await statusOf(patch(ann, slug, { body: "b", image_ids: [second.image_id] }, { env: faults }))).toBe(200)
  })

  it("the KV ticket of a deleted image does not make its id usable in image_ids", async () => {
    const image = await newAttached(ann)
    const ticket = await env.IMAGE_TICKETS.get(image.image_id)
    passSeconds(LIFETIME)
    await remove(ann, image.slug)
    // As a ticket of an upload in this second.
    const expires_at = new Date(Date.now() + LIFETIME * 1000)
    await env.IMAGE_TICKETS.put(image.image_id, JSON.stringify({ ...JSON.parse(ticket ?? ""), expires_at }))
    const { slug, created, patched } = await writeBoth(ann, { image_ids: [image.image_id] })
    expect([created.json.code, patched.json.code]).toEqual(["image_expired", "image_expired"])
    expect(await view(image)).toBe(410)
    expect(
      await rows("select slug from posts join accounts on accounts.id = account_id where username = ?", ann.username),
    ).toEqual([{ slug }])
    expect(await rows("select image_id from post_images where image_id = ?", image.image_id)).toEqual([])
  })
})

describe("image_ids that are refused", () => {
  const MALFORMED = { status: 400, code: "validation_error" }
  const UNKNOWN = { status: 400, code: "unknown_image_id" }
  const EXPIRED = { status: 410, code: "image_expired" }
  const MINUTES = 60_000

  it.each<[string, (bob: Author) => unknown, object]>([
    ["a word", () => "image", MALFORMED],
    ["an unknown id, 29 minutes old", () => ulid(Date.now() - 29 * MINUTES), UNKNOWN],
    ["an unknown id with a time in the future", () => ulid(Date.now() + 60 * MINUTES), UNKNOWN],
    ["an unknown id, 31 minutes old", () => ulid(Date.now() - 31 * MINUTES), EXPIRED],
    ["another account's new image", async (bob) => (await upload(bob)).image_id, UNKNOWN],
    ["another account's new image, attached", async (bob) => (await newAttached(bob)).image_id, UNKNOWN],
  ])("a post written with an unusable image id is refused and stores nothing: %s", async (_, idFor, expected) => {
    const image_ids = [(await upload(ann)).image_id, await idFor(await newAuthor())]
    const { slug, created, patched } = await writeBoth(ann, { image_ids })
    const problem = { ...expected, errors: [{ field: "image_ids.1" }] }
    expect([created.json, patched.json]).toMatchObject([problem, problem])
    expect((await get(ann, slug)).json.post).toMatchObject({ version: 1, images: [], body: "Some *words*." })
  })
})

describe("images in a body", () => {
  it("creating or changing a post whose body shows an expired image answers 410", async () => {
    const image = await upload(ann)
    passSeconds(LIFETIME)
    const problem = { status: 410, code: "image_expired", errors: [{ field: "body" }] }
    const { created, patched } = await writeBoth(ann, { body: show(image) })
    expect([created.json, patched.json]).toMatchObject([problem, problem])
  })

  it.each<[string, (bob: Author) => unknown, string?]>([
    ["another account's image", async (bob) => (await upload(bob)).image_url],
    ["an unknown image of the account", () => `/media/${ann.username}/blog_img/${ulid(Date.now())}.webp`],
    ["an invalid media path", () => `/media/${ann.username}/cat.webp`],
    ["an external image", () => "https://images.example/cat.png", "external_image"],
    ["an external image without a scheme", () => "//images.example/cat.png"],
  ])("%s in a post body becomes a link, with a warning", async (_, urlFor, code) => {
    const url = String(await urlFor(await newAuthor()))
    const body = `Look: ![A cat](${url})`
    const { slug, created, patched } = await writeBoth(ann, { body })
    for (const answer of [created, patched]) {
      expect(answer.json.post).toMatchObject({ images: [], body })
      expect(answer.json.post.html).not.toContain("<img")
      expect(answer.json.post.html).toMatch(new RegExp(`<a [^>]*href="${url}"[^>]*>A cat</a>`))
      expect(answer.json.warnings).toMatchObject([{ field: "body", ...(code && { code }) }])
      expect(messagesOf(answer)).toContain(url)
    }
    const page = await call("GET", `/@${ann.username}/${slug}/`)
    expect(page.text).not.toContain("<img")
  })

  it.each([
    ["![A cat](cat.png)", /^cat\.png: No image/],
    ["![A cat]()", /^An image has no address/],
    ["![A cat](data:image/png;base64,AAAA)", /^An image has no address/],
  ])(
    "%s, an image without a usable URL in a post body, becomes its alt text, with a warning",
    async (body, message) => {
      const { json } = await create(ann, { body })
      expect(json.warnings).toMatchObject([
        { field: "body", code: "external_image", message: expect.stringMatching(message) },
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
    const patched = await patch(ann, created.json.post.slug, { body: show(first, second), image_ids: [] })
    expect(idsOf(patched.json.post).toSorted()).toEqual([first.image_id, second.image_id].toSorted())
    expect(messagesOf(created)).toContain(first.image_id)
    expect(messagesOf(patched)).toContain(second.image_id)
    passSeconds(LIFETIME)
    expect([await view(first), await view(second)]).toEqual([200, 200])
  })

  it.each(["without image_ids", "with its id in image_ids"])(
    "an uploaded image in a post body sent %s is attached and shown without a warning",
    async (how) => {
      const image = await upload(ann)
      const { json } = await create(ann, {
        body: show(image),
        ...(how.startsWith("with ") && { image_ids: [image.image_id] }),
      })
      expect([idsOf(json.post), json.warnings]).toEqual([[image.image_id], []])
      expect(json.post.html).toContain(`<img src="${image.image_url}" alt="An image"`)
    },
  )

  it("an uploaded image in inline code of a post body is not attached to the post", async () => {
    const { json } = await create(ann, { body: `\`${show(await upload(ann))}\`` })
    expect([json.post.images, json.warnings]).toEqual([[], []])
  })
})

it("an image id repeated in image_ids is attached once, at its first position", async () => {
  const [first, second] = [await upload(ann), await upload(ann)]
  const [a, b] = [first.image_id, second.image_id]
  const created = await create(ann, { image_ids: [b, a, b, b], body: show(first, second) })
  expect(idsOf(created.json.post)).toEqual([b, a])
  const patched = await patch(ann, created.json.post.slug, { image_ids: [a, a, b, a], body: "b" })
  expect(idsOf(patched.json.post)).toEqual([a, b])
  expect(idsOf((await get(ann, created.json.post.slug)).json.post)).toEqual([a, b])
})
