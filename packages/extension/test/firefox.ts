import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { freePort } from "../../../scripts/service.ts"
import { eventually } from "../../../test/e2e/support.ts"
import type { Driver, Frame } from "./driver.ts"

/** Connects as soon as Firefox listens. */
const connectTo = (port: number): Promise<Socket> =>
  eventually(async () => {
    const socket = connect(port, "127.0.0.1")
    await once(socket, "connect")
    return socket
  })

type Answer = [type: number, id: number, error: { message: string } | null, result: { value?: unknown } | null]
type Send = (command: string, params: object) => Promise<unknown>

/** Speaks Marionette: each message is its length in bytes, a colon, and JSON. */
const speak = (socket: Socket): Send => {
  let received = Buffer.alloc(0)
  let calls = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(":")
      const length = Number(received.subarray(0, Math.max(0, colon)).toString())
      if (colon < 1 || received.length < colon + 1 + length) return
      const message = JSON.parse(received.subarray(colon + 1, colon + 1 + length).toString()) as Answer
      received = received.subarray(colon + 1 + length)
      if (Array.isArray(message)) waiting.get(message[1])?.(message)
    }
  })
  return (command, params) =>
    new Promise((resolve, reject) => {
      calls += 1
      waiting.set(calls, ([, , error, result]) => (error ? reject(new Error(error.message)) : resolve(result?.value)))
      const text = JSON.stringify([0, calls, command, params])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}

/** Runs in the process of a page: evaluates expressions there, as if the user had clicked. */
const FRAME_SCRIPT = `
addMessageListener("test:evaluate", async ({ data: { id, expression } }) => {
  const sandbox = Components.utils.Sandbox(content.document.nodePrincipal, { sandboxPrototype: content, wantXrays: false })
  const answer = { id }
  try {
    const input = content.windowUtils.setHandlingUserInput(true)
    content.document.notifyUserGestureActivation()
    let value
    try { value = Components.utils.evalInSandbox(expression, sandbox) } finally { input.destruct() }
    answer.json = JSON.stringify(await value)
  } catch (error) {
    answer.error = String(error)
  }
  sendAsyncMessage("test:answer", answer)
})`

/** Runs in the browser's own window: asks the script of a page for the value of an expression. */
const ASK = `
const [which, expression, script, done] = arguments
const browser = which === "popup" ? document.querySelector(".webextension-popup-browser") : gBrowser.tabs[which].linkedBrowser
if (!browser) throw new Error("There is no " + which)
const manager = browser.messageManager
if (browser.testedBy !== manager) {
  browser.testedBy = manager
  manager.loadFrameScript("data:,(()=>{" + encodeURIComponent(script) + "})()", false)
}
const id = Math.random()
// All calls share one way to finish, so each finishes once.
const finish = (answer) => {
  clearTimeout(timer)
  manager.removeMessageListener("test:answer", onAnswer)
  done(answer)
}
const onAnswer = ({ data }) => data.id === id && finish(data)
// A page that is being left answers nothing.
const timer = setTimeout(() => finish({ error: "The page does not answer." }), 5000)
manager.addMessageListener("test:answer", onAnswer)
manager.sendAsyncMessage("test:evaluate", { id, expression })`

/** Ends all processes of a group, if there are any. */
const killGroup = (id: number): void => {
  try {
    process.kill(-id, "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

const PREFERENCES = {
  "app.update.disabledForTesting": true,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  // The browser's own question cannot be answered without its window.
  "extensions.webextOptionalPermissionPrompts": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.startup.max_resumed_crashes": -1,
}

/** Starts Firefox ESR with the extension of a folder. The toolbar button is pressed for real. */
export const startFirefox = async (extension: string): Promise<Driver> => {
  const profile = await mkdtemp(join(tmpdir(), "edgepost-firefox-"))
  const port = await freePort()
  const lines = Object.entries({ ...PREFERENCES, "marionette.port": port })
  await writeFile(
    join(profile, "user.js"),
    lines.map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""),
  )
  const child = spawn(
    process.env["FIREFOX"] ?? "/usr/bin/firefox-esr",
    ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
    { stdio: "ignore", detached: true, env: { ...process.env, HOME: profile } },
  )
  const socket = await connectTo(port)
  const send = speak(socket)
  await send("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })
  const id = await send("Addon:Install", { path: extension, temporary: true })
  await send("Marionette:SetContext", { value: "chrome" })

  const inWindow = (script: string, ...args: unknown[]): Promise<unknown> =>
    send("WebDriver:ExecuteAsyncScript", { script, args, sandbox: "system" })

  const frameOf = (which: "popup" | number): Frame => ({
    evaluate: async <T>(expression: string): Promise<T> => {
      const answer = await inWindow(ASK, which, expression, FRAME_SCRIPT)
      const { json, error } = answer as { json?: string; error?: string }
      if (error !== undefined) throw new Error(error)
      return (json === undefined ? undefined : JSON.parse(json)) as T
    },
    screenshot: () => Promise.reject(new Error("Firefox makes no screenshots here.")),
    close: async () => {
      await inWindow(
        which === "popup"
          ? `const [done] = arguments
            const find = () => document.querySelector(".webextension-popup-browser")
            find()?.closest("panel")?.hidePopup()
            const timer = setInterval(() => {
              if (find()) return
              clearInterval(timer)
              done()
            }, 10)`
          : `const [index, done] = arguments; gBrowser.removeTab(gBrowser.tabs[index]); done()`,
        ...(which === "popup" ? [] : [which]),
      )
    },
  })

  /** Waits for a page of the extension. */
  const opened = (which: "popup" | number, page: string): Promise<Frame> =>
    eventually(async () => {
      const frame = frameOf(which)
      const isOpen = `location.pathname === "/${page}.html" && document.readyState === "complete"`
      if (!(await frame.evaluate<boolean>(isOpen))) throw new Error(`The page ${page} does not open.`)
      return frame
    })

  return {
    name: "Firefox",
    page: frameOf(0),
    goto: async (url) => {
      await send("Marionette:SetContext", { value: "content" })
      await send("WebDriver:Navigate", { url })
      await send("Marionette:SetContext", { value: "chrome" })
    },
    openPopup: async () => {
      await inWindow(
        `const [id, done] = arguments
        const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs")
        const { extension } = WebExtensionPolicy.getByID(id)
        ExtensionParent.apiManager.global.browserActionFor(extension).triggerAction(window)
        done()`,
        id,
      )
      return opened("popup", "popup")
    },
    openOptions: async () => {
      const index = (await inWindow(
        `const [id, done] = arguments
        const url = WebExtensionPolicy.getByID(id).getURL("options.html")
        const tab = gBrowser.addTab(url, { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal(), inBackground: true })
        done(gBrowser.tabs.indexOf(tab))`,
        id,
      )) as number
      return opened(index, "options")
    },
    stop: async () => {
      const ended = once(child, "exit")
      await send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => child.kill())
      await ended
      socket.destroy()
      // Firefox may start itself again, which ends the first process alone.
      if (child.pid !== undefined) killGroup(child.pid)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
