import { describe, expect, it } from "vitest"

import { API, call, env, fetchWorker, fileForm, newAuthor, ORIGIN } from "../support.ts"
import { bytesOf } from "./chunks.ts"
import { picture } from "./files.ts"
import { bodyOf } from "./parts.ts"

const path = `${API}/image-upload/`
const PNG = picture("png")
const TYPE = "multipart/form-data; boundary=edge"

const file = { disposition: 'form-data; name="file"; filename="p.png"', content: PNG }

const post = async (body: BodyInit, type = TYPE) => {
  const { key } = await newAuthor()
  return call("POST", path, { key, body, headers: { "Content-Type": type } })
}
const outcome = async (body: BodyInit, type?: string) => {
  const { status, json } = await post(body, type)
  return [status, json.code]
}
const REFUSED = [400, "invalid_multipart"]

it("takes one part named file, written by hand", async () => {
  expect((await post(bodyOf([file]))).status).toBe(201)
})

it.each([
  'multipart/form-data; boundary="edge"',
  "Multipart/Form-Data; Boundary=edge",
  "multipart/form-data; charset=utf-8; boundary=edge",
])("takes Content-Type: %s", async (type) => {
  expect((await post(bodyOf([file]), type)).status).toBe(201)
})

describe("Content-Type is refused", () => {
  it.each([
    "multipart/form-data",
    "multipart/form-data;",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=another",
    "multipart/mixed; boundary=edge",
    "application/json",
    "application/octet-stream",
    "image/png",
    "text/plain",
    "application/x-www-form-urlencoded",
  ])("%s", async (type) => {
    expect(await outcome(bodyOf([file]), type)).toEqual(REFUSED)
  })

  it("when there is none", async () => {
    const { key } = await newAuthor()
    const { status, json } = await call("POST", path, { key, body: new Blob([bodyOf([file])]) })
    expect([status, json.code]).toEqual(REFUSED)
  })
})

describe("the body is refused", () => {
  it.each([
    ["empty", new Uint8Array()],
    ["JSON", bytesOf('{"file": "x"}')],
    ["the picture itself", PNG],
    ["no part", bodyOf([])],
    ["no file part", bodyOf([{ disposition: 'form-data; name="image"; filename="p.png"', content: PNG }])],
    ["a part named File", bodyOf([{ disposition: 'form-data; name="File"; filename="p.png"', content: PNG }])],
    ["a part without a name", bodyOf([{ disposition: 'form-data; filename="p.png"', content: PNG }])],
    ["a part without filename", bodyOf([{ disposition: 'form-data; name="file"', content: PNG }])],
    ["two file parts", bodyOf([file, file])],
    ["a file part and a text part of that name", bodyOf([file, { disposition: 'form-data; name="file"' }])],
    ["a text part of that name and a file part", bodyOf([{ disposition: 'form-data; name="file"' }, file])],
    ["no end", bodyOf([file], { end: "" })],
    ["cut within the picture", bodyOf([file]).slice(0, 100)],
    ["cut within the headers of the part", bodyOf([file]).slice(0, 30)],
    ["cut within the last boundary", bodyOf([file], { end: "--ed" })],
    ["boundaries of another name", bodyOf([file], { boundary: "other", end: "--other--\r\n" })],
  ])("%s", async (_, body) => {
    expect(await outcome(body)).toEqual(REFUSED)
  })

  it("none at all", async () => {
    const { key } = await newAuthor()
    const { status, json } = await call("POST", path, { key })
    expect([status, json.code]).toEqual(REFUSED)
  })

  it("an empty file", async () => {
    const [status, code] = await outcome(bodyOf([{ ...file, content: new Uint8Array() }]))
    expect([status, code]).toEqual([400, "unsupported_format"])
  })
})

it("a part whose name is cut in its warning keeps whole characters", async () => {
  const name = `a${"🐟".repeat(70)}`
  const { key } = await newAuthor()
  const form = fileForm(PNG)
  form.append(name, "x")
  const { status, json } = await call("POST", path, { key, body: form })
  expect([status, json.warnings[0].field]).toEqual([201, `a${"🐟".repeat(63)}`])
})

it("a filename that is empty, or long and odd, is no reason to fail", async () => {
  for (const name of ['"', "x".repeat(5000), "a\\b/../c\t"]) {
    const { key } = await newAuthor()
    expect((await call("POST", path, { key, body: fileForm(PNG, name) })).status).toBe(201)
  }
  const empty = await post(bodyOf([{ ...file, disposition: 'form-data; name="file"; filename=""' }]))
  expect([201, 400]).toContain(empty.status)
})

it("extra parts are ignored, each named in a warning", async () => {
  const form = fileForm(PNG)
  form.append("alt", "text")
  form.append("alt", "again")
  form.append("other", new File(["x"], "x.txt"))
  const { key } = await newAuthor()
  const { status, json } = await call("POST", path, { key, body: form })
  expect([status, json.warnings.map(({ field }: { field: string }) => field)]).toEqual([201, ["alt", "other"]])
})

it("a thousand extra parts are no reason to fail", async () => {
  const extra = Array.from({ length: 1000 }, (_, i) => ({ disposition: `form-data; name="p${i}"` }))
  const { status } = await post(bodyOf([...extra, file]))
  expect([201, 400]).toContain(status)
})

const stream = (limit: number) => {
  let pulled = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled += 1
      if (pulled > limit) controller.close()
      else controller.enqueue(new Uint8Array(65_536))
    },
  })
  return { body, pulled: () => pulled }
}

const send = async (body: BodyInit, headers: Record<string, string> = {}) => {
  const { key } = await newAuthor()
  const init = { method: "POST", body, headers: { "X-API-KEY": key, "Content-Type": TYPE, ...headers } }
  const response = await fetchWorker(new Request(ORIGIN + path, init))
  return [response.status, (await response.json<{ code: string }>()).code]
}

describe("a body longer than any picture", () => {
  it("is refused by its declared length, unread", async () => {
    const { body, pulled } = stream(1000)
    expect(await send(body, { "Content-Length": "65536000" })).toEqual([400, "file_too_large"])
    expect(pulled()).toBeLessThan(3)
  })

  it("is refused without a declared length, and not read on", async () => {
    const { body, pulled } = stream(10_000)
    expect(await send(body)).toEqual([400, "file_too_large"])
    expect(pulled() * 65_536).toBeLessThan(7_000_000)
  })

  it("is refused when it declares less than it is", async () => {
    const { body } = stream(1000)
    expect(await send(body, { "Content-Length": "10" })).toEqual([400, "file_too_large"])
  })
})

it("none of this is stored", async () => {
  const before = (await env.MEDIA.list()).objects.length
  await outcome(bodyOf([file, file]))
  expect((await env.MEDIA.list()).objects.length).toBe(before)
})
