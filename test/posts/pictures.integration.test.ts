import { expect, it } from "vitest"

import { create, idsOf, patch } from "../calls.ts"
import { newAuthor, newPost, passSeconds, stopClock, upload } from "../support.ts"

it("an image in a post body is attached even if its path is written with Markdown escapes", async () => {
  stopClock()
  const ann = await newAuthor()
  const { image_id, image_url } = await upload(ann)
  const body = `![x](${image_url.replace("_", "\\_")})`
  const post = await newPost(ann, { body })
  expect(post.images).toMatchObject([{ image_id }])
  expect(post.html).toContain(`<img src="${image_url}"`)
  passSeconds(3600)
  expect((await patch(ann, post.slug, { body })).status).toBe(200)
})

it("a PATCH of a post with the same body changes nothing and does not warn about attached images", async () => {
  const ann = await newAuthor()
  const [listed, shown] = [await upload(ann), await upload(ann)]
  const body = `![x](${shown.image_url})`
  const { slug } = await newPost(ann, { body, image_ids: [listed.image_id] })
  const { json } = await patch(ann, slug, { body })
  expect(json).toMatchObject({ warnings: [], post: { version: 1 } })
  expect(idsOf(json.post)).toEqual([listed.image_id, shown.image_id])
})

it("external images in a post body count towards the HTML limit as the links that they become", async () => {
  const ann = await newAuthor()
  const body = `${"![][a]\n\n".repeat(343)}[a]: /${"x".repeat(3000)}`
  const { status, json } = await create(ann, { body })
  expect([status, json.code]).toEqual([400, "body_too_complex"])
})

it("a PATCH that adds a language beyond the limit of languages of one post answers 400", async () => {
  const ann = await newAuthor()
  const { slug } = await newPost(ann)
  const titled = (codes: string[]) =>
    patch(ann, slug, { lang_code: codes[0], translation_languages: codes, title: "t" })
  for (const first of [100, 200]) {
    const codes = Array.from({ length: 17 }, (_, i) => `de-${first + i}`)
    expect((await titled(codes)).status).toBe(202)
  }
  let last = await titled(["de-300"])
  for (let i = 301; last.status === 202 && i < 400; i += 1) last = await titled([`de-${i}`])
  expect([last.status, last.json.errors[0].field]).toEqual([400, "translation_languages"])
})
