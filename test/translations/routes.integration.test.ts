import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { API, call, deliver, newAuthor, passSeconds, rows, stopClock } from "../support.ts"
import { newDesk } from "./author.ts"
import { watchEngine } from "./engine.ts"

const TEXT = { title: "Hello world", meta_description: "About things.", body: "Some *words*." }

beforeEach(() => stopClock())
afterEach(() => vi.restoreAllMocks())

/** Creates a post with fr translated by machine, except the title. */
const withEditedTitle = async () => {
  const desk = await newDesk({ translation_languages: ["fr"] })
  const { slug } = await desk.create(TEXT)
  await desk.run()
  await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], title: "Bonjour" })
  return { desk, slug, engine: watchEngine() }
}

describe("POST …/translations/{lang_code}/", () => {
  it.each([
    ["no body", undefined, ["About things.", 'Some <g id="1">words</g>.'], "Bonjour", ["title"]],
    [
      "empty discard_edits",
      { discard_edits: [] },
      ["About things.", 'Some <g id="1">words</g>.'],
      "Bonjour",
      ["title"],
    ],
    [
      "discard_edits",
      { discard_edits: ["title"] },
      ["Hello world", "About things.", 'Some <g id="1">words</g>.'],
      "Hello·fr world·fr",
      [],
    ],
  ])(
    "POST to a translation with %s translates the fields that are not edited by hand",
    async (_, body, segments, title, edited) => {
      const { desk, slug, engine } = await withEditedTitle()
      const { status, json, headers } = await desk.send("POST", `${slug}/translations/FR/`, body)
      expect(status).toBe(202)
      expect(json.translation).toMatchObject({ lang_code: "fr", status: "queued", edited })
      expect(headers.get("Link")).toBe(`<${API}/posts/${slug}/translations/>; rel="monitor"`)
      await desk.run()
      expect(engine).toEqual([{ from: "en", to: "fr", segments }])
      expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", edited, title })
    },
  )

  it("a translation stays readable after POST to it until its new text is ready", async () => {
    const { desk, slug } = await withEditedTitle()
    await desk.send("POST", `${slug}/translations/fr/`, { discard_edits: ["title"] })
    expect((await desk.get(slug, "fr")).json.post.body).toBe("Some·fr *words·fr*.")
    expect((await desk.page(slug, "fr")).status).toBe(200)
  })

  it.each(["by an engine", "by hand"])(
    "a translation made %s keeps the heading ids of the source text",
    async (how) => {
      const body = "[down](#the-end)\n\n## The end"
      const desk = await newDesk({ translation_languages: ["fr"] })
      const { slug } = await desk.create({ ...TEXT, body })
      await desk.run()
      if (how === "by hand")
        await desk.patch(slug, {
          lang_code: "fr",
          body: body.replace("The end", "La fin"),
          translation_languages: ["fr"],
        })
      const { html } = (await desk.get(slug, "fr")).json.post
      expect(html).toContain('<a href="#the-end">')
      expect(html).toContain(`<h2 id="the-end">${how === "by hand" ? "La fin" : "The·fr end·fr"}</h2>`)
      expect((await desk.page(slug, "fr")).text).toContain('<a href="#the-end">')
    },
  )

  it("POST to a translation with every field edited by hand answers ready without an engine call", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create(TEXT)
    await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], ...TEXT })
    const engine = watchEngine()
    const { json } = await desk.send("POST", `${slug}/translations/fr/`)
    await desk.run()
    expect([json.translation.status, engine]).toEqual(["ready", []])
  })

  it.each([
    ["of an unlisted language", "de", undefined, 404],
    ["of the source language", "en", undefined, 404],
    ["of an invalid language", "not_one", undefined, 404],
    ["with an unknown field in discard_edits", "fr", { discard_edits: ["slug"] }, 400],
  ])("POST to the translation %s (%s %j) answers %i", async (_, lang, body, status) => {
    const { desk, slug } = await withEditedTitle()
    expect((await desk.send("POST", `${slug}/translations/${lang}/`, body)).status).toBe(status)
  })
})

describe("DELETE …/translations/{lang_code}/", () => {
  it("DELETE of a translation removes its text, its public page and its language from the post's list", async () => {
    const { desk, slug } = await withEditedTitle()
    const { status } = await desk.send("DELETE", `${slug}/translations/fr/`)
    expect(status).toBe(204)
    expect((await desk.get(slug)).json.post).toMatchObject({ translation_languages: [], translations: [] })
    expect((await desk.get(slug, "fr")).status).toBe(404)
    expect((await desk.page(slug, "fr")).status).toBe(404)
    expect(
      await rows("select * from texts join posts on id = post_id where slug = ? and lang_code = 'fr'", slug),
    ).toEqual([])
  })

  it("a language listed again after DELETE of its translation is translated without the earlier edits", async () => {
    const { desk, slug } = await withEditedTitle()
    await desk.send("DELETE", `${slug}/translations/fr/`)
    expect((await desk.patch(slug, { translation_languages: ["fr"] })).status).toBe(202)
    await desk.run()
    expect((await desk.translations(slug)).fr).toMatchObject({ title: "Hello·fr world·fr", edited: [] })
  })

  it.each(["de", "en", "not_one"])(
    "DELETE of the translation of a post into %s, which it does not have, answers 404",
    async (lang) => {
      const { desk, slug } = await withEditedTitle()
      expect((await desk.send("DELETE", `${slug}/translations/${lang}/`)).status).toBe(404)
    },
  )
})

