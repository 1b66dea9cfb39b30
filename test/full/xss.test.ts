import { readFile } from "node:fs/promises"

import type { Browser, Page, Route } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { sanitize } from "../../src/posts/net.ts"
import { API, call, newKey, origin } from "../e2e/support.ts"
import { ALLOWED, PROTOCOLS } from "../posts/html.ts"
import { makeAttacks, makeBlocks } from "./attacks.ts"
import { inventory, openBrowser, TOUCH, type Watch, watch } from "./watch.ts"

const EVENTS_OF_THE_BROWSER = `[...new Set([window, document, ...Object.getOwnPropertyNames(window)
  .filter((name) => /^(HTML|SVG|MathML)\\w*Element$/.test(name)).map((name) => window[name].prototype)]
  .flatMap((object) => { const names = []; for (const name in object) if (name.startsWith("on")) names.push(name); return names }))]`

let browser: Browser
let attacks: string[]
beforeAll(async () => {
  browser = await openBrowser()
  const page = await browser.newPage()
  const events = await page.evaluate<string[]>(EVENTS_OF_THE_BROWSER)
  await page.close()
  expect(events.length).toBeGreaterThan(100)
  attacks = makeAttacks(events)
  expect(attacks.length).toBeGreaterThan(5000)
})
afterAll(() => browser.close())

/** As browsers name what hast names otherwise. */
const domName = (name: string) =>
  name === "className"
    ? "class"
    : name.startsWith("aria")
      ? `aria-${name.slice(4).toLowerCase()}`
      : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const OF_THE_NET = new Set([
  ...Object.entries(ALLOWED).flatMap(([tag, names]) => [tag, ...names.map((name) => `${tag} ${domName(name)}`)]),
  ...PROTOCOLS.map((protocol) => `href ${protocol}`),
])
/** What the page has of its own. */
const OF_THE_PAGE = ["header", "p class", "bdi", "time", "time datetime", "footer", "ul class", "ul", "li"]
const OF_THE_DOCUMENT = [
  "html",
  "html lang",
  "html dir",
  "body",
  "iframe",
  "iframe class",
  "iframe srcdoc",
  "href undefined",
  "meta charset",
  "meta name",
  "meta content",
  "meta",
  "title",
  "link rel",
  "link href",
  "link hreflang",
  "link",
  "head",
  "main",
  "article",
  "h1",
  "bdi",
]
const unknown = (found: string[], ...own: string[]) => found.filter((one) => !OF_THE_NET.has(one) && !own.includes(one))

const chunks = <T>(all: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

const NET = "http://net.test"

/** A document of its own inside another. */
const frame = (kind: "control" | "page", html: string): string =>
  `<iframe class=${kind} srcdoc="${html.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`

/** Shows HTML that no policy guards, and touches all of it. @returns what ran and what was asked for */
const showBare = async (documents: string[]) => {
  let html = ""
  const seen = await watch(browser, async (route) => {
    const isPage = route.request().url() === `${NET}/` && route.request().isNavigationRequest() && html !== ""
    const body = html
    html = ""
    if (isPage) await route.fulfill({ contentType: "text/html; charset=utf-8", body })
    return isPage
  })
  const kinds = new Set<string>()
  for (const document of documents) {
    html = `<!doctype html><meta charset=utf-8><link rel=icon href="data:,"><body><main>${document}</main>`
    await seen.page.goto(`${NET}/`)
    await seen.page.evaluate(TOUCH).catch(() => {})
    await seen.page.mouse.wheel(0, 2000)
    for (const kind of await inventory(seen.page, "main").catch(() => [])) kinds.add(kind)
    // What is one thing when read once must not be another when read twice.
    if (!document.includes("<iframe class=")) {
      await seen.page.evaluate("document.querySelector('main').innerHTML = document.querySelector('main').innerHTML")
      await seen.page.evaluate(TOUCH)
      for (const kind of await inventory(seen.page, "main")) kinds.add(kind)
    }
    await seen.page.waitForTimeout(100)
  }
  await seen.context.close()
  return { ...seen, kinds: [...kinds] }
}

describe("the net alone", () => {
  test("leaves no attack anything to run, to ask for or to ask with", async () => {
    const clean = attacks.map((attack) => `<div>${sanitize([attack], "p-", () => null)}</div>`)
    const seen = await showBare(chunks(clean, 1500).map((some) => some.join("\n")))
    expect(summarize(seen)).toEqual(NOTHING)
    expect(unknown(seen.kinds, "div")).toEqual([])
  }, 120_000)

  // Else nothing above would say anything.
  test("is what holds them: without it many run", async () => {
    const some = attacks.filter((_, n) => n < 300 || n % 30 === 0)
    const framed = some.map((attack) => frame("control", attack))
    const seen = await showBare(chunks(framed, 50).map((frames) => frames.join("\n")))
    console.log(
      `${seen.ran.size} of ${some.length} attacks ran, ${seen.requests.size} requests, ${seen.dialogs.length} dialogs`,
    )
    expect(seen.ran.size).toBeGreaterThan(150)
    expect(seen.requests.size).toBeGreaterThan(10)
  }, 120_000)
})

interface Body {
  slug: string
  blocks: string[]
}

const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, " ").trim()

