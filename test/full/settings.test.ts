import { readFile } from "node:fs/promises"

import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { call } from "../e2e/support.ts"
import { type Look, LOOKS } from "./browser.ts"
import { focused, go, type Hands, KEYBOARD, POINTER, pressEnter, tabTo, unreached } from "./hands.ts"
import {
  addAuthenticator,
  enter,
  enterAsOperator,
  openKeys,
  openPage,
  openScene,
  press,
  publish,
  replaceKey,
  type Scene,
  writePost,
} from "./settings.ts"
import { openBrowser, violations } from "./watch.ts"

let browser: Browser
let scene: Scene
beforeAll(async () => {
  ;[browser, scene] = await Promise.all([openBrowser(), openScene()])
})
afterAll(async () => {
  await browser.close()
  await scene.stop()
})

const statusWith = async (key: string) =>
  (await call("GET", `${scene.origin}/api/blogcontroller/account/`, { headers: { "X-API-KEY": key } })).status
const newKeyOn = (page: Page) => page.getByLabel("API key default", { exact: true }).inputValue()

test("in a browser an author can sign in by link, make and replace an API key, and sign in by passkey", async () => {
  await scene.newAccount("walker")
  const { context, page, complaints } = await openPage(browser, scene.origin)
  await addAuthenticator(page)
  await enter(page, await scene.newLink("walker"))
  await openKeys(page, scene)
  await press(page, "Make a key")
  const key = await newKeyOn(page)
  await writePost(scene, key, { title: "First", slug: "walker-first", body: "words" })
  // The form is sent again: it makes no second key, and the first is not shown again.
  await page.reload()
  expect(page.url()).toBe(`${scene.origin}/settings/keys/`)
  expect(await page.content()).not.toContain(key)
  expect(await statusWith(key)).toBe(200)
  await replaceKey(page)
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
  await page.goto(`${scene.origin}/settings/sessions/end-all/`)
  await page.getByLabel(/default \(publish\)/).check()
  await press(page, "Sign out everywhere")
  await page.waitForURL("**/sign-in/")
  expect(await statusWith(next)).toBe(401)
  await page.goto(`${scene.origin}/settings/`)
  expect(new URL(page.url()).pathname).toBe("/sign-in/")
  // The reload above has sent the form of a new key again.
  expect(complaints).toEqual([expect.stringContaining("status of 400")])
  await context.close()
})

test("a new API key is not shown again when the author goes back in the browser history", async () => {
  await scene.newAccount("returner")
  const { context, page } = await openPage(browser, scene.origin)
  await enter(page, await scene.newLink("returner"))
  await openKeys(page, scene)
  await press(page, "Make a key")
  const key = await newKeyOn(page)
  await page.goto(`${scene.origin}/settings/posts/`)
  // Chromium shows nothing and asks whether to send the form again.
  await expect(page.goBack()).rejects.toThrow("ERR_CACHE_MISS")
  await page.waitForURL("chrome-error://chromewebdata/")
  await page.reload()
  expect(page.url()).toBe(`${scene.origin}/settings/keys/`)
  expect(await page.content()).not.toContain(key)
  expect(await statusWith(key)).toBe(200)
  await context.close()
})

test("with a session of ten minutes, making a key, adding a passkey, export and erasing lead to a sign-in and back", async () => {
  await scene.newAuthor("sleeper")
  await addPasskeyOn("sleeper", async (page) => {
    for (const path of ["/settings/keys/again/", "/settings/erase/"]) {
      await scene.ageSessions()
      await page.goto(`${scene.origin}${path}`)
      expect(page.url()).toBe(`${scene.origin}/sign-in/?again=1`)
      await press(page, "Sign in with a passkey")
      await page.waitForURL(`**${path.replace("again/", "")}`)
    }
    await scene.ageSessions()
    await page.goto(`${scene.origin}/settings/erase/`)
    await enter(page, await scene.newLink("sleeper"), "**/settings/erase/")
    await page.goto(`${scene.origin}/settings/`)
    await scene.ageSessions()
    await press(page, "Add a passkey")
    await page.waitForURL("**/sign-in/?again=1")
    await press(page, "Sign in with a passkey")
    await page.waitForURL("**/settings/")
    await scene.ageSessions()
    await page.getByRole("link", { name: "Download everything (zip)" }).click()
    await page.waitForURL("**/sign-in/?again=1")
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Sign in with a passkey")])
    expect(download.suggestedFilename()).toMatch(/^edgepost-sleeper-/)
  })
})

