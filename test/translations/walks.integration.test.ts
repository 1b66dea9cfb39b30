import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { API, type Author, call, newAuthor, recordWakeUps, runTranslations, stopClock, upload } from "../support.ts"
import { type EngineCall, watchEngine } from "./engine.ts"

interface Text {
  title: string | null
  meta_description: string | null
  body: string | null
}
type Texts = Record<string, Text | null>

interface Walk {
  name: string
  patch: Record<string, unknown>
  /** True to add an uploaded image to body and image_ids. */
  hasImage?: boolean
  status: 200 | 202
  shown: Partial<Text> & { lang_code: string }
  version: number
  list: string[]
  queued: string[]
  edited: Record<string, string[]>
  /** Texts directly after the PATCH, null for one that cannot be read. Others are unchanged. */
  now?: Texts
  engine: EngineCall[]
  /** Texts that the engine has changed at the end. */
  end?: Texts
}

const EN = { title: "Hello world", meta_description: "About things.", body: "Some *words*." }
const FR = { title: "Hello·fr world·fr", meta_description: "About·fr things·fr.", body: "Some·fr *words·fr*." }
const ES = { title: "Hola mundo", meta_description: "About·es things·es.", body: "Some·es *words·es*." }
const DE = { title: "Hallo Welt", meta_description: "Worum es geht.", body: "Einige *Wörter*." }

const all = { primary_language: "en", translation_languages: ["fr", "es"] }
const withGerman = { primary_language: "en", translation_languages: ["fr", "es", "de"] }

const WALKS: Walk[] = [
  {
    name: "body in en",
    patch: { ...all, lang_code: "en", body: "New *text*." },
    status: 202,
    shown: { lang_code: "en", title: EN.title, body: "New *text*." },
    version: 3,
    list: ["fr", "es"],
    queued: ["fr", "es"],
    edited: { fr: [], es: ["title"] },
    now: { en: { ...EN, body: "New *text*." } },
    engine: ["fr", "es"].map((to) => ({ from: "en", to, segments: ['New <g id="1">text</g>.'] })),
    end: { fr: { ...FR, body: "New·fr *text·fr*." }, es: { ...ES, body: "New·es *text·es*." } },
  },
  {
    name: "title in fr",
    patch: { ...all, lang_code: "fr", title: "Bonjour" },
    status: 200,
    shown: { lang_code: "fr", title: "Bonjour", body: FR.body },
    version: 3,
    list: ["fr", "es"],
    queued: [],
    edited: { fr: ["title"], es: ["title"] },
    now: { fr: { ...FR, title: "Bonjour" } },
    engine: [],
  },
  {
    name: "title in a new de",
    patch: { ...withGerman, lang_code: "de", title: "Hallo Welt" },
    status: 202,
    shown: { lang_code: "de", title: "Hallo Welt", body: null },
    version: 3,
    list: ["fr", "es", "de"],
    queued: ["de"],
    edited: { fr: [], es: ["title"], de: ["title"] },
    now: { de: null },
    engine: [{ from: "en", to: "de", segments: ["About things.", 'Some <g id="1">words</g>.'] }],
    end: { de: { title: "Hallo Welt", meta_description: "About·de things·de.", body: "Some·de *words·de*." } },
  },
  {
    name: "all three fields of a new de",
    patch: { ...withGerman, lang_code: "de", ...DE },
    status: 200,
    shown: { lang_code: "de", title: DE.title, body: DE.body },
    version: 3,
    list: ["fr", "es", "de"],
    queued: [],
    edited: { fr: [], es: ["title"], de: ["title", "meta_description", "body"] },
    now: { de: DE },
    engine: [],
  },
  {
    name: "status only",
    patch: { ...all, lang_code: "en", status: "DF" },
    status: 200,
    shown: { lang_code: "en", title: EN.title, body: EN.body },
    version: 3,
    list: ["fr", "es"],
    queued: [],
    edited: { fr: [], es: ["title"] },
    engine: [],
  },
  {
    name: "translation_languages without es",
    patch: { lang_code: "en", primary_language: "en", translation_languages: ["fr"] },
    status: 200,
    shown: { lang_code: "en", title: EN.title, body: EN.body },
    version: 3,
    list: ["fr"],
    queued: [],
    edited: { fr: [], es: ["title"] },
    engine: [],
  },
  {
    name: "primary_language fr, which has a text",
    patch: { lang_code: "fr", primary_language: "fr", translation_languages: ["en", "es"] },
    status: 200,
    shown: { lang_code: "fr", title: FR.title, body: FR.body },
    version: 2,
    list: ["fr", "es"],
    queued: [],
    edited: { fr: [], es: ["title"] },
    engine: [],
  },
  {
    name: "body and image_ids in fr",
    patch: { ...all, lang_code: "fr" },
    hasImage: true,
    status: 200,
    shown: { lang_code: "fr", title: FR.title },
    version: 3,
    list: ["fr", "es"],
    queued: [],
    edited: { fr: ["body"], es: ["title"] },
    engine: [],
  },
]

