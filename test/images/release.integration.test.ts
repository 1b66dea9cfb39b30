import { beforeEach, expect, it } from "vitest"

import { accountId, create, get, idsOf, patch, statusOf, stored } from "../calls.ts"
import { API, type Author, call, newAuthor, newPost, passSeconds } from "../support.ts"
import { recordWakeUps, runCron, runTranslations, stopClock, upload } from "../support.ts"
import { EMPTY, LIFETIME, show, view } from "./uploads.ts"

const WITHOUT = { body: "No image.", image_ids: [] }

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

/** Creates a post that shows an image in its text. */
const newIllustratedPost = async (changes: Record<string, unknown> = {}) => {
  const image = await upload(ann)
  const { slug } = await newPost(ann, { body: show(image), image_ids: [image.image_id], ...changes })
  return { slug: String(slug), image }
}

const imagesOf = async (slug: string): Promise<string[]> => idsOf((await get(ann, slug)).json.post)

it("a PATCH with image_ids detaches a post's other images that no text shows, and the cleanup deletes them", async () => {
  const { slug, image } = await newIllustratedPost()
  expect((await patch(ann, slug, WITHOUT)).json.post.images).toEqual([])
  passSeconds(LIFETIME)
  expect(await view(image)).toBe(410)
  await runCron()
  expect(await stored(await accountId(ann))).toEqual(EMPTY)
})

it("an image detached from a post can be attached again until it is 30 minutes old", async () => {
  const { slug, image } = await newIllustratedPost()
  const again = { body: show(image), image_ids: [image.image_id] }
  await patch(ann, slug, WITHOUT)
  passSeconds(LIFETIME - 1)
  await runCron()
  expect(await statusOf(patch(ann, slug, again))).toBe(200)
  await patch(ann, slug, WITHOUT)
  passSeconds(1)
  expect(await statusOf(patch(ann, slug, again))).toBe(410)
})

it("an image detached from one post is kept while another post shows it", async () => {
  const { slug, image } = await newIllustratedPost()
  const other = await newPost(ann, { image_ids: [image.image_id] })
  await patch(ann, slug, WITHOUT)
  passSeconds(LIFETIME)
  await runCron()
  expect(await view(image)).toBe(200)
  expect(await imagesOf(other.slug)).toEqual([image.image_id])
})

it.each([
  ["a PATCH without image_ids", { body: "No image." }],
  ["a PATCH without body and image_ids", { title: "Another title" }],
])("%s detaches no image from the post", async (_, change) => {
  const { slug, image } = await newIllustratedPost()
  await patch(ann, slug, change)
  passSeconds(LIFETIME)
  await runCron()
  expect(await imagesOf(slug)).toEqual([image.image_id])
  expect(await view(image)).toBe(200)
})

it("after a PATCH the images of a post are its image_ids, then those that its texts show", async () => {
  const { slug, image: shown } = await newIllustratedPost()
  const [sent, dropped] = [await upload(ann), await upload(ann)]
  await patch(ann, slug, { body: show(shown), image_ids: [dropped.image_id] })
  const { json } = await patch(ann, slug, { body: show(shown), image_ids: [sent.image_id] })
  expect(idsOf(json.post)).toEqual([sent.image_id, shown.image_id])
})

it("an image in the author's own translation stays attached until that text no longer shows it", async () => {
  const { slug, image } = await newIllustratedPost()
  const french = { lang_code: "fr", translation_languages: ["fr"] }
  await patch(ann, slug, { ...french, title: "Un", meta_description: "Deux", body: show(image) })
  const { json } = await patch(ann, slug, { ...WITHOUT, translation_languages: ["fr"] })
  expect(idsOf(json.post)).toEqual([image.image_id])
  expect((await patch(ann, slug, { ...french, ...WITHOUT })).json.post.images).toEqual([])
})

it("an image in a text of a language no longer listed stays attached to the post", async () => {
  const { slug, image } = await newIllustratedPost()
  const french = { lang_code: "fr", translation_languages: ["fr"] }
  await patch(ann, slug, { ...french, title: "Un", meta_description: "Deux", body: show(image) })
  const { json } = await patch(ann, slug, WITHOUT)
  expect(json.post.translations).toMatchObject([{ lang_code: "fr", listed: false }])
  expect(idsOf(json.post)).toEqual([image.image_id])
})

it("an image in a machine translation stays attached to the post until the translation is updated", async () => {
  const wakeUps = recordWakeUps()
  const faults = { TRANSLATIONS: wakeUps.queue }
  const image = await upload(ann)
  const { json } = await create(ann, { body: show(image), translation_languages: ["fr"] }, faults)
  const { slug } = json.post
  await runTranslations(wakeUps)
  const change = { ...WITHOUT, translation_languages: ["fr"] }
  expect(idsOf((await patch(ann, slug, change, { env: faults })).json.post)).toEqual([image.image_id])
  const page = await call("GET", `/@${ann.username}/${slug}/fr/`)
  expect(page.text).toContain(`<img src="${image.image_url}"`)
  await runTranslations(wakeUps)
  expect((await patch(ann, slug, change, { env: faults })).json.post.images).toEqual([])
})

it("a PATCH of a post that answers 400 or 412 detaches no image", async () => {
  const { slug, image } = await newIllustratedPost()
  for (const wrong of [{ ...WITHOUT, title: "" }, { image_ids: [] }])
    expect(await statusOf(patch(ann, slug, wrong))).toBe(400)
  expect(await statusOf(patch(ann, slug, WITHOUT, { ifMatch: '"7.1"' }))).toBe(412)
  expect(await imagesOf(slug)).toEqual([image.image_id])
})

it("a PATCH at the path without posts/ detaches the images that it does not list", async () => {
  const { slug, image } = await newIllustratedPost()
  const json = { lang_code: "en", primary_language: "en", translation_languages: [], ...WITHOUT }
  const { status, json: answer } = await call("PATCH", `${API}/${slug}/`, { key: ann.key, json })
  expect([status, answer.post.images]).toEqual([200, []])
  passSeconds(LIFETIME)
  expect(await view(image)).toBe(410)
})
