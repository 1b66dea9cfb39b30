import { readFile } from "node:fs/promises"

import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"

import { call } from "../e2e/support.ts"
import { readExample } from "./blog.ts"
import { focused, go, type Hands, KEYBOARD, POINTER, pressEnter, tabTo, unreached } from "./hands.ts"
import {
  addWebhook,
  addAuthenticator,
  enter,
  enterAsOperator,
  openPage,
  openScene,
  press,
  publish,
  replaceKey,
  type Scene,
  writePost,
} from "./settings.ts"
import { findFlaws, openBrowser, openReady } from "./watch.ts"

let browser: Browser
let scene: Scene
beforeAll(async () => {
  ;[browser, scene] = await Promise.all([openBrowser(), openScene()])
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser.close()
  await scene.stop()
})

/** The button of the text of a draft, and of one that readers see. */
const SAVE = /^(?:Save|Update the published post)$/

const statusWith = async (key: string) =>
  (await call("GET", `${scene.origin}/api/blogcontroller/account/`, { headers: { "X-API-KEY": key } })).status
const newKeyOn = (page: Page) => page.getByLabel("API key default", { exact: true }).inputValue()
const open = (options: BrowserContextOptions = {}) => openPage(browser, scene.origin, options)
/** Signs an author in, in a new browser with a virtual authenticator. */
const signIn = async (username: string, options: BrowserContextOptions = {}) => {
  const opened = await open(options)
  await addAuthenticator(opened.page)
  await enter(opened.page, await scene.newLink(username))
  return opened
}
/** Makes an account without a key, and signs its author in. */
const signUp = async (username: string, options: BrowserContextOptions = {}) => {
  await scene.setAccount(username)
  return signIn(username, options)
}
/** Goes to a page of the service. */
const visit = (page: Page, path: string) => page.goto(`${scene.origin}${path}`)
const at = (page: Page) => page.url().replace(scene.origin, "")

/** Makes the first API key, by the page. @returns the key */
const makeKey = async (page: Page): Promise<string> => {
  await visit(page, "/settings/keys/")
  await page.getByLabel("Scope").selectOption("publish")
  await press(page, "Make a key")
  return newKeyOn(page)
}

/** Fails if the key is shown, or no longer valid, after the page of keys was loaded again. */
const expectHidden = async (page: Page, key: string) => {
  await page.reload()
  expect(at(page)).toBe("/settings/keys/")
  expect(await page.content()).not.toContain(key)
  expect(await statusWith(key)).toBe(200)
}

test("in a browser an author can sign in by link, make and replace an API key, and sign in by passkey", async () => {
  const { page, complaints } = await signUp("walker")
  const key = await makeKey(page)
  await writePost(scene, key, { title: "First", slug: "walker-first", body: "words" })
  // The form is sent again: it makes no second key, and the first is not shown again.
  await expectHidden(page, key)
  await replaceKey(page)
  const next = await newKeyOn(page)
  expect([await statusWith(key), await statusWith(next)]).toEqual([401, 200])
  await visit(page, "/settings/")
  await page.getByLabel("Name of the passkey").fill("The laptop's")
  await press(page, "Add a passkey")
  await page.getByText("The laptop's").waitFor()
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL("**/sign-in/")
  await press(page, "Sign in with a passkey")
  await page.waitForURL("**/settings/")
  expect(await page.locator(".who").textContent()).toBe("walker")
  await visit(page, "/settings/sessions/end-all/")
  await page.getByLabel(/default \(publish\)/).check()
  await press(page, "Sign out everywhere")
  await page.waitForURL("**/sign-in/")
  expect(await statusWith(next)).toBe(401)
  await visit(page, "/settings/")
  expect(at(page)).toBe("/sign-in/")
  // The reload above has sent the form of a new key again.
  expect(complaints).toEqual([expect.stringContaining("status of 400")])
})

test("a new API key is not shown again when the author goes back in the browser history", async () => {
  const { page } = await signUp("returner")
  const key = await makeKey(page)
  await visit(page, "/settings/posts/")
  // Chromium shows nothing and asks whether to send the form again.
  await expect(page.goBack()).rejects.toThrow("ERR_CACHE_MISS")
  await page.waitForURL("chrome-error://chromewebdata/")
  await expectHidden(page, key)
})