/** As many texts in each line as it has room for, those that fit in none left out. */
const fillLines = (texts: string[], length: number): string[] => {
  const lines: string[] = []
  for (const text of texts.filter((one) => one !== "" && one.length <= length)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + text.length > length) lines.push(text)
    else lines[lines.length - 1] = `${last} ${text}`
  }
  return lines
}

interface Fields {
  title: string
  meta_description: string
  categories: string[]
  tags: string[]
}

/** A quarter of the attacks in titles, a quarter in descriptions, all that are short enough in labels. */
const makeFields = (): Fields[] => {
  const lines = attacks.map(oneLine)
  const titles = fillLines(
    lines.filter((_, n) => n % 4 === 0),
    255,
  )
  const descriptions = fillLines(
    lines.filter((_, n) => n % 4 === 2),
    300,
  )
  const labels = lines.filter((line) => line.length <= 64 && !line.includes(",") && line !== "")
  const categories = chunks(labels, 10)
  const tags = chunks(labels.toReversed(), 20)
  return titles.map((title, n) => ({
    title,
    meta_description: descriptions[n % descriptions.length] ?? "",
    categories: categories[n % categories.length] ?? [],
    tags: tags[n % tags.length] ?? [],
  }))
}

const PUBLISHED = { title: "x", meta_description: "x", categories: "x", status: "PB", translation_languages: [] }

let made = 0
/** Makes posts of the blocks: one, or more when that is too complex for one. */
const makePosts = async (apiKey: string, blocks: string[]): Promise<Body[]> => {
  made += 1
  const slug = `attack-${made}`
  const post = { ...PUBLISHED, slug, body: blocks.join("\n\n") }
  const { status, json } = await call("POST", `${API}/posts/`, {
    headers: { "X-API-KEY": apiKey },
    body: JSON.stringify(post),
  })
  if (status === 201) return [{ slug, blocks }]
  expect(
    json.errors.map(({ code }: { code: string }) => code),
    JSON.stringify(json.errors),
  ).toEqual(["body_too_complex"])
  expect(blocks.length, blocks[0]).toBeGreaterThan(1)
  const half = Math.ceil(blocks.length / 2)
  return [...(await makePosts(apiKey, blocks.slice(0, half))), ...(await makePosts(apiKey, blocks.slice(half)))]
}

const EXPECTED = new Set(["/assets/site.css", "/assets/icon.svg"].map((path) => origin + path))

const NOTHING = { ran: [], dialogs: [], requests: [], leaps: [] }
/** What happened on a page, attacks by their text. */
const summarize = ({ ran, dialogs, requests, leaps }: Watch) => ({
  ran: [...ran].map((n) => attacks[Number(n)] ?? n),
  dialogs,
  requests: [...requests],
  leaps,
})
/** Numbers of the attacks that the page shows as text. */
const numbersOn = async (page: Page): Promise<string[]> =>
  [...(await page.content()).matchAll(/__xss\((\d+)\)/g)].map(([, n = ""]) => n)

/** The page as it is served, or without its policy. @param change what strangers would do if they could */
const answerPage = (isGuarded: boolean, change: (html: string) => string) => async (route: Route) => {
  const url = route.request().url()
  if (EXPECTED.has(url)) await route.continue()
  else if (/\/media\/\w+\/.*\.webp$/.test(url)) await route.fulfill({ contentType: "image/webp", body: "" })
  else if (url.startsWith(`${origin}/@`) && route.request().isNavigationRequest()) {
    const response = await route.fetch()
    const headers = Object.entries(response.headers()).filter(
      ([name]) => isGuarded || name !== "content-security-policy",
    )
    await route.fulfill({
      status: response.status(),
      headers: Object.fromEntries(headers),
      body: change(await response.text()),
    })
  } else return false
  return true
}

