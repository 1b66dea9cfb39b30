import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"

import { origin } from "../e2e/support.ts"
import { complaintsOf, newPage, openBrowser } from "./watch.ts"

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

export interface Look {
  width: number
  colorScheme: "light" | "dark"
}

/** The tested widths and colour schemes. */
export const LOOKS: Look[] = [360, 1280].flatMap((width) => [
  { width, colorScheme: "light" as const },
  { width, colorScheme: "dark" as const },
])

export const nameOf = (path: string): string => path.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "")

interface LookOptions extends BrowserContextOptions {
  /** The start of the screenshot's name; by default the path. */
  name?: string
}

/** Opens a page, saves a screenshot, and checks for errors, foreign requests and sideways scrolling. */
export const look = async (
  path: string,
  { width, colorScheme }: Look,
  check: (page: Page) => Promise<void>,
  { name = nameOf(path), ...options }: LookOptions = {},
) => {
  const page = await newPage(browser, { viewport: { width, height: 900 }, colorScheme, ...options })
  const complaints = complaintsOf(page, origin)
  await page.goto(`${origin}${path}`, { waitUntil: "networkidle" })
  // A screenshot of the full page also shows images that load only when they come into view.
  await page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = "eager"
    return image.decode()
  }))`)
  await page.screenshot({ path: `screenshots/${name}-${width}-${colorScheme}.png`, fullPage: true })
  await check(page)
  expect(complaints, "console messages and requests to other hosts").toEqual([])
  expect(await page.evaluate("document.documentElement.scrollWidth"), "scrolls sideways").toBeLessThanOrEqual(width)
  await page.context().close()
}
