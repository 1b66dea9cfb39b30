import { describe, expect, it, vi } from "vitest"

import { failing } from "../faults.ts"
import { API, upload } from "../support.ts"
import { type Desk, newQueued, setUpTranslations, TEXT } from "./author.ts"
import { type EngineCall, watchEngine } from "./engine.ts"

interface Text {
  title: string | null
  meta_description: string | null
  body: string | null
}
type Texts = Record<string, Text | null>

interface Walk {
  name: string
  patch: Record<string, unknown> & { lang_code: string }
  /** True to add an uploaded image to body and image_ids. */
  hasImage?: boolean
  /** The text in the answer; by default as `now` has it. */
  shown?: Partial<Text>
  version?: number
  list?: string[]
  queued?: string[]
  /** The edited fields of a language; by default only the title of es is edited. */
  edited?: Record<string, string[]>
  /** Texts directly after the PATCH, null for one that cannot be read. Others are unchanged. */
  now?: Texts
  engine?: EngineCall[]
  /** Texts that the engine has changed at the end. */
  end?: Texts
}

const FR = { title: "Hello·fr world·fr", meta_description: "About·fr things·fr.", body: "Some·fr *words·fr*." }
const ES = { title: "Hola mundo", meta_description: "About·es things·es.", body: "Some·es *words·es*." }
const DE = { title: "Hallo Welt", meta_description: "Worum es geht.", body: "Einige *Wörter*." }

const FIELDS = ["title", "meta_description", "body"]
const all = { primary_language: "en", translation_languages: ["fr", "es"] }
const withGerman = { primary_language: "en", translation_languages: ["fr", "es", "de"], lang_code: "de" }
const newBody = { body: "New *text*." }

const WALKS: Walk[] = [
  {
    name: "body in en",
    patch: { ...all, lang_code: "en", ...newBody },
    queued: ["fr", "es"],
    now: { en: { ...TEXT, ...newBody } },
    engine: ["fr", "es"].map((to) => ({ from: "en", to, segments: ['New <g id="1">text</g>.'] })),
    end: { fr: { ...FR, body: "New·fr *text·fr*." }, es: { ...ES, body: "New·es *text·es*." } },
  },
  {
    name: "title in fr",
    patch: { ...all, lang_code: "fr", title: "Bonjour" },
    edited: { fr: ["title"] },
    now: { fr: { ...FR, title: "Bonjour" } },
  },
  {
    name: "title in a new de",
    patch: { ...withGerman, title: DE.title },
    shown: { title: DE.title, body: null },
    list: ["fr", "es", "de"],
    queued: ["de"],
    edited: { de: ["title"] },
    now: { de: null },
    engine: [{ from: "en", to: "de", segments: ["About things.", 'Some <g id="1">words</g>.'] }],
    end: { de: { title: DE.title, meta_description: "About·de things·de.", body: "Some·de *words·de*." } },
  },
  {
    name: "all three fields of a new de",
    patch: { ...withGerman, ...DE },
    list: ["fr", "es", "de"],
    edited: { de: FIELDS },
    now: { de: DE },
  },
  { name: "status only", patch: { ...all, lang_code: "en", status: "DF" } },
  {
    name: "translation_languages without es",
    patch: { lang_code: "en", primary_language: "en", translation_languages: ["fr"] },
    list: ["fr"],
  },
  {
    name: "primary_language fr, which has a text",
    patch: { lang_code: "fr", primary_language: "fr", translation_languages: ["en", "es"] },
    version: 2,
  },
  { name: "body and image_ids in fr", patch: { ...all, lang_code: "fr" }, hasImage: true, edited: { fr: ["body"] } },
]

setUpTranslations()

const readText = async ({ get }: Desk, slug: string, lang: string): Promise<Text | null> => {
  const { status, json } = await get(slug, lang)
  if (status === 404) return null
  const { title, meta_description, body, html } = json.post
  const words = body.replace(/!\[.*\]\(.*\)/, "").replaceAll("*", "")
  expect(html.replaceAll(/<[^>]*>/g, "").trim(), "html belongs to body").toBe(words.trim())
  return { title, meta_description, body }
}

const columnOf = (post: { translations: { lang_code: string }[] }, column: string) =>
  Object.fromEntries(post.translations.map((text) => [text.lang_code, Reflect.get(text, column)]))

/** Creates a post in en, with fr translated by machine, and es by machine except its title. */
const start = async () => {
  const { desk, slug, run } = await newQueued({ translation_languages: ["fr", "es"] })
  const patch = (changes: Record<string, unknown>) => desk.patch(slug, changes)
  await run()
  const edited = await patch({ ...all, lang_code: "es", title: ES.title })
  expect([edited.status, desk.wakeUps.sent]).toEqual([200, []])
  const get = async () => (await desk.get(slug)).json.post
  return { desk, slug, sent: desk.wakeUps.sent, run, patch, get, engine: watchEngine() }
}

