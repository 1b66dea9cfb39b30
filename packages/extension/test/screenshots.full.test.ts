import { mkdir } from "node:fs/promises"
import { join } from "node:path"

import sharp from "sharp"
import { expect, test } from "vitest"

import { origin } from "../../../test/e2e/support.ts"
import { startChromium } from "./chromium.ts"
import { newAuthor, openForm, setUp } from "./clip.ts"
import { useExtension } from "./set-up.ts"

const OUTPUT = join(import.meta.dirname, "../screenshots")
/** The size that the stores ask for, in pixels. */
const [WIDTH, HEIGHT] = [1280, 800]
const MARGIN = 20

const shared = useExtension()

test.each(["light", "dark"] as const)(
  "the stores get a screenshot of the popup above its page, in %s colours",
  async (scheme) => {
    const driver = await startChromium(shared.extension, scheme)
    const { draftKey } = await newAuthor(`pictured-${scheme}`)
    await setUp(driver, { address: origin, key: draftKey, category: "Clips" })
    await driver.goto(`${shared.site.origin}/news`)
    const page = await driver.page.screenshot()
    const popup = await openForm(driver.openPopup)
    const form = await sharp(await popup.screenshot())
      .resize({ height: HEIGHT - 2 * MARGIN, withoutEnlargement: true })
      .toBuffer()
    await driver.stop()
    const { width } = await sharp(form).metadata()
    await mkdir(OUTPUT, { recursive: true })
    const file = join(OUTPUT, `popup-${scheme}.png`)
    await sharp(page)
      .resize({ width: WIDTH, height: HEIGHT, fit: "cover", position: "top" })
      .composite([{ input: form, left: WIDTH - width - MARGIN, top: MARGIN }])
      .toFile(file)
    expect(await sharp(file).metadata()).toMatchObject({ width: WIDTH, height: HEIGHT, format: "png" })
  },
)