test("with a session of ten minutes, making a key, adding a passkey, export and erasing lead to a sign-in and back", async () => {
  const { page } = await signUp("sleeper")
  await addPasskey(page)
  for (const path of ["/settings/keys/again/", "/settings/erase/"]) {
    await scene.ageSessions()
    await visit(page, path)
    expect(at(page)).toBe("/sign-in/?again=1")
    await press(page, "Sign in with a passkey")
    await page.waitForURL(`**${path.replace("again/", "")}`)
  }
  await scene.ageSessions()
  await visit(page, "/settings/erase/")
  await enter(page, await scene.newLink("sleeper"), "**/settings/erase/")
  await visit(page, "/settings/")
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

test("a sign-in with an unknown passkey shows an error on the sign-in page", async () => {
  const { page } = await open()
  await addAuthenticator(page)
  await visit(page, "/sign-in/")
  await press(page, "Sign in with a passkey")
  const told = page.getByRole("alert").getByText("No passkey was used")
  await told.waitFor()
  expect(await told.isVisible()).toBe(true)
})

const addPasskey = async (page: Page) => {
  await press(page, "Add a passkey")
  await page.getByRole("button", { name: /^Remove the passkey/ }).waitFor()
}

/** Opens pages, and collects what is wrong with them in any look. */
const gallery = async () => {
  const { context, page, complaints } = await open()
  const found: string[] = []
  /** Looks at the page as it is. */
  const look = async (name: string) => void found.push(...(await findFlaws(page, `settings-${name}`)))
  const lookAt = async (...paths: string[]) => {
    for (const path of paths) {
      await openReady(page, new URL(path, scene.origin).href)
      await look(path.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, ""))
    }
  }
  return { context, page, complaints, found, look, lookAt }
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

const SHUNNED = "shunned-for-a-name-of-almost-40-letters"

describe("appearance and accessibility of the pages", () => {
  beforeAll(async () => {
    const painter = await scene.newAuthor("painter")
    await addWebhook(scene, painter)
    await publish(scene, painter, "painter-post")
    await writePost(scene, painter, ARABIC)
    await writePost(scene, painter, { title: "A draft", slug: "painter-draft", status: "DF", body: "Words." })
    const headers = { "X-API-KEY": await scene.newAuthor(SHUNNED) }
    // The refused request is counted and shown.
    await call("POST", `${scene.origin}/api/blogcontroller/posts/`, { headers, body: `"${"x".repeat(2 ** 21)}"` })
    await scene.setAccount(SHUNNED, { restricted: true, hidden: true })
    await addPasskey((await signIn("painter")).page)
    await scene.setAccount("keyless")
    await scene.setAccount("unpaid", { paid_until: null })
  })

  test("pages of authors have no layout or accessibility errors in any look", async () => {
    const { context, page, complaints, found, look, lookAt } = await gallery()
    const link = await scene.newLink("painter")
    await lookAt("/sign-in/")
    await page.goto(link)
    await look("link")
    await enter(page, link)
    await lookAt("/settings/", "/settings/keys/")
    await replaceKey(page)
    await look("new-key")
    await lookAt("/settings/translations/", "/settings/webhooks/")
    await page.locator("summary").click()
    await look("webhook-secret")
    await lookAt("/settings/sessions/end-all/", "/sign-in/?again=1", "/settings/export/parts/", "/settings/erase/")
    await lookAt("/settings/posts/", "/settings/posts/?q=nothing&state=draft", "/settings/posts/painter-post/")
    await lookAt("/settings/posts/painter-post/?lang=fr", "/settings/posts/rasala/")
    await lookAt("/settings/posts/new/", "/settings/posts/painter-draft/", "/settings/posts/painter-draft/images/")
    await lookAt("/settings/posts/painter-draft/schedule/", "/settings/posts/painter-post/delete/")
    expect(complaints).toEqual([])
    await page.goto(link)
    await look("used-link")
    await visit(page, "/settings/posts/rasala/")
    const other = await context.newPage()
    await other.goto(page.url())
    for (const each of [other, page]) {
      await each.getByLabel("Text in Markdown").fill(each === page ? "نص آخر" : ARABIC.body)
      await each.getByLabel("Title", { exact: true }).fill("رسالة أخرى")
      await press(each, SAVE)
    }
    await page.getByRole("heading", { name: "Saved meanwhile" }).waitFor()
    await look("post-conflict")
    await lookAt("/settings/posts/?limit=none")
    await visit(page, "/settings/posts/rasala/")
    await context.clearCookies()
    await press(page, SAVE)
    await page.getByRole("heading", { name: "What you typed" }).waitFor()
    await look("post-kept")
    expect(found).toEqual([])
  })

  test("settings of keyless or unpaid accounts have no layout or accessibility errors in any look", async () => {
    const { page, complaints, found, look, lookAt } = await gallery()
    const accounts = { keyless: "Make an API key", unpaid: "Not paid.", [SHUNNED]: "Restricted." }
    for (const [name, words] of Object.entries(accounts)) {
      await enter(page, await scene.newLink(name))
      expect(await page.getByText(words).isVisible()).toBe(true)
      await look(name)
    }
    await lookAt("/settings/posts/")
    await scene.setAccount("leaver")
    await enter(page, await scene.newLink("leaver"))
    await erase(POINTER, page, "leaver")
    await look("erased")
    expect([complaints, found]).toEqual([[], []])
  })

  test("the operator's pages have no layout or accessibility errors in any look", async () => {
    const { page, complaints, found, look, lookAt } = await gallery()
    await lookAt("/operator/sign-in/")
    await enterAsOperator(page, scene)
    await look("operator-accounts")
    await lookAt("/operator/?prefix=nobody-is-called-so", "/operator/accounts/painter/")
    await press(page, "Make a sign-in link")
    await page.getByText("It is shown only now").waitFor()
    await look("operator-link")
    await lookAt("/operator/accounts/painter/?unchanged=1", "/operator/accounts/painter/posts/")
    await lookAt(`/operator/accounts/${SHUNNED}/`, "/operator/audit-log/")
    expect(complaints).toEqual([])
    await lookAt("/operator/audit-log/?cursor=none")
    expect(found).toEqual([])
  })
})

test("without JavaScript the sign-in and settings pages show no control that needs it", async () => {
  await scene.setAccount("plain")
  const { page } = await open({ javaScriptEnabled: false })
  await visit(page, "/sign-in/")
  expect(await page.locator("main button:visible").count()).toBe(0)
  await enter(page, await scene.newLink("plain"))
  expect(await page.getByText("Adding a passkey needs JavaScript").isVisible()).toBe(true)
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0)
  expect(await statusWith(await makeKey(page))).toBe(200)
  expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0)
})

