import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"

import { origin } from "../e2e/support.ts"
import { complaintsOf, isTooWide, newPage, openBrowser, openReady } from "./watch.ts"

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Opens a page in its own context, loads all its images, and checks it, and that it has no errors, foreign requests or sideways scrolling. */
export const look = async (path: string, check: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) => {
  const page = await newPage(browser, options)
  const complaints = complaintsOf(page, origin)
  await openReady(page, `${origin}${path}`)
  // Some images load only when they come into view.
  await page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = "eager"
    return image.decode()
  }))`)
  await check(page)
  expect(complaints, "console messages and requests to other hosts").toEqual([])
  expect(await isTooWide(page), "scrolls sideways").toBe(false)
  await page.context().close()
}