test("a sign-in with an unknown passkey shows an error on the sign-in page", async () => {
  const { context, page } = await openPage(browser, scene.origin)
  await addAuthenticator(page)
  await page.goto(`${scene.origin}/sign-in/`)
  await press(page, "Sign in with a passkey")
  const told = page.getByRole("alert").getByText("No passkey was used")
  await told.waitFor()
  expect(await told.isVisible()).toBe(true)
  await context.close()
})

/** Adds a passkey of another browser to an account, and goes on in that browser, signed in. */
const addPasskeyOn = async (username: string, goOn: (page: Page) => Promise<void>) => {
  const { context, page } = await openPage(browser, scene.origin)
  await addAuthenticator(page)
  await enter(page, await scene.newLink(username))
  await press(page, "Add a passkey")
  await page.getByRole("button", { name: /^Remove the passkey/ }).waitFor()
  await goOn(page)
  await context.close()
}
const addPasskey = (username: string) => addPasskeyOn(username, (page) => press(page, "Sign out"))

/** Opens pages in one look, saves screenshots, and collects axe violations by page. */
const gallery = async (scheme: Look) => {
  const { width, colorScheme } = scheme
  const options = { viewport: { width, height: 900 }, colorScheme }
  const { context, page, complaints } = await openPage(browser, scene.origin, options)
  const found: Record<string, unknown> = {}
  const lookAt = async (shown: Page, name: string, path?: string) => {
    if (path) await shown.goto(new URL(path, scene.origin).href, { waitUntil: "networkidle" })
    await shown.screenshot({ path: `screenshots/settings-${name}-${width}-${colorScheme}.png`, fullPage: true })
    const isWide = (await shown.evaluate<number>("document.documentElement.scrollWidth")) > width
    const all = [...(await violations(shown)), ...(isWide ? ["scrolls sideways"] : [])]
    if (all.length > 0) found[name] = all
  }
  const look = (name: string, path?: string) => lookAt(page, name, path)
  return { options, context, page, complaints, found, look, lookAt }
}

const ARABIC = {
  title: "رسالة من البحر",
  slug: "rasala",
  primary_language: "ar",
  categories: "أخبار",
  tags: "بحر",
  translation_languages: ["en"],
  body: "فقرة فيها [رابط](https://example.org) و `code`.\n\n> اقتباس\n\n1. واحد\n2. اثنان\n\n| أ | ب |\n| - | - |\n| ج | د |\n",
}