/** Returns name and first bytes of a download. */
const downloaded = async (page: Page, act: Promise<void>) => {
  const [download] = await Promise.all([page.waitForEvent("download"), act])
  const bytes = await readFile(await download.path())
  return [download.suggestedFilename(), bytes.toString("latin1", 0, 2)]
}

/** Uses every control of an author's settings page. */
const doSettings = async (hands: Hands, page: Page, username: string) => {
  await go(hands, page, "Make an API key")
  await page.getByLabel("Scope").selectOption("publish")
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
  await go(hands, page, "Save languages", "in Dutch (nl), translated into French (fr), Brazilian Portuguese (pt-BR)")
  const other = await signIn(username)
  await page.reload()
  await go(hands, page, /^Sign out .+, last seen/)
  await visit(other.page, "/settings/")
  expect(at(other.page)).toBe("/sign-in/")
  await go(hands, page, /^Remove the passkey/)
  expect(await page.getByRole("button", { name: /^Remove the passkey/ }).count()).toBe(0)
  const archive = await downloaded(page, hands.use(page, "Download everything (zip)"))
  expect(archive).toEqual([expect.stringMatching(`^edgepost-${username}-.*[.]zip$`), "PK"])
}

const erase = async (hands: Hands, page: Page, username: string) => {
  await go(hands, page, "Erase everything")
  await hands.write(page, /^To confirm/, username)
  await go(hands, page, "Erase everything for good", "Everything is erased")
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
  await go(hands, page, "Publish now", "Published.")
  expect([await stateOf(page), await shownTitle(page)]).toEqual(["Published", "For today"])
}

