import { expect, test } from "vitest"

import { origin, signInUrl } from "./support.ts"

test.each([
  ["/openapi.json", "application/json", '"openapi": "3.1'],
  ["/docs/", "text/html", 'id="createPost"'],
  ["/docs/errors/", "text/html", 'id="duplicate_slug"'],
  ["/assets/site.css", "text/css", "main"],
  ["/assets/docs.css", "text/css", ".docs"],
])("the local server started by `npm start` serves %s", async (path, type, content) => {
  const answer = await fetch(`${origin}${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get("Content-Type")).toContain(type)
  expect(await answer.text()).toContain(content)
})

test("the sign-in link that `npm start` prints opens the settings of the account demo", async () => {
  const used = await fetch(signInUrl, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: origin },
    body: new URLSearchParams(),
  })
  expect([used.status, used.headers.get("Location")]).toEqual([303, "/settings/"])
  const cookie = used.headers.getSetCookie().map((line) => line.split(";")[0])
  const settings = await fetch(`${origin}/settings/`, { headers: { Cookie: cookie.join("; ") } })
  expect(await settings.text()).toContain("demo")
  expect((await fetch(signInUrl)).status).toBe(410)
})