describe("appearance and accessibility of the pages", () => {
  beforeAll(async () => {
    const painter = await scene.newAuthor("painter")
    await publish(scene, painter, "painter-post")
    await writePost(scene, painter, ARABIC)
    await writePost(scene, painter, { title: "A draft", slug: "painter-draft", status: "DF", body: "Words." })
    const key = await scene.newAuthor("shunned-for-a-name-of-almost-40-letters")
    const headers = { "X-API-KEY": key }
    // The refused request is counted and shown.
    await call("POST", `${scene.origin}/api/blogcontroller/posts/`, { headers, body: `"${"x".repeat(2 ** 21)}"` })
    await scene.change("shunned-for-a-name-of-almost-40-letters", { restricted: true, hidden: true })
    await addPasskey("painter")
    await scene.newAccount("keyless")
    await scene.newAccount("unpaid", { paid_until: null })
  })

  test.each(LOOKS)(
    "at $width pixels, $colorScheme: pages of authors and readers have no layout or accessibility errors",
    async ({ width, colorScheme }) => {
      const { options, context, page, complaints, found, look, lookAt } = await gallery({ width, colorScheme })
      // A post's policy allows no script, but axe is one.
      const reader = await openPage(browser, scene.origin, { ...options, bypassCSP: true })
      const link = await scene.newLink("painter")
      await look("sign-in", "/sign-in/")
      await look("link", link)
      await enter(page, link)
      await look("settings", "/settings/")
      await look("keys", "/settings/keys/")
      await replaceKey(page)
      await look("new-key")
      await look("sign-out", "/settings/sessions/end-all/")
      await look("sign-in-again", "/sign-in/?again=1")
      await look("board", "/settings/posts/")
      await look("board-filtered", "/settings/posts/?q=nothing&state=draft")
      await look("post-form", "/settings/posts/painter-post/")
      await look("post-form-french", "/settings/posts/painter-post/?lang=fr")
      await look("post-form-rtl", "/settings/posts/rasala/")
      await look("post-schedule", "/settings/posts/painter-draft/schedule/")
      await look("post-deletion", "/settings/posts/painter-post/delete/")
      await look("parts", "/settings/export/parts/")
      await look("erase", "/settings/erase/")
      await lookAt(reader.page, "post", "/@painter/painter-post/")
      await lookAt(reader.page, "post-rtl", "/@painter/rasala/")
      expect(await reader.page.evaluate("getComputedStyle(document.querySelector('h1')).direction")).toBe("rtl")
      await look("reference", "/docs/")
      await look("errors", "/docs/errors/")
      expect(complaints).toEqual([])
      await look("used-link", link)
      await page.goto(`${scene.origin}/settings/posts/rasala/`)
      const other = await context.newPage()
      await other.goto(page.url())
      for (const each of [other, page]) {
        await each.getByLabel("Text in Markdown").fill(each === page ? "نص آخر" : ARABIC.body)
        await each.getByLabel("Title", { exact: true }).fill(`رسالة ${width} ${colorScheme}`)
        await press(each, "Save")
      }
      await page.getByRole("heading", { name: "Saved meanwhile" }).waitFor()
      await look("post-conflict")
      await look("error", "/settings/posts/?limit=none")
      await page.goto(`${scene.origin}/settings/posts/rasala/`)
      await context.clearCookies()
      await press(page, "Save")
      await page.getByRole("heading", { name: "What you typed" }).waitFor()
      await look("post-kept")
      expect(found).toEqual({})
      expect(reader.complaints).toEqual([])
      await Promise.all([context.close(), reader.context.close()])
    },
  )

  test.each(LOOKS)(
    "at $width pixels, $colorScheme: settings of keyless or unpaid accounts have no layout or accessibility errors",
    async (scheme) => {
      const { context, page, complaints, found, look } = await gallery(scheme)
      const shunned = "shunned-for-a-name-of-almost-40-letters"
      for (const [name, words] of [
        ["keyless", "Make an API key"],
        ["unpaid", "Not paid."],
        [shunned, "Restricted."],
      ] as const) {
        await enter(page, await scene.newLink(name))
        expect(await page.getByText(words).isVisible()).toBe(true)
        await look(name, "/settings/")
      }
      await look("board-empty", "/settings/posts/")
      const leaver = `leaver-${scheme.width}-${scheme.colorScheme}`
      await scene.newAccount(leaver)
      await enter(page, await scene.newLink(leaver))
      await page.goto(`${scene.origin}/settings/erase/`)
      await page.getByLabel(/^To confirm/).fill(leaver)
      await press(page, "Erase everything for good")
      await page.getByRole("heading", { name: "Everything is erased" }).waitFor()
      await look("erased")
      expect([complaints, found]).toEqual([[], {}])
      await context.close()
    },
  )

  test.each(LOOKS)(
    "at $width pixels, $colorScheme: the operator's pages have no layout or accessibility errors",
    async ({ width, colorScheme }) => {
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
      await look("operator-posts", "/operator/accounts/painter/posts/")
      await look("operator-shunned", "/operator/accounts/shunned-for-a-name-of-almost-40-letters/")
      await look("operator-audit-log", "/operator/audit-log/")
      expect(complaints).toEqual([])
      await look("operator-error", "/operator/audit-log/?cursor=none")
      expect(found).toEqual({})
      await context.close()
    },
  )
})

test("without JavaScript the sign-in and settings pages show no control that needs it", async () => {
  await scene.newAccount("plain")
  const { context, page } = await openPage(browser, scene.origin, { javaScriptEnabled: false })
  await page.goto(`${scene.origin}/sign-in/`)
  expect(await page.locator("main button:visible").count()).toBe(0)
  await enter(page, await scene.newLink("plain"))
  expect(await page.getByText("Adding a passkey needs JavaScript").isVisible()).toBe(true)
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0)
  await openKeys(page, scene)
  await press(page, "Make a key")
  expect(await statusWith(await newKeyOn(page))).toBe(200)
  expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0)
  await context.close()
})

const at = (page: Page) => new URL(page.url()).pathname

