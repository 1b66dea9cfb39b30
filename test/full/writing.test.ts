import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { buildExtension } from "../../packages/extension/build.ts"
import type { Driver } from "../../packages/extension/test/driver.ts"
import { BROWSERS } from "../../packages/extension/test/set-up.ts"
import { newFolder } from "../after-file.ts"
import { eventually, origin, settingsUrl } from "../e2e/support.ts"

// An author writes a post in a browser, with images, from the first page to its deletion. The drivers of the extension are used,
// since Firefox needs its own.

const folder = await newFolder()
beforeAll(() => buildExtension(folder))

/** Makes files in the page: a photo that no upload may have, a screenshot, one that is no image. */
const FILES = `window.makeFile = async (name, width, height, type) => {
  if (width === 0) return new File(["not an image"], name, { type })
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext("2d")
  const tile = new OffscreenCanvas(256, 128)
  const pixels = tile.getContext("2d").createImageData(256, 128)
  crypto.getRandomValues(pixels.data.subarray(0, 65_536))
  crypto.getRandomValues(pixels.data.subarray(65_536))
  for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255
  tile.getContext("2d").putImageData(pixels, 0, 0)
  context.fillStyle = context.createPattern(tile, "repeat")
  context.fillRect(0, 0, width, height)
  return new File([await canvas.convertToBlob({ type, quality: 0.95 })], name, { type })
}
window.transferOf = async (...files) => {
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(await makeFile(...file))
  return transfer
}`

const handsOf = (driver: Driver) => {
  const ask = <T>(expression: string): Promise<T> => driver.page.evaluate<T>(expression)
  // A script that is imported runs after the page is complete.
  const isReady = `document.readyState === "complete" &&
    (!document.getElementById("text-form") || document.getElementById("image-files")?.isConnected)`
  /** Waits until an expression is true in a page whose script has run. */
  const until = (expression: string) =>
    eventually(async () => {
      if ((await ask<unknown>(`${isReady} && (${expression})`)) !== true)
        throw new Error(`It is not so: ${expression}\n${await ask<string>("location.href + document.body.innerText")}`)
    })
  const goto = async (path: string) => {
    await driver.goto(path.startsWith("http") ? path : new URL(path, await ask<string>("location.origin")).href)
    await ask(FILES)
    await until("true")
  }
  const write = (values: Record<string, string>) =>
    ask(`for (const [id, value] of Object.entries(${JSON.stringify(values)})) {
      const field = document.getElementById(id)
      field.value = value
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }`)
  /** Presses a button, and waits for what the next page says. */
  const press = async (name: string, said: string) => {
    await ask(`setTimeout(() => [...document.querySelectorAll("button")].find((each) =>
      each.textContent.trim() === ${JSON.stringify(name)}).click())`)
    await until(`document.body.innerText.includes(${JSON.stringify(said)})`)
    await ask(FILES)
  }
  /** Begins something in the page that takes a while. */
  const begin = (expression: string) => ask(`void (${expression})`)
  const body = () => ask<string>(`document.getElementById("body").value`)
  const said = () => ask<string>(`document.getElementById("upload").innerText`)
  return { ask, begin, until, goto, write, press, body, said }
}

const IMAGE = /!\[([^\]]*)\]\((\/media\/demo\/blog_img\/\w+\.webp)\)/g

