import { describe, expect, it, vi } from "vitest"

import { MAX_GLOSSARY_TERMS, MAX_SOUGHT_BYTES, MAX_SOUGHT_TERMS } from "../../src/limits.ts"
import type { EngineRequest } from "../../src/translations/engines/engine.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { API, call, rows, runTranslations } from "../support.ts"
import { type Desk, newDesk, newQueued, setUpTranslations } from "./author.ts"

setUpTranslations()

const GLOSSARY = `${API}/account/glossary/`

const change = (desk: Desk, json: unknown) => call("PATCH", GLOSSARY, { key: desk.key, json })
const retranslate = (desk: Desk, terms: string[], query = "") =>
  call("POST", `${GLOSSARY}retranslate/${query}`, { key: desk.key, env: desk.env, json: { terms } })

/** Creates an author with a glossary. */
const newGlossary = async (...entries: unknown[]): Promise<Desk> => {
  const desk = await newDesk()
  expect(await change(desk, { entries })).toMatchObject({ status: 200 })
  return desk
}

/** Records the requests to the engine; `answer` gets each text, and whether it is asked once more. */
const watchRequests = (answer: (text: string, isRepeat: boolean) => string | null): EngineRequest[] => {
  const requests: EngineRequest[] = []
  vi.spyOn(pseudo, "translate").mockImplementation(async (request: EngineRequest) => {
    requests.push(request)
    return { texts: request.segments.map((text) => answer(text, request.missing !== undefined)) }
  })
  return requests
}

const newTerms = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ term: `term ${from + i}`, keep: true }))

const INVOICE = { term: "invoice", translations: { fr: "facture" } }

describe("the glossary of an account", () => {
  it("keeps terms sorted, replaces those of the same spelling, and deletes", async () => {
    const desk = await newGlossary({ term: "  big   cloud ", keep: true, note: "A product" }, INVOICE)
    const big = { term: "big cloud", keep: true, translations: {}, note: "A product" }
    const invoice = { term: "invoice", keep: false, translations: { fr: "facture" }, note: null }
    const list = async () => (await call("GET", GLOSSARY, { key: desk.key })).json.entries
    expect(await list()).toEqual([big, invoice])
    const entries = [{ term: "invoice", translations: { DE: "Rechnung", "pt-br": "fatura" } }]
    const changed = await change(desk, { entries, removed: ["big cloud", "unknown"] })
    const replaced = { ...invoice, translations: { de: "Rechnung", "pt-BR": "fatura" } }
    expect(changed.json.entries).toEqual([replaced])
    expect((await change(desk, { entries, removed: ["big cloud"] })).json.entries).toEqual([replaced])
    expect((await change(desk, {})).json.entries).toEqual([replaced])
    expect(await newDesk().then((other) => call("GET", GLOSSARY, { key: other.key }))).toMatchObject({
      json: { entries: [] },
    })
  })

  it.each<[name: string, field: string, entry: unknown]>([
    ["no translation and no keep", "entries.0.translations", { term: "a" }],
    ["both", "entries.0.translations", { ...INVOICE, keep: true }],
    ["no term", "entries.0.term", { keep: true }],
    ["a blank term", "entries.0.term", { term: "  ", keep: true }],
    ["a long term", "entries.0.term", { term: "x".repeat(101), keep: true }],
    ["two lines", "entries.0.term", { term: "a\nb", keep: true }],
    ["an unknown language", "entries.0.translations.x-y", { term: "a", translations: { "x-y": "b" } }],
    ["a long translation", "entries.0.translations.fr", { term: "a", translations: { fr: "x".repeat(101) } }],
    ["translations that are no object", "entries.0.translations", { term: "a", translations: ["b"] }],
    ["a note with two lines", "entries.0.note", { ...INVOICE, note: "a\nb" }],
    ["a keep that is a text", "entries.0.keep", { term: "a", keep: "yes" }],
  ])("refuses an entry with %s, names the field %s and changes nothing", async (_name, field, entry) => {
    const desk = await newGlossary()
    const answer = await change(desk, { entries: [entry, INVOICE] })
    expect(answer.status).toBe(400)
    expect(answer.json.errors[0]).toMatchObject({ field })
    expect((await call("GET", GLOSSARY, { key: desk.key })).json.entries).toEqual([])
  })

  it("has at most 500 terms, those of another account not counted", async () => {
    await newGlossary(...newTerms(0, 10))
    const desk = await newGlossary(...newTerms(0, MAX_GLOSSARY_TERMS))
    expect(await change(desk, { entries: newTerms(MAX_GLOSSARY_TERMS, 1) })).toMatchObject({
      status: 400,
      json: { errors: [{ field: "entries" }] },
    })
    const swapped = await change(desk, { entries: newTerms(MAX_GLOSSARY_TERMS, 1), removed: ["term 0"] })
    expect(swapped.json.entries).toHaveLength(MAX_GLOSSARY_TERMS)
  })
})

