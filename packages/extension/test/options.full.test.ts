import { execFile } from "node:child_process"
import { cp, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"

import axe from "axe-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { eventually, newKey, origin } from "../../../test/e2e/support.ts"
import { startChromium } from "./chromium.ts"
import { fill, makeKey, notesOf, openForm, postOf, postsOf, setUp, submit } from "./clip.ts"
import type { Driver } from "./driver.ts"
import { startFirefox } from "./firefox.ts"
import { useExtension } from "./set-up.ts"

const LINTER = join(import.meta.dirname, "../../../node_modules/.bin/addons-linter")

const shared = useExtension()

describe("the built extension", () => {
  test("has no error for addons.mozilla.org", async () => {
    const { stdout } = await promisify(execFile)(LINTER, ["--output", "json", shared.extension], { maxBuffer: 1e8 })
    const { errors, warnings } = JSON.parse(stdout) as Record<"errors" | "warnings", { code: string }[]>
    expect(errors).toEqual([])
    // Readability writes HTML into its own copy of the page, which no window shows.
    expect(new Set(warnings.map(({ code }) => code))).toEqual(
      new Set(["BACKGROUND_SERVICE_WORKER_IGNORED", "UNSAFE_VAR_ASSIGNMENT"]),
    )
  })

  test("asks for no more than it needs, and runs no code from elsewhere", async () => {
    const manifest = JSON.parse(await readFile(join(shared.extension, "manifest.json"), "utf8")) as Record<
      string,
      unknown
    >
    expect(manifest).toMatchObject({
      permissions: ["activeTab", "scripting", "storage"],
      optional_host_permissions: ["https://*/*", "http://localhost/*"],
    })
    for (const name of [
      "host_permissions",
      "optional_permissions",
      "content_scripts",
      "externally_connectable",
      "web_accessible_resources",
    ])
      expect(manifest, name).not.toHaveProperty(name)
    const { extension_pages: policy } = manifest["content_security_policy"] as { extension_pages: string }
    expect(policy).toContain("default-src 'none'; script-src 'self';")
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
  return [driver.openOptions, driver.openPopup].map((open) => async () => {
    const frame = await openForm(open)
    const places = await frame.evaluate(all)
    await frame.close()
    return places
  })
}

/** Copies the extension, with a file changed. @returns the folder of the copy */
const changeCopy = async (name: string, file: string, change: (text: string) => string): Promise<string> => {
  const copy = join(shared.folder, name)
  await cp(shared.extension, copy, { recursive: true })
  const path = join(copy, file)
  await writeFile(path, change(await readFile(path, "utf8")))
  return copy
}

describe.each([
  ["Chromium", startChromium],
  ["Firefox", startFirefox],
])("options in %s", (name, start) => {
  const username = `options-${name.toLowerCase()}`
  let driver: Driver
  let key: string
  let draftKey: string
  beforeAll(async () => {
    key = await newKey(username, { translation_languages: [], primary_language: "en" })
    draftKey = await makeKey(username, "draft")
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
    const options = await openForm(driver.openOptions)
    expect(await options.evaluate("chrome.storage.local.get(null)")).toEqual({})
    expect(await options.evaluate(DATABASE)).toBe("")
    await options.close()
  })

  test.each([
    ["an unknown key", { address: origin, key: "ep_unknown" }, "The service does not accept the key"],
    ["a key with a blank", { address: origin, key: "ep unknown" }, "The API key is empty, or has a blank"],
    [
      "an address without https",
      { address: "http://blog.example", key: "ep_a" },
      "is not https, so that others could read the key",
    ],
    [
      "an address without a protocol",
      { address: "localhost:8787", key: "ep_a" },
      "localhost:8787 is no address of a service. Enter one such as https://blog.example, with https:// before it.",
    ],
    [
      "an address with a path",
      { address: "https://blog.example/settings/", key: "ep_a" },
      "The address of the service has no path. Enter https://blog.example.",
    ],
    ["an address where nothing answers", { address: "http://localhost:9", key: "ep_a" }, "does not answer"],
  ])("refuse %s", async (_, values, reason) => {
    expect(await setUp(driver, values)).toContain(reason)
  })

  test("keep a draft key in the extension's database alone, and never show it", async () => {
    expect(await setUp(driver, { address: `${origin}/`, key: draftKey, category: "Clips", language: "en" })).toContain(
      "Saved.",
    )
    for (const look of placesOf(driver, draftKey))
      expect(await look()).toEqual({ database: true, local: false, session: false, sync: false, page: false })
    await driver.goto(`${shared.site.origin}/news`)
    const popup = await openForm(driver.openPopup)
    const seen = await popup.evaluate(`(async () => {
      const [{ id }] = await chrome.tabs.query({ active: true, currentWindow: true })
      const func = () =>
        Promise.all([chrome.storage.local.get(null).catch(() => null), indexedDB.databases()]).then(JSON.stringify)
      const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: id }, func })
      return result
    })()`)
    await popup.close()
    expect(seen).toContain("[")
    expect(seen, "read by a script that the extension runs in the page").not.toMatch(/ep_|edgepost"/)
    expect(await driver.page.evaluate("typeof globalThis.chrome?.storage")).toBe("undefined")
    const options = await openForm(driver.openOptions)
    expect(await options.evaluate(`document.querySelector("#key-state").textContent`)).toContain(
      `ends in ${draftKey.slice(-4)}`,
    )
    await options.close()
  })

  test("keep the key when another option changes, but ask for it again for another service", async () => {
    expect(await setUp(driver, { category: "Notes" })).toContain("Saved.")
    expect(await setUp(driver, { address: shared.site.origin })).toBe("Enter the key of this service.")
  })

  test("a page of the browser itself is said to be unreadable", async () => {
    await driver.goto(name === "Firefox" ? "about:support" : "chrome://version/")
    const popup = await openForm(driver.openPopup)
    expect(await notesOf(popup)).toContain("This is a page of the browser itself, which no extension may read.")
    await popup.close()
  })

  test("a PDF file is said to be unreadable", async () => {
    const server = createServer((_, answer) =>
      answer.writeHead(200, { "Content-Type": "application/pdf" }).end("%PDF-1.4\n%%EOF"),
    )
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    await driver.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tides.pdf`).catch(() => {})
    const popup = await openForm(driver.openPopup)
    expect(await notesOf(popup)).toContain("This is a PDF file, which cannot be read.")
    await popup.close()
    server.close()
  })
})

describe.each(["light", "dark"] as const)("the %s pages", (scheme) => {
  const AXE = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`
  const OVERFLOW = "document.documentElement.scrollWidth > innerWidth"

  test("are accessible and do not scroll sideways", async () => {
    const driver = await startChromium(shared.extension, scheme)
    const username = `looks-${scheme}`
    await newKey(username)
    await setUp(driver, { address: origin, key: await makeKey(username, "draft") })
    await driver.goto(`${shared.site.origin}/foreign`)
    for (const open of [driver.openPopup, driver.openOptions]) {
      const frame = await openForm(open)
      await frame.evaluate(`${axe.source}; undefined`)
      expect(await frame.evaluate(`matchMedia("(prefers-color-scheme: ${scheme})").matches`)).toBe(true)
      expect(await frame.evaluate(AXE)).toEqual([])
      expect(await frame.evaluate(OVERFLOW)).toBe(false)
      await frame.close()
    }
    await driver.stop()
  })
})

test.each([
  ["Chromium", startChromium],
  ["Firefox", startFirefox],
])("an extension whose own code tries to publish cannot (%s)", async (name, start) => {
  const copy = await changeCopy(`publishes-${name}`, "background.js", (code) => {
    expect(code.split('status: "DF"').length).toBe(2)
    return code.replace('status: "DF"', 'status: "PB"')
  })
  const username = `publishes-${name.toLowerCase()}`
  const key = await newKey(username)
  const driver = await start(copy)
  await setUp(driver, { address: origin, key: await makeKey(username, "draft"), category: "Clips" })
  await driver.goto(`${shared.site.origin}/app`)
  await driver.page.evaluate("show()")
  const popup = await openForm(driver.openPopup)
  expect(await submit(popup)).toContain("The key cannot write drafts.")
  await driver.stop()
  expect(await postsOf(key)).toEqual([])
})

/** Saves the page with an image of another site, after what the user does in the popup. */
const saveForeign = async (driver: Driver, username: string, click: string) => {
  const key = await newKey(username, { translation_languages: [], primary_language: "en" })
  await setUp(driver, { address: origin, key: await makeKey(username, "draft"), category: "Clips" })
  await driver.goto(`${shared.site.origin}/foreign`)
  const popup = await openForm(driver.openPopup)
  await fill(popup, { slug: username })
  await popup.evaluate(click)
  await eventually(async () => expect(await popup.evaluate(`document.querySelector("#origins").textContent`)).toBe(""))
  const outcome = await submit(popup)
  await popup.close()
  return { outcome: outcome.trim(), post: await postOf(key, username) }
}

describe("images of another site", () => {
  const IMAGES = [
    { width: 200, height: 100 },
    { width: 210, height: 110 },
  ]

  test("arrive after the user has allowed that site (Firefox)", async () => {
    const driver = await startFirefox(shared.extension)
    const click = `document.querySelector("#origins button").click()`
    const { outcome, post } = await saveForeign(driver, "foreign-firefox", click)
    await driver.stop()
    expect(outcome).toBe("The draft is saved.")
    expect(post).toMatchObject({ status: "DF", images: IMAGES })
  })

  // No test can answer Chromium's question, so this copy has the permission from the beginning.
  test("arrive if that site is allowed (Chromium)", async () => {
    const copy = await changeCopy("allowed", "manifest.json", (manifest) =>
      JSON.stringify({ ...(JSON.parse(manifest) as object), host_permissions: ["http://localhost/*"] }),
    )
    const driver = await startChromium(copy)
    const { outcome, post } = await saveForeign(driver, "foreign-chromium", "")
    await driver.stop()
    expect(outcome).toBe("The draft is saved.")
    expect(post).toMatchObject({ status: "DF", images: IMAGES })
  })
})
