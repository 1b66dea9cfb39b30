import { readFile } from "node:fs/promises"

import type { Browser, Page, Route } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { API, call, eventually, newKey, origin } from "../e2e/support.ts"
import { ALLOWED, htmlOf, PROTOCOLS, refusalOf, sanitized, showNone } from "../markdown/html.ts"
import { makeAttacks, makeBlocks } from "./attacks.ts"
import { DATA_BLOCK, inventory, openBrowser, TOUCH, type Watch, watch } from "./watch.ts"

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
  "header",
  "p class",
  "bdi",
  "time",
  "time datetime",
  "footer",
  "ul class",
  "ul",
  "li",
  "div tabindex",
  "pre tabindex",
  "math tabindex",
  "input aria-label",
]
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
  "html",
  "html lang",
  "html dir",
  "body",
  "body class",
  "iframe",
  "iframe class",
  "iframe srcdoc",
  "href undefined",
  "meta charset",
  "meta name",
  "meta content",
  "meta property",
  "meta",
  "title",
  "link rel",
  "link href",
  "link hreflang",
  "link type",
  "link title",
  DATA_BLOCK,
  "header class",
  "footer class",
  "nav",
  "nav class",
  "nav aria-label",
  "nav lang",
  "bdi lang",
  "link",
  "head",
  "main",
  "article",
  "h1",
  "bdi",
]
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
    await seen.page.waitForTimeout(100)
  }
  await seen.context.close()
  return { ...seen, kinds: [...kinds] }
}

/** Returns the HTML of a body, or nothing if the body is refused. */
const rendered = (markdown: string): string =>
  refusalOf(markdown) === null ? htmlOf(markdown, { show: showNone }) : ""

describe("HTML of Markdown without a Content-Security-Policy", () => {
  test("HTML rendered from Markdown with XSS attacks runs no script and loads nothing, even without a CSP", async () => {
    const clean = attacks.flatMap((attack) => [
      `<div>${rendered(attack)}</div>`,
      `<div>${refusalOf(attack) === null ? sanitized(attack, { show: showNone }) : ""}</div>`,
    ])
    expect(clean.filter((html) => html === "<div></div>").length).toBeLessThan(clean.length / 3)
    const seen = await showBare(chunks(clean, 1500).map((some) => some.join("\n")))
    expect(summarize(seen)).toEqual(NOTHING)
    expect(unknown(seen.kinds, "div")).toEqual([])
  })

  test("HTML rendered from XSS attacks inside lists, quotes and other Markdown runs no script and loads nothing", async () => {
    const clean = makeBlocks(attacks).map((block) => `<div>${rendered(block)}</div>`)
    const seen = await showBare(chunks(clean, 1500).map((some) => some.join("\n")))
    expect(summarize(seen)).toEqual(NOTHING)
    expect(unknown(seen.kinds, "div")).toEqual([])
  })

  // This shows that the tests above can fail.
  test("XSS attacks run many scripts if their HTML is not sanitized", async () => {
    const some = attacks.filter((_, n) => n < 300 || n % 30 === 0)
    const framed = some.map((attack) => frame("control", attack))
    const seen = await showBare(chunks(framed, 50).map((frames) => frames.join("\n")))
    console.log(
      `${seen.ran.size} of ${some.length} attacks ran, ${seen.requests.size} requests, ${seen.dialogs.length} dialogs`,
    )
    expect(seen.ran.size).toBeGreaterThan(150)
    expect(seen.requests.size).toBeGreaterThan(10)
  })
})

interface Body {
  slug: string
  blocks: string[]
}