afterEach(() => vi.restoreAllMocks())
beforeEach(() => stopClock())

const readText = async ({ key }: Author, slug: string, lang: string): Promise<Text | null> => {
  const { status, json } = await call("GET", `${API}/posts/${slug}/?lang_code=${lang}`, { key })
  if (status === 404) return null
  const { title, meta_description, body, html } = json.post
  const words = body.replace(/!\[.*\]\(.*\)/, "").replaceAll("*", "")
  expect(html.replaceAll(/<[^>]*>/g, "").trim(), "html belongs to body").toBe(words.trim())
  return { title, meta_description, body }
}

const readTexts = async (author: Author, slug: string, langs: string[]): Promise<Texts> => {
  const found: Texts = {}
  for (const lang of langs) found[lang] = await readText(author, slug, lang)
  return found
}

const columnOf = (post: { translations: { lang_code: string }[] }, column: string) =>
  Object.fromEntries(post.translations.map((text) => [text.lang_code, Reflect.get(text, column)]))

/** Creates a post in en, with fr translated by machine, and es by machine except its title. */
const start = async () => {
  const author = await newAuthor()
  const wakeUps = recordWakeUps()
  const env = { TRANSLATIONS: wakeUps.queue }
  const { json } = await call("POST", `${API}/posts/`, {
    key: author.key,
    env,
    json: {
      ...EN,
      slug: `walk-of-${author.username}`,
      status: "PB",
      categories: "news",
      translation_languages: ["fr", "es"],
    },
  })
  const { slug } = json.post
  const patch = (changes: Record<string, unknown>) =>
    call("PATCH", `${API}/posts/${slug}/`, { key: author.key, env, json: changes })
  await runTranslations(wakeUps)
  const edited = await patch({ ...all, lang_code: "es", title: ES.title })
  expect([edited.status, wakeUps.sent]).toEqual([200, []])
  const get = async () => (await call("GET", `${API}/posts/${slug}/`, { key: author.key })).json.post
  return { author, slug, wakeUps, patch, get, engine: watchEngine() }
}

