import { afterEach, beforeEach, expect, it, vi } from "vitest"

import { setAccount } from "../calls.ts"
import { newAuthor, newPost, stopClock, unique } from "../support.ts"
import { newDesk } from "../translations/author.ts"
import { watchEngine } from "../translations/engine.ts"
import { Browser, newLink, whereTo } from "./browser.ts"
import { formTo } from "./forms.ts"

beforeEach(() => stopClock())
afterEach(() => vi.restoreAllMocks())

const PATH = "/settings/posts/"
const sentence = (n: number) => `Sentence number ${n} of the post.`
const BODY = Array.from({ length: 120 }, (_, n) => sentence(n + 1)).join("\n\n")
const mark = (segments: string[], to: string) => segments.map((text) => text.replaceAll(/[a-z]+/gi, `$&·${to}`))

/** Makes a signed-in author with a post to be translated into French. */
const newScene = async (body = "Some words.") => {
  const desk = await newDesk({ translation_languages: ["fr"] })
  // The desk records wake-ups from its forms.
  const browser = new Browser(desk.env)
  await browser.post(await newLink(desk.username))
  const { slug }: { slug: string } = await desk.create({ title: "The title", meta_description: "About.", body })
  const press = async () => {
    expect(whereTo(await browser.post(`${PATH}${slug}/translations/fr/`))).toEqual([303, PATH])
  }
  const french = async () => (await desk.translations(slug))["fr"]
  const list = async () => (await browser.get(PATH)).html
  return { desk, browser, slug, press, french, list }
}

/** Makes the same scene, whose engine has failed. */
const newFailedScene = async () => {
  watchEngine(() => Promise.reject(new Error("The engine is out.")))
  const scene = await newScene()
  await scene.desk.run()
  return scene
}

const asked = (calls: { segments: string[] }[]): string[] => calls.flatMap(({ segments }) => segments)

it("retrying a failed translation sends the engine only segments that have no stored translation", async () => {
  let isBroken = true
  const calls = watchEngine(async (segments, _from, to) => {
    if (isBroken && segments.includes(sentence(120))) throw new Error("The engine is out.")
    return mark(segments, to)
  })
  const { desk, press, french, list } = await newScene(BODY)
  await desk.run()
  expect(await french()).toMatchObject({ status: "failed", error: { code: "gave_up" } })
  expect(await list()).toContain("Try again")
  isBroken = false
  calls.splice(0)
  await press()
  expect((await french())?.status).toBe("queued")
  await desk.run()
  expect((await french())?.status).toBe("ready")
  expect(asked(calls)).toContain(sentence(120))
  expect(asked(calls)).not.toContain(sentence(1))
  expect(await list()).not.toContain("Try again")
})

it("the links Refresh and Try again on the author's list of posts lead back to the same page of the list", async () => {
  const { desk, browser, slug } = await newFailedScene()
  await desk.create({ slug: unique("newer") })
  const first = (await browser.get(`${PATH}?limit=1`)).html
  const [, older = ""] = /href="([^"]*)">Older posts/.exec(first) ?? []
  const { html } = await browser.get(older)
  expect(html).toContain(`<a href="${older}">Refresh</a>`)
  const [, action = ""] = /action="([^"]*\/fr\/[^"]*)"/.exec(html) ?? []
  expect(action).toBe(older.replace("/posts/", `/posts/${slug}/translations/fr/`))
  expect(whereTo(await browser.post(action))).toEqual([303, older])
})

it("the button Try again on the page of a post saves the text as typed and leads back to that page", async () => {
  const { desk, browser, slug, french } = await newFailedScene()
  const path = `${PATH}${slug}/`
  const { html } = await browser.get(path)
  expect(html).toContain('<button form="text-form" name="retry" value="fr"')
  const sent = await browser.post(path, { ...formTo(html, path), title: "Typed", retry: "fr" })
  expect(whereTo(sent)).toEqual([303, `${path}?done=retried`])
  expect((await browser.get(`${path}?done=retried`)).html).toContain("Saved, and waiting for translation.")
  expect([(await french())?.status, (await desk.get(slug)).json.post.title]).toEqual(["queued", "Typed"])
})

it("retrying a failed translation sends the engine again the segments that it left untranslated", async () => {
  let isSilent = true
  const calls = watchEngine(async (segments, _from, to) => (isSilent ? segments.map(() => null) : mark(segments, to)))
  const { desk, press, french } = await newScene()
  await desk.run()
  expect(await french()).toMatchObject({ status: "failed", error: { code: "not_translated" } })
  isSilent = false
  calls.splice(0)
  await press()
  await desk.run()
  expect([(await french())?.status, asked(calls)]).toEqual(["ready", ["The title", "About.", "Some words."]])
})

it("the button Try again on an outdated page does not restart a ready translation or lose edits", async () => {
  const { desk, slug, press, french } = await newScene()
  await desk.run()
  await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], title: "Bonjour" })
  const calls = watchEngine()
  const state = async () => [await french(), (await desk.get(slug)).headers.get("ETag")]
  const before = await state()
  await press()
  expect(await state()).toEqual(before)
  await desk.run()
  expect(calls).toEqual([])
  expect(await french()).toMatchObject({ status: "ready", title: "Bonjour", edited: ["title"] })
})

it("the button Try again pressed twice at once and once more queues the failed translation once", async () => {
  const { desk, press, french } = await newFailedScene()
  await Promise.all([press(), press()])
  const queued = await french()
  expect(queued?.status).toBe("queued")
  await press()
  expect([await french(), desk.wakeUps.sent.length]).toEqual([queued, 1])
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
    const { desk, browser, slug } = await newScene()
    await desk.run()
    if (unlist) await desk.patch(slug, { translation_languages: [] })
    const other = foreign ? await newPost(await newAuthor(), { translation_languages: ["fr"] }) : null
    await setAccount(desk, changes)
    expect((await browser.post(`${PATH}${other?.slug ?? slug}/translations/${lang}/`)).status).toBe(status)
  },
)
