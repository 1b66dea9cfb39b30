import { describe, expect, it } from "vitest"

import { API, call, newAuthor, newPost, postInput } from "../support.ts"

const MANY = 300_000
const numbers = Array<number>(MANY).fill(1)

describe("an array of 300 000 entries answers 400 with a short body", () => {
  it.each([
    ["image_ids", numbers],
    ["translation_languages", numbers],
    ["categories", Array<string>(MANY).fill("a")],
    ["tags", numbers],
  ])("creating a post with 300 000 %s answers 400 with a short body", async (field, entries) => {
    const { key } = await newAuthor()
    const json = postInput({ [field]: entries })
    const answer = await call("POST", `${API}/posts/`, { key, json })
    expect([answer.status, answer.json.errors[0].field]).toEqual([400, field])
    expect(answer.text.length).toBeLessThan(2000)
  })

  it("a request to translate again with 300 000 discard_edits answers 400", async () => {
    const ann = await newAuthor()
    const { slug } = await newPost(ann, { translation_languages: ["fr"] })
    const path = `${API}/posts/${slug}/translations/fr/`
    const answer = await call("POST", path, { key: ann.key, json: { discard_edits: numbers } })
    expect([answer.status, answer.json.errors[0].field]).toEqual([400, "discard_edits"])
  })
})