describe("a translation with a glossary", () => {
  it("keeps terms in every field and has the translations of others", async () => {
    const desk = await newGlossary({ term: "Edgepost", keep: true }, INVOICE)
    const input = {
      title: "Edgepost and an invoice",
      meta_description: "Invoices of Edgepost.",
      body: "The *Edgepost* `Edgepost` ![of Edgepost](https://a.example/x.png)\n\nAn invoice.",
    }
    const { run, slug, translation } = await newQueued(input, desk)
    await run()
    const { json } = await desk.get(slug, "fr")
    expect(json.post).toMatchObject({
      title: "Edgepost and·fr an·fr facture",
      meta_description: "facture of·fr Edgepost.",
      body: "The·fr *Edgepost* `Edgepost` ![of·fr Edgepost](https://a.example/x.png)\n\nAn·fr facture.",
    })
    expect(await translation()).toMatchObject({ status: "ready" })
  })

  it("an answer without a term is asked for once more with the missing words, and the second counts if it has them", async () => {
    const desk = await newGlossary(INVOICE, { term: "cloud", translations: { fr: "nuage" }, note: "Of the sky" })
    const { run, translation, bodyIn } = await newQueued({ body: "An invoice.\n\nA cloud and an invoice." }, desk)
    const requests = watchRequests((text, isRepeat) =>
      text.startsWith("A cloud")
        ? isRepeat
          ? "Des factures, un nuage."
          : "Un nuage."
        : text.replace("invoice", "facture"),
    )
    await run()
    expect(requests.map(({ segments, terms, missing }) => ({ segments, terms, missing }))).toEqual([
      {
        segments: ["Hello world", "About things.", "An invoice.", "A cloud and an invoice."],
        terms: [
          { term: "invoice", translation: "facture", note: null },
          { term: "cloud", translation: "nuage", note: "Of the sky" },
        ],
        missing: undefined,
      },
      { segments: ["A cloud and an invoice."], terms: expect.any(Array), missing: [["facture"]] },
    ])
    expect(await bodyIn()).toBe("An facture.\n\nDes factures, un nuage.")
    expect((await translation()).warnings).toEqual([])
  })

  it.each<[name: string, second: string | null]>([
    ["again without the term", "Encore rien."],
    ["unusable", '<x id="9"/>'],
    ["missing", null],
  ])("a second answer that is %s leaves the first one, marked with term_missing", async (_name, second) => {
    const desk = await newGlossary(INVOICE)
    const { run, translation, bodyIn, patch } = await newQueued({ body: "An invoice." }, desk)
    const requests = watchRequests((text, isRepeat) => (text === "An invoice." ? (isRepeat ? second : "Rien.") : text))
    await run()
    expect(requests).toHaveLength(2)
    expect(await bodyIn()).toBe("Rien.")
    const message = "1 of 1 parts lack a term of the glossary: “facture” for “invoice”."
    const warnings = [{ field: "body", code: "term_missing", message }]
    expect(await translation()).toMatchObject({ status: "ready", warnings })
    // From memory, the mark stays.
    await patch({ body: "An invoice.\n\nMore." })
    await run()
    expect(requests.slice(2).map(({ segments }) => segments)).toEqual([["More."]])
    expect((await translation()).warnings).toEqual([{ ...warnings[0], message: message.replace("1 of 1", "1 of 2") }])
  })

  it("each batch is asked for its missing terms at once, so that a text of many batches has them", async () => {
    const desk = await newGlossary(INVOICE)
    const body = Array.from({ length: 441 }, (_, i) => (i % 220 === 0 ? `Invoice ${i}.` : `Part ${i}.`)).join("\n\n")
    const { run, translation } = await newQueued({ body }, desk)
    const requests = watchRequests((text, isRepeat) => (isRepeat ? text.replace("Invoice", "Facture") : text))
    await run()
    expect(requests.filter(({ missing }) => missing).flatMap(({ segments }) => segments)).toEqual([
      "Invoice 0.",
      "Invoice 220.",
      "Invoice 440.",
    ])
    expect(await translation()).toMatchObject({ status: "ready", warnings: [] })
  })

  it.each([
    [
      "a failure",
      async () => ({ failure: { kind: "later" as const, code: "engine_limit", message: "No.", afterSeconds: 80_000 } }),
    ],
    ["an exception", () => Promise.reject(new Error("Gone."))],
  ])("%s of the second call leaves the first answer, and holds nothing back", async (_name, fail) => {
    const desk = await newGlossary(INVOICE)
    const { run, translation } = await newQueued({ body: "An invoice." }, desk)
    vi.spyOn(pseudo, "translate").mockImplementation(async ({ segments, missing }: EngineRequest) =>
      missing ? fail() : { texts: segments },
    )
    await run()
    expect(await translation()).toMatchObject({ status: "ready", error: null, warnings: [{ code: "term_missing" }] })
  })

  it("terms that go along count in the daily budget, and leave the second call out where it is used up", async () => {
    const desk = await newGlossary({ ...INVOICE, note: "x".repeat(100) })
    const { run, translation } = await newQueued({ body: "An invoice." }, desk)
    const requests = watchRequests((text) => text)
    const texts = "Hello world".length + "About things.".length + "An invoice.".length
    const characters = texts + "invoicefacture".length + 100
    await runTranslations(desk.wakeUps, { TRANSLATED_CHARACTERS_PER_DAY: String(characters) })
    expect(requests).toHaveLength(1)
    expect(
      await rows(
        `select characters from translated_characters where account_id = (select id from accounts where username = ?)`,
        desk.username,
      ),
    ).toEqual([{ characters }])
    expect((await translation()).status).toBe("ready")
    await run()
  })

  it("an engine that does not follow terms is asked once", async () => {
    const desk = await newGlossary(INVOICE)
    const { run, translation } = await newQueued({ body: "An invoice." }, desk)
    vi.spyOn(pseudo, "followsTerms", "get").mockReturnValue(false as true)
    const requests = watchRequests((text) => text)
    await run()
    expect(requests).toHaveLength(1)
    expect((await translation()).warnings).toMatchObject([{ code: "term_missing" }])
  })
})

