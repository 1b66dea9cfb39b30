import { readFile } from "node:fs/promises"

import { beforeAll, describe, expect, test } from "vitest"

import openapi from "../../public/openapi.json"
import { API, call, eventually, key } from "../e2e/support.ts"
import { look, LOOKS } from "./browser.ts"

const headers = { "X-API-KEY": key }
const LONG =
  "const answer = await fetch(address, { method, headers, body }) // a line that is longer than a phone is wide"
const MARKDOWN = (image: string) => `A paragraph with a [link](https://example.org), \`code\` and a note[^1].

![A boat at sunrise](${image})

| a column | another column | a third column | a fourth column | a fifth column |
| --- | --- | --- | --- | --- |
| words of a row | words of a row | words of a row | words of a row | words of a row |

\`\`\`js
${LONG}
\`\`\`

> A quote, ${"averylongwordwithoutanyplacetobreak".repeat(4)}

- [x] done
- [ ] open

[^1]: At the end.
`

beforeAll(async () => {
  const form = new FormData()
  form.append("file", new Blob([await readFile("examples/tide/coast.jpg")]), "coast.jpg")
  const { json: image } = await call("POST", `${API}/image-upload/`, { headers, body: form })
  const post = {
    title: "A page to look at",
    slug: "a-page-to-look-at",
    status: "PB",
    categories: "Looks",
    tags: "light, dark",
    meta_description: "What readers see.",
    translation_languages: ["ar"],
    body: MARKDOWN(image.image_url),
  }
  const { status } = await call("POST", `${API}/posts/`, { headers, body: JSON.stringify(post) })
  expect(status).toBe(201)
  const isTranslated = async () =>
    expect((await call("GET", `${API}/posts/${post.slug}/?lang_code=ar`, { headers })).status).toBe(200)
  await eventually(isTranslated)
})

describe.each(LOOKS)("pages at $width pixels in the $colorScheme scheme", (view) => {
  test.each(["/@demo/a-page-to-look-at/", "/@demo/a-page-to-look-at/ar/"])(
    "the public page %s shows the post with its image and no script in a browser",
    async (path) => {
      await look(path, view, async (page) => {
        expect(await page.title()).toContain("page")
        expect(await page.evaluate("document.querySelector('img').naturalWidth")).toBeGreaterThan(0)
        // Other than data, which does not run.
        const scripts = page.locator('script:not([type="application/ld+json"])')
        expect(await scripts.count()).toBe(0)
        const [red = 0] = (await page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor"))
          .match(/\d+/g)
          ?.map(Number) ?? [0]
        expect(red > 128 ? "light" : "dark").toBe(view.colorScheme)
      })
    },
  )

  test("the page /docs/errors/ shows the error codes in a browser", async () => {
    await look("/docs/errors/", view, async (page) => {
      expect(await page.locator("#duplicate_slug").isVisible()).toBe(true)
    })
  })

  test("the page /docs/ shows every operation of the API in a browser", async () => {
    await look("/docs/", view, async (page) => {
      const operations = Object.values(openapi.paths).flatMap((methods) => Object.keys(methods))
      expect(await page.locator(".operation").count()).toBe(operations.length)
      expect(await page.evaluate("document.scripts.length")).toBe(0)
    })
  })
})
