import { execFile } from "node:child_process"
import { cp, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { eventually, origin } from "../../../test/e2e/support.ts"
import { startChromium } from "./chromium.ts"
import { ask, fill, makeKey, newAuthor, notesOf, openForm, postOf, postsOf, setUp, submit } from "./clip.ts"
import type { Driver } from "./driver.ts"
import { startFirefox } from "./firefox.ts"
import { BROWSERS, useExtension } from "./set-up.ts"

const LINTER = join(import.meta.dirname, "../../../node_modules/.bin/addons-linter")

const shared = useExtension()

describe("the built extension", () => {
  test("has no error for addons.mozilla.org", async () => {
    const { stdout } = await promisify(execFile)(LINTER, ["--output", "json", shared.extension], { maxBuffer: 1e8 })
    const { errors, warnings } = JSON.parse(stdout) as Record<"errors" | "warnings", { code: string }[]>
    expect(errors).toEqual([])
    // Readability writes HTML into its own copy of the page, which no window shows.
    const expected = ["BACKGROUND_SERVICE_WORKER_IGNORED", "UNSAFE_VAR_ASSIGNMENT"]
    expect([...new Set(warnings.map(({ code }) => code))].toSorted()).toEqual(expected)
  })

  test("asks for no more than it needs, and runs no code from elsewhere", async () => {
    const manifest = JSON.parse(await readFile(join(shared.extension, "manifest.json"), "utf8")) as object
    const policy = expect.stringContaining("default-src 'none'; script-src 'self';")
    expect(manifest).toMatchObject({
      permissions: ["activeTab", "scripting", "storage"],
      optional_host_permissions: ["https://*/*", "http://localhost/*"],
      content_security_policy: { extension_pages: policy },
    })
    const more = ["host_permissions", "optional_permissions", "content_scripts"]
    for (const name of [...more, "externally_connectable", "web_accessible_resources"])
      expect(manifest, name).not.toHaveProperty(name)
    for (const name of ["popup", "options", "background"])
      expect(await readFile(join(shared.extension, `${name}.js`), "utf8"), name).not.toMatch(
        /\.(?:innerHTML|outerHTML) ?=|insertAdjacentHTML|\bconsole\.|\beval\(|new Function/,
      )
  })
})

/** Returns the stored key as JSON; an empty text without one. */
const DATABASE = `new Promise((resolve) => {
  const opening = indexedDB.open("edgepost")
  opening.onupgradeneeded = () => opening.transaction.abort()
  opening.onerror = () => resolve("")
  opening.onsuccess = () => {
    const reading = opening.result.transaction("keys").objectStore("keys").get("key")
    reading.onsuccess = () => resolve(JSON.stringify(reading.result ?? ""))
    opening.result.close()
  }
})`

/** Looks in each page of the extension where a key is. */
const placesOf = (driver: Driver, key: string) => {
  const all = `(async () => {
    const found = { database: (await ${DATABASE}).includes("${key}") }
    for (const name of ["local", "session", "sync"]) found[name] = JSON.stringify(await chrome.storage[name].get(null)).includes("${key}")
    const values = [...document.querySelectorAll("input, textarea")].map(({ value }) => value).join()
    return { ...found, page: (document.documentElement.outerHTML + values).includes("${key}") }
  })()`
  const openers = [driver.openOptions, driver.openPopup]
  return openers.map((open) => () => ask(open, (frame) => frame.evaluate(all)))
}

/** Copies the extension, with a file changed. @returns the folder of the copy */
const changeCopy = async (name: string, file: string, change: (text: string) => string): Promise<string> => {
  const copy = join(shared.folder, name)
  await cp(shared.extension, copy, { recursive: true })
  const path = join(copy, file)
  await writeFile(path, change(await readFile(path, "utf8")))
  return copy
}

const NO_PROTOCOL =
  "localhost:8787 is no address of a service. Enter one such as https://blog.example, with https:// before it."

describe.each(BROWSERS)("options in %s", (name, start) => {
  const username = `options-${name.toLowerCase()}`
  let driver: Driver
  let key: string
  let draftKey: string
  beforeAll(async () => {
    ;({ key, draftKey } = await newAuthor(username))
    driver = await start(shared.extension)
  })
  afterAll(() => driver.stop())

  test("before they are saved, the popup asks for them", async () => {
    await driver.goto(`${shared.site.origin}/news`)
    const popup = await driver.openPopup()
    await eventually(async () => expect(await popup.evaluate(`document.querySelector("#setup").hidden`)).toBe(false))
    await popup.close()
  })

  test.each([
    ["publish", "This key can publish and delete posts, which an extension should not. It was not stored."],
    ["read", "This key can only read, so it cannot save drafts. It was not stored."],
  ])("refuse a key of the scope %s", async (scope, reason) => {
    const refused = scope === "publish" ? key : await makeKey(username, scope)
    expect(await setUp(driver, { address: origin, key: refused })).toContain(reason)
    const stored = `Promise.all([chrome.storage.local.get(null), ${DATABASE}])`
    expect(await ask(driver.openOptions, (options) => options.evaluate(stored))).toEqual([{}, ""])
  })

  test.each([
    ["an unknown key", origin, "ep_unknown", "The service does not accept the key"],
    ["a key with a blank", origin, "ep unknown", "The API key is empty, or has a blank"],
    ["an address without https", "http://blog.example", "ep_a", "is not https, so that others could read the key"],
    ["an address without a protocol", "localhost:8787", "ep_a", NO_PROTOCOL],
    ["an address with a path", "https://blog.example/settings/", "ep_a", "has no path. Enter https://blog.example."],
    ["an address where nothing answers", "http://localhost:9", "ep_a", "does not answer"],
  ])("refuse %s", async (_, address, value, reason) => {
    expect(await setUp(driver, { address, key: value })).toContain(reason)
  })

  test("keep a draft key in the extension's database alone, and never show it", async () => {
    const values = { address: `${origin}/`, key: draftKey, category: "Clips", language: "en" }
    expect(await setUp(driver, values)).toContain("Saved.")
    for (const find of placesOf(driver, draftKey))
      expect(await find()).toEqual({ database: true, local: false, session: false, sync: false, page: false })
    await driver.goto(`${shared.site.origin}/news`)
    const look = `(async () => {
      const [{ id }] = await chrome.tabs.query({ active: true, currentWindow: true })
      const func = () =>
        Promise.all([chrome.storage.local.get(null).catch(() => null), indexedDB.databases()]).then(JSON.stringify)
      const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: id }, func })
      return result
    })()`
    const seen = await ask(driver.openPopup, (popup) => popup.evaluate(look))
    expect(seen).toContain("[")
    expect(seen, "read by a script that the extension runs in the page").not.toMatch(/ep_|edgepost"/)
    expect(await driver.page.evaluate("typeof globalThis.chrome?.storage")).toBe("undefined")
    const state = `document.querySelector("#key-state").textContent`
    const shown = await ask(driver.openOptions, (options) => options.evaluate(state))
    expect(shown).toContain(`ends in ${draftKey.slice(-4)}`)
  })

  test("keep the key when another option changes, but ask for it again for another service", async () => {
    expect(await setUp(driver, { category: "Notes" })).toContain("Saved.")
    expect(await setUp(driver, { address: shared.site.origin })).toBe("Enter the key of this service.")
  })

  test("a page of the browser itself is said to be unreadable", async () => {
    await driver.goto(name === "Firefox" ? "about:support" : "chrome://version/")
    const said = "This is a page of the browser itself, which no extension may read."
    expect(await ask(driver.openPopup, notesOf)).toContain(said)
  })

  test("a PDF file is said to be unreadable", async () => {
    const server = createServer((_, answer) =>
      answer.writeHead(200, { "Content-Type": "application/pdf" }).end("%PDF-1.4\n%%EOF"),
    )
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    await driver.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tides.pdf`).catch(() => {})
    expect(await ask(driver.openPopup, notesOf)).toContain("This is a PDF file, which cannot be read.")
    server.close()
  })
})

test.each(BROWSERS)("an extension whose own code tries to publish cannot (%s)", async (name, start) => {
  const copy = await changeCopy(`publishes-${name}`, "background.js", (code) => {
    expect(code.split('status: "DF"').length).toBe(2)
    return code.replace('status: "DF"', 'status: "PB"')
  })
  const { key, draftKey } = await newAuthor(`publishes-${name.toLowerCase()}`)
  const driver = await start(copy)
  await setUp(driver, { address: origin, key: draftKey, category: "Clips" })
  await driver.goto(`${shared.site.origin}/app`)
  await driver.page.evaluate("show()")
  expect(await submit(await openForm(driver.openPopup))).toContain("The key cannot write drafts.")
  await driver.stop()
  expect(await postsOf(key)).toEqual([])
})

// No test can answer Chromium's question, so its copy has the permission from the beginning.
const startAllowed = async (): Promise<Driver> => {
  const copy = await changeCopy("allowed", "manifest.json", (manifest) =>
    JSON.stringify({ ...(JSON.parse(manifest) as object), host_permissions: ["http://localhost/*"] }),
  )
  return startChromium(copy)
}

test.each<[string, () => Promise<Driver>, string]>([
  ["Firefox", () => startFirefox(shared.extension), `document.querySelector("#origins button").click()`],
  ["Chromium", startAllowed, ""],
])("images of another site arrive after the user has allowed that site (%s)", async (name, start, click) => {
  const username = `foreign-${name.toLowerCase()}`
  const { key, draftKey } = await newAuthor(username)
  const driver = await start()
  await setUp(driver, { address: origin, key: draftKey, category: "Clips" })
  await driver.goto(`${shared.site.origin}/foreign`)
  const outcome = await ask(driver.openPopup, async (popup) => {
    await fill(popup, { slug: username })
    // The popup asks once it knows what the user has allowed.
    await eventually(async () => popup.evaluate(click))
    const unasked = `document.querySelector("#origins").textContent === ""`
    await eventually(async () => expect(await popup.evaluate(unasked)).toBe(true))
    return submit(popup)
  })
  await driver.stop()
  const { status, images } = await postOf(key, username)
  expect([outcome.trim(), status]).toEqual(["The draft is saved.", "DF"])
  expect(images.map(({ width, height }: typeof images) => `${width}x${height}`)).toEqual(["200x100", "210x110"])
})
