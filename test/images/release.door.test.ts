import { beforeEach, expect, it } from "vitest"

import { accountId, create, get, idsOf, patch, statusOf, stored } from "../calls.ts"
import { API, type Author, call, newAuthor, newPost, passSeconds } from "../support.ts"
import { recordWakeUps, runCron, runTranslations, stopClock, upload } from "../support.ts"

const LIFETIME = 1800
const WITHOUT = { body: "No picture.", image_ids: [] }

type Uploaded = Awaited<ReturnType<typeof upload>>
const show = (...images: Uploaded[]): string => images.map(({ image_url }) => `![A picture](${image_url})`).join("\n")

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

/** A post that shows a picture in its text. */
const illustrated = async (changes: Record<string, unknown> = {}) => {
  const image = await upload(ann)
  const { slug } = await newPost(ann, { body: show(image), image_ids: [image.image_id], ...changes })
  return { slug: String(slug), image }
}

const imagesOf = async (slug: string): Promise<string[]> => idsOf((await get(ann, slug)).json.post)

it("a picture that a PATCH with image_ids leaves out and no text shows is released and swept", async () => {
  const { slug, image } = await illustrated()
  expect((await patch(ann, slug, WITHOUT)).json.post.images).toEqual([])
  passSeconds(LIFETIME)
  expect(await statusOf(call("GET", image.image_url))).toBe(410)
  await runCron()
  expect(await stored(await accountId(ann))).toEqual({ rows: [], files: [], bytes: 0 })
})

it("a released picture younger than 30 minutes is usable again, an older one is not", async () => {
  const { slug, image } = await illustrated()
  const again = { body: show(image), image_ids: [image.image_id] }
  await patch(ann, slug, WITHOUT)
  passSeconds(LIFETIME - 1)
  await runCron()
  expect(await statusOf(patch(ann, slug, again))).toBe(200)
  await patch(ann, slug, WITHOUT)
  passSeconds(1)
  expect(await statusOf(patch(ann, slug, again))).toBe(410)
})

it("a picture that another post shows stays when one lets it go", async () => {
  const { slug, image } = await illustrated()
  const other = await newPost(ann, { image_ids: [image.image_id] })
  await patch(ann, slug, WITHOUT)
  passSeconds(LIFETIME)
  await runCron()
  expect(await statusOf(call("GET", image.image_url))).toBe(200)
  expect(await imagesOf(other.slug)).toEqual([image.image_id])
})

it.each([
  ["a PATCH without image_ids", { body: "No picture." }],
  ["a PATCH without body and image_ids", { title: "Another title" }],
])("%s releases nothing", async (_, change) => {
  const { slug, image } = await illustrated()
  await patch(ann, slug, change)
  passSeconds(LIFETIME)
  await runCron()
  expect(await imagesOf(slug)).toEqual([image.image_id])
  expect(await statusOf(call("GET", image.image_url))).toBe(200)
})

it("image_ids without body is 400 body_required, even when empty", async () => {
  const { slug, image } = await illustrated()
  const { status, json } = await patch(ann, slug, { image_ids: [] })
  expect([status, json.code]).toEqual([400, "body_required"])
  expect(await imagesOf(slug)).toEqual([image.image_id])
})

it("the pictures are the ids sent, then what the texts still show", async () => {
  const { slug, image: shown } = await illustrated()
  const [sent, dropped] = [await upload(ann), await upload(ann)]
  await patch(ann, slug, { body: show(shown), image_ids: [dropped.image_id] })
  const { json } = await patch(ann, slug, { body: show(shown), image_ids: [sent.image_id] })
  expect(idsOf(json.post)).toEqual([sent.image_id, shown.image_id])
})

it("a picture of a text in another language, written by hand, stays until that text lets it go", async () => {
  const { slug, image } = await illustrated()
  const french = { lang_code: "fr", translation_languages: ["fr"] }
  await patch(ann, slug, { ...french, title: "Un", meta_description: "Deux", body: show(image) })
  const { json } = await patch(ann, slug, { ...WITHOUT, translation_languages: ["fr"] })
  expect(idsOf(json.post)).toEqual([image.image_id])
  expect((await patch(ann, slug, { ...french, ...WITHOUT })).json.post.images).toEqual([])
})

it("a picture of an unlisted language's text stays: its author can still read it", async () => {
  const { slug, image } = await illustrated()
  const french = { lang_code: "fr", translation_languages: ["fr"] }
  await patch(ann, slug, { ...french, title: "Un", meta_description: "Deux", body: show(image) })
  const { json } = await patch(ann, slug, WITHOUT)
  expect(json.post.translations).toMatchObject([{ lang_code: "fr", listed: false }])
  expect(idsOf(json.post)).toEqual([image.image_id])
})

it("a picture of a machine translation stays while that text shows it", async () => {
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

it("a refused PATCH releases nothing", async () => {
  const { slug, image } = await illustrated()
  expect(await statusOf(patch(ann, slug, { ...WITHOUT, title: "" }))).toBe(400)
  expect(await statusOf(patch(ann, slug, WITHOUT, { ifMatch: '"7.1"' }))).toBe(412)
  expect(await imagesOf(slug)).toEqual([image.image_id])
})

it("the short path of PATCH releases too", async () => {
  const { slug, image } = await illustrated()
  const json = { lang_code: "en", primary_language: "en", translation_languages: [], ...WITHOUT }
  const { status, json: answer } = await call("PATCH", `${API}/${slug}/`, { key: ann.key, json })
  expect([status, answer.post.images]).toEqual([200, []])
  passSeconds(LIFETIME)
  expect(await statusOf(call("GET", image.image_url))).toBe(410)
})
