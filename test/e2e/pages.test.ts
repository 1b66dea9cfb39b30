import { expect, test } from "vitest"

import { origin } from "./support.ts"

test.each([
  ["/openapi.json", "application/json", '"openapi": "3.1'],
  ["/docs/", "text/html", "/openapi.json"],
  ["/docs/vendor/swagger-ui.css", "text/css", ".swagger-ui"],
  ["/docs/vendor/swagger-ui-bundle.js", "text/javascript", "SwaggerUIBundle"],
  ["/docs/errors/", "text/html", 'id="duplicate_slug"'],
  ["/assets/site.css", "text/css", "main"],
])("%s is served", async (path, type, content) => {
  const answer = await fetch(`${origin}${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get("Content-Type")).toContain(type)
  expect(await answer.text()).toContain(content)
})
