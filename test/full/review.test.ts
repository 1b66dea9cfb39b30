import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"

import { call, eventually } from "../e2e/support.ts"
import { go, KEYBOARD, unreached } from "./hands.ts"
import { enter, openPage, openScene, type Scene, writePost } from "./settings.ts"
import { findFlaws, openBrowser, openReady } from "./watch.ts"

let browser: Browser
let scene: Scene
let key: string
beforeAll(async () => {
  ;[browser, scene] = await Promise.all([openBrowser(), openScene()])
  key = await scene.newAuthor("reviewer")
  await scene.setAccount("reviewer", { translation_review: "hold" })
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser.close()
  await scene.stop()
})

const LANGUAGES = ["ar", "ja", "fr"]
const POSTS = "/api/blogcontroller/posts/"
const BODY = [
  "A first sentence about the sea. A second one that is rather long, so that it has to go on in another line of a phone.",
  "## A heading",
  "- one\n- two\n\n> A quotation with `a.very.long.piece.of.code.that.has.no.space.at.all.and.has.to.break.somewhere()`.",
].join("\n\n")

const ask = async (method: string, path: string, body?: object) => {
  const init = { headers: { "X-API-KEY": key }, body: JSON.stringify(body) ?? null }
  return (await call(method, `${scene.origin}${POSTS}${path}`, init)).json
}

/** Waits until the translations of a post are made. */
const areMade = (slug: string) =>
  eventually(async () => {
    const { post } = await ask("GET", `${slug}/`)
    expect(post.translations.map(({ status }: { status: string }) => status)).toEqual(LANGUAGES.map(() => "ready"))
    expect(post.translations.every(({ pending }: { pending: boolean }) => pending)).toBe(true)
  })

/** Publishes a post whose translations wait. @param isNewer earlier ones are approved */
const publish = async (slug: string, isNewer: boolean): Promise<void> => {
  const title = "A post with a title that is rather long, so that it has to go on in a second line"
  await writePost(scene, key, { title, slug, translation_languages: LANGUAGES, body: BODY })
  await areMade(slug)
  if (!isNewer) return
  for (const lang of LANGUAGES) await ask("POST", `${slug}/translations/${lang}/approve/`, {})
  const body = BODY.replace("A second one", "Another second one")
  await ask("PATCH", `${slug}/`, { lang_code: "en", primary_language: "en", translation_languages: LANGUAGES, body })
  await areMade(slug)
}

/** Signs the author in. */
const open = async (options: BrowserContextOptions = {}) => {
  const opened = await openPage(browser, scene.origin, options)
  await enter(opened.page, await scene.newLink("reviewer"))
  return opened
}
const visit = (page: Page, path: string) => page.goto(`${scene.origin}${path}`)
const statusOf = async (path: string) => (await fetch(`${scene.origin}${path}`)).status

describe("appearance of the review", () => {
  beforeAll(async () => {
    await publish("looked-at", false)
    await publish("looked-at-again", true)
  })

  test("the review has no layout or accessibility errors in any look", async () => {
    const { page, complaints } = await open()
    const found: string[] = []
    const paths = ["looked-at", "looked-at-again"].flatMap((slug) => LANGUAGES.map((lang) => `${slug}/?lang=${lang}`))
    for (const path of ["", ...paths]) {
      await openReady(page, `${scene.origin}/settings/posts/${path}`)
      found.push(...(await findFlaws(page, `review-${path.replace("/?lang=", "-") || "list"}`)))
    }
    expect([complaints, found]).toEqual([[], []])
  })

  test("source and translation stand side by side on a wide screen, and one below the other on a phone", async () => {
    const { page } = await open()
    await visit(page, "/settings/posts/looked-at/?lang=ar")
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const [source, translation] = await page.locator(".pair").last().locator("p").all()
      const [left, right] = [await source?.boundingBox(), await translation?.boundingBox()]
      expect(left?.y === right?.y).toBe(width === 1280)
      const directions = `[...document.querySelector(".pair:last-of-type").children].map((one) => getComputedStyle(one).direction)`
      expect(await page.evaluate(directions)).toEqual(["ltr", "rtl"])
    }
  })

  test.each(LANGUAGES)("in %s the one sentence that readers do not have is marked", async (lang) => {
    const { page } = await open()
    await visit(page, `/settings/posts/looked-at-again/?lang=${lang}`)
    expect(await page.locator("mark").count()).toBe(1)
    expect(await page.locator(".pair").count()).toBeGreaterThan(3)
  })
})

test("without JavaScript an author reviews and approves by the keyboard, one language and then all of another", async () => {
  await publish("approved-by-key", true)
  const { page } = await open({ javaScriptEnabled: false })
  await visit(page, "/settings/posts/")
  await go(KEYBOARD, page, /^Arabic .*waits for approval/, "Marked sentences are not in that text.")
  await go(KEYBOARD, page, "Approve", "Approved.")
  const { translations } = (await ask("GET", "approved-by-key/")).post
  expect(translations.map(({ pending }: { pending: boolean }) => pending)).toEqual([false, true, true])
  expect(await statusOf("/@reviewer/approved-by-key/ar/")).toBe(200)
  await visit(page, "/settings/posts/")
  await go(KEYBOARD, page, /^Approve all in Japanese/, "Approved.")
  expect(await page.getByRole("button", { name: /^Approve all in Japanese/ }).count()).toBe(0)
  expect(await page.getByRole("button", { name: /^Approve all in French/ }).count()).toBe(1)
})

test("Tab reaches every control of the review", async () => {
  await publish("reached", false)
  const { page } = await open()
  await visit(page, "/settings/posts/reached/?lang=fr")
  expect(await unreached(page)).toEqual([])
})
