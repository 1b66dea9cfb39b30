import { describe, expect, it } from "vitest"

import { setAccount } from "../calls.ts"
import { API, deliver, passSeconds, rows } from "../support.ts"
import { newDesk, newQueued, setUpTranslations, TEXT } from "./author.ts"
import { watchEngine } from "./engine.ts"

setUpTranslations()

/** Creates a post with fr translated by machine, except the title. */
const withEditedTitle = async () => {
  const post = await newQueued()
  await post.run()
  await post.patch({ lang_code: "fr", title: "Bonjour" })
  return { ...post, engine: watchEngine() }
}

describe("POST …/translations/{lang_code}/", () => {
  const unedited = ["About things.", 'Some <g id="1">words</g>.']

  it.each([
    ["no body", undefined, unedited, "Bonjour", ["title"]],
    ["empty discard_edits", { discard_edits: [] }, unedited, "Bonjour", ["title"]],
    ["discard_edits", { discard_edits: ["title"] }, ["Hello world", ...unedited], "Hello·fr world·fr", []],
  ])(
    "POST to a translation with %s translates the fields not edited by hand; it stays readable until they are ready",
    async (_, body, segments, title, edited) => {
      const { desk, slug, engine, ...post } = await withEditedTitle()
      const { status, json, headers } = await post.repeat("FR", body)
      expect(status).toBe(202)
      expect(json.translation).toMatchObject({ lang_code: "fr", status: "queued", edited })
      expect(headers.get("Link")).toBe(`<${API}/posts/${slug}/translations/>; rel="monitor"`)
      expect(await post.bodyIn()).toBe("Some·fr *words·fr*.")
      expect((await desk.page(slug, "fr")).status).toBe(200)
      await desk.run()
      expect(engine).toEqual([{ from: "en", to: "fr", segments }])
      expect(await post.translation()).toMatchObject({ status: "ready", edited, title })
    },
  )

  it("POST to a translation with every field edited by hand answers ready without an engine call", async () => {
    const { repeat, run, patch } = await newQueued({ translation_languages: [] })
    await patch({ lang_code: "fr", translation_languages: ["fr"], ...TEXT })
    const engine = watchEngine()
    const { json } = await repeat()
    await run()
    expect([json.translation.status, engine]).toEqual(["ready", []])
  })
})

it.each([
  ["the unlisted language", "de"],
  ["the source language", "en"],
  ["an invalid language", "not_one"],
])("POST and DELETE of the translation of a post into %s (%s) answer 404", async (_, lang) => {
  const { desk, slug } = await withEditedTitle()
  for (const method of ["POST", "DELETE"] as const)
    expect((await desk.send(method, `${slug}/translations/${lang}/`)).status, method).toBe(404)
})

it.each(["by an engine", "by hand"])("a translation made %s keeps the heading ids of the source text", async (how) => {
  const body = "[down](#the-end)\n\n## The end"
  const { desk, slug, run, patch } = await newQueued({ body })
  await run()
  if (how === "by hand") await patch({ lang_code: "fr", body: body.replace("The end", "La fin") })
  const { html } = (await desk.get(slug, "fr")).json.post
  expect(html).toContain('<a href="#the-end">')
  expect(html).toContain(`<h2 id="the-end">${how === "by hand" ? "La fin" : "The·fr end·fr"}</h2>`)
  expect((await desk.page(slug, "fr")).text).toContain('<a href="#the-end">')
})

it("DELETE of a translation removes its text, its page and its language, and a new translation has no earlier edits", async () => {
  const { desk, slug, patch, translation } = await withEditedTitle()
  expect((await desk.send("DELETE", `${slug}/translations/fr/`)).status).toBe(204)
  expect((await desk.get(slug)).json.post).toMatchObject({ translation_languages: [], translations: [] })
  expect([(await desk.get(slug, "fr")).status, (await desk.page(slug, "fr")).status]).toEqual([404, 404])
  const text = "select 1 from texts join posts on id = post_id where slug = ? and lang_code = 'fr'"
  expect(await rows(text, slug)).toEqual([])
  expect((await patch({})).status).toBe(202)
  await desk.run()
  expect(await translation()).toMatchObject({ title: "Hello·fr world·fr", edited: [] })
})

