import { afterEach, beforeEach, expect, it, vi } from "vitest"

import { call, newAuthor, newPost, OPERATOR, stopClock, unique } from "../support.ts"
import { newDesk } from "../translations/author.ts"
import { watchEngine } from "../translations/engine.ts"
import { Browser, newLink } from "./browser.ts"
import { formTo } from "./forms.ts"

beforeEach(() => stopClock())
afterEach(() => vi.restoreAllMocks())

const sentence = (n: number) => `Sentence number ${n} of the post.`
const BODY = Array.from({ length: 120 }, (_, n) => sentence(n + 1)).join("\n\n")
const mark = (segments: string[], to: string) => segments.map((text) => text.replaceAll(/[a-z]+/gi, `$&·${to}`))

/** Makes a signed-in author with a post to be translated into French. */
const scene = async (body: string) => {
  const desk = await newDesk({ translation_languages: ["fr"] })
  // The desk records wake-ups from its forms.
  const browser = new Browser(desk.env)
  await browser.post(await newLink(desk.username))
  const { slug } = await desk.create({ title: "The title", meta_description: "About.", body })
  const press = async () => {
    const { status, headers } = await browser.post(`/settings/posts/${slug}/translations/fr/`)
    expect([status, headers.get("Location")]).toEqual([303, "/settings/posts/"])
  }
  const french = async () => (await desk.translations(slug))["fr"]
  return { desk, browser, slug: String(slug), press, french }
}

const asked = (calls: { segments: string[] }[]): string[] => calls.flatMap(({ segments }) => segments)

it("retrying a failed translation sends the engine only segments that have no stored translation", async () => {
  let isBroken = true
  const calls = watchEngine(async (segments, _from, to) => {
    if (isBroken && segments.includes(sentence(120))) throw new Error("The engine is out.")
    return mark(segments, to)
  })
  const { desk, browser, press, french } = await scene(BODY)
  await desk.run()
  expect(await french()).toMatchObject({ status: "failed", error: { code: "gave_up" } })
  expect((await browser.get("/settings/posts/")).html).toContain("Try again")
  isBroken = false
  calls.splice(0)
  await press()
  expect((await french())?.status).toBe("queued")
  await desk.run()
  expect((await french())?.status).toBe("ready")
  expect(asked(calls)).toContain(sentence(120))
  expect(asked(calls)).not.toContain(sentence(1))
  expect((await browser.get("/settings/posts/")).html).not.toContain("Try again")
})

it("the links Refresh and Try again on the author's list of posts lead back to the same page of the list", async () => {
  watchEngine(() => Promise.reject(new Error("The engine is out.")))
  const { desk, browser, slug } = await scene("Some words.")
  await desk.run()
  await desk.create({ slug: unique("newer") })
  const first = (await browser.get("/settings/posts/?limit=1")).html
  const [, older = ""] = /href="([^"]*)">Older posts/.exec(first) ?? []
  const { html } = await browser.get(older)
  expect(html).toContain(`<a href="${older}">Refresh</a>`)
  const [, action = ""] = /action="([^"]*\/fr\/[^"]*)"/.exec(html) ?? []
  expect(action).toBe(older.replace("/posts/", `/posts/${slug}/translations/fr/`))
  expect((await browser.post(action)).headers.get("Location")).toBe(older)
})

it("the button Try again on the page of a post saves the text as typed and leads back to that page", async () => {
  watchEngine(() => Promise.reject(new Error("The engine is out.")))
  const { desk, browser, slug, french } = await scene("Some words.")
  await desk.run()
  const path = `/settings/posts/${slug}/`
  const { html } = await browser.get(path)
  expect(html).toContain('<button form="text-form" name="retry" value="fr"')
  const { headers } = await browser.post(path, { ...formTo(html, path), title: "Typed", retry: "fr" })
  expect(headers.get("Location")).toBe(`${path}?done=retried`)
  expect((await browser.get(`${path}?done=retried`)).html).toContain("Saved, and waiting for translation.")
  expect([(await french())?.status, (await desk.get(slug)).json.post.title]).toEqual(["queued", "Typed"])
})

it("retrying a failed translation sends the engine again the segments that it left untranslated", async () => {
  let isSilent = true
  const calls = watchEngine(async (segments, _from, to) => (isSilent ? segments.map(() => null) : mark(segments, to)))
  const { desk, press, french } = await scene("Some words.")
  await desk.run()
  expect(await french()).toMatchObject({ status: "failed", error: { code: "not_translated" } })
  isSilent = false
  calls.splice(0)
  await press()
  await desk.run()
  expect([(await french())?.status, asked(calls)]).toEqual(["ready", ["The title", "About.", "Some words."]])
})

it("the button Try again on an outdated page does not restart a ready translation or lose edits", async () => {
  const { desk, slug, press, french } = await scene("Some words.")
  await desk.run()
  await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], title: "Bonjour" })
  const calls = watchEngine()
  const before = [await french(), (await desk.get(slug)).headers.get("ETag")]
  await press()
  expect([await french(), (await desk.get(slug)).headers.get("ETag")]).toEqual(before)
  await desk.run()
  expect(calls).toEqual([])
  expect(await french()).toMatchObject({ status: "ready", title: "Bonjour", edited: ["title"] })
})

it("the button Try again on an outdated page does not restart a queued translation", async () => {
  const { desk, press, french } = await scene("Some words.")
  const before = await french()
  expect(before?.status).toBe("queued")
  await press()
  expect(await french()).toEqual(before)
  expect(desk.wakeUps.sent.length).toBe(1)
})

it("the button Try again pressed twice at once queues the failed translation once", async () => {
  const calls = watchEngine(async (segments) => segments.map(() => null))
  const { desk, press, french } = await scene("Some words.")
  await desk.run()
  calls.splice(0)
  await Promise.all([press(), press()])
  expect((await french())?.status).toBe("queued")
  expect(desk.wakeUps.sent.length).toBe(1)
})

it.each([
  ["for a language the post does not have", "de", {}, 404],
  ["for an unlisted language", "fr", { unlist: true }, 404],
  ["for another author's post", "fr", { foreign: true }, 403],
  ["without paid time", "fr", { paid_until: null }, 403],
  ["for a restricted account", "fr", { restricted: true }, 403],
])(
  "retrying a translation with the button Try again is refused %s",
  async (_, lang, { unlist, foreign, ...changes }: Record<string, unknown>, status) => {
    const { desk, browser, slug } = await scene("Some words.")
    await desk.run()
    if (unlist) await desk.patch(slug, { translation_languages: [] })
    const other = foreign ? await newPost(await newAuthor(), { translation_languages: ["fr"] }) : null
    await call("PATCH", `/operator/api/accounts/${desk.username}/`, { headers: OPERATOR, json: changes })
    expect((await browser.post(`/settings/posts/${other?.slug ?? slug}/translations/${lang}/`)).status).toBe(status)
  },
)
