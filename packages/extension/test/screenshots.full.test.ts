import { mkdir } from "node:fs/promises"
import { join } from "node:path"

import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { origin } from "../../../test/e2e/support.ts"
import { AXE } from "../../../test/full/watch.ts"
import { startChromium } from "./chromium.ts"
import { ask, newAuthor, openForm, setUp } from "./clip.ts"
import type { Driver } from "./driver.ts"
import { useExtension } from "./set-up.ts"

const OUTPUT = join(import.meta.dirname, "../screenshots")
/** The size that the stores ask for, in pixels. */
const [WIDTH, HEIGHT] = [1280, 800]
const MARGIN = 20

const shared = useExtension()

describe.each(["light", "dark"] as const)("the pages in %s colours", (scheme) => {
  let driver: Driver
  beforeAll(async () => {
    driver = await startChromium(shared.extension, scheme)
    const { draftKey } = await newAuthor(`pictured-${scheme}`)
    await setUp(driver, { address: origin, key: draftKey, category: "Clips" })
  })
  afterAll(() => driver.stop())

  test("are accessible and do not scroll sideways", async () => {
    const violations = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`
    const isScheme = `matchMedia("(prefers-color-scheme: ${scheme})").matches`
    const isTooWide = "document.documentElement.scrollWidth > innerWidth"
    await driver.goto(`${shared.site.origin}/foreign`)
    for (const open of [driver.openPopup, driver.openOptions]) {
      const found = await ask(open, async (frame) => {
        await frame.evaluate(`${AXE}; undefined`)
        return Promise.all([isScheme, violations, isTooWide].map((question) => frame.evaluate(question)))
      })
      expect(found).toEqual([true, [], false])
    }
  })

  test("give the stores a screenshot of the popup above its page", async () => {
    await driver.goto(`${shared.site.origin}/news`)
    const page = await driver.page.screenshot()
    const popup = await openForm(driver.openPopup)
    const form = await sharp(await popup.screenshot())
      .resize({ height: HEIGHT - 2 * MARGIN, withoutEnlargement: true })
      .toBuffer()
    const { width } = await sharp(form).metadata()
    await mkdir(OUTPUT, { recursive: true })
    const file = join(OUTPUT, `popup-${scheme}.png`)
    await sharp(page)
      .resize({ width: WIDTH, height: HEIGHT, fit: "cover", position: "top" })
      .composite([{ input: form, left: WIDTH - width - MARGIN, top: MARGIN }])
      .toFile(file)
    expect(await sharp(file).metadata()).toMatchObject({ width: WIDTH, height: HEIGHT, format: "png" })
  })
})