describe.each(BROWSERS)("an author with %s", (browser, start) => {
  let driver: Driver
  let hands: ReturnType<typeof handsOf>
  const title = `A day with ${browser}`
  const slug = `a-day-with-${browser.toLowerCase()}`
  beforeAll(async () => {
    driver = await start(folder)
    hands = handsOf(driver)
    await driver.goto(settingsUrl)
    await hands.press("Sign in", "Where you are signed in")
  })
  afterAll(() => driver.stop())

  test("writes a post with a dropped photo, a pasted screenshot and a chosen cover, and publishes it", async () => {
    const { ask, begin, until, goto, write, press, body, said } = hands
    await goto("/settings/posts/new/")
    await write({ title, body: "The beginning." })
    await begin(`transferOf(["IMG-2041 red_boat.jpg", 4032, 3024, "image/jpeg"], ["notes.png", 0, 0, "image/png"]).then((dataTransfer) => {
      if (dataTransfer.files[0].size < 5 * 2 ** 20) throw new Error("The photo is too small for this test.")
      document.getElementById("body").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }))
    })`)
    await until(`document.getElementById("image-status").value.startsWith("Added one image")`)
    expect(await said()).toMatch(
      /notes\.png: it has a format that this browser cannot read, .* Save it as JPEG or PNG\./,
    )
    await begin(`transferOf(["image.png", 800, 600, "image/png"]).then((value) => {
      const event = new Event("paste", { bubbles: true, cancelable: true })
      // Firefox takes no files for an event that is made.
      document.getElementById("body").dispatchEvent(Object.defineProperty(event, "clipboardData", { value }))
    })`)
    await until(`document.querySelectorAll("#images input").length === 3`)
    await begin(`transferOf(["cover.webp", 1200, 630, "image/png"]).then(({ files }) => {
      const input = document.getElementById("image-files")
      input.files = files
      input.dispatchEvent(new Event("change"))
    })`)
    await until(`document.querySelectorAll("#images input").length === 4`)
    const images = [...(await body()).matchAll(IMAGE)].map(([, alt, src]) => [alt, src])
    expect(images.map(([alt]) => alt)).toEqual(["IMG 2041 red boat", "", "cover"])
    expect(await body()).toMatch(/^The beginning\.\n\n!\[IMG 2041 red boat\]/)
    await ask(`document.querySelectorAll("#images input")[3].click()`)
    await press("Publish now", "Published.")
    expect(await ask("location.pathname")).toBe(`/settings/posts/${slug}/`)
    await goto(`/@demo/${slug}/`)
    const sizes = await ask<
      number[][]
    >(`Promise.all([...document.querySelectorAll("article img")].map(async (image) => {
      const whole = Object.assign(new Image(), { src: image.src })
      await whole.decode()
      return [whole.naturalWidth, whole.naturalHeight]
    }))`)
    expect(sizes).toEqual([
      [1200, 630],
      [2048, 1536],
      [800, 600],
      [1200, 630],
    ])
    const feed = await fetch(`${origin}/@demo/feed.atom`)
    expect(await feed.text()).toContain(images[0]?.[1])
  })

  test("edits it by Ctrl+S, schedules it and deletes it", async () => {
    const { ask, until, goto, write, press } = hands
    await goto(`/settings/posts/${slug}/`)
    await write({ body: "Another text." })
    await ask(
      `setTimeout(() => dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true, bubbles: true })))`,
    )
    await until(`document.body.innerText.includes("Saved.")`)
    await press("Turn into a draft", "Turned into a draft.")
    await press("Schedule", "Readers see it from")
    await press("Schedule", "Scheduled.")
    await goto(`/settings/posts/${slug}/delete/`)
    await press("Delete it for good", "Deleted.")
    expect((await fetch(`${origin}/@demo/${slug}/`)).status).toBe(404)
  })

  const OFFER = `[...document.querySelectorAll("button")].some(({ textContent }) => textContent === "Put it into the form")`

  test("gets a text back that was typed and not saved, until it is saved, also after looking elsewhere first", async () => {
    const { ask, until, goto, write, press, body } = hands
    const open = () => goto("/settings/posts/new/")
    const leave = () =>
      ask(`addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), { capture: true })`)
    await open()
    await write({ title: `Kept by ${browser}`, body: "Typed, and not saved." })
    // The browser asks before it leaves the page.
    expect(await ask(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`)).toBe(true)
    await until(`localStorage.length > 0`)
    await leave()
    await open()
    expect([await ask(OFFER), await body()]).toEqual([true, ""])
    await goto("/settings/posts/")
    await open()
    expect(await ask(OFFER)).toBe(true)
    await press("Put it into the form", "New post")
    expect(await body()).toBe("Typed, and not saved.")
    await press("Save as a draft", "Saved as a draft.")
    await open()
    expect([await ask(OFFER), await ask("localStorage.length")]).toEqual([false, 0])
  })

  test("loses neither text if an older one is put into a form that has newer words", async () => {
    const { ask, goto, write, press, body, until } = hands
    for (const word of ["Older", "Newer"]) {
      await goto("/settings/posts/new/")
      await write({ title: word, body: `${word} words.` })
    }
    expect(await ask(`document.querySelector(".notice").innerText`)).toContain("“Older”, 12 characters")
    await ask("setTimeout(() => location.reload())")
    await until(`performance.getEntriesByType("navigation")[0].type === "reload"`)
    if ((await body()) === "") await press("Put it into the form", "“Older”")
    expect(await body()).toBe("Newer words.")
    await press("Put it into the form", "“Newer”")
    expect(await body()).toBe("Older words.")
    await press("Put it into the form", "“Older”")
    expect(await body()).toBe("Newer words.")
    await press("Throw it away", "New post")
    await ask(`document.getElementById("text-form").reset()`)
    await goto("/settings/posts/")
    await goto("/settings/posts/new/")
    expect([await ask(OFFER), await ask("localStorage.length")]).toEqual([false, 0])
  })

  test("goes back after a save, publishes from there, and is not offered what was saved", async () => {
    const { ask, until, goto, write, press, body } = hands
    await goto("/settings/posts/new/")
    const form = await ask<string>("location.search")
    const typed = { title: `Back with ${browser}`, body: "Saved words." }
    await write(typed)
    await press("Save as a draft", "Saved as a draft.")
    const goBack = async () => {
      await ask("setTimeout(() => history.back())")
      await until(`location.search === ${JSON.stringify(form)}`)
      // Not every browser fills it in.
      if ((await body()) === "") await write(typed)
    }
    await goBack()
    await goto("/settings/posts/new/")
    expect([await ask(OFFER), await ask("localStorage.length")]).toEqual([false, 0])
    await goBack()
    await press("Publish now", "Published.")
  })

  test("sees a kept text of an older version beside the saved one before it is saved", async () => {
    const { ask, goto, write, press, body } = hands
    const page = `/settings/posts/back-with-${browser.toLowerCase()}/`
    await goto(page)
    await write({ body: "Kept words." })
    await goto("/settings/posts/")
    await goto(page)
    await write({ body: "Other words." })
    await ask(`document.getElementById("body").focus()`)
    await ask(
      `setTimeout(() => dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true, bubbles: true })))`,
    )
    await hands.until(`document.body.innerText.includes("Saved.")`)
    // The author goes on typing.
    expect(await ask("document.activeElement.id")).toBe("body")
    await press("Put it into the form", "Text in Markdown")
    expect(await body()).toBe("Kept words.")
    await press("Update the published post", "Saved meanwhile")
    await ask(`localStorage.clear()`)
    await ask(`addEventListener("pagehide", (event) => event.stopImmediatePropagation(), { capture: true })`)
  })

  test("keeps selected text while an image is added, and is told to wait when the form is sent meanwhile", async () => {
    const { ask, begin, until, goto, write, body, said } = hands
    await goto("/settings/posts/new/")
    await write({ title: "Waiting", body: "Keep these words." })
    await ask(`document.getElementById("body").setSelectionRange(5, 10)`)
    await begin(`transferOf(["a.png", 1500, 1500, "image/png"]).then(({ files }) => {
      const input = document.getElementById("image-files")
      input.files = files
      input.dispatchEvent(new Event("change"))
      queueMicrotask(() => document.querySelector("button.primary").click())
    })`)
    await until(`document.getElementById("image-status").value.startsWith("Added")`)
    expect(await body()).toMatch(/^Keep these\n\n!\[a\]\(\S+\)\n\n words\.$/)
    expect(await said()).toContain("Wait until all images are in the text")
    await ask(`localStorage.clear(); document.getElementById("text-form").reset()`)
  })

  const HEIC = "AAAAGGZ0eXBoZWljAAAAAGhlaWNtaWYx"
  const GIF = "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
  const SVG = btoa('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>')
  test.each([
    [
      "a HEIC photo",
      "image/heic",
      HEIC,
      /^photo: it has a format that this browser cannot read.*Save it as JPEG or PNG\.$/,
    ],
    ["a broken JPEG", "image/jpeg", "/9j/4AAQSkZJRgABAQ", /^photo: it has a format .* or it is damaged\./],
    ["a file of zero bytes", "image/png", "", /^photo: its file is empty\.$/],
    ["an SVG", "image/svg+xml", SVG, /^(?:photo: it has a format .* Save it as JPEG or PNG\.)?$/],
    ["a GIF", "image/gif", GIF, /^photo shows its first frame alone, if it is an animation\.$/],
    ["40 megapixels", "", "", /^$/],
  ])("reads beside the field what becomes of %s", async (_, type, base64, told) => {
    const { ask, begin, until, goto } = hands
    await goto("/settings/posts/new/")
    const file = type
      ? `new File([Uint8Array.from(atob("${base64}"), (sign) => sign.charCodeAt(0))], "photo", { type: "${type}" })`
      : `await makeFile("photo", 7304, 5478, "image/jpeg")`
    await begin(`(async () => {
      const transfer = new DataTransfer()
      transfer.items.add(${file})
      const input = document.getElementById("image-files")
      input.files = transfer.files
      input.dispatchEvent(new Event("change"))
    })()`)
    await until(`document.getElementById("image-status").value.startsWith("Added")`)
    expect(await ask<string>(`document.querySelector("#upload ul").innerText.trim()`)).toMatch(told)
    await ask(`localStorage.clear(); document.getElementById("text-form").reset()`)
  })

  test.each([
    [429, "Waiting 1 s", true],
    [503, "Waiting 1 s", true],
    [401, "you are signed out. Sign in in another tab", false],
    [0, "the service cannot be reached", false],
  ])("keeps the text if the service answers an image with %i, and reads what to do", async (status, told, isAdded) => {
    const { ask, begin, until, goto, write, body, said } = hands
    await goto("/settings/posts/new/")
    await write({ body: "Kept." })
    await ask(`(() => {
      const real = window.fetch
      window.fetch = async (...args) => {
        window.fetch = real
        if (${status} === 0) throw new TypeError("Failed to fetch")
        return new Response('{"detail":"no"}', { status: ${status}, headers: ${status} === 401 ? {} : { "Retry-After": "1" } })
      }
    })()`)
    await begin(`transferOf(["a.png", 20, 20, "image/png"]).then(({ files }) => {
      const input = document.getElementById("image-files")
      input.files = files
      input.dispatchEvent(new Event("change"))
    })`)
    await until(`document.getElementById("upload").innerText.includes(${JSON.stringify(told)})`)
    await until(`document.getElementById("image-status").value.startsWith("Added")`)
    expect([await said(), await body()]).toEqual([
      expect.stringContaining(isAdded ? "Added one image" : "Added 0 images"),
      expect.stringMatching(isAdded ? /^Kept\.\n\n!\[a\]/ : /^Kept\.$/),
    ])
    await ask(`localStorage.clear(); document.getElementById("text-form").reset()`)
  })

  test("adds images and saves also with the browser's storage switched off", async () => {
    const { begin, until, goto, write, press, body } = hands
    await goto("/settings/posts/new/")
    await begin(`["localStorage", "sessionStorage"].forEach((name) =>
      Object.defineProperty(window, name, { get: () => { throw new DOMException("off", "SecurityError") } }))`)
    await begin(`import("/assets/post-form.js?again").then(() => (window.isAgain = true))`)
    await until("window.isAgain")
    await write({ title: `Off with ${browser}`, body: "Kept." })
    await begin(`transferOf(["a.png", 20, 20, "image/png"]).then(({ files }) => {
      const input = document.getElementById("image-files")
      input.files = files
      input.dispatchEvent(new Event("change"))
    })`)
    await until(`document.getElementById("image-status").value.startsWith("Added one image")`)
    await press("Save as a draft", "Saved as a draft.")
    expect(await body()).toMatch(/^Kept\.\n\n!\[a\]/)
  })
})