/** Returns name and first bytes of a download. */
const downloaded = async (page: Page, act: Promise<void>) => {
  const [download] = await Promise.all([page.waitForEvent("download"), act])
  const bytes = await readFile(await download.path())
  return [download.suggestedFilename(), bytes.toString("latin1", 0, 2)]
}

/** Uses every control of an author's settings page. */
const doSettings = async (hands: Hands, page: Page, username: string) => {
  await go(hands, page, "Make an API key")
  await go(hands, page, "Make a key")
  await publish(scene, await newKeyOn(page), `${username}-post`)
  await go(hands, page, "Settings")
  await hands.write(page, "Title", "At sea")
  await hands.write(page, "Description", "About the bay")
  await hands.write(page, "Your name", "Ann")
  await go(hands, page, "Save blog")
  expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe("About the bay")
  await hands.write(page, "Primary language", "nl")
  await hands.write(page, "Translation languages", "fr, pt-BR")
  await go(hands, page, "Save languages")
  await page.getByText("in Dutch (nl), translated into French (fr), Brazilian Portuguese (pt-BR)").waitFor()
  const other = await openPage(browser, scene.origin)
  await enter(other.page, await scene.newLink(username))
  await page.reload()
  await go(hands, page, /^Sign out .+, last seen/)
  await other.page.goto(`${scene.origin}/settings/`)
  expect(at(other.page)).toBe("/sign-in/")
  await other.context.close()
  await go(hands, page, /^Remove the passkey/)
  expect(await page.getByRole("button", { name: /^Remove the passkey/ }).count()).toBe(0)
  const archive = await downloaded(page, hands.use(page, "Download everything (zip)"))
  expect(archive).toEqual([expect.stringMatching(`^edgepost-${username}-.*[.]zip$`), "PK"])
}

const shownTitle = (page: Page) => page.getByLabel("Title", { exact: true }).inputValue()
const stateOf = (page: Page) => page.locator(".byline .state").textContent()

/** Schedules the draft on the page for tomorrow, and then publishes it, each time with a title that is not saved yet. */
const doPublishing = async (hands: Hands, page: Page) => {
  await hands.write(page, "Title", "Sent by Enter")
  await pressEnter(page)
  await page.getByText("Saved.").waitFor()
  expect([await stateOf(page), await shownTitle(page)]).toEqual(["Draft", "Sent by Enter"])
  await hands.write(page, "Title", "For tomorrow")
  await go(hands, page, "Schedule")
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await hands.write(page, "Readers see it from (UTC)", `${tomorrow}T18:30`)
  await pressEnter(page)
  await page.getByText("Scheduled.").waitFor()
  expect([await stateOf(page), await shownTitle(page)]).toEqual(["Scheduled", "For tomorrow"])
  expect(await page.locator(".byline time").first().getAttribute("datetime")).toBe(`${tomorrow}T18:30:00.000Z`)
  await hands.write(page, "Title", "For today")
  await go(hands, page, "Publish now")
  await page.getByText("Published.").waitFor()
  expect([await stateOf(page), await shownTitle(page)]).toEqual(["Published", "For today"])
}

/** Uses the controls of the posts page, and of the page of a post: changes it, publishes it and deletes it. */
const doPosts = async (hands: Hands, page: Page, slug: string) => {
  await hands.write(page, "Title or slug", slug)
  await go(hands, page, "Show")
  await go(hands, page, /^A post with a title/)
  await hands.write(page, "Title", "Another title")
  await hands.write(page, "Tags", "Sea, salt")
  await hands.write(page, "Text in Markdown", "Other words.")
  await go(hands, page, "Save")
  await page.getByText("Saved.").waitFor()
  expect(await page.getByLabel("Tags").inputValue()).toBe("sea, salt")
  await hands.write(page, "Title", "Typed, not saved")
  await go(hands, page, "Turn into a draft")
  await page.getByText("Turned into a draft.").waitFor()
  expect(await shownTitle(page)).toBe("Typed, not saved")
  await doPublishing(hands, page)
  const [preview] = await Promise.all([page.context().waitForEvent("page"), hands.use(page, "Preview")])
  await preview.getByText("Other words.").waitFor()
  await preview.close()
  await go(hands, page, "Delete this post")
  await page.getByText("3 translations").waitFor()
  await go(hands, page, "Delete it for good")
  await page.getByText("Deleted.").waitFor()
}

