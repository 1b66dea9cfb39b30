import { describe, expect, test } from "vitest"

import openapi from "../../public/openapi.json"
import { look, LOOKS } from "./browser.ts"
import { violations } from "./watch.ts"

describe.each(LOOKS)("pages at $width pixels in the $colorScheme scheme", (view) => {
  test("the page /docs/errors/ shows the error codes in a browser, without accessibility errors", async () => {
    await look("/docs/errors/", view, async (page) => {
      expect(await page.locator("#duplicate_slug").isVisible()).toBe(true)
      expect(await violations(page)).toEqual([])
    })
  })

  test("the page /docs/ shows every operation of the API in a browser, without accessibility errors", async () => {
    await look("/docs/", view, async (page) => {
      const operations = Object.values(openapi.paths).flatMap((methods) => Object.keys(methods))
      expect(await page.locator(".operation").count()).toBe(operations.length)
      expect(await page.evaluate("document.scripts.length")).toBe(0)
      expect(await violations(page)).toEqual([])
    })
  })
})