describe("an unlisted language", () => {
  it("a language removed from a post's list keeps its text without a page, and is reused when listed again", async () => {
    const { desk, slug, patch, engine } = await withEditedTitle()
    const { status, json } = await patch({ translation_languages: [] })
    expect(status).toBe(200)
    expect(json.post.translations).toMatchObject([{ lang_code: "fr", listed: false, title: "Bonjour", url: null }])
    expect((await desk.get(slug, "fr")).json.post).toMatchObject({ title: "Bonjour", body: "Some·fr *words·fr*." })
    expect((await desk.page(slug, "fr")).status).toBe(404)
    expect((await desk.page(slug)).text).not.toContain('hreflang="fr"')
    expect((await patch({})).status).toBe(200)
    expect((await desk.page(slug, "fr")).text).toContain("Bonjour")
    await desk.run()
    expect(engine).toEqual([])
  })

  it("a language removed from a post's list before its translation leaves no work and no text", async () => {
    const { desk, slug, patch, run } = await newQueued()
    const engine = watchEngine()
    expect((await patch({ translation_languages: [] })).status).toBe(200)
    await run()
    expect([engine, await desk.translations(slug)]).toEqual([[], {}])
  })
})

describe("changing the source language", () => {
  const german = { lang_code: "de", primary_language: "de" }

  it("a PATCH of a post with a new primary_language as lang_code changes the source text's language", async () => {
    const { desk, slug, patch } = await newQueued({ translation_languages: [] })
    const { status, json } = await patch(german)
    expect(status).toBe(200)
    expect(json.post).toMatchObject({ ...TEXT, ...german, translation_languages: [], translations: [], version: 2 })
    const message = "The source text is now in de, no longer in en."
    expect(json.warnings).toEqual([{ field: "primary_language", code: "primary_language_changed", message }])
    expect((await desk.get(slug, "en")).status).toBe(404)
    expect((await desk.page(slug)).text).toContain('<html lang="de"')
    expect((await patch(german)).json).toMatchObject({ post: { version: 2 }, warnings: [] })
  })

  it("a PATCH that changes the language of a post's source text also applies the title that it sends", async () => {
    const { patch } = await newQueued({ translation_languages: [] })
    expect((await patch({ ...german, title: "Hallo" })).json.post).toMatchObject({ ...TEXT, ...german, title: "Hallo" })
  })

  it("a post whose source language changed is translated from the new one, even into the earlier one", async () => {
    const { desk, slug, patch, run, translation } = await newQueued({ translation_languages: [] })
    const engine = watchEngine()
    expect((await patch({ ...german, translation_languages: ["en", "fr"] })).status).toBe(202)
    await run()
    expect(engine.map(({ from, to }) => `${from} → ${to}`)).toEqual(["de → en", "de → fr"])
    expect((await desk.get(slug)).json.post).toMatchObject({ ...TEXT, primary_language: "de" })
    expect((await translation("en")).title).toBe("Hello·en world·en")
  })

  it("the source language of a post can be changed to a language whose translation is only queued", async () => {
    const { desk, slug, patch, run } = await newQueued({ translation_languages: ["de", "fr"] })
    const engine = watchEngine()
    await patch(german)
    await run()
    expect(engine.map(({ from, to }) => `${from} → ${to}`)).toEqual(["de → fr"])
    expect((await desk.get(slug)).json.post).toMatchObject({ ...TEXT, primary_language: "de" })
  })
})

