import type { Browser, Page, Route } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"

import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { ASSETS } from "../../src/ui/assets.ts"
import { API, call, eventually, newKey, origin } from "../e2e/support.ts"
import { ALLOWED, htmlOf, PROTOCOLS, sanitized, showNone } from "../markdown/html.ts"
import { makeAttacks, makeBlocks } from "./attacks.ts"
import { clientOf, readExample, upload } from "./blog.ts"
import { DATA_BLOCK, inventory, openBrowser, settle, TOUCH, type Watch, watch } from "./watch.ts"

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
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => browser.close())

/** Returns the DOM name of a hast property: `colSpan` is `colspan`, `dataFootnoteRef` is `data-footnote-ref`. */
const domName = (name: string) => {
  if (name === "className") return "class"
  if (name.startsWith("aria")) return `aria-${name.slice(4).toLowerCase()}`
  return /^data[A-Z]/.test(name)
    ? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : name.toLowerCase()
}
const OF_MARKDOWN = new Set([
  ...Object.entries(ALLOWED).flatMap(([tag, names]) => [tag, ...names.map((name) => `${tag} ${domName(name)}`)]),
  ...PROTOCOLS.map((protocol) => `href ${protocol}`),
  "http://www.w3.org/1998/Math/MathML",
])
/** Elements and attributes of the page outside the body. */
const OF_THE_PAGE = [
  ["header", "p class", "bdi", "time", "time datetime", "footer", "ul class", "ul", "li"],
  ["div tabindex", "pre tabindex", "math tabindex", "input aria-label", "img srcset", "img sizes"],
  ["article class", "time class", "data", "data class", "data value"],
].flat()
const OF_A_TRANSLATION = [
  "span aria-current",
  "span lang",
  "nav",
  "nav aria-label",
  "a hreflang",
  "a lang",
  `src ${origin}`,
]
const OF_THE_DOCUMENT = [
  ["html", "html lang", "html dir", "head", "body", "body class", "iframe", "iframe class", "iframe srcdoc"],
  ["meta", "meta charset", "meta name", "meta content", "meta property", "title", DATA_BLOCK, "href undefined"],
  ["link", "link rel", "link href", "link hreflang", "link type", "link title", "header class", "footer class"],
  ["nav", "nav class", "nav aria-label", "nav lang", "bdi", "bdi lang", "main", "article", "h1"],
].flat()
const unknown = (found: string[], ...own: string[]) =>
  found.filter((one) => !OF_MARKDOWN.has(one) && !own.includes(one))

const chunks = <T>(all: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

const NET = "http://net.test"

/** Returns a document inside an iframe. */
const frame = (kind: "control" | "page", html: string): string =>
  `<iframe class=${kind} srcdoc="${html.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`

/** Shows HTML without a policy and touches all of it. @returns scripts that ran and requests */
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
    // Parsing the HTML a second time must not change its meaning.
    if (!document.includes("<iframe class=")) {
      await seen.page.evaluate("document.querySelector('main').innerHTML = document.querySelector('main').innerHTML")
      await seen.page.evaluate(TOUCH)
      for (const kind of await inventory(seen.page, "main")) kinds.add(kind)
    }
    await settle(seen.page).catch(() => {})
  }
  return { ...seen, kinds: [...kinds] }
}

/** Returns the HTML of a body; null if the body is refused. */
const acceptedHtml = (markdown: string, make: typeof sanitized = htmlOf): string | null => {
  try {
    return make(markdown, { show: showNone })
  } catch (error) {
    if (error instanceof TooComplex) return null
    throw error
  }
}
const rendered = (markdown: string, make?: typeof sanitized): string =>
  `<div>${acceptedHtml(markdown, make) ?? ""}</div>`

/** Shows HTML. @returns what ran and was loaded, and the kinds of elements that Markdown cannot make */
const effectsOf = async (clean: string[]) => {
  const seen = await showBare(chunks(clean, 1500).map((some) => some.join("\n")))
  return { ...summarize(seen), kinds: unknown(seen.kinds, "div") }
}