describe("a post of another author", () => {
  it.each(["GET", "POST", "DELETE"] as const)(
    "%s to a translation of another author's post answers 403",
    async (method) => {
      const { slug } = await withEditedTitle()
      const { key } = await newAuthor()
      const path = method === "GET" ? "translations" : "translations/fr"
      expect((await call(method, `${API}/posts/${slug}/${path}/`, { key })).status).toBe(403)
    },
  )
})

describe("an unlisted language", () => {
  it("a language removed from a post's list keeps its text without a page, and is reused when listed again", async () => {
    const { desk, slug, engine } = await withEditedTitle()
    const { status, json } = await desk.patch(slug, {})
    expect(status).toBe(200)
    expect(json.post.translations).toMatchObject([{ lang_code: "fr", listed: false, title: "Bonjour", url: null }])
    expect((await desk.get(slug, "fr")).json.post).toMatchObject({ title: "Bonjour", body: "Some·fr *words·fr*." })
    expect((await desk.page(slug, "fr")).status).toBe(404)
    expect((await desk.page(slug)).text).not.toContain('hreflang="fr"')
    expect((await desk.patch(slug, { translation_languages: ["fr"] })).status).toBe(200)
    expect((await desk.page(slug, "fr")).text).toContain("Bonjour")
    await desk.run()
    expect(engine).toEqual([])
  })

  it("a language removed from a post's list before its translation leaves no work and no text", async () => {
    const desk = await newDesk({ translation_languages: ["fr"] })
    const { slug } = await desk.create(TEXT)
    const engine = watchEngine()
    expect((await desk.patch(slug, {})).status).toBe(200)
    await desk.run()
    expect([engine, await desk.translations(slug)]).toEqual([[], {}])
  })
})

describe("changing the source language", () => {
  it("a PATCH of a post with a new primary_language as lang_code changes the source text's language", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create(TEXT)
    const german = { lang_code: "de", primary_language: "de" }
    const { status, json } = await desk.patch(slug, german)
    expect(status).toBe(200)
    expect(json.post).toMatchObject({ ...TEXT, ...german, translation_languages: [], translations: [], version: 2 })
    const message = "The source text is now in de, no longer in en."
    expect(json.warnings).toEqual([{ field: "primary_language", code: "primary_language_changed", message }])
    expect((await desk.get(slug, "en")).status).toBe(404)
    expect((await desk.page(slug)).text).toContain('<html lang="de"')
    expect((await desk.patch(slug, german)).json).toMatchObject({ post: { version: 2 }, warnings: [] })
  })

  it("a PATCH that changes the language of a post's source text also applies the title that it sends", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create(TEXT)
    const { json } = await desk.patch(slug, { lang_code: "de", primary_language: "de", title: "Hallo" })
    expect(json.post).toMatchObject({ ...TEXT, title: "Hallo", primary_language: "de", lang_code: "de" })
  })

  it("a post whose source language changed is translated from the new one, even into the earlier one", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create(TEXT)
    const engine = watchEngine()
    const german = { lang_code: "de", primary_language: "de", translation_languages: ["en", "fr"] }
    expect((await desk.patch(slug, german)).status).toBe(202)
    await desk.run()
    expect(engine.map(({ from, to }) => [from, to])).toEqual([
      ["de", "en"],
      ["de", "fr"],
    ])
    expect((await desk.get(slug)).json.post).toMatchObject({ ...TEXT, primary_language: "de" })
    expect((await desk.get(slug, "en")).json.post.title).toBe("Hello·en world·en")
  })

  it("the source language of a post can be changed to a language whose translation is only queued", async () => {
    const desk = await newDesk({ translation_languages: ["de", "fr"] })
    const { slug } = await desk.create(TEXT)
    const engine = watchEngine()
    await desk.patch(slug, { lang_code: "de", primary_language: "de", translation_languages: ["de", "fr"] })
    await desk.run()
    expect(engine.map(({ from, to }) => [from, to])).toEqual([["de", "fr"]])
    expect((await desk.get(slug)).json.post).toMatchObject({ ...TEXT, primary_language: "de" })
  })

  it("a PATCH does not change a post's source language to a language that already has a text", async () => {
    const { desk, slug } = await withEditedTitle()
    const { json } = await desk.patch(slug, { lang_code: "fr", primary_language: "fr", translation_languages: ["en"] })
    expect(json.post).toMatchObject({ primary_language: "en", lang_code: "fr", title: "Bonjour" })
    expect((await desk.get(slug, "en")).json.post).toMatchObject(TEXT)
  })
})