describe("languages of a new post", () => {
  const account = { primary_language: "sv", translation_languages: ["da", "sv", "nb"] }
  const both = { primary_language: "DE", translation_languages: ["FR", "fr", "de", "pt-br"] }

  it.each([
    ["no languages", {}, "sv", ["da", "nb"]],
    ["both languages", both, "de", ["fr", "pt-BR"]],
    ["primary_language alone", { primary_language: "da" }, "da", ["sv", "nb"]],
    ["no translation languages", { translation_languages: [] }, "sv", []],
  ])(
    "a post created with %s (%j) has primary_language %s and translates into %j",
    async (_, sent, primary_language, translation_languages) => {
      const desk = await newDesk(account)
      const post = await desk.create({ ...TEXT, ...sent })
      expect(post).toMatchObject({ ...TEXT, lang_code: primary_language, primary_language, translation_languages })
      expect(post.translations).toMatchObject(translation_languages.map(() => ({ status: "queued" })))
      expect(desk.wakeUps.sent).toHaveLength(translation_languages.length > 0 ? 1 : 0)
    },
  )

  it("a post created in an account without languages has primary_language en and no translations", async () => {
    const desk = await newDesk()
    expect(await desk.create()).toMatchObject({ primary_language: "en", translation_languages: [] })
  })

  it("changing an account's languages does not change the languages of its posts", async () => {
    const desk = await newDesk(account)
    const { slug } = await desk.create()
    await setAccount(desk, { primary_language: "fi" })
    const languages = { primary_language: "sv", translation_languages: ["da", "nb"] }
    expect((await desk.get(slug)).json.post).toMatchObject(languages)
  })
})

describe("engine calls", () => {
  it("ten saves of a post within four seconds lead to one translation engine call for each language", async () => {
    const { desk, run, patch, bodyIn } = await newQueued({ translation_languages: ["fr", "es"] })
    await run()
    const engine = watchEngine()
    const due: { at: number; body: unknown }[] = []
    const collect = () => {
      for (const { body, delaySeconds } of desk.wakeUps.sent.splice(0))
        due.push({ body, at: Date.now() + delaySeconds * 1000 })
    }
    for (let save = 1; save <= 10; save += 1) {
      passSeconds(0.4)
      await patch({ body: `Save ${save}.` })
      collect()
    }
    while (due.length > 0) {
      const next = due.reduce((a, b) => (b.at < a.at ? b : a))
      due.splice(due.indexOf(next), 1)
      passSeconds(Math.max(0, next.at - Date.now()) / 1000)
      expect(await deliver(next.body, { env: desk.env })).toBe("ack")
      collect()
    }
    expect(engine).toEqual(["fr", "es"].map((to) => ({ from: "en", to, segments: ["Save 10."] })))
    expect(await bodyIn("es")).toBe("Save·es 10.")
  })

  it("a translation starts five seconds after the post is saved, not earlier", async () => {
    const { desk } = await newQueued()
    const engine = watchEngine()
    const [wakeUp] = desk.wakeUps.sent
    expect(wakeUp?.delaySeconds).toBe(5)
    passSeconds(4.9)
    await deliver(wakeUp?.body, { env: desk.env })
    expect(engine).toEqual([])
    passSeconds(0.1)
    await deliver(wakeUp?.body, { env: desk.env })
    expect(engine).toHaveLength(1)
  })

  it("a draft is translated, and its translation has no public page", async () => {
    const { desk, slug, run, translation } = await newQueued({ status: "DF" })
    await run()
    expect(await translation()).toMatchObject({ status: "ready", title: "Hello·fr world·fr", url: null })
    expect((await desk.page(slug, "fr")).status).toBe(404)
  })

  it.each([
    ["title", { title: "ab ".repeat(85).trim() }],
    ["meta_description", { meta_description: "ab ".repeat(100).trim() }],
  ])("a machine-translated %s over the length limit is stored with a warning", async (field, change) => {
    const { desk, slug, run, translation } = await newQueued(change)
    await run()
    const warnings = [{ message: expect.stringContaining(field) }]
    expect(await translation()).toMatchObject({ status: "ready", warnings })
    expect((await desk.get(slug, "fr")).json.post[field]).toMatch(/^(?:ab·fr ?){85,100}$/)
    expect((await desk.page(slug, "fr")).status).toBe(200)
  })
})