describe("public pages", () => {
  let bodies: Body[]
  let blocks: string[]
  beforeAll(async () => {
    const apiKey = await newKey("attacker")
    blocks = makeBlocks(attacks)
    const packs = chunks(blocks, 700)
    const half = Math.ceil(packs.length / 2)
    const makeAll = async (some: string[][]) => {
      const all: Body[] = []
      for (const pack of some) all.push(...(await makePosts(apiKey, pack)))
      return all
    }
    bodies = (await Promise.all([makeAll(packs.slice(0, half)), makeAll(packs.slice(half))])).flat()
    console.log(`${attacks.length} attacks, ${blocks.length} blocks, ${bodies.length} posts`)
  }, 120_000)

  test.each([true, false])(
    "run nothing, ask for nothing, hold nothing that is not in the list (policy: %s)",
    async (isGuarded) => {
      const seen = await watch(
        browser,
        answerPage(isGuarded, (html) => html),
      )
      const shown = new Set<string>()
      for (const { slug } of bodies) {
        const response = await seen.page.goto(`${origin}/@attacker/${slug}/`)
        expect(response?.status()).toBe(200)
        await seen.page.evaluate(TOUCH)
        await seen.page.mouse.wheel(0, 2000)
        const kinds = await inventory(seen.page, "article")
        expect(unknown(kinds, ...OF_THE_PAGE), slug).toEqual([])
        const outside =
          "head > :not(meta, title, link), body > :not(main), main > :not(article), article ~ *, script, style"
        expect(await seen.page.evaluate(`document.querySelectorAll(${JSON.stringify(outside)}).length`), slug).toBe(0)
        for (const n of await numbersOn(seen.page)) shown.add(n)
      }
      expect(summarize(seen)).toEqual(NOTHING)
      // They were there, as text.
      expect(shown.size).toBeGreaterThan(0.95 * attacks.filter((attack) => /__xss\(\d/.test(attack)).length)
      await seen.context.close()
    },
    180_000,
  )

  test.each([
    [false, 3],
    [true, 0],
  ])("whose HTML were not clean (policy: %s) would run %i scripts", async (isGuarded, count) => {
    const raw = "<script>__xss(0)</script><img src=x onerror=__xss(1)><a href=javascript:__xss(2)>a</a>"
    const seen = await watch(
      browser,
      answerPage(isGuarded, (html) => html.replace("</header>", `</header>${raw}`)),
    )
    await seen.page.goto(`${origin}/@attacker/${bodies[0]?.slug}/`)
    await seen.page.evaluate(TOUCH)
    await seen.page.waitForTimeout(300)
    expect(seen.ran.size).toBe(count)
    await seen.context.close()
  })
})

describe("public pages without their policy", () => {
  test("run nothing in titles, descriptions and labels, whatever they say", async () => {
    const headers = { "X-API-KEY": await newKey("headliner") }
    const publish = async (fields: Fields, slug: string): Promise<string> => {
      const post = { ...PUBLISHED, ...fields, slug, body: "x" }
      const { status, json } = await call("POST", `${API}/posts/`, { headers, body: JSON.stringify(post) })
      expect(status, JSON.stringify(json)).toBe(201)
      return (await fetch(`${origin}/@headliner/${slug}/`)).text()
    }
    const pages: string[] = []
    for (const some of chunks(makeFields(), 10))
      pages.push(...(await Promise.all(some.map((fields, n) => publish(fields, `head-${pages.length + n}`)))))
    const frames = pages.map((page) => frame("page", page))
    const seen = await showBare(chunks(frames, 50).map((some) => some.join("\n")))
    const asked = [...seen.requests].filter((url) => !/^http:\/\/net\.test\/assets\/(?:site\.css|icon\.svg)$/.test(url))
    expect(summarize({ ...seen, requests: new Set(asked) })).toEqual(NOTHING)
    expect(unknown(seen.kinds, ...OF_THE_PAGE, ...OF_THE_DOCUMENT)).toEqual([])
    const shown = new Set(pages.flatMap((page) => [...page.matchAll(/__xss\((\d+)\)/g)].map(([, n]) => n)))
    console.log(`${pages.length} pages with ${shown.size} attacks in their heads`)
    expect(shown.size).toBeGreaterThan(3500)
  }, 200_000)

  test("run nothing in what their own pictures are said to show", async () => {
    const painters = ["painter", "muralist"]
    const keys = await Promise.all(painters.map(newKey))
    const escaped = attacks.map((attack) => oneLine(attack).replaceAll(/[[\]\\<`]/g, "\\$&"))
    const seen = await watch(
      browser,
      answerPage(false, (html) => html),
    )
    let count = 0
    for (const [n, some] of chunks(escaped, 600).entries()) {
      // Ten uploads a minute are allowed to each.
      const headers = { "X-API-KEY": keys[n % 2] ?? "" }
      const form = new FormData()
      form.append("file", new Blob([await readFile("examples/tide/coast.jpg")]), "coast.jpg")
      const { json: image } = await call("POST", `${API}/image-upload/`, { headers, body: form })
      const body = some.map((attack) => `![${attack}](${image.image_url})`).join("\n\n")
      const post = { ...PUBLISHED, slug: `alt-${n}`, body }
      const { status, json } = await call("POST", `${API}/posts/`, { headers, body: JSON.stringify(post) })
      expect(status, JSON.stringify(json)).toBe(201)
      await seen.page.goto(`${origin}/@${painters[n % 2]}/alt-${n}/`)
      await seen.page.evaluate(TOUCH)
      expect(unknown(await inventory(seen.page, "article"), ...OF_THE_PAGE, `src ${origin}`)).toEqual([])
      count += await seen.page.evaluate<number>("document.querySelectorAll('article img[alt]').length")
    }
    expect(summarize(seen)).toEqual(NOTHING)
    expect(count).toBeGreaterThan(0.95 * attacks.length)
    await seen.context.close()
  }, 120_000)
})
