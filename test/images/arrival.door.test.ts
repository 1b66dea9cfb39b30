import { expect, it } from "vitest"

import { API, call, fileForm, newAuthor, passSeconds, png, runCron, stopClock } from "../support.ts"

it("the 30 minutes begin when the picture has arrived, however long its client took", async () => {
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
  const headers = { "Content-Type": form.headers.get("Content-Type") ?? "" }
  const { status, json } = await call("POST", `${API}/image-upload/`, { key, body, headers })
  expect([status, Date.parse(json.expires_at) - Date.now()]).toEqual([201, 1_800_000])
  await runCron()
  expect((await call("GET", json.image_url)).status).toBe(200)
})