describe("translating terms again", () => {
  it("a changed term in a blog of 12 posts sends nothing, and translating it again sends the segments that have it", async () => {
    const desk = await newGlossary({ term: "cloud", translations: { fr: "nuage" } })
    const bodies = Array.from(
      { length: 12 },
      (_, i) => `Paragraph ${i} of a post.\n\n${i % 4 === 0 ? `The clouds of post ${i}, cloudy.` : `Sun ${i}.`}`,
    )
    for (const body of bodies) await desk.create({ body, translation_languages: ["fr"] })
    await desk.run()
    const requests = watchRequests((text) => text.replaceAll("cloud", "nue"))
    const sent = () => requests.splice(0).flatMap(({ segments }) => segments)
    await change(desk, { entries: [{ term: "cloud", translations: { fr: "nue" } }] })
    await desk.run()
    expect((await retranslate(desk, ["cloud"], "?dry_run=true")).json).toMatchObject({ posts: 3, translations: 3 })
    await desk.run()
    expect(sent()).toEqual([])
    expect((await retranslate(desk, ["cloud"])).json).toEqual({
      success: true,
      posts: 3,
      translations: 3,
      next_cursor: null,
    })
    await desk.run()
    const concerned = bodies.flatMap((body) => body.split("\n\n").filter((part) => part.includes("cloud")))
    expect(sent().toSorted()).toEqual(concerned.toSorted())
    expect(await rows("select lang_code from texts where status <> 'ready'")).toEqual([])
    await retranslate(desk, ["cloud"])
    await desk.run()
    expect(sent()).toEqual([])
  })

  it("finds posts by the words of terms in title, description and body, in any case and form", async () => {
    const desk = await newGlossary()
    const create = (input: object) => desk.create({ translation_languages: ["fr", "de"], ...input })
    await create({ title: "Clouds" })
    await create({ meta_description: "In the CLOUD, and so on." })
    await create({ body: "Of big\nclouds." })
    await create({ title: "Cloud", translation_languages: [] })
    const count = async (...terms: string[]) => {
      const { posts, translations } = (await retranslate(desk, terms, "?dry_run=true")).json
      return [posts, translations]
    }
    expect(await count("cloud")).toEqual([0, 0])
    await desk.run()
    expect(await count("cloud")).toEqual([3, 6])
    expect(await count("big clouds")).toEqual([2, 4])
    expect(await count("Cloud")).toEqual([1, 2])
    expect(await count("100%", "sun")).toEqual([0, 0])
    expect(await count("sun", "description of it")).toEqual([0, 0])
  })

  it("goes on where a portion ended, and finds each post once", async () => {
    const desk = await newGlossary()
    for (let i = 0; i < 3; i++) await desk.create({ body: "A cloud.", translation_languages: ["fr"] })
    await desk.run()
    // Each post is as large as a portion.
    await rows("update posts set text_bytes = ?", MAX_SOUGHT_BYTES / 10)
    const found: number[] = []
    for (let cursor = ""; cursor !== null;) {
      const { json } = await retranslate(desk, ["cloud"], cursor && `?cursor=${cursor}`)
      found.push(json.posts)
      cursor = json.next_cursor
    }
    expect(found).toEqual([1, 1, 1])
    expect(await rows("select 1 from texts where status = 'queued'")).toHaveLength(3)
  })

  it("is refused after more searches than its own limit allows", async () => {
    const desk = await newGlossary()
    const refusing = { EXPENSIVE_CALL_LIMITER: { limit: async () => ({ success: false }) } }
    const env = { ...desk.env, ...refusing }
    const json = { terms: ["cloud"] }
    for (const query of ["", "?dry_run=true"])
      expect((await call("POST", `${GLOSSARY}retranslate/${query}`, { key: desk.key, env, json })).status).toBe(429)
  })

  it("requeues a text whose first run is under way, so that it ends with the new terms", async () => {
    const desk = await newGlossary()
    const { run, bodyIn } = await newQueued({ body: "A cloud." }, desk)
    let isFirst = true
    const counts: number[] = []
    const requests = watchRequests((text) => text)
    vi.mocked(pseudo.translate).mockImplementation(async (request: EngineRequest) => {
      requests.push(request)
      if (isFirst) {
        isFirst = false
        await change(desk, { entries: [{ term: "cloud", translations: { fr: "nuage" } }] })
        counts.push((await retranslate(desk, ["cloud"])).json.translations)
      }
      return { texts: request.segments.map((text) => (request.terms ? text.replace("cloud", "nuage") : text)) }
    })
    await run()
    await runTranslations(desk.wakeUps)
    expect(counts).toEqual([1])
    expect(await bodyIn()).toBe("A nuage.")
  })

  it("leaves fields edited by hand as they are, and refuses more than 50 terms", async () => {
    const desk = await newGlossary()
    const { slug, run, bodyIn } = await newQueued({ body: "A cloud." }, desk)
    await run()
    await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], body: "Un nuage à moi." })
    await change(desk, { entries: [{ term: "cloud", keep: true }] })
    expect((await retranslate(desk, ["cloud"])).json).toMatchObject({ translations: 1 })
    await desk.run()
    expect(await bodyIn()).toBe("Un nuage à moi.")
    const tooMany = Array.from({ length: MAX_SOUGHT_TERMS + 1 }, (_, i) => `t${i}`)
    expect(await retranslate(desk, tooMany)).toMatchObject({ status: 400, json: { errors: [{ field: "terms" }] } })
  })
})