describe("HTML of Markdown without a Content-Security-Policy", () => {
  test("HTML rendered from Markdown with XSS attacks runs no script and loads nothing, even without a CSP", async () => {
    const clean = attacks.flatMap((attack) => [rendered(attack), rendered(attack, sanitized)])
    expect(clean.filter((html) => html === "<div></div>").length).toBeLessThan(clean.length / 3)
    expect(await effectsOf(clean)).toEqual({ ...NOTHING, kinds: [] })
  })

  test("HTML rendered from XSS attacks inside lists, quotes and other Markdown runs no script and loads nothing", async () => {
    const clean = makeBlocks(attacks).map((block) => rendered(block))
    expect(await effectsOf(clean)).toEqual({ ...NOTHING, kinds: [] })
  })

  // This shows that the tests above can fail.
  test("XSS attacks run many scripts if their HTML is not sanitized", async () => {
    const some = attacks.filter((_, n) => n < 300 || n % 30 === 0)
    const framed = some.map((attack) => frame("control", attack))
    const seen = await showBare(chunks(framed, 50).map((frames) => frames.join("\n")))
    console.log(`${seen.ran.size} of ${some.length} attacks ran, ${seen.requests.size} requests`)
    expect(seen.ran.size).toBeGreaterThan(150)
    expect(seen.requests.size).toBeGreaterThan(10)
  })
})

const halvesOf = <T>(all: T[]): T[][] => chunks(all, Math.ceil(all.length / 2))

interface Pack {
  blocks: string[]
  html: string
}

/** Splits blocks into bodies that are accepted. An unclosed block affects all following blocks. */
const acceptedPacks = (blocks: string[]): Pack[] => {
  const html = acceptedHtml(blocks.join("\n\n"))
  if (html !== null) return [{ blocks, html }]
  return blocks.length === 1 ? [] : halvesOf(blocks).flatMap(acceptedPacks)
}

const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, " ").trim()

/** Joins texts into lines of at most `length` characters; drops longer texts. */
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

