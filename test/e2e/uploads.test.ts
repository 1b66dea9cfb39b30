import { writeFile } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../after-file.ts"
import { API, type Answer, call, curl, newKey } from "./support.ts"

const URL = `${API}/image-upload/`
const UPLOADS_PER_MINUTE = 10
const bytes = new Uint8Array(6_000_000)

const folder = await newFolder()
await writeFile(join(folder, "large.png"), bytes)

const fetchUpload = (key: string): Promise<Answer> => {
  const body = new FormData()
  body.append("file", new File([bytes], "large.png"))
  return call("POST", URL, { headers: { "X-API-KEY": key }, body })
}
const curlUpload = (key: string, ...args: string[]): Promise<Answer> =>
  curl(URL, "-H", `X-API-KEY: ${key}`, "-F", `file=@${join(folder, "large.png")}`, ...args)

// The service answers both before it has read the body: a client must see the answer, not a broken connection.
const CLIENTS: [string, (key: string) => Promise<Answer>][] = [
  ["Node's fetch", fetchUpload],
  ["curl", (key) => curlUpload(key)],
  ["curl without Expect: 100-continue", (key) => curlUpload(key, "-H", "Expect:")],
]

test("HTTP clients can read the error of an upload that is too large (400) or one too many (429)", async () => {
  const key = await newKey("hasty")
  for (const [client, upload] of CLIENTS)
    expect(await upload(key), client).toMatchObject({ status: 400, json: { code: "file_too_large" } })
  for (let used = CLIENTS.length; used < UPLOADS_PER_MINUTE; used += 1)
    expect(await call("POST", URL, { headers: { "X-API-KEY": key } })).toMatchObject({ status: 400 })
  for (const [client, upload] of CLIENTS) {
    const { status, retryAfter, json } = await upload(key)
    expect([status, json.code], client).toEqual([429, "rate_limited"])
    expect(retryAfter, client).toBeGreaterThan(0)
    expect(retryAfter, client).toBeLessThanOrEqual(60)
  }
})