/** Uses every control of an operator's account page. */
const doAccount = async (hands: Hands, page: Page, slug: string) => {
  await hands.write(page, "Paid until (UTC)", "2031-05-06")
  await go(hands, page, "Set")
  await page.getByText("May 6, 2031").waitFor()
  await go(hands, page, "One month more")
  await page.getByText("Jun 6, 2031").waitFor()
  await go(hands, page, "One year more")
  await page.getByText("Jun 6, 2032").waitFor()
  for (const word of ["Restrict", "Hide", "Hide no longer"]) await go(hands, page, word)
  expect(await page.locator(".state.failed").allTextContents()).toEqual(["Restricted"])
  await hands.write(page, "Slug of a published post", slug)
  await go(hands, page, "Turn it into a draft")
  await page.getByText("Draft", { exact: true }).waitFor()
  await go(hands, page, "Make a sign-in link")
  expect(await page.getByRole("textbox", { name: "Sign-in link" }).inputValue()).toContain("/sign-in/")
}

const WAYS: [string, BrowserContextOptions, Hands][] = [
  ["without JavaScript", { javaScriptEnabled: false }, POINTER],
  ["by the keyboard alone", {}, KEYBOARD],
]

describe.each(WAYS)("the settings %s", (way, options, hands) => {
  const name = way.toLowerCase().replaceAll(" ", "-")

  test(`an author can use all settings, from the sign-in link to erasing the account, ${way}`, async () => {
    await scene.newAccount(name)
    await addPasskey(name)
    const { context, page, complaints } = await openPage(browser, scene.origin, options)
    const come = async () => {
      await page.goto(await scene.newLink(name))
      await go(hands, page, "Sign in")
      expect(at(page)).toBe("/settings/")
    }
    await come()
    await doSettings(hands, page, name)
    await go(hands, page, "Posts")
    await go(hands, page, /^Try again: .* into German/)
    expect(at(page)).toBe("/settings/posts/")
    await doPosts(hands, page, `${name}-post`)
    await go(hands, page, "Sign out")
    expect(at(page)).toBe("/sign-in/")
    await come()
    await go(hands, page, "Sign out everywhere")
    await go(hands, page, "Sign out everywhere")
    expect(at(page)).toBe("/sign-in/")
    await come()
    await go(hands, page, "Erase everything")
    await hands.write(page, /^To confirm/, name)
    await go(hands, page, "Erase everything for good")
    await page.getByRole("heading", { name: "Everything is erased" }).waitFor()
    await page.goto(`${scene.origin}/settings/`)
    expect([at(page), complaints]).toEqual(["/sign-in/", []])
    await context.close()
  })

  test(`an author loses no text to another tab or to the end of the session ${way}`, async () => {
    const username = `keeper-${name}`
    await writePost(scene, await scene.newAuthor(username), { title: "Before", slug: username, body: "Words." })
    const { context, page, complaints } = await openPage(browser, scene.origin, options)
    const other = await context.newPage()
    await enter(other, await scene.newLink(username))
    for (const tab of [page, other]) await tab.goto(`${scene.origin}/settings/posts/${username}/`)
    await other.getByLabel("Tags", { exact: true }).fill("theirs")
    await press(other, "Save")
    await other.getByText("Saved.").waitFor()
    await hands.write(page, "Text in Markdown", "My words.")
    await go(hands, page, "Save")
    expect(await page.getByLabel("Tags, as saved").inputValue()).toBe("theirs")
    expect(await page.getByLabel("Text in Markdown, as saved").inputValue()).toBe("Words.")
    await hands.write(page, "Tags", "theirs, mine")
    await go(hands, page, "Save")
    await page.getByText("Saved.").waitFor()
    await hands.write(page, "Title", "After the session")
    await context.clearCookies()
    await go(hands, page, "Save")
    const [signIn] = await Promise.all([context.waitForEvent("page"), hands.use(page, "sign in in another tab")])
    await enter(signIn, await scene.newLink(username))
    await go(hands, page, "Send again")
    await page.getByText("Saved.").waitFor()
    expect(await shownTitle(page)).toBe("After the session")
    expect(await page.getByLabel("Tags", { exact: true }).inputValue()).toBe("theirs, mine")
    expect(await page.getByLabel("Text in Markdown").inputValue()).toBe("My words.")
    expect(complaints).toEqual([expect.stringContaining("status of 412"), expect.stringContaining("status of 401")])
    await context.close()
  })

  test(`the operator can sign in, make and restrict accounts and unpublish a post ${way}`, async () => {
    const username = `governed-${name}`
    const key = await scene.newAuthor(username)
    await writePost(scene, key, { title: "A post", slug: username, body: "Words." })
    const { context, page, complaints } = await openPage(browser, scene.origin, options)
    await page.goto(`${scene.origin}/operator/sign-in/`)
    await hands.write(page, "Operator's token", scene.operatorToken)
    await go(hands, page, "Sign in")
    await hands.write(page, "Username", `made-${username}`)
    await go(hands, page, "Make the account")
    await page.getByText("Never paid").waitFor()
    await go(hands, page, "Accounts")
    await hands.write(page, "Usernames that begin with", "governed")
    await go(hands, page, "Search")
    await go(hands, page, username)
    await doAccount(hands, page, username)
    expect(await statusWith(key)).toBe(403)
    await go(hands, page, "Audit log")
    await page.getByText("Unpublished a post").first().waitFor()
    await go(hands, page, "Sign out")
    expect([at(page), complaints]).toEqual(["/operator/sign-in/", []])
    await context.close()
  })
})

