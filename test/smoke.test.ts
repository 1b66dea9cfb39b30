import { expect, it } from "vitest"

import {
  API,
  call,
  countingD1,
  newAuthor,
  newPost,
  recordWakeUps,
  runTranslations,
  stopClock,
  upload,
  runCron,
  passSeconds,
} from "./support.ts"

it("smokes", async () => {
  stopClock()
  const ann = await newAuthor({ translation_languages: ["fr", "de"] })
  const image = await upload(ann)
  const wakeUps = recordWakeUps()
  const env = { TRANSLATIONS: wakeUps.queue }
  const d1 = countingD1()
  const { json } = await call("POST", `${API}/posts/`, {
    key: ann.key,
    env: { ...env, DB: d1.DB },
    json: {
      title: "Hi",
      slug: "hi",
      status: "PB",
      categories: ["a"],
      meta_description: "m",
      body: `![x](${image.image_url}) hello`,
      image_ids: [image.image_id],
    },
  })
  expect(json.post.images).toHaveLength(1)
  expect(d1.calls()).toBe(2)
  await runTranslations(wakeUps)
  passSeconds(4000)
  await runCron()
  const got = await call("GET", `${API}/posts/hi/?lang_code=FR`, { key: ann.key })
  expect(got.json.post.body).toContain("hello·fr")
  const media = await call("GET", image.image_url)
  expect(media.status).toBe(200)
  const part = await call("GET", image.image_url, { headers: { Range: "bytes=0-3" } })
  expect([part.status, part.text]).toEqual([206, "RIFF"])
  expect(
    (
      await call("PATCH", `${API}/posts/hi/`, {
        key: ann.key,
        json: {
          lang_code: "fr",
          primary_language: "en",
          translation_languages: ["fr"],
          body: "changed",
          image_ids: [],
        },
      })
    ).json.post.images,
  ).toEqual([expect.anything()])
  expect((await call("DELETE", `${API}/posts/hi/`, { key: ann.key })).status).toBe(204)
  expect((await call("GET", image.image_url)).status).toBe(410)
  await newPost(ann)
  expect((await call("GET", `${API}/posts/`, { key: ann.key })).json.posts).toHaveLength(1)
})