/** Writes a new post with an image, publishes it, and reads it. */
const doNewPost = async (hands: Hands, page: Page, hasScript: boolean) => {
  await go(hands, page, "New post")
  await hands.write(page, "Title", "A new post")
  await hands.write(page, "Text in Markdown", "Its words.")
  const coast = { name: "coast.jpg", mimeType: "image/jpeg", buffer: Buffer.from(await readExample("coast.jpg")) }
  if (hasScript) {
    await page.getByLabel("Add images: choose, drop or paste them").waitFor()
    const choosing = page.waitForEvent("filechooser")
    await hands.use(page, "Add images: choose, drop or paste them")
    await (await choosing).setFiles(coast)
    await page.getByText("Added one image to the text.").waitFor()
  } else {
    await go(hands, page, "Save and add images")
    await page.getByLabel("Images").setInputFiles(coast)
    await go(hands, page, "Add")
  }
  await go(hands, page, "Publish now", "Published.")
  await go(hands, page, "View it", "Its words.")
  // Of the whole image, not of the width that this screen needs.
  const width = `(async () => {
    const whole = Object.assign(new Image(), { src: document.querySelector("article img").src })
    await whole.decode()
    return whole.naturalWidth
  })()`
  expect(await page.evaluate(width)).toBe(1200)
  await visit(page, "/settings/posts/")
}

/** Uses the controls of the posts page, and of the page of a post: changes it, publishes it and deletes it. */
const doPosts = async (hands: Hands, page: Page, slug: string) => {
  await hands.write(page, "Title or slug", slug)
  await go(hands, page, "Show")
  await go(hands, page, /^A post with a title/)
  await hands.write(page, "Title", "Another title")
  await hands.write(page, "Tags", "Sea, salt")
  await hands.write(page, "Text in Markdown", "Other words.")
  await go(hands, page, SAVE, "Saved.")
  expect(await page.getByLabel("Tags").inputValue()).toBe("sea, salt")
  await hands.write(page, "Title", "Typed, not saved")
  await go(hands, page, "Turn into a draft", "Turned into a draft.")
  expect(await shownTitle(page)).toBe("Typed, not saved")
  await doPublishing(hands, page)
  const [preview] = await Promise.all([page.context().waitForEvent("page"), hands.use(page, "Preview")])
  await preview.getByText("Other words.").waitFor()
  await preview.close()
  await go(hands, page, "Delete this post", "3 translations")
  await go(hands, page, "Delete it for good", "Deleted.")
}

/** Uses every control of an operator's account page. */
const doAccount = async (hands: Hands, page: Page, slug: string) => {
  await hands.write(page, "Paid until (UTC)", "2031-05-06")
  await go(hands, page, "Set", "May 6, 2031")
  await go(hands, page, "One month more", "Jun 6, 2031")
  await go(hands, page, "One year more", "Jun 6, 2032")
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
    const first = await signUp(name)
    await addPasskey(first.page)
    await press(first.page, "Sign out")
    const { page, complaints } = await open(options)
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
    await doNewPost(hands, page, options.javaScriptEnabled ?? true)
    await doPosts(hands, page, `${name}-post`)
    await go(hands, page, "Sign out")
    expect(at(page)).toBe("/sign-in/")
    await come()
    await go(hands, page, "Sign out everywhere")
    await go(hands, page, "Sign out everywhere")
    expect(at(page)).toBe("/sign-in/")
    await come()
    await erase(hands, page, name)
    await visit(page, "/settings/")
    expect([at(page), complaints]).toEqual(["/sign-in/", []])
  })

  test(`an author loses no text to another tab or to the end of the session ${way}`, async () => {
    const username = `keeper-${name}`
    await writePost(scene, await scene.newAuthor(username), { title: "Before", slug: username, body: "Words." })
    const { context, page, complaints } = await open(options)
    const other = await context.newPage()
    await enter(other, await scene.newLink(username))
    for (const one of [page, other]) await visit(one, `/settings/posts/${username}/`)
    await other.getByLabel("Tags", { exact: true }).fill("theirs")
    await press(other, SAVE)
    await other.getByText("Saved.").waitFor()
    await hands.write(page, "Text in Markdown", "My words.")
    await go(hands, page, SAVE)
    expect(await page.getByLabel("Tags, as saved").inputValue()).toBe("theirs")
    expect(await page.getByLabel("Text in Markdown, as saved").inputValue()).toBe("Words.")
    await hands.write(page, "Tags", "theirs, mine")
    await go(hands, page, SAVE, "Saved.")
    await hands.write(page, "Title", "After the session")
    await context.clearCookies()
    await go(hands, page, SAVE)
    const [tab] = await Promise.all([context.waitForEvent("page"), hands.use(page, "sign in in another tab")])
    await enter(tab, await scene.newLink(username))
    await go(hands, page, "Send again", "Saved.")
    expect(await shownTitle(page)).toBe("After the session")
    expect(await page.getByLabel("Tags", { exact: true }).inputValue()).toBe("theirs, mine")
    expect(await page.getByLabel("Text in Markdown").inputValue()).toBe("My words.")
    expect(complaints).toEqual([expect.stringContaining("status of 412"), expect.stringContaining("status of 401")])
  })

  test(`the operator can sign in, make and restrict accounts and unpublish a post ${way}`, async () => {
    const username = `governed-${name}`
    const key = await scene.newAuthor(username)
    await writePost(scene, key, { title: "A post", slug: username, body: "Words." })
    const { page, complaints } = await open(options)
    await visit(page, "/operator/sign-in/")
    await hands.write(page, "Operator's token", scene.operatorToken)
    await go(hands, page, "Sign in")
    await hands.write(page, "Username", `made-${username}`)
    await go(hands, page, "Make the account", "Never paid")
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
  })
})