describe("PATCH of a post in en with fr by machine and es by machine with an edited title", () => {
  it.each(WALKS)("a PATCH of a translated post with $name leads to the expected translations", async (walk) => {
    const { list = ["fr", "es"], queued = [], version = 3 } = walk
    const edits: Record<string, string[]> = { fr: [], es: ["title"], ...walk.edited }
    const { desk, slug, sent, run, patch, get, engine } = await start()
    const image = walk.hasImage ? await upload(desk) : null
    const body = image && { body: `![Image](${image.image_url}) Salut`, image_ids: [image.image_id] }
    const { status, json, headers } = await patch({ ...walk.patch, ...body })

    const isQueued = queued.length > 0
    expect(status).toBe(isQueued ? 202 : 200)
    expect(headers.get("Link")).toBe(isQueued ? `<${API}/posts/${slug}/translations/>; rel="monitor"` : null)
    expect(headers.has("Retry-After")).toBe(isQueued)
    expect(sent).toHaveLength(isQueued ? 1 : 0)
    const { post } = json
    const { lang_code } = walk.patch
    const now: Texts = { en: TEXT, fr: FR, es: ES, ...walk.now, ...(body && { fr: { ...FR, body: body.body } }) }
    expect(post).toMatchObject({ ...now[lang_code], ...walk.shown, lang_code, version, primary_language: "en" })
    expect(post.translation_languages).toEqual(list)
    expect(post.images).toMatchObject(image ? [{ image_id: image.image_id }] : [])
    const langs = Object.keys(edits)
    const each = (valueOf: (lang: string) => unknown) => Object.fromEntries(langs.map((lang) => [lang, valueOf(lang)]))
    expect(columnOf(post, "status")).toEqual(each((lang) => (queued.includes(lang) ? "queued" : "ready")))
    expect(columnOf(post, "edited")).toEqual(edits)
    expect(columnOf(post, "stale")).toEqual(each(() => []))
    expect(columnOf(post, "listed")).toEqual(each((lang) => list.includes(lang)))
    const readTexts = async () => {
      const found: Texts = {}
      for (const lang of ["en", ...langs]) found[lang] = await readText(desk, slug, lang)
      return found
    }
    expect(await readTexts()).toEqual(now)

    await run()

    expect(engine).toEqual(walk.engine ?? [])
    expect(await readTexts()).toEqual({ ...now, ...walk.end })
    const end = await get()
    expect(columnOf(end, "status")).toEqual(each(() => "ready"))
    expect(columnOf(end, "edited")).toEqual(edits)
    expect(end.version).toBe(version)
  })

  it("a PATCH with a primary_language that already has a text keeps the post's source language and warns", async () => {
    const { patch } = await start()
    const { json } = await patch({ lang_code: "en", primary_language: "fr", translation_languages: ["en", "es"] })
    expect(json.post).toMatchObject({ primary_language: "en", translation_languages: ["fr", "es"], lang_code: "en" })
    expect(json.warnings).toMatchObject([{ field: "primary_language" }])
  })

  it("a PATCH of a translated post with unchanged values answers 200 and queues no translation", async () => {
    const { sent, patch, get } = await start()
    const before = await get()
    for (const again of [TEXT, { lang_code: "es", title: ES.title }]) {
      const { status } = await patch({ ...all, ...again })
      expect([status, await get(), sent]).toEqual([200, before, []])
    }
  })
})

describe("stale", () => {
  it("a hand-edited field is stale after its source field changes, until the field is sent again", async () => {
    const { run, patch, engine } = await start()
    const changed = await patch({ ...all, title: "Hello moon" })
    expect(changed.status).toBe(202)
    expect(columnOf(changed.json.post, "stale")).toEqual({ fr: [], es: ["title"] })
    expect(columnOf(changed.json.post, "status")).toEqual({ fr: "queued", es: "ready" })
    await run()
    expect(engine).toEqual([{ from: "en", to: "fr", segments: ["Hello moon"] }])
    const sent = await patch({ ...all, lang_code: "es", title: ES.title })
    expect(sent.status).toBe(200)
    expect(sent.json.post).toMatchObject({ title: ES.title, version: 4 })
    expect(columnOf(sent.json.post, "stale")).toEqual({ fr: [], es: [] })
  })

  it.each([
    ["another source field changes", { meta_description: "About other things." }],
    ["the same source title is sent", { title: TEXT.title }],
  ])("a hand-edited title of a translation is not stale if %s", async (_, change) => {
    const { patch } = await start()
    const { json } = await patch({ ...all, ...change })
    expect(columnOf(json.post, "stale")).toEqual({ fr: [], es: [] })
  })
})

it.each([
  ["status", { status: "DF" }, 2],
  ["nothing", {}, 1],
  ["the list", { translation_languages: ["es", "fr"] }, 2],
])("a failed translation of a post is queued again by a PATCH of %s", async (_, change, version) => {
  watchEngine(failing)
  const { desk, slug, run, patch, translation } = await newQueued()
  await run()
  vi.restoreAllMocks()
  expect((await translation()).status).toBe("failed")
  const saved = await patch(change)
  expect([saved.status, saved.json.post.version]).toEqual([202, version])
  await run()
  expect(await readText(desk, slug, "fr")).toEqual(FR)
})