describe("PATCH of a post in en with fr by machine and es by machine with an edited title", () => {
  it.each(WALKS)(
    "a PATCH of a translated post with $name answers $status and leads to the expected translations",
    async (walk) => {
      const { author, slug, wakeUps, patch, get, engine } = await start()
      const image = walk.hasImage ? await upload(author) : null
      const body = image && { body: `![Image](${image.image_url}) Salut`, image_ids: [image.image_id] }
      const { status, json, headers } = await patch({ ...walk.patch, ...body })

      expect(status).toBe(walk.status)
      expect(headers.get("Link")).toBe(
        walk.status === 202 ? `<${API}/posts/${slug}/translations/>; rel="monitor"` : null,
      )
      expect(headers.has("Retry-After")).toBe(walk.status === 202)
      expect(wakeUps.sent).toHaveLength(walk.status === 202 ? 1 : 0)
      const { post } = json
      expect(post).toMatchObject({ ...walk.shown, ...(body && { body: body.body }) })
      expect(post).toMatchObject({ version: walk.version, primary_language: "en", translation_languages: walk.list })
      expect(post.images.map(({ image_id }: { image_id: string }) => image_id)).toEqual(image ? [image.image_id] : [])
      const langs = Object.keys(walk.edited)
      expect(columnOf(post, "status")).toEqual(
        Object.fromEntries(langs.map((lang) => [lang, walk.queued.includes(lang) ? "queued" : "ready"])),
      )
      expect(columnOf(post, "edited")).toEqual(walk.edited)
      expect(columnOf(post, "stale")).toEqual(Object.fromEntries(langs.map((lang) => [lang, []])))
      expect(columnOf(post, "listed")).toEqual(
        Object.fromEntries(langs.map((lang) => [lang, walk.list.includes(lang)])),
      )
      const now = { en: EN, fr: FR, es: ES, ...walk.now, ...(body && { fr: { ...FR, body: body.body } }) }
      expect(await readTexts(author, slug, ["en", ...langs])).toEqual(now)

      await runTranslations(wakeUps)

      expect(engine).toEqual(walk.engine)
      expect(await readTexts(author, slug, ["en", ...langs])).toEqual({ ...now, ...walk.end })
      const end = await get()
      expect(columnOf(end, "status")).toEqual(Object.fromEntries(langs.map((lang) => [lang, "ready"])))
      expect(columnOf(end, "edited")).toEqual(walk.edited)
      expect(end.version).toBe(walk.version)
    },
  )

  it("a PATCH with a primary_language that already has a text keeps the post's source language and warns", async () => {
    const { patch } = await start()
    const { json } = await patch({ lang_code: "en", primary_language: "fr", translation_languages: ["en", "es"] })
    expect(json.post).toMatchObject({ primary_language: "en", translation_languages: ["fr", "es"], lang_code: "en" })
    expect(json.warnings).toMatchObject([{ field: "primary_language" }])
  })

  it("a PATCH of a translated post with unchanged values answers 200 and queues no translation", async () => {
    const { wakeUps, patch, get } = await start()
    const before = await get()
    for (const again of [
      { ...all, lang_code: "en", ...EN },
      { ...all, lang_code: "es", title: ES.title },
    ]) {
      const { status } = await patch(again)
      expect([status, await get(), wakeUps.sent]).toEqual([200, before, []])
    }
  })
})

describe("stale", () => {
  it("a hand-edited field is stale after its source field changes, until the field is sent again", async () => {
    const { wakeUps, patch, engine } = await start()
    const changed = await patch({ ...all, lang_code: "en", title: "Hello moon" })
    expect(changed.status).toBe(202)
    expect(columnOf(changed.json.post, "stale")).toEqual({ fr: [], es: ["title"] })
    expect(columnOf(changed.json.post, "status")).toEqual({ fr: "queued", es: "ready" })
    await runTranslations(wakeUps)
    expect(engine).toEqual([{ from: "en", to: "fr", segments: ["Hello moon"] }])
    const sent = await patch({ ...all, lang_code: "es", title: ES.title })
    expect(sent.status).toBe(200)
    expect(sent.json.post).toMatchObject({ title: ES.title, version: 4 })
    expect(columnOf(sent.json.post, "stale")).toEqual({ fr: [], es: [] })
  })

  it.each([
    ["another source field changes", { meta_description: "About other things." }],
    ["the same source title is sent", { title: EN.title }],
  ])("a hand-edited title of a translation is not stale if %s", async (_, change) => {
    const { patch } = await start()
    const { json } = await patch({ ...all, lang_code: "en", ...change })
    expect(columnOf(json.post, "stale")).toEqual({ fr: [], es: [] })
  })
})

describe("failed languages", () => {
  it.each([
    ["status", { status: "DF" }, 2],
    ["nothing", {}, 1],
    ["the list", { translation_languages: ["es", "fr"] }, 2],
  ])("a failed translation of a post is queued again by a PATCH of %s", async (_, change, version) => {
    const author = await newAuthor({ translation_languages: ["fr"] })
    const wakeUps = recordWakeUps()
    const options = { key: author.key, env: { TRANSLATIONS: wakeUps.queue } }
    watchEngine(() => Promise.reject(new Error("out")))
    const slug = `fails-for-${author.username}`
    await call("POST", `${API}/posts/`, { ...options, json: { ...EN, slug, status: "PB", categories: "a" } })
    await runTranslations(wakeUps)
    vi.restoreAllMocks()
    const failed = await call("GET", `${API}/posts/${slug}/`, { key: author.key })
    expect(columnOf(failed.json.post, "status")).toEqual({ fr: "failed" })
    const json = { lang_code: "en", primary_language: "en", translation_languages: ["fr"], ...change }
    const saved = await call("PATCH", `${API}/posts/${slug}/`, { ...options, json })
    expect([saved.status, saved.json.post.version]).toEqual([202, version])
    await runTranslations(wakeUps)
    expect(await readText(author, slug, "fr")).toEqual(FR)
  })
})
