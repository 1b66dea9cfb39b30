import type { Page } from "playwright-core"

type Name = string | RegExp

/** A way to operate a page. */
export interface Hands {
  /** Activates the button or link with this name. */
  use: (page: Page, name: Name) => Promise<void>
  /** Replaces the text of the field with this name. */
  write: (page: Page, name: Name, text: string) => Promise<void>
}

const pointed = (page: Page, name: Name) =>
  page.getByRole("button", { name, exact: true }).or(page.getByRole("link", { name, exact: true }))

export const POINTER: Hands = {
  use: (page, name) => pointed(page, name).click(),
  write: (page, name, text) => page.getByLabel(name, { exact: true }).fill(text),
}

const FOCUSED = `(({ activeElement: one }) =>
  one.getAttribute("aria-label") ?? (one.labels?.[0] ?? one).textContent.trim())(document)`
const MOST_TABS = 60

/** Returns the name of the focused element. */
export const focused = (page: Page): Promise<string> => page.evaluate<string>(FOCUSED)

/** Presses Tab until the element with this name has the focus. @throws after MOST_TABS */
export const tabTo = async (page: Page, wanted: Name): Promise<void> => {
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press("Tab")
    const name = await focused(page)
    if (typeof wanted === "string" ? name === wanted : wanted.test(name)) return
  }
  throw new Error(`Tab never came to ${String(wanted)}.`)
}

/** Returns the visible controls that Tab does not reach in one pass. */
export const unreached = async (page: Page, tabs = MOST_TABS): Promise<unknown> => {
  await page.evaluate("window.reached = new Set(); document.activeElement.blur()")
  for (let i = 0; i < tabs; i++) {
    await page.keyboard.press("Tab")
    await page.evaluate("window.reached.add(document.activeElement)")
  }
  return page.evaluate(`[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea")]
    .filter((one) => one.checkVisibility() && !window.reached.has(one)).map((one) => one.outerHTML)`)
}

/** Date fields take month, day and year in the order of the browser's language. */
const asTyped = (text: string): string => text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2$3$1")

export const KEYBOARD: Hands = {
  use: async (page, name) => {
    await tabTo(page, name)
    await page.keyboard.press("Enter")
  },
  write: async (page, name, text) => {
    await tabTo(page, name)
    await page.keyboard.press("ControlOrMeta+A")
    await page.keyboard.type(asTyped(text))
  },
}

/** Activates a control that leads to another page and waits for that page. */
export const go = async ({ use }: Hands, page: Page, name: Name): Promise<void> => {
  await Promise.all([page.waitForEvent("load"), use(page, name)])
}