test("passkeys and all other controls of the settings work by the keyboard alone", async () => {
  const key = await scene.newAuthor("typist")
  await addWebhook(scene, key)
  await publish(scene, key, "typist-post")
  await writePost(scene, key, { title: "A draft", slug: "typist-draft", status: "DF", body: "Words." })
  const { page, complaints } = await signIn("typist")
  /** Expects Tab to reach each control of the page. */
  const expectReached = async (path?: string) => {
    if (path !== undefined) await visit(page, path)
    expect(await unreached(page), path).toEqual([])
  }
  await expectReached()
  await expectReached("/settings/keys/")
  await tabTo(page, "Replace or revoke the key default")
  await page.keyboard.press("Enter")
  await go(KEYBOARD, page, "Replace default", "It is shown only now")
  for (const path of ["", "typist-post/", "typist-draft/schedule/", "typist-post/delete/"])
    await expectReached(`/settings/posts/${path}`)
  for (const path of ["webhooks/", "export/parts/", "erase/", "sessions/end-all/", ""])
    await expectReached(`/settings/${path}`)
  await go(KEYBOARD, page, "Add a passkey")
  await page.getByRole("button", { name: /^Remove the passkey/ }).waitFor()
  await visit(page, "/settings/")
  await page.keyboard.press("Tab")
  expect(await focused(page)).toBe("Skip to content")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/settings/#content")
  await go(KEYBOARD, page, "Sign out everywhere")
  await go(KEYBOARD, page, "Sign out everywhere")
  expect(at(page)).toBe("/sign-in/")
  await expectReached()
  await go(KEYBOARD, page, "Sign in with a passkey")
  expect([at(page), complaints]).toEqual(["/settings/", []])
  await enterAsOperator(page, scene)
  for (const path of ["?prefix=typ", "accounts/typist/", "accounts/typist/posts/", "audit-log/?username=typist"])
    await expectReached(`/operator/${path}`)
})

test.each(["/docs/", "/docs/errors/"])("the documentation page %s can be read by the keyboard alone", async (path) => {
  const { page, complaints } = await open()
  await visit(page, path)
  await page.keyboard.press("Tab")
  expect(await focused(page)).toBe("Skip to content")
  expect(await unreached(page, (await page.locator("a").count()) + 2)).toEqual([])
  expect(complaints).toEqual([])
})

test("the Copy button of the settings copies a new API key to the clipboard", async () => {
  const { page, complaints } = await signUp("copier", { permissions: ["clipboard-read", "clipboard-write"] })
  const key = await makeKey(page)
  await KEYBOARD.use(page, "Copy")
  await page.getByRole("button", { name: "Copied" }).waitFor()
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key)
  expect(complaints).toEqual([])
})
