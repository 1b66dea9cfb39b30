import { expect, test } from "vitest"

import openapi from "../../public/openapi.json"
import { look } from "./browser.ts"
import { findFlaws } from "./watch.ts"

test("the page /docs/errors/ shows the error codes in a browser, without layout or accessibility errors", async () => {
  await look("/docs/errors/", async (page) => {
    expect(await page.locator("#duplicate_slug").isVisible()).toBe(true)
    expect(await findFlaws(page, "docs-errors")).toEqual([])
  })
})

test("the page /docs/ shows every operation of the API in a browser, without layout or accessibility errors", async () => {
  await look("/docs/", async (page) => {
    const operations = Object.values(openapi.paths).flatMap((methods) => Object.keys(methods))
    expect(await page.locator(".operation").count()).toBe(operations.length)
    expect(await page.evaluate("document.scripts.length")).toBe(0)
    expect(await findFlaws(page, "docs")).toEqual([])
  })
})
