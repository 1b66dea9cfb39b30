import { readFileSync } from "node:fs"

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Route,
} from "playwright-core"

import { MAX_WAIT_MS } from "../timeouts.ts"

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  })

/** Opens a page in its own context with a timeout for busy machines. */
export const newPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(MAX_WAIT_MS)
  return context.newPage()
}

/** Collects a page's console errors and warnings, exceptions and requests to other hosts from now on. */
export const complaintsOf = (page: Page, origin: string): string[] => {
  const complaints: string[] = []
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()))
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("request", (request) => new URL(request.url()).origin !== origin && complaints.push(request.url()))
  return complaints
}

/** Opens a page, and waits for its scripts and for those that they import. */
export const openReady = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  const scripts = `[...document.querySelectorAll("script[type=module]")].map(({ src }) => import(src))`
  await page.evaluate(`Promise.all(${scripts}).then(() => undefined)`)
}

/** The source of axe. The package's main file has more than twice as much, and each page parses it. */
export const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** Returns what axe finds on a page: the rule, the elements and the reasons. The page must allow scripts. */
const violations = async (page: Page): Promise<string[]> => {
  if ((await page.evaluate("'axe' in window")) === false) await page.evaluate(`${AXE}; undefined`)
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, any }) => html + " " + any.map(({ message }) => message)).join(" | ")))`)
}

/** The tested widths and colour schemes. A phone comes last, so that what a test does next is done there. */
const LOOKS = [1280, 360].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
)

/** Tells whether a page is wider than its window. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > innerWidth")

/**
 * Returns what is wrong with the page in any look: what axe finds, and sideways scrolling. With SCREENSHOTS=1 it saves screenshots.
 * @param check checks the page in each look
 */
export const findFlaws = async (
  page: Page,
  name: string,
  check?: (colorScheme: string) => Promise<void>,
): Promise<string[]> => {
  const found: string[] = []
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await check?.(colorScheme)
    const flaws = [...(await violations(page)), ...((await isTooWide(page)) ? ["scrolls sideways"] : [])]
    found.push(...flaws.map((flaw) => `${name} at ${width} pixels, ${colorScheme}: ${flaw}`))
    const path = `screenshots/${name}-${width}-${colorScheme}.png`
    if (process.env["SCREENSHOTS"] !== undefined) await page.screenshot({ path, fullPage: true })
  }
  return found
}

const CANARY = `window.__xss = (n) => __xssRan(String(n)); for (const name of ["alert", "confirm", "prompt", "print", "open"])
  window[name] = (n) => void __xssRan(name + " " + n)`

export interface Watch {
  page: Page
  context: BrowserContext
  /** The numbers of the attacks that ran. */
  ran: Set<string>
  dialogs: string[]
  /** Requests that no page may make. */
  requests: Set<string>
  /** Navigations, downloads and new windows. */
  leaps: string[]
}

const SETTLED = "/settled"

/** Waits until what a page has asked for has come or failed: an image that it asks for last fails after the others. Its scripts must be allowed. */
export const settle = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const onerror = () => setTimeout(resolve)
    Object.assign(new Image(), { onerror, src: location.origin + "${SETTLED}" })
  })`)

/** Opens a page that records the effects of attacks. @param answer returns true for a request it expected and answered */
export const watch = async (browser: Browser, answer: (route: Route) => Promise<boolean>): Promise<Watch> => {
  const page = await newPage(browser)
  const context = page.context()
  const seen: Watch = { page, context, ran: new Set(), dialogs: [], requests: new Set(), leaps: [] }
  await context.exposeBinding("__xssRan", (_, what: string) => void seen.ran.add(what))
  await context.addInitScript(CANARY)
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on("popup", (popup) => seen.leaps.push(popup.url()))
  page.on("download", (download) => seen.leaps.push(download.url()))
  await context.route("**/*", async (route) => {
    if (new URL(route.request().url()).pathname === SETTLED) return route.abort()
    if (await answer(route)) return
    seen.requests.add(route.request().url())
    await route.abort()
  })
  return seen
}

/** Sends events to all elements and follows links that are not to pages, also inside frames. */
export const TOUCH = `(() => {
  const events = "auxclick dblclick mousedown mouseup mouseover mouseenter mousemove mouseout mouseleave wheel scroll contextmenu pointerdown pointerup pointerover pointerenter pointermove keydown keypress keyup input change focus focusin blur toggle copy paste cut drag drop dragstart dragover touchstart touchend animationstart animationend transitionend load error submit reset select".split(" ")
  const away = ["http:", "https:", "mailto:", "irc:", "ircs:", "sms:", "tel:", "xmpp:"]
  const touch = (document) => {
    for (const element of document.querySelectorAll("*")) {
      for (const name of events) element.dispatchEvent(new Event(name))
      const link = element.closest("a[href]")
      if (link && away.includes(link.protocol)) continue
      if (element.tabIndex >= 0 || element.isContentEditable) element.focus({ preventScroll: true })
      element.click?.()
    }
    document.scrollingElement?.scrollTo(0, 1e6)
  }
  touch(document)
  for (const frame of document.querySelectorAll("iframe")) if (frame.contentDocument) touch(frame.contentDocument)
})()`

/** Names a script element of JSON-LD in an inventory: browsers do not run it. */
export const DATA_BLOCK = "script of JSON-LD"

/** Lists element names, attributes and URL protocols below `root` and inside frames, each once. */
export const inventory = (page: Page, root: string): Promise<string[]> =>
  page.evaluate(`[...new Set([
    ...document.querySelectorAll(${JSON.stringify(`${root} *`)}),
    ...[...document.querySelectorAll("iframe.page")].flatMap((frame) => [...frame.contentDocument.querySelectorAll("*")]),
  ].flatMap((element) => element.matches("script[type='application/ld+json']") ? ["${DATA_BLOCK}"] : [
    element.namespaceURI.endsWith("/xhtml") ? element.localName : element.namespaceURI,
    ...element.getAttributeNames().map((name) => element.localName + " " + name),
    ...(element.hasAttribute("href") ? ["href " + element.protocol] : []),
    ...(element.hasAttribute("src") ? ["src " + new URL(element.src).origin] : []),
  ]))]`)
