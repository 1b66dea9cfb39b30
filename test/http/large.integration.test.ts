import { expect, it } from "vitest"

import { create } from "../calls.ts"
import { refusal } from "../posts/requests.ts"
import { API, call, newAuthor, newPost } from "../support.ts"

const numbers = Array<number>(300_000).fill(1)
const names = Array<string>(300_000).fill("a")

it.each(["image_ids", "translation_languages", "categories", "tags"])(
  "creating a post with 300 000 %s answers 400 with a short body",
  async (field) => {
    const { status, json, text } = await create(await newAuthor(), {
      [field]: field === "categories" ? names : numbers,
    })
    expect([status, json.errors[0].field]).toEqual([400, field])
    expect(text.length).toBeLessThan(2000)
  },
)

it("a request to translate again with 300 000 discard_edits answers 400", async () => {
  const ann = await newAuthor()
  const { slug } = await newPost(ann, { translation_languages: ["fr"] })
  const path = `${API}/posts/${slug}/translations/fr/`
  const answer = await call("POST", path, { key: ann.key, json: { discard_edits: numbers } })
  expect(refusal(answer)).toEqual([400, "validation_error", "discard_edits"])
})
