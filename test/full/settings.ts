import { glob } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

import { type Browser, type BrowserContextOptions, type Page } from "playwright-core"
import { expect } from "vitest"

import { startService } from "../e2e/child.ts"
import { call, eventually } from "../e2e/support.ts"
import { complaintsOf, newPage } from "./watch.ts"

/** By language: a word in its script, and the end of a sentence. */
const SCRIPTS = new Map([
  ["ar", { word: "كلمة", end: "." }],
  ["ja", { word: "言葉", end: "。" }],
])

/** Writes each word in the script of the language, with the number of its letters. Tags stay. */
const inScript = (text: string, to: string): string => {
  const script = SCRIPTS.get(to)
  if (!script) return text
  return text
    .replaceAll(/<[^>]*>|&\w+;|\p{L}+/gu, (part) => (/^[<&]/.test(part) ? part : `${script.word}${part.length}`))
    .replaceAll(".", script.end)
}

/** Starts an engine like Apertium: French works, German is missing, Italian fails, Arabic and Japanese have their scripts. */
const startEngine = async (): Promise<{ url: string; stop: () => void }> => {
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => (body += String(chunk)))
    request.on("end", () => {
      const fields = new URLSearchParams(body)
      const [, to = ""] = (fields.get("langpairs") ?? fields.get("langpair") ?? "en|fr").split("|")
      response.statusCode = to === "de" ? 400 : to === "it" ? 503 : 200
      const translatedText = inScript(`${fields.get("q")}`, to)
      response.end(JSON.stringify({ responseData: { translationChain: ["en", to], translatedText } }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() }
}

const POSTS = "/api/blogcontroller/posts/"

/** Starts the service with an engine that fails for some languages. */
export const openScene = async () => {
  const engine = await startEngine()
  const { origin, operatorToken, state, stop } = await startService("TRANSLATOR:apertium", `APERTIUM_URL:${engine.url}`)
  const operate = async (method: string, path: string, changes?: object) => {
    const init = { headers: { Authorization: `Bearer ${operatorToken}` }, body: JSON.stringify(changes) ?? null }
    const { status, json } = await call(method, `${origin}/operator/api/accounts/${path}`, init)
    expect([200, 201], path).toContain(status)
    return json
  }
  /** Makes or changes an account, which is paid unless `changes` say otherwise. */
  const setAccount = async (username: string, changes: object = { paid_until: "2099-01-01T00:00:00Z" }) => {
    await operate("PATCH", `${username}/`, changes)
  }
  return {
    origin,
    operatorToken,
    setAccount,
    /** Makes a paid account. @returns its key */
    newAuthor: async (username: string): Promise<string> => {
      await setAccount(username)
      return (await operate("POST", `${username}/keys/`)).api_key
    },
    newLink: async (username: string): Promise<string> =>
      (await operate("POST", `${username}/sign-in-links/`)).sign_in_url,
    /** Lets all sessions have begun ten minutes earlier. */
    ageSessions: async () => {
      for await (const path of glob(join(state, "v3", "d1", "*", "*.sqlite"))) {
        const db = new DatabaseSync(path)
        const isOurs = db.prepare("select 1 from sqlite_master where name = 'sessions'").get()
        if (isOurs) db.exec("update sessions set created_at = created_at - 600000")
        db.close()
      }
    },
    stop: async () => {
      await stop()
      engine.stop()
    },
  }
}
export type Scene = Awaited<ReturnType<typeof openScene>>

/** Publishes a post. */
export const writePost = async ({ origin }: Scene, key: string, changes: Record<string, unknown>): Promise<void> => {
  const post = { status: "PB", categories: "Looks", meta_description: "What readers see.", ...changes }
  const init = { headers: { "X-API-KEY": key }, body: JSON.stringify(post) }
  expect((await call("POST", `${origin}${POSTS}`, init)).status).toBe(201)
}

/** Adds an address that is told of posts; it does not answer. */
export const addWebhook = async ({ origin }: Scene, key: string): Promise<void> => {
  const body = JSON.stringify({ url: "https://hooks.invalid/a-path-of-some-length/that-has-to-go-on-in-a-second-line" })
  const init = { headers: { "X-API-KEY": key }, body }
  expect((await call("POST", `${origin}/api/blogcontroller/webhooks/`, init)).status).toBe(201)
}

/** Publishes a post whose translations are ready, failed and waiting. */
export const publish = async (scene: Scene, key: string, slug: string): Promise<void> => {
  await writePost(scene, key, {
    title: "A post with a title that is rather long, so that it has to go on in a second line",
    slug,
    translation_languages: ["fr", "de", "it"],
    body: "A paragraph with a [link](https://example.org) and `code`.\n\n## A heading\n\n- one\n- two\n",
  })
  const areDone = async () => {
    const { json } = await call("GET", `${scene.origin}${POSTS}${slug}/`, { headers: { "X-API-KEY": key } })
    expect(json.post.translations).toMatchObject([{ status: "ready" }, { status: "failed" }, { status: "queued" }])
  }
  await eventually(areDone)
}

let callers = 0

/** Opens a page in a new browser context and collects its errors. */
export const openPage = async (browser: Browser, origin: string, options: BrowserContextOptions = {}) => {
  const page = await newPage(browser, {
    // Each page has its own client address, because sign-in attempts are counted by address.
    extraHTTPHeaders: { "CF-Connecting-IP": `192.0.2.${(callers += 1)}` },
    ...options,
  })
  return { context: page.context(), page, complaints: complaintsOf(page, origin) }
}

/** Adds a virtual authenticator that confirms at once. */
export const addAuthenticator = async (page: Page): Promise<void> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send("WebAuthn.enable")
  const verified = { hasUserVerification: true, isUserVerified: true }
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, ...verified } as const
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options })
}

export const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await page.getByRole("button", { name, exact: true }).click()
}

/** Signs the operator in. */
export const enterAsOperator = async (page: Page, { origin, operatorToken }: Scene): Promise<void> => {
  await page.goto(`${origin}/operator/sign-in/`)
  await page.getByLabel("Operator's token").fill(operatorToken)
  await press(page, "Sign in")
  await page.waitForURL("**/operator/")
}

/** Replaces the key `default` on the page of API keys. */
export const replaceKey = async (page: Page): Promise<void> => {
  await page.locator("summary").click()
  await press(page, "Replace default")
  await page.getByText("It is shown only now").waitFor()
}

/** Opens a sign-in link and confirms it. */
export const enter = async (page: Page, link: string, to = "**/settings/"): Promise<void> => {
  await page.goto(link)
  await page.locator("main button").click()
  await page.waitForURL(to)
}
