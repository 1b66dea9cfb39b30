import { describe, expect, it } from "vitest"

import { dumpStorage } from "../storage.ts"
import { API, type Author, call, fileForm, newAuthor, newPng, OPERATOR, postInput, unique } from "../support.ts"

type Headers = Record<string, string>
const asForm = { "Content-Type": "application/x-www-form-urlencoded" }
const asJson = { "Content-Type": "application/json" }
const words = () => ({ content: unique("Words"), name: unique("A title") })

/** Each way in which a body is read. */
const WAYS: Record<string, (author: Author, headers: Headers) => ReturnType<typeof call>> = {
  "JSON of the API": ({ key }, headers) => call("POST", `${API}/posts/`, { key, headers, json: postInput() }),
  "JSON of the operator": ({ username }, headers) =>
    call("PATCH", `/operator/api/accounts/${username}/`, { headers: { ...OPERATOR, ...headers }, json: {} }),
  "an upload": async ({ key }, headers) =>
    call("POST", `${API}/image-upload/`, { key, headers, body: fileForm(await newPng()) }),
  "JSON of Micropub": (author, headers) =>
    call("POST", "/micropub/", {
      ...author,
      headers: { ...headers, ...asJson },
      json: { type: ["h-entry"], properties: words() },
    }),
  "a form of Micropub": ({ key }, headers) =>
    call("POST", "/micropub/", { key, headers: { ...headers, ...asForm }, body: new URLSearchParams(words()) }),
}

describe.each(Object.entries(WAYS))("%s", (_, send) => {
  it.each(["gzip", "br", "x-gzip", "aes128gcm", "utf-8, gzip", "gzip, identity", "utf-8-gzip!"])(
    "with Content-Encoding %s answers 415, and nothing is written",
    async (coding) => {
      const author = await newAuthor()
      const before = await dumpStorage()
      const { status, json } = await send(author, { "Content-Encoding": coding })
      expect([status, json.code]).toEqual([415, "unsupported_media_type"])
      expect(json.detail).toContain(coding)
      expect(await dumpStorage()).toEqual(before)
    },
  )

  it.each([
    ["", 0],
    ["identity", 0],
    ["utf-8", 1],
    [" UTF8 ", 1],
    ["ISO-8859-1", 1],
    ["windows-1252", 1],
  ])("with Content-Encoding %j is read, with as many warnings: %i", async (coding, count) => {
    const { status, json } = await send(await newAuthor(), { "Content-Encoding": coding })
    expect(status).toBeLessThan(300)
    const told: { field: string; code: string }[] = json.warnings
    const expected = { field: "Content-Encoding", code: "ignored_encoding" }
    expect(told.filter(({ field }) => field === "Content-Encoding")).toEqual(
      Array.from({ length: count }, () => expect.objectContaining(expected)),
    )
  })
})

it("a compressed body is refused after the key and before it is read", async () => {
  const json = postInput()
  const headers = { "Content-Encoding": "gzip" }
  const answers = [
    await call("POST", `${API}/posts/`, { headers, json }),
    await call("PUT", `${API}/posts/none/?dryRun=true`, { ...(await newAuthor()), headers, json }),
    await call("PATCH", `${API}/posts/none/`, { ...(await newAuthor()), headers, json }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 400, 404])
})
