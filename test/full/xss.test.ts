import type { Browser, Route } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { sanitize } from "../../src/posts/net.ts"
import { API, call, newKey, origin } from "../e2e/support.ts"
import { ALLOWED, PROTOCOLS } from "../posts/html.ts"
import { makeAttacks, makeBlocks } from "./attacks.ts"
import { inventory, openBrowser, TOUCH, watch } from "./watch.ts"

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
const unknown = (found: string[], ...own: string[]) => found.filter((one) => !OF_THE_NET.has(one) && !own.includes(one))

const chunks = <T>(all: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

const NET = "http://net.test"

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
    if (!document.includes("class=control")) {
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
    expect([...seen.ran].map((n) => attacks[Number(n)] ?? n)).toEqual([])
    expect({ dialogs: seen.dialogs, requests: [...seen.requests], leaps: seen.leaps }).toEqual({
      dialogs: [],
      requests: [],
      leaps: [],
    })
    expect(unknown(seen.kinds, "div")).toEqual([])
  }, 120_000)

  // Else nothing above would say anything.
  test("is what holds them: without it many run", async () => {
    const some = attacks.filter((_, n) => n < 300 || n % 30 === 0)
    const framed = some.map(
      (attack) =>
        `<iframe class=control srcdoc="${attack.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`,
    )
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

const at = (list: string[], i: number) => list[i % list.length] ?? ""
/** Attacks in the other fields of the n-th post. */
const makeFields = (n: number) => {
  const short = attacks.map(oneLine).filter((attack) => attack.length <= 64 && !attack.includes(",") && attack !== "")
  const long = attacks.map(oneLine).filter((attack) => attack.length <= 255 && attack !== "")
  const take = (count: number, offset: number) =>
    Array.from({ length: count }, (_, i) => at(short, n * 30 + offset + i))
  return {
    title: at(long, n * 97),
    meta_description: at(long, n * 89 + 1),
    categories: take(10, 0),
    tags: take(20, 10),
  }
}

let made = 0
/** Makes posts of the blocks: one, or more when that is too complex for one. */
const makePosts = async (apiKey: string, blocks: string[]): Promise<Body[]> => {
  made += 1
  const slug = `attack-${made}`
  const post = { ...makeFields(made), slug, status: "PB", translation_languages: [], body: blocks.join("\n\n") }
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

/** The page as it is served, or without its policy. @param change what strangers would do if they could */
const answerPage = (isGuarded: boolean, change: (html: string) => string) => async (route: Route) => {
  const url = route.request().url()
  if (EXPECTED.has(url)) await route.continue()
  else if (url.startsWith(`${origin}/@attacker/`) && route.request().isNavigationRequest()) {
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
        for (const [, n = ""] of (await seen.page.content()).matchAll(/__xss\((\d+)\)/g)) shown.add(n)
      }
      expect([...seen.ran].map((n) => attacks[Number(n)] ?? n)).toEqual([])
      expect({ dialogs: seen.dialogs, requests: [...seen.requests], leaps: seen.leaps }).toEqual({
        dialogs: [],
        requests: [],
        leaps: [],
      })
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