describe("languages of a new post", () => {
  const account = { primary_language: "sv", translation_languages: ["da", "sv", "nb"] }

  it.each([
    ["no languages", {}, "sv", ["da", "nb"]],
    [
      "both languages",
      { primary_language: "DE", translation_languages: ["FR", "fr", "de", "pt-br"] },
      "de",
      ["fr", "pt-BR"],
    ],
    ["primary_language alone", { primary_language: "da" }, "da", ["sv", "nb"]],
    ["no translation languages", { translation_languages: [] }, "sv", []],
  ])(
    "a post created with %s (%j) has primary_language %s and translates into %j",
    async (_, sent, primary_language, translation_languages) => {
      const desk = await newDesk(account)
      const post = await desk.create({ ...TEXT, ...sent })
      expect(post).toMatchObject({ ...TEXT, lang_code: primary_language, primary_language, translation_languages })
      expect(post.translations.map(({ status }: { status: string }) => status)).toEqual(
        translation_languages.map(() => "queued"),
      )
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
    const headers = { Authorization: "Bearer an-operator-token-of-the-test-suite" }
    await call("PATCH", `/operator/api/accounts/${desk.username}/`, { headers, json: { primary_language: "fi" } })
    expect((await desk.get(slug)).json.post).toMatchObject({
      primary_language: "sv",
      translation_languages: ["da", "nb"],
    })
  })
})

describe("engine calls", () => {
  it("ten saves of a post within four seconds lead to one translation engine call for each language", async () => {
    const desk = await newDesk({ translation_languages: ["fr", "es"] })
    const { slug } = await desk.create(TEXT)
    await desk.run()
    const engine = watchEngine()
    const due: { at: number; body: unknown }[] = []
    const collect = () => {
      for (const { body, delaySeconds } of desk.wakeUps.sent.splice(0))
        due.push({ body, at: Date.now() + delaySeconds * 1000 })
    }
    for (let save = 1; save <= 10; save += 1) {
      passSeconds(0.4)
      await desk.patch(slug, { translation_languages: ["fr", "es"], body: `Save ${save}.` })
      collect()
    }
    while (due.length > 0) {
      const next = due.reduce((a, b) => (b.at < a.at ? b : a))
      due.splice(due.indexOf(next), 1)
      passSeconds(Math.max(0, next.at - Date.now()) / 1000)
      expect(await deliver(next.body, { env: desk.env })).toBe("ack")
      collect()
    }
    expect(engine).toEqual([
      { from: "en", to: "fr", segments: ["Save 10."] },
      { from: "en", to: "es", segments: ["Save 10."] },
    ])
    expect((await desk.get(slug, "es")).json.post.body).toBe("Save·es 10.")
  })

  it("a translation starts five seconds after the post is saved, not earlier", async () => {
    const desk = await newDesk({ translation_languages: ["fr"] })
    await desk.create(TEXT)
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
    const desk = await newDesk({ translation_languages: ["fr"] })
    const { slug } = await desk.create({ ...TEXT, status: "DF" })
    await desk.run()
    expect((await desk.get(slug, "fr")).json.post.title).toBe("Hello·fr world·fr")
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", url: null })
    expect((await desk.page(slug, "fr")).status).toBe(404)
  })

  it.each([
    ["title", { title: "ab ".repeat(85).trim() }],
    ["meta_description", { meta_description: "ab ".repeat(100).trim() }],
  ])("a machine-translated %s over the length limit is stored with a warning", async (field, change) => {
    const desk = await newDesk({ translation_languages: ["fr"] })
    const { slug } = await desk.create({ ...TEXT, ...change })
    await desk.run()
    const { fr } = await desk.translations(slug)
    expect(fr?.status).toBe("ready")
    expect(fr?.warnings).toMatchObject([{ message: expect.stringContaining(field) }])
    expect((await desk.get(slug, "fr")).json.post[field]).toMatch(/^(?:ab·fr ?){85,100}$/)
    expect((await desk.page(slug, "fr")).status).toBe(200)
  })

  it("a finished translation changes the ETag of the post but not its version", async () => {
    const desk = await newDesk({ translation_languages: ["fr"] })
    const { slug } = await desk.create(TEXT)
    const before = await desk.get(slug)
    await desk.run()
    const after = await desk.get(slug)
    expect(after.json.post).toMatchObject({ version: 1, updated_at: before.json.post.updated_at })
    expect(after.headers.get("ETag")).toMatch(/^"1\.\d+"$/)
    expect(after.headers.get("ETag")).not.toBe(before.headers.get("ETag"))
  })
})
