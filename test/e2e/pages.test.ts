import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { ASSETS } from "../../src/ui/assets.ts"
import { origin, settingsUrl } from "./support.ts"

test.each([
  ["/openapi.json", "application/json", '"openapi": "3.1'],
  ["/docs/", "text/html", 'id="createPost"'],
  ["/docs/errors/", "text/html", 'id="duplicate_slug"'],
  [ASSETS["site.css"], "text/css", "main"],
  [ASSETS["docs.css"], "text/css", ".docs"],
])("the local server started by `npm start` serves %s", async (path, type, content) => {
  const answer = await fetch(`${origin}${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get("Content-Type")).toContain(type)
  expect(await answer.text()).toContain(content)
})

test("style sheets and icon have the hash of their content in their name, and browsers keep them for good", async () => {
  for (const [file, path] of Object.entries(ASSETS)) {
    const answer = await fetch(`${origin}${path}`)
    const hash = createHash("sha256").update(await readFile(join(import.meta.dirname, "../../public/assets", file)))
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"])
    expect(path).toContain(`-${hash.digest("hex").slice(0, 10)}.`)
  }
})

test("the address of the settings that `npm start` prints signs in as demo each time it is opened, from this machine alone", async () => {
  for (let opened = 1; opened <= 2; opened += 1) {
    const { status, headers } = await fetch(settingsUrl, { redirect: "manual" })
    const used = await fetch(headers.get("Location") ?? "", {
      method: "POST",
      redirect: "manual",
      headers: { Origin: origin },
      body: new URLSearchParams(),
    })
    expect([status, used.status, used.headers.get("Location")]).toEqual([303, 303, "/settings/"])
    const cookie = used.headers.getSetCookie().map((line) => line.split(";")[0])
    const settings = await fetch(`${origin}/settings/`, { headers: { Cookie: cookie.join("; ") } })
    expect(await settings.text()).toContain("demo")
  }
  expect((await fetch(settingsUrl.replace("localhost", "127.0.0.1"), { redirect: "manual" })).status).toBe(403)
})
