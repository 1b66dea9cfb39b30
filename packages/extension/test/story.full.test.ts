import { afterAll, beforeAll, expect, test } from "vitest"

import { eventually, newKey, operate, origin } from "../../../test/e2e/support.ts"
import { startChromium } from "./chromium.ts"
import { fill, makeKey, openForm, postOf, setUp, submit } from "./clip.ts"
import type { Driver } from "./driver.ts"
import { useExtension } from "./set-up.ts"

const USERNAME = "clip-story"
const SLUG = "clip-story-news"

const shared = useExtension()
let driver: Driver
beforeAll(async () => {
  driver = await startChromium(shared.extension)
})
afterAll(() => driver.stop())

/** Signs the author in. @returns a function that sends a form of the settings */
const signIn = async () => {
  const { json } = await operate("POST", `${USERNAME}/sign-in-links/`)
  const headers = { Origin: origin, "Sec-Fetch-Site": "same-origin", Accept: "text/html" }
  const send = (url: string, form: Record<string, string>, more: Record<string, string> = {}) => {
    const body = new URLSearchParams(form)
    return fetch(url, { method: "POST", headers: { ...headers, ...more }, body, redirect: "manual" })
  }
  const { headers: answered } = await send(json.sign_in_url, {})
  const cookies = answered.getSetCookie().map((line) => line.split(";")[0])
  const Cookie = cookies.join("; ")
  const get = async (path: string): Promise<string> =>
    (await fetch(`${origin}${path}`, { headers: { ...headers, Cookie } })).text()
  return { get, post: (path: string, form: Record<string, string>) => send(`${origin}${path}`, form, { Cookie }) }
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

test("a page becomes a draft, is previewed, corrected and scheduled, and appears in time, in the feed and translated", async () => {
  const key = await newKey(USERNAME, { translation_languages: ["fr"], primary_language: "en" })
  await setUp(driver, { address: origin, key: await makeKey(USERNAME, "draft"), category: "Clips" })
  await driver.goto(`${shared.site.origin}/news`)
  const popup = await openForm(driver.openPopup)
  await fill(popup, { slug: SLUG, tags: "harbour" })
  expect((await submit(popup)).trim()).toContain("The draft is saved.")
  const preview = await popup.evaluate<string>(`document.querySelector("#result a").href`)
  await popup.close()
  const page = `${origin}/@${USERNAME}/${SLUG}/`
  expect([await statusOf(preview), await statusOf(page)]).toEqual([200, 404])

  const settings = await signIn()
  const path = `/settings/posts/${SLUG}/`
  const hiddenOf = async (address: string) => {
    const inputs = (await settings.get(address)).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
    return Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')]))
  }
  const { body, meta_description, tags } = await postOf(key, SLUG)
  const corrected = {
    title: "Corrected by its author",
    meta_description,
    body,
    categories: "Clips",
    tags: String(tags),
  }
  const saved = await settings.post(path, { ...corrected, ...(await hiddenOf(path)) })
  expect(saved.status).toBe(303)
  const schedule = async (ms: number) => {
    const hidden = await hiddenOf(`${path}schedule/`)
    const published_at = new Date(Date.now() + ms).toISOString().slice(0, 19)
    const { status, headers } = await settings.post(`${path}schedule/`, { published_at, ...hidden })
    expect([status, headers.get("Location")]).toEqual([303, `${path}?done=scheduled`])
    return published_at
  }
  await schedule(60 * 60 * 1000)
  expect(await postOf(key, SLUG)).toMatchObject({ scheduled: true, title: "Corrected by its author" })
  expect(await statusOf(page)).toBe(404)

  const soon = await schedule(4000)
  await eventually(async () => expect(await statusOf(page)).toBe(200))
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(`${soon}Z`))
  expect(await (await fetch(`${origin}/@${USERNAME}/feed.atom`)).text()).toContain("Corrected by its author")
  await eventually(async () => expect(await statusOf(`${page}fr/`)).toBe(200))
  expect(await (await fetch(`${page}fr/`)).text()).toContain("Corrected·fr")
})