/** Puts a quarter of the attacks in titles, a quarter in descriptions, and all short ones in labels. */
const makeFields = (): Fields[] => {
  const lines = attacks.map(oneLine)
  const quarter = (rest: number) => lines.filter((_, n) => n % 4 === rest)
  const [titles, descriptions] = [fillLines(quarter(0), 255), fillLines(quarter(2), 300)]
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

/** Lets this process notice connections that the service closed, so that they are not used again. */
const noticeClosed = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const PUBLISHED = { title: "x", meta_description: "x", categories: "x", status: "PB", translation_languages: [] }
const publish = (key: string, fields: object) =>
  call("POST", `${API}/posts/`, { headers: { "X-API-KEY": key }, body: JSON.stringify({ ...PUBLISHED, ...fields }) })

const uploadCoast = async (key: string): Promise<string> =>
  (await upload(clientOf({ origin, key }), await readExample("coast.jpg"))).image_url
/** Returns an image whose alt text is an attack. */
const imageOf = (attack: string, url: string): string =>
  `![${oneLine(attack).replaceAll(/[[\]\\<`]/g, "\\$&")}](${url})`

let made = 0
/** Makes one post of the blocks, or several if they are too complex for one. @returns their slugs */
const makePosts = async (key: string, blocks: string[], fields: object = {}): Promise<string[]> => {
  made += 1
  const slug = `attack-${made}`
  const { status, json } = await publish(key, { ...fields, slug, body: blocks.join("\n\n") })
  if (status === 201) return [slug]
  expect(json.errors, JSON.stringify(json.errors)).toMatchObject([{ code: "body_too_complex" }])
  expect(blocks.length, blocks[0]).toBeGreaterThan(1)
  const slugs = []
  for (const half of halvesOf(blocks)) slugs.push(...(await makePosts(key, half, fields)))
  return slugs
}

const EXPECTED = new Set([ASSETS["site.css"], ASSETS["icon.svg"]].map((path) => origin + path))

const NOTHING = { ran: [], dialogs: [], requests: [], leaps: [] }
/** Returns the events on a page, with the text of the attacks. */
const summarize = ({ ran, dialogs, requests, leaps }: Watch) => ({
  ran: [...ran].map((n) => attacks[Number(n)] ?? n),
  dialogs,
  requests: [...requests],
  leaps,
})
/** Returns the numbers of the attacks in a text, translated or not. */
const numbersIn = (text: string): string[] => [...text.matchAll(/__xss(?:·fr)?\((\d+)\)/g)].map(([, n = ""]) => n)

const OUTSIDE = [
  "head > :not(meta, title, link, script)",
  "body > :not(main, .site)",
  "main > :not(article, .pager)",
  "script:not(head > [type='application/ld+json'])",
  "style",
].join()

/** Opens a page, touches all of it and checks it against the allowed elements. @param own further allowed elements */
const openPage = async (page: Page, path: string, ...own: string[]) => {
  const response = await page.goto(`${origin}${path}`)
  expect(response?.status(), path).toBe(200)
  await page.evaluate(TOUCH)
  await page.mouse.wheel(0, 2000)
  expect(unknown(await inventory(page, "article"), ...OF_THE_PAGE, ...own), path).toEqual([])
  expect(await page.evaluate(`document.querySelectorAll(${JSON.stringify(OUTSIDE)}).length`), path).toBe(0)
}

const sameHtml = (html: string) => html

/** Answers with the page as served, or without its policy. @param change simulates unsanitized HTML */
const answerPage = async (route: Route, isGuarded: boolean, change: (html: string) => string): Promise<boolean> => {
  const url = route.request().url()
  if (EXPECTED.has(url)) await route.continue()
  else if (/\/media\/\w+\/.*\.webp$/.test(url)) await route.fulfill({ contentType: "image/webp", body: "" })
  else if (url.startsWith(`${origin}/@`) && route.request().isNavigationRequest()) {
    const response = await route.fetch()
    const headers = response.headers()
    if (!isGuarded) delete headers["content-security-policy"]
    await route.fulfill({ status: response.status(), headers, body: change(await response.text()) })
  } else return false
  return true
}
/** Opens a browser that shows public pages. @param isGuarded keeps their Content-Security-Policy */
const watchPages = (isGuarded: boolean, change = sameHtml): Promise<Watch> =>
  watch(browser, (route) => answerPage(route, isGuarded, change))

/** Returns the numbers of the attacks that Markdown shows as text. */
const numbersOf = (packs: Pack[]): Set<string> => new Set(packs.flatMap(({ html }) => numbersIn(html)))

describe("public pages with attacks", () => {
  let slugs: string[]
  let expected: Set<string>
  beforeAll(async () => {
    const packs = chunks(makeBlocks(attacks), 100).flatMap(acceptedPacks)
    expected = numbersOf(packs)
    await noticeClosed()
    const key = await newKey("attacker")
    const makeAll = async (some: Pack[]) => {
      const all: string[] = []
      for (const pack of some) all.push(...(await makePosts(key, pack.blocks)))
      return all
    }
    slugs = (await Promise.all(halvesOf(packs).map(makeAll))).flat()
    console.log(`${attacks.length} attacks, ${expected.size} of them shown as text, ${slugs.length} posts`)
  })

  test.each([true, false])(
    "public pages with XSS attacks run no script, load nothing and hold only allowed elements (CSP sent: %s)",
    async (isGuarded) => {
      const seen = await watchPages(isGuarded)
      const shown = new Set<string>()
      for (const slug of slugs) {
        await openPage(seen.page, `/@attacker/${slug}/`)
        for (const n of numbersIn(await seen.page.content())) shown.add(n)
      }
      expect(summarize(seen)).toEqual(NOTHING)
      // Attacks shown as code or text in Markdown are visible.
      expect(expected.size).toBeGreaterThan(1000)
      expect([...expected].filter((n) => !shown.has(n))).toEqual([])
    },
  )

  test.each([
    [false, 3],
    [true, 0],
  ])("unsanitized HTML on a public page (CSP sent: %s) runs %i scripts", async (isGuarded, count) => {
    const raw = "<script>__xss(0)</script><img src=x onerror=__xss(1)><a href=javascript:__xss(2)>a</a>"
    const seen = await watchPages(isGuarded, (html) => html.replace("</header>", `</header>${raw}`))
    await seen.page.goto(`${origin}/@attacker/${slugs[0]}/`)
    await seen.page.evaluate(TOUCH)
    // The image fails last, which would run its script before the page answers again.
    await eventually(() => expect([...seen.requests]).toEqual([`${origin}/@attacker/${slugs[0]}/x`]))
    await seen.page.evaluate(TOUCH)
    await eventually(() => expect(seen.ran.size).toBe(count))
  })
})

/** Waits until a post has a complete French translation. */
const untilTranslated = async (post: string, headers: Record<string, string>): Promise<void> => {
  const find = async () => (await call("GET", `${post}translations/`, { headers })).json.translations[0]
  const isReady = async () => expect(await find()).toMatchObject({ status: "ready", engine: "pseudo" })
  await eventually(isReady)
  const { warnings } = await find()
  expect(warnings).not.toContainEqual(expect.objectContaining({ code: "not_translated" }))
}

describe("public pages of translations with attacks", () => {
  const LANGUAGES = { primary_language: "en", translation_languages: ["fr"] }
  let slugs: string[]
  let there: string[]
  beforeAll(async () => {
    const key = await newKey("translated")
    const url = await uploadCoast(key)
    const all = [...makeBlocks(attacks), ...attacks.map((attack) => imageOf(attack, url))]
    const blocks = all.filter((_, n) => n % 19 === 0)
    const packs = chunks(blocks, 100).flatMap(acceptedPacks)
    there = [...numbersOf(packs)]
    const heads = makeFields()
    await noticeClosed()
    const publishPack = async (pack: Pack, n: number): Promise<string[]> => {
      const { title, meta_description, ...labels } = heads[Math.floor((n * heads.length) / packs.length)] ?? PUBLISHED
      const head = { title, meta_description }
      const posts = await makePosts(key, pack.blocks, { ...head, ...labels, ...LANGUAGES })
      for (const slug of posts) {
        const post = `${API}/posts/${slug}/`
        const headers = { "X-API-KEY": key }
        await untilTranslated(post, headers)
        // The engine marks every word, even `script`; a hand edit is stored unchanged.
        const body = JSON.stringify({ ...LANGUAGES, ...head, lang_code: "fr" })
        if (n % 2 > 0) expect(await call("PATCH", post, { headers, body })).toMatchObject({ status: 200 })
      }
      return posts
    }
    slugs = (await Promise.all(packs.map(publishPack))).flat()
    console.log(`${there.length} attacks in ${blocks.length} blocks of ${slugs.length} posts that were translated`)
  })

  test.each([true, false])(
    "translated pages with XSS attacks run no script, load nothing and hold only allowed elements (CSP sent: %s)",
    async (isGuarded) => {
      const seen = await watchPages(isGuarded)
      const shown = new Set<string>()
      for (const slug of slugs) {
        await openPage(seen.page, `/@translated/${slug}/fr/`, ...OF_A_TRANSLATION)
        expect(unknown(await inventory(seen.page, "head"), ...OF_THE_DOCUMENT), slug).toEqual([])
        for (const n of numbersIn(await seen.page.content())) shown.add(n)
      }
      expect(summarize(seen)).toEqual(NOTHING)
      // The attacks are visible as text, except those in URLs and attributes.
      expect(there.filter((n) => shown.has(n)).length).toBeGreaterThan(0.85 * there.length)
    },
  )
})

/** Publishes a post with these fields. @returns its page */
const publishWith = async (fields: object, slug: string, author: string, key: string): Promise<string> => {
  const { status, json } = await publish(key, { body: "x", ...fields, slug })
  expect(status, JSON.stringify(json)).toBe(201)
  return (await fetch(`${origin}/@${author}/${slug}/`)).text()
}

describe("public pages without their Content-Security-Policy", () => {
  test("XSS attacks in a post's title, description, categories and tags run no script on its public page", async () => {
    const pages: string[] = []
    // An account may write 300 times a minute.
    for (const many of chunks(makeFields(), 200)) {
      const author = `headliner-${pages.length}`
      const key = await newKey(author)
      for (const some of chunks(many, 10)) {
        const slugOf = (n: number) => `head-${pages.length + n}`
        pages.push(...(await Promise.all(some.map((fields, n) => publishWith(fields, slugOf(n), author, key)))))
      }
    }
    const frames = pages.map((page) => frame("page", page))
    const seen = await showBare(chunks(frames, 50).map((some) => some.join("\n")))
    const asked = [...seen.requests].filter((url) => !EXPECTED.has(url.replace("http://net.test", origin)))
    expect(summarize({ ...seen, requests: new Set(asked) })).toEqual(NOTHING)
    expect(unknown(seen.kinds, ...OF_THE_PAGE, ...OF_THE_DOCUMENT)).toEqual([])
    const shown = new Set(pages.flatMap((page) => [...page.matchAll(/__xss\((\d+)\)/g)].map(([, n]) => n)))
    console.log(`${pages.length} pages with ${shown.size} attacks in their heads`)
    expect(shown.size).toBeGreaterThan(3500)
  })

  test("XSS attacks in the alt text of an author's images run no script on the public page", async () => {
    const keys = { painter: await newKey("painter"), muralist: await newKey("muralist") }
    const seen = await watchPages(false)
    let count = 0
    for (const [n, some] of chunks(attacks, 600).entries()) {
      // Ten uploads a minute are allowed per account.
      const author = n % 2 === 0 ? "painter" : "muralist"
      const key = keys[author]
      const url = await uploadCoast(key)
      await publishWith({ body: some.map((attack) => imageOf(attack, url)).join("\n\n") }, `alt-${n}`, author, key)
      await seen.page.goto(`${origin}/@${author}/alt-${n}/`)
      await seen.page.evaluate(TOUCH)
      expect(unknown(await inventory(seen.page, "article"), ...OF_THE_PAGE, `src ${origin}`)).toEqual([])
      count += await seen.page.evaluate<number>("document.querySelectorAll('article img[alt]').length")
    }
    expect(summarize(seen)).toEqual(NOTHING)
    expect(count).toBeGreaterThan(0.95 * attacks.length)
  })
})
