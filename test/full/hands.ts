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
  const note = `addEventListener("focusin", ({ target }) => window.reached.add(target))`
  await page.evaluate(`window.reached = new Set(); ${note}; document.activeElement.blur()`)
  for (let i = 0; i < tabs; i++) await page.keyboard.press("Tab")
  return page.evaluate(`[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea")]
    .filter((one) => one.checkVisibility() && !window.reached.has(one)).map((one) => one.outerHTML)`)
}

// Matches `2026-12-24` and `2026-12-24T18:30`. Does not match `18:30`.
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/

/** Types a text. Date fields take month, day, year, hour and minute in the order of the browser's language. */
const type = async ({ keyboard }: Page, text: string): Promise<void> => {
  const [, year, month, day, hour, minute] = DATE.exec(text) ?? []
  if (year === undefined) return keyboard.type(text)
  await keyboard.type(`${month}${day}${year}`)
  if (hour === undefined) return
  // A year may have six digits.
  await keyboard.press("Tab")
  await keyboard.type(`${String(Number(hour) % 12 || 12).padStart(2, "0")}${minute}${Number(hour) < 12 ? "AM" : "PM"}`)
}

export const KEYBOARD: Hands = {
  use: async (page, name) => {
    await tabTo(page, name)
    await page.keyboard.press("Enter")
  },
  write: async (page, name, text) => {
    await tabTo(page, name)
    await page.keyboard.press("ControlOrMeta+A")
    await type(page, text)
  },
}

/** Presses Enter in the field that has the focus, which sends its form, and waits for the next page. */
export const pressEnter = async (page: Page): Promise<void> => {
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")])
}

/** Activates a control that leads to another page and waits for that page, and for a text on it. */
export const go = async ({ use }: Hands, page: Page, name: Name, shown = ""): Promise<void> => {
  await Promise.all([page.waitForEvent("load"), use(page, name)])
  if (shown !== "") await page.getByText(shown).waitFor()
}