/** Splits blocks into bodies that are accepted. An unclosed block affects all following blocks. */
const acceptedPacks = (blocks: string[]): string[][] => {
  if (refusalOf(blocks.join("\n\n")) === null) return [blocks]
  if (blocks.length === 1) return []
  const half = Math.ceil(blocks.length / 2)
  return [...acceptedPacks(blocks.slice(0, half)), ...acceptedPacks(blocks.slice(half))]
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

/** Lets this process notice connections that the service closed, so that they are not used again. */
const noticeClosed = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const PUBLISHED = { title: "x", meta_description: "x", categories: "x", status: "PB", translation_languages: [] }

/** Uploads an image to an account. @returns its URL */
const upload = async (headers: { "X-API-KEY": string }): Promise<string> => {
  const form = new FormData()
  form.append("file", new Blob([await readFile("examples/tide/coast.jpg")]), "coast.jpg")
  const { json } = await call("POST", `${API}/image-upload/`, { headers, body: form })
  return json.image_url
}
/** Returns an image whose alt text is an attack. */
const imageOf = (attack: string, url: string): string =>
  `![${oneLine(attack).replaceAll(/[[\]\\<`]/g, "\\$&")}](${url})`

let made = 0
/** Makes one post of the blocks, or several if they are too complex for one. */
const makePosts = async (apiKey: string, blocks: string[], fields: object = {}): Promise<Body[]> => {
  made += 1
  const slug = `attack-${made}`
  const post = { ...PUBLISHED, ...fields, slug, body: blocks.join("\n\n") }
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
  return [
    ...(await makePosts(apiKey, blocks.slice(0, half), fields)),
    ...(await makePosts(apiKey, blocks.slice(half), fields)),
  ]
}

const EXPECTED = new Set(["/assets/site.css", "/assets/icon.svg"].map((path) => origin + path))

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

/** Answers with the page as served, or without its policy. @param change simulates unsanitized HTML */
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

describe("public pages with attacks", () => {
  let bodies: Body[]
  let expected: Set<string>
  beforeAll(async () => {
    const packs = chunks(makeBlocks(attacks), 100).flatMap(acceptedPacks)
    expected = new Set(packs.flatMap((pack) => numbersIn(htmlOf(pack.join("\n\n"), { show: showNone }))))
    await noticeClosed()
    const apiKey = await newKey("attacker")
    const half = Math.ceil(packs.length / 2)
    const makeAll = async (some: string[][]) => {
      const all: Body[] = []
      for (const pack of some) all.push(...(await makePosts(apiKey, pack)))
      return all
    }
    bodies = (await Promise.all([makeAll(packs.slice(0, half)), makeAll(packs.slice(half))])).flat()
    console.log(`${attacks.length} attacks, ${expected.size} of them shown as text, ${bodies.length} posts`)
  })

  test.each([true, false])(
    "public pages with XSS attacks run no script, load nothing and hold only allowed elements (CSP sent: %s)",
    async (isGuarded) => {
      const seen = await watch(
        browser,
        answerPage(isGuarded, (html) => html),
      )
      const shown = new Set<string>()
      for (const { slug } of bodies) {
        await openPage(seen.page, `/@attacker/${slug}/`)
        for (const n of numbersIn(await seen.page.content())) shown.add(n)
      }
      expect(summarize(seen)).toEqual(NOTHING)
      // Attacks shown as code or text in Markdown are visible.
      expect(expected.size).toBeGreaterThan(1000)
      expect([...expected].filter((n) => !shown.has(n))).toEqual([])
      await seen.context.close()
    },
  )

  test.each([
    [false, 3],
    [true, 0],
  ])("unsanitized HTML on a public page (CSP sent: %s) runs %i scripts", async (isGuarded, count) => {
    const raw = "<script>__xss(0)</script><img src=x onerror=__xss(1)><a href=javascript:__xss(2)>a</a>"
    const seen = await watch(
      browser,
      answerPage(isGuarded, (html) => html.replace("</header>", `</header>${raw}`)),
    )
    await seen.page.goto(`${origin}/@attacker/${bodies[0]?.slug}/`)
    await seen.page.evaluate(TOUCH)
    // A script that must not run has this long to do so; one that must run has longer.
    await seen.page.waitForTimeout(300)
    await eventually(() => expect(seen.ran.size).toBe(count))
    await seen.context.close()
  })
})

/** Waits until a post has a complete French translation. */
const untilTranslated = async (post: string, headers: Record<string, string>): Promise<void> => {
  const find = async () => (await call("GET", `${post}translations/`, { headers })).json.translations[0]
  const isReady = async () => expect(await find()).toMatchObject({ status: "ready", engine: "pseudo" })
  await eventually(isReady)
  const { warnings } = await find()
  expect(warnings.filter(({ code }: { code: string }) => code === "not_translated")).toEqual([])
}

describe("public pages of translations with attacks", () => {
  const LANGUAGES = { primary_language: "en", translation_languages: ["fr"] }
  let slugs: string[]
  let there: string[]
  beforeAll(async () => {
    const headers = { "X-API-KEY": await newKey("translated") }
    const url = await upload(headers)
    const all = [...makeBlocks(attacks), ...attacks.map((attack) => imageOf(attack, url))]
    // Prime to the numbers of carriers, so that all are used.
    const blocks = all.filter((_, n) => n % 19 === 0)
    const packs = chunks(blocks, 100).flatMap(acceptedPacks)
    there = [...new Set(packs.flatMap((pack) => numbersIn(htmlOf(pack.join("\n\n"), { show: showNone }))))]
    const heads = makeFields()
    await noticeClosed()
    const publish = async (pack: string[], n: number): Promise<Body[]> => {
      const { title, meta_description, ...labels } = heads[Math.floor((n * heads.length) / packs.length)] ?? PUBLISHED
      const head = { title, meta_description }
      const posts = await makePosts(headers["X-API-KEY"], pack, { ...head, ...labels, ...LANGUAGES })
      for (const { slug } of posts) {
        const post = `${API}/posts/${slug}/`
        await untilTranslated(post, headers)
        // The engine marks every word, even `script`; a hand edit is stored unchanged.
        const body = JSON.stringify({ ...LANGUAGES, ...head, lang_code: "fr" })
        if (n % 2 > 0) expect(await call("PATCH", post, { headers, body })).toMatchObject({ status: 200 })
      }
      return posts
    }
    slugs = (await Promise.all(packs.map(publish))).flat().map(({ slug }) => slug)
    console.log(`${there.length} attacks in ${blocks.length} blocks of ${slugs.length} posts that were translated`)
  })

  test.each([true, false])(
    "translated pages with XSS attacks run no script, load nothing and hold only allowed elements (CSP sent: %s)",
    async (isGuarded) => {
      const seen = await watch(
        browser,
        answerPage(isGuarded, (html) => html),
      )
      const shown = new Set<string>()
      for (const slug of slugs) {
        await openPage(seen.page, `/@translated/${slug}/fr/`, ...OF_A_TRANSLATION)
        expect(unknown(await inventory(seen.page, "head"), ...OF_THE_DOCUMENT), slug).toEqual([])
        for (const n of numbersIn(await seen.page.content())) shown.add(n)
      }
      expect(summarize(seen)).toEqual(NOTHING)
      // The attacks are visible as text, except those in URLs and attributes.
      expect(there.filter((n) => shown.has(n)).length).toBeGreaterThan(0.85 * there.length)
      await seen.context.close()
    },
  )
})

/** Publishes a post with these fields. @returns its page */
const publishWith = async (fields: Fields, slug: string, author: string, key: string): Promise<string> => {
  const headers = { "X-API-KEY": key }
  const post = { ...PUBLISHED, ...fields, slug, body: "x" }
  const { status, json } = await call("POST", `${API}/posts/`, { headers, body: JSON.stringify(post) })
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
      for (const some of chunks(many, 10))
        pages.push(
          ...(await Promise.all(some.map((fields, n) => publishWith(fields, `head-${pages.length + n}`, author, key)))),
        )
    }
    const frames = pages.map((page) => frame("page", page))
    const seen = await showBare(chunks(frames, 50).map((some) => some.join("\n")))
    const asked = [...seen.requests].filter((url) => !/^http:\/\/net\.test\/assets\/(?:site\.css|icon\.svg)$/.test(url))
    expect(summarize({ ...seen, requests: new Set(asked) })).toEqual(NOTHING)
    expect(unknown(seen.kinds, ...OF_THE_PAGE, ...OF_THE_DOCUMENT)).toEqual([])
    const shown = new Set(pages.flatMap((page) => [...page.matchAll(/__xss\((\d+)\)/g)].map(([, n]) => n)))
    console.log(`${pages.length} pages with ${shown.size} attacks in their heads`)
    expect(shown.size).toBeGreaterThan(3500)
  })

  test("XSS attacks in the alt text of an author's images run no script on the public page", async () => {
    const painters = ["painter", "muralist"]
    const keys = await Promise.all(painters.map((author) => newKey(author)))
    const seen = await watch(
      browser,
      answerPage(false, (html) => html),
    )
    let count = 0
    for (const [n, some] of chunks(attacks, 600).entries()) {
      // Ten uploads a minute are allowed per account.
      const headers = { "X-API-KEY": keys[n % 2] ?? "" }
      const url = await upload(headers)
      const body = some.map((attack) => imageOf(attack, url)).join("\n\n")
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
  })
})
