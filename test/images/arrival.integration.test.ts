import { expect, it } from "vitest"

import { IDEMPOTENCY_LOCK_SECONDS } from "../../src/limits.ts"
import { API, call, fileForm, newAuthor, passSeconds, png, rows, runCron, stopClock } from "../support.ts"

it("an image's lifetime and its Idempotency-Key's lock start when a slow upload has arrived", async () => {
  stopClock()
  const { key } = await newAuthor()
  const form = new Response(fileForm(await png()))
  const bytes = new Uint8Array(await form.arrayBuffer())
  const halves = [bytes.subarray(0, 40), bytes.subarray(40)]
  const body = new ReadableStream({
    pull: (controller) => {
      const half = halves.shift()
      passSeconds(900)
      if (half) controller.enqueue(half)
      else controller.close()
    },
  })
  const headers = { "Content-Type": form.headers.get("Content-Type") ?? "", "Idempotency-Key": "k" }
  const { status, json } = await call("POST", `${API}/image-upload/`, { key, body, headers })
  expect([status, Date.parse(json.expires_at) - Date.now()]).toEqual([201, 1_800_000])
  expect(await rows("select created_at, locked_until from idempotency_keys")).toEqual([
    { created_at: Date.now(), locked_until: Date.now() + IDEMPOTENCY_LOCK_SECONDS * 1000 },
  ])
  await runCron()
  expect((await call("GET", json.image_url)).status).toBe(200)
})
