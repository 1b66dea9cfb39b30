import axe from "axe-core"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { call } from "../e2e/support.ts"
import { type Look, LOOKS } from "./browser.ts"
import {
  addAuthenticator,
  enter,
  enterAsOperator,
  openPage,
  openScene,
  press,
  publish,
  type Scene,
  writePost,
} from "./settings.ts"
import { openBrowser } from "./watch.ts"

let browser: Browser
let scene: Scene
beforeAll(async () => {
  ;[browser, scene] = await Promise.all([openBrowser(), openScene()])
}, 120_000)
afterAll(async () => {
  await browser.close()
  await scene.stop()
})

const statusWith = async (key: string) =>
  (await call("GET", `${scene.origin}/api/blogcontroller/account/`, { headers: { "X-API-KEY": key } })).status
const newKeyOn = (page: Page) => page.getByLabel("API key", { exact: true }).last().inputValue()
const violations = async (page: Page) => {
  await page.evaluate(axe.source)
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, any }) => html + " " + any.map(({ message }) => message)).join(" | ")))`)
}

test("an author comes by a link, makes a key, writes, replaces it, and comes again by a passkey", async () => {
  await scene.newAccount("walker")
  const { context, page, complaints } = await openPage(browser, scene.origin)
  await addAuthenticator(page)
  await enter(page, await scene.newLink("walker"))
  await press(page, "Make a key")
  const key = await newKeyOn(page)
  await writePost(scene, key, { title: "First", slug: "walker-first", body: "words" })
  // The form is sent again: it makes no second key, and the first is not shown again.
  await page.reload()
  expect(page.url()).toBe(`${scene.origin}/settings/`)
  expect(await page.content()).not.toContain(key)
  expect(await statusWith(key)).toBe(200)
  await press(page, "Replace the key")
  const next = await newKeyOn(page)
  expect([await statusWith(key), await statusWith(next)]).toEqual([401, 200])
  await page.goto(`${scene.origin}/settings/`)
  await page.getByLabel("Name of the passkey").fill("The laptop's")
  await press(page, "Add a passkey")
  await page.getByText("The laptop's").waitFor()
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL("**/sign-in/")
  await press(page, "Sign in with a passkey")
  await page.waitForURL("**/settings/")
  expect(await page.locator(".who").textContent()).toBe("walker")
  await press(page, "Sign out everywhere")
  await page.waitForURL("**/sign-in/")
  await page.goto(`${scene.origin}/settings/`)
  expect(new URL(page.url()).pathname).toBe("/sign-in/")
  expect(complaints).toEqual([])
  await context.close()
})

test("a key does not come back from the history", async () => {
  await scene.newAccount("returner")
  const { context, page } = await openPage(browser, scene.origin)
  await enter(page, await scene.newLink("returner"))
  await press(page, "Make a key")
  const key = await newKeyOn(page)
  await page.goto(`${scene.origin}/settings/posts/`)
  // Chromium has nothing to show, and asks whether to send the form again.
  await expect(page.goBack()).rejects.toThrow("ERR_CACHE_MISS")
  await page.waitForURL("chrome-error://chromewebdata/")
  await page.reload()
  expect(page.url()).toBe(`${scene.origin}/settings/`)
  expect(await page.content()).not.toContain(key)
  expect(await statusWith(key)).toBe(200)
  await context.close()
})

test("a passkey that the browser does not have is told of beside the button", async () => {
  const { context, page } = await openPage(browser, scene.origin)
  await addAuthenticator(page)
  await page.goto(`${scene.origin}/sign-in/`)
  await press(page, "Sign in with a passkey")
  const told = page.getByRole("alert").getByText("No passkey was used")
  await told.waitFor()
  expect(await told.isVisible()).toBe(true)
  await context.close()
})

/** Opens pages in one look, keeps a screenshot of each for the eye, and what axe finds amiss by the name of the page. */
const gallery = async (scheme: Look) => {
  const { width, colorScheme } = scheme
  const options = { viewport: { width, height: 900 }, colorScheme }
  const { context, page, complaints } = await openPage(browser, scene.origin, options)
  const found: Record<string, unknown> = {}
  const lookAt = async (shown: Page, name: string, path?: string) => {
    if (path) await shown.goto(new URL(path, scene.origin).href, { waitUntil: "networkidle" })
    await shown.screenshot({ path: `screenshots/settings-${name}-${width}-${colorScheme}.png`, fullPage: true })
    const isWide = (await shown.evaluate<number>("document.documentElement.scrollWidth")) > width
    const all = [...((await violations(shown)) as string[]), ...(isWide ? ["scrolls sideways"] : [])]
    if (all.length > 0) found[name] = all
  }
  const look = (name: string, path?: string) => lookAt(page, name, path)
  return { options, context, page, complaints, found, look, lookAt }
}

describe("to look at", () => {
  beforeAll(async () => {
    await publish(scene, await scene.newAuthor("painter"), "painter-post")
    const key = await scene.newAuthor("shunned-for-a-name-of-almost-40-letters")
    const headers = { "X-API-KEY": key }
    // What was refused is counted, and shown.
    await call("POST", `${scene.origin}/api/blogcontroller/posts/`, { headers, body: `"${"x".repeat(2 ** 21)}"` })
    await scene.change("shunned-for-a-name-of-almost-40-letters", { restricted: true, hidden: true })
    const { context, page } = await openPage(browser, scene.origin)
    await addAuthenticator(page)
    await enter(page, await scene.newLink("painter"))
    await press(page, "Add a passkey")
    await page.getByRole("button", { name: /^Remove the passkey/ }).waitFor()
    await context.close()
  })

  test.each(LOOKS)("$width pixels wide, $colorScheme: nothing is amiss on any page", async ({ width, colorScheme }) => {
    const { options, context, page, complaints, found, look, lookAt } = await gallery({ width, colorScheme })
    // The policy of a post runs no script at all, and axe is one.
    const reader = await openPage(browser, scene.origin, { ...options, bypassCSP: true })
    const link = await scene.newLink("painter")
    await look("sign-in", "/sign-in/")
    await look("link", link)
    await enter(page, link)
    await look("settings", "/settings/")
    await press(page, "Replace the key")
    await look("new-key")
    await look("board", "/settings/posts/")
    await look("parts", "/settings/export/parts/")
    await look("erase", "/settings/erase/")
    await lookAt(reader.page, "post", "/@painter/painter-post/")
    await look("errors", "/docs/errors/")
    expect(complaints).toEqual([])
    await look("used-link", link)
    await look("error", "/settings/posts/?limit=none")
    expect(found).toEqual({})
    expect(reader.complaints).toEqual([])
    await Promise.all([context.close(), reader.context.close()])
  })

  test.each(LOOKS)("$width pixels wide, $colorScheme: nor on the operator's", async ({ width, colorScheme }) => {
    const { context, page, complaints, found, look } = await gallery({ width, colorScheme })
    await look("operator-sign-in", "/operator/sign-in/")
    await enterAsOperator(page, scene)
    await look("operator-accounts")
    await look("operator-nobody", "/operator/?prefix=nobody-is-called-so")
    await look("operator-account", "/operator/accounts/painter/")
    await press(page, "Make a sign-in link")
    await page.getByText("It is shown only now").waitFor()
    await look("operator-link")
    await look("operator-unchanged", "/operator/accounts/painter/?unchanged=1")
    await look("operator-shunned", "/operator/accounts/shunned-for-a-name-of-almost-40-letters/")
    await look("operator-trail", "/operator/trail/")
    expect(complaints).toEqual([])
    await look("operator-error", "/operator/trail/?cursor=none")
    expect(found).toEqual({})
    await context.close()
  })
})

test("everything but passkeys works without JavaScript", async () => {
  await publish(scene, await scene.newAuthor("plain"), "plain-post")
  const { context, page } = await openPage(browser, scene.origin, { javaScriptEnabled: false })
  await page.goto(`${scene.origin}/sign-in/`)
  expect(await page.locator("main button:visible").count()).toBe(0)
  await enter(page, await scene.newLink("plain"))
  expect(await page.getByText("Adding a passkey needs JavaScript").isVisible()).toBe(true)
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0)
  await press(page, "Replace the key")
  expect(await statusWith(await newKeyOn(page))).toBe(200)
  expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0)
  await page.getByLabel("Translation languages").fill("fr, pt-BR")
  await press(page, "Save")
  expect(await page.getByLabel("Translation languages").inputValue()).toBe("fr, pt-BR")
  const other = await openPage(browser, scene.origin, { javaScriptEnabled: false })
  await enter(other.page, await scene.newLink("plain"))
  await page.reload()
  await page.getByRole("button", { name: /^Sign out .+, last seen/ }).click()
  expect((await other.page.goto(`${scene.origin}/settings/`))?.url()).toContain("/sign-in/")
  await page.getByRole("link", { name: "Posts" }).click()
  await page.getByRole("button", { name: /^Try again: .* into German/ }).click()
  expect(new URL(page.url()).pathname).toBe("/settings/posts/")
  await press(page, "Sign out")
  expect(new URL(page.url()).pathname).toBe("/sign-in/")
  await enter(page, await scene.newLink("plain"))
  await press(page, "Sign out everywhere")
  expect(new URL(page.url()).pathname).toBe("/sign-in/")
  await Promise.all([context.close(), other.context.close()])
})

const FOCUSED = "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim()"
/** Presses Tab until this has the focus. */
const tabTo = async (page: Page, wanted: string) => {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab")
    if ((await page.evaluate<string>(FOCUSED)) === wanted) return
  }
  throw new Error(`Tab never came to ${wanted}.`)
}
/** What can be used but Tab never comes to, after one round. */
const unreached = async (page: Page) => {
  await page.evaluate("window.reached = new Set(); document.activeElement.blur()")
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab")
    await page.evaluate("window.reached.add(document.activeElement)")
  }
  return page.evaluate(`[...document.querySelectorAll("a[href], button, input:not([type=hidden])")]
    .filter((one) => one.checkVisibility() && !window.reached.has(one)).map((one) => one.outerHTML)`)
}

test("everything is reached and done by the keyboard alone", async () => {
  await publish(scene, await scene.newAuthor("typist"), "typist-post")
  const { context, page, complaints } = await openPage(browser, scene.origin)
  await addAuthenticator(page)
  await page.goto(await scene.newLink("typist"))
  await tabTo(page, "Sign in")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/settings/")
  expect(await unreached(page)).toEqual([])
  await tabTo(page, "Replace the key")
  await page.keyboard.press("Enter")
  await page.getByText("It is shown only now").waitFor()
  expect(await unreached(page)).toEqual([])
  await page.goto(`${scene.origin}/settings/`)
  await tabTo(page, "Add a passkey")
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: /^Remove the passkey/ }).waitFor()
  await page.goto(`${scene.origin}/settings/posts/`)
  expect(await unreached(page)).toEqual([])
  await page.goto(`${scene.origin}/settings/`)
  await page.keyboard.press("Tab")
  expect(await page.evaluate(FOCUSED)).toBe("Skip to content")
  await page.keyboard.press("Enter")
  expect(new URL(page.url()).hash).toBe("#content")
  await tabTo(page, "Sign out everywhere")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/sign-in/")
  expect(await unreached(page)).toEqual([])
  await tabTo(page, "Sign in with a passkey")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/settings/")
  expect(complaints).toEqual([])
  await context.close()
})