test("passkeys and all other controls of the settings work by the keyboard alone", async () => {
  const key = await scene.newAuthor("typist")
  await publish(scene, key, "typist-post")
  await writePost(scene, key, { title: "A draft", slug: "typist-draft", status: "DF", body: "Words." })
  const { context, page, complaints } = await openPage(browser, scene.origin)
  await addAuthenticator(page)
  await enter(page, await scene.newLink("typist"))
  expect(await unreached(page)).toEqual([])
  await openKeys(page, scene)
  expect(await unreached(page)).toEqual([])
  await tabTo(page, "Replace or revoke the key default")
  await page.keyboard.press("Enter")
  await go(KEYBOARD, page, "Replace default")
  await page.getByText("It is shown only now").waitFor()
  for (const path of [
    "/settings/posts/",
    "/settings/posts/typist-post/",
    "/settings/posts/typist-draft/schedule/",
    "/settings/posts/typist-post/delete/",
    "/settings/export/parts/",
    "/settings/erase/",
    "/settings/sessions/end-all/",
    "/settings/",
  ]) {
    await page.goto(`${scene.origin}${path}`)
    expect(await unreached(page), path).toEqual([])
  }
  await go(KEYBOARD, page, "Add a passkey")
  await page.getByRole("button", { name: /^Remove the passkey/ }).waitFor()
  await page.goto(`${scene.origin}/settings/`)
  await page.keyboard.press("Tab")
  expect(await focused(page)).toBe("Skip to content")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/settings/#content")
  await go(KEYBOARD, page, "Sign out everywhere")
  await go(KEYBOARD, page, "Sign out everywhere")
  expect(at(page)).toBe("/sign-in/")
  expect(await unreached(page)).toEqual([])
  await go(KEYBOARD, page, "Sign in with a passkey")
  expect([at(page), complaints]).toEqual(["/settings/", []])
  await enterAsOperator(page, scene)
  for (const path of [
    "/operator/?prefix=typ",
    "/operator/accounts/typist/",
    "/operator/accounts/typist/posts/",
    "/operator/audit-log/?username=typist",
  ]) {
    await page.goto(`${scene.origin}${path}`)
    expect(await unreached(page), path).toEqual([])
  }
  await context.close()
})

test.each(["/docs/", "/docs/errors/"])("the documentation page %s can be read by the keyboard alone", async (path) => {
  const { context, page, complaints } = await openPage(browser, scene.origin)
  await page.goto(`${scene.origin}${path}`)
  await page.keyboard.press("Tab")
  expect(await focused(page)).toBe("Skip to content")
  expect(await unreached(page, (await page.locator("a").count()) + 2)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test("the Copy button of the settings copies a new API key to the clipboard", async () => {
  await scene.newAccount("copier")
  const { context, page, complaints } = await openPage(browser, scene.origin, {
    permissions: ["clipboard-read", "clipboard-write"],
  })
  await enter(page, await scene.newLink("copier"))
  await openKeys(page, scene)
  await go(POINTER, page, "Make a key")
  await KEYBOARD.use(page, "Copy")
  await page.getByRole("button", { name: "Copied" }).waitFor()
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await newKeyOn(page))
  expect(complaints).toEqual([])
  await context.close()
})
