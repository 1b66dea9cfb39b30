import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

import { newKey, origin } from "../e2e/support.ts"
import { type Client, clientOf, upload } from "./blog.ts"
import { newPage, openBrowser } from "./watch.ts"

// What a phone gets of a page with eight large images.

const IMAGES = 8

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const sum = (bytes: Iterable<number>): number => [...bytes].reduce((all, each) => all + each, 0)

/** Draws an image as of a camera: colours that run into each other, edges, and the noise of a sensor. @returns JPEG */
const draw = async (page: Page, seed: number): Promise<Uint8Array<ArrayBuffer>> => {
  const base64 = await page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(2048, 1366)
    const context = canvas.getContext("2d")
    const image = context.createImageData(2048, 1366)
    for (let i = 0, noise = ${seed} + 1; i < image.data.length; i += 4) {
      const [x, y] = [(i / 4) % 2048, Math.floor(i / 4 / 2048)]
      noise = (noise * 1103515245 + 12345) & 0x7fffffff
      const light = 40 * Math.sin(x / (90 + ${seed}) + Math.cos(y / 53) * 2) + ((noise >> 16) & 7) + (y % 300 < 9 ? 60 : 0)
      image.data.set([120 + light, 110 + light * 0.8, 90 + light * 0.6 + y / 20, 255], i)
    }
    context.putImageData(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 })
    return new Uint8Array(await blob.arrayBuffer()).toBase64()
  })()`)
  return Uint8Array.from(Buffer.from(String(base64), "base64"))
}

test("a phone gets a page with eight large images in their smaller width, and nothing moves", async () => {
  const key = await newKey("phone")
  const client: Client = clientOf({ origin, key })
  const drawing = await newPage(browser)
  const images: { image_id: string; image_url: string }[] = []
  for (let i = 0; i < IMAGES; i += 1) images.push(await upload(client, await draw(drawing, i)))
  const body = images.map(({ image_url }, i) => `![${i}](${image_url})\n\n${"Some words. ".repeat(120)}`).join("\n\n")
  const fields = { slug: "images-on-a-phone", title: "Images", meta_description: "Eight.", categories: "x", body }
  await client("POST", "posts/", { ...fields, status: "PB" })
  const whole = await Promise.all(
    images.map(async ({ image_url }) => (await (await fetch(origin + image_url)).arrayBuffer()).byteLength),
  )
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }
  const page = await newPage(browser, phone)
  const loaded = new Map<string, number>()
  page.on("response", async (answer) => {
    if (answer.url().includes("/media/")) loaded.set(answer.url(), (await answer.body()).byteLength)
  })
  await page.addInitScript(`window.moved = 0
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.moved += value
    }).observe({ type: "layout-shift", buffered: true })`)
  await page.goto(`${origin}/@phone/images-on-a-phone/`, { waitUntil: "networkidle" })
  await page.evaluate(`(async () => {
    for (const image of document.images) {
      image.scrollIntoView()
      await image.decode()
    }
  })()`)
  const told = `${sum(loaded.values())} bytes of ${sum(whole)}`
  console.log(`A page with ${IMAGES} images on a phone: ${told}`)
  expect(
    [...loaded.keys()].every((url) => url.endsWith("-1280.webp")),
    told,
  ).toBe(true)
  expect(loaded.size).toBe(IMAGES)
  expect(sum(loaded.values()), told).toBeLessThan(0.6 * sum(whole))
  expect(await page.evaluate("window.moved")).toBe(0)
  await page.context().close()
})
