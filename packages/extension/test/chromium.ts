import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core"

import { eventually } from "../../../test/e2e/support.ts"
import type { Driver, Frame } from "./driver.ts"

/** Returns a frame for a target that Playwright does not show, such as the popup of an extension. */
const attach = async (browser: CDPSession, targetId: string): Promise<Frame> => {
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: false })
  let calls = 0
  const send = (method: string, params: object) =>
    new Promise<{ result?: { value?: unknown }; exceptionDetails?: unknown; data?: string }>((resolve, reject) => {
      calls += 1
      const id = calls
      const onMessage = (event: { sessionId: string; message: string }): void => {
        if (event.sessionId !== sessionId) return
        const answer = JSON.parse(event.message) as { id?: number; result?: object; error?: { message: string } }
        if (answer.id !== id) return
        browser.off("Target.receivedMessageFromTarget", onMessage)
        if (answer.error) reject(new Error(answer.error.message))
        else resolve(answer.result ?? {})
      }
      browser.on("Target.receivedMessageFromTarget", onMessage)
      browser
        .send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) })
        .catch(reject)
    })
  return {
    evaluate: async <T>(expression: string): Promise<T> => {
      const { result, exceptionDetails } = await send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
      })
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return result?.value as T
    },
    screenshot: async () => {
      const { data = "" } = await send("Page.captureScreenshot", {})
      return Buffer.from(data, "base64")
    },
    close: async () => {
      await browser.send("Target.closeTarget", { targetId })
    },
  }
}

const frameOf = (page: Page): Frame => ({
  evaluate: <T>(expression: string) => page.evaluate<T>(expression),
  screenshot: () => page.screenshot({ fullPage: true }),
  close: () => page.close(),
})

/** Starts Debian's Chromium with the extension of a folder. The toolbar button is pressed for real. */
export const startChromium = async (extension: string, colorScheme: "light" | "dark" = "light"): Promise<Driver> => {
  const context: BrowserContext = await chromium.launchPersistentContext("", {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: false,
    colorScheme,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--enable-unsafe-extension-debugging",
      // Playwright sets the colours of tabs alone.
      `--blink-settings=preferredColorScheme=${colorScheme === "dark" ? 0 : 1}`,
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  })
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"))
  const { host: id } = new URL(worker.url())
  const browser = await context.browser()?.newBrowserCDPSession()
  if (!browser) throw new Error("Chromium has no session for the whole browser.")
  const page = context.pages()[0] ?? (await context.newPage())

  const popupTarget = async (): Promise<string | undefined> => {
    const { targetInfos } = await browser.send("Target.getTargets", {})
    return targetInfos.find(({ url }) => url === `chrome-extension://${id}/popup.html`)?.targetId
  }

  return {
    name: "Chromium",
    page: frameOf(page),
    goto: async (url) => {
      await page.goto(url)
      await page.bringToFront()
    },
    openPopup: async () => {
      const { targetInfos } = await browser.send("Target.getTargets", { filter: [{ type: "tab" }] })
      const tab = targetInfos.find(({ url }) => url === page.url())
      await browser.send("Extensions.triggerAction" as "Target.getTargets", { id, targetId: tab?.targetId } as object)
      return eventually(async () => {
        const target = await popupTarget()
        const popup = target === undefined ? null : await attach(browser, target)
        const isThere = await popup?.evaluate(
          "location.pathname === '/popup.html' && document.readyState === 'complete'",
        )
        if (popup && isThere === true) return popup
        throw new Error("The popup does not open.")
      })
    },
    openOptions: async () => {
      const options = await context.newPage()
      await options.goto(`chrome-extension://${id}/options.html`)
      return frameOf(options)
    },
    stop: () => context.close(),
  }
}
