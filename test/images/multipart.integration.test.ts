import { describe, expect, it } from "vitest"

import { API, call, env, fetchWorker, fileForm, newAuthor, ORIGIN } from "../support.ts"
import { bytesOf } from "./chunks.ts"
import { whiteImage } from "./files.ts"
import { bodyOf } from "./parts.ts"

const path = `${API}/image-upload/`
const PNG = whiteImage("png")
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

it.each([
  'multipart/form-data; boundary="edge"',
  "Multipart/Form-Data; Boundary=edge",
  "multipart/form-data; charset=utf-8; boundary=edge",
])("an upload with Content-Type %s answers 201", async (type) => {
  expect((await post(bodyOf([file]), type)).status).toBe(201)
})

it.each([
  ["of .NET", "form-data; name=file; filename=p.png; filename*=utf-8''p.png"],
  ["with an unquoted name", 'form-data; name=file; filename="p.png"'],
  ["with filename* alone", "form-data; name=file; filename*=utf-8''p%C3%A9.png"],
])("an upload with the form part %s answers 201", async (_, disposition) => {
  expect((await post(bodyOf([{ ...file, disposition }]))).status).toBe(201)
})

it("an upload whose filename is not UTF-8 answers 400 and says so", async () => {
  const [before, after] = [
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="',
    '"\r\n\r\nx\r\n--edge--',
  ]
  const { json } = await post(new Blob([before, new Uint8Array([0xe9]), after]))
  expect([json.code, json.detail]).toEqual(["invalid_multipart", expect.stringContaining("UTF-8")])
})

it.each([
  ["that is no form", "image/png", "not multipart/form-data"],
  ["without a part named file", TYPE, "no part named `file`"],
])("an upload %s answers 400 and says so", async (_, type, detail) => {
  const body = bodyOf([{ ...file, disposition: 'form-data; name="image"; filename="p.png"' }])
  const { status, json } = await post(body, type)
  expect([status, json.code, json.detail]).toEqual([...REFUSED, expect.stringContaining(detail)])
})

describe("Content-Type of an upload", () => {
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
  ])("an upload with Content-Type %s answers 400 invalid_multipart", async (type) => {
    expect(await outcome(bodyOf([file]), type)).toEqual(REFUSED)
  })

  it("an upload without Content-Type answers 400 invalid_multipart", async () => {
    const { key } = await newAuthor()
    const { status, json } = await call("POST", path, { key, body: new Blob([bodyOf([file])]) })
    expect([status, json.code]).toEqual(REFUSED)
  })
})

describe("body of an upload", () => {
  it.each([
    ["no bytes", new Uint8Array()],
    ["JSON", bytesOf('{"file": "x"}')],
    ["the bare image", PNG],
    ["no parts", bodyOf([])],
    ["a part named File", bodyOf([{ disposition: 'form-data; name="File"; filename="p.png"', content: PNG }])],
    ["a part without a name", bodyOf([{ disposition: 'form-data; filename="p.png"', content: PNG }])],
    ["a part without filename", bodyOf([{ disposition: 'form-data; name="file"', content: PNG }])],
    ["two file parts", bodyOf([file, file])],
    ["a file part, then a text part, both named file", bodyOf([file, { disposition: 'form-data; name="file"' }])],
    ["a text part, then a file part, both named file", bodyOf([{ disposition: 'form-data; name="file"' }, file])],
    ["no last boundary", bodyOf([file], { end: "" })],
    ["a cut within the image", bodyOf([file]).slice(0, 100)],
    ["a cut within the headers of the part", bodyOf([file]).slice(0, 30)],
    ["a cut within the last boundary", bodyOf([file], { end: "--ed" })],
    ["other boundaries", bodyOf([file], { boundary: "other", end: "--other--\r\n" })],
  ])("an upload whose body has %s answers 400 invalid_multipart", async (_, body) => {
    expect(await outcome(body)).toEqual(REFUSED)
  })

  it("an upload without a body answers 400 invalid_multipart", async () => {
    const { key } = await newAuthor()
    const { status, json } = await call("POST", path, { key })
    expect([status, json.code]).toEqual(REFUSED)
  })
})

it("an upload's warning about a form part with a long name cuts the name between characters", async () => {
  const name = `a${"🐟".repeat(70)}`
  const { key } = await newAuthor()
  const form = fileForm(PNG)
  form.append(name, "x")
  const { status, json } = await call("POST", path, { key, body: form })
  expect([status, json.warnings[0].field]).toEqual([201, `a${"🐟".repeat(63)}`])
})

it("an upload of a file with a long or unusual filename answers 201", async () => {
  for (const name of ['"', "x".repeat(5000), "a\\b/../c\t"]) {
    const { key } = await newAuthor()
    expect((await call("POST", path, { key, body: fileForm(PNG, name) })).status).toBe(201)
  }
  const empty = await post(bodyOf([{ ...file, disposition: 'form-data; name="file"; filename=""' }]))
  expect([201, 400]).toContain(empty.status)
})

it("an upload with extra form parts answers 201 with one warning for each part name", async () => {
  const form = fileForm(PNG)
  form.append("alt", "text")
  form.append("alt", "again")
  form.append("other", new File(["x"], "x.txt"))
  const { key } = await newAuthor()
  const { status, json } = await call("POST", path, { key, body: form })
  expect([status, json.warnings.map(({ field }: { field: string }) => field)]).toEqual([201, ["alt", "other"]])
})

it("an upload with 1000 extra form parts answers 201 or 400", async () => {
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

const send = async (body: BodyInit, headers: Record<string, string>) => {
  const { key } = await newAuthor()
  const init = { method: "POST", body, headers: { "X-API-KEY": key, "Content-Type": TYPE, ...headers } }
  const response = await fetchWorker(new Request(ORIGIN + path, init))
  return [response.status, (await response.json<{ code: string }>()).code]
}

it.each<[string, Record<string, string>, most: number]>([
  ["with its Content-Length", { "Content-Length": "65536000" }, 3],
  ["without Content-Length", {}, 107],
  ["with a small Content-Length", { "Content-Length": "10" }, 107],
])("an upload over the limit, sent %s, is not read beyond it and answers 400", async (_, headers, most) => {
  const { body, pulled } = stream(1000)
  expect(await send(body, headers)).toEqual([400, "file_too_large"])
  expect(pulled()).toBeLessThan(most)
})

it("an upload whose form has two file parts stores nothing", async () => {
  const before = (await env.MEDIA.list()).objects.length
  await outcome(bodyOf([file, file]))
  expect((await env.MEDIA.list()).objects.length).toBe(before)
})
