import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { freePort } from "../../scripts/service.ts"
import { readDocument, segmentsOf } from "../../src/translations/document/segments.ts"
import { skeletonOf } from "../../src/translations/document/verify.ts"
import { startChild, startService } from "../e2e/child.ts"
import { type Answer, call, eventually } from "../e2e/support.ts"

// Translates a post with the running service and a real engine: Apertium, from English to Spanish, and through Spanish to French.

const LANGUAGES = ["es", "fr"] as const
const PACKAGES = ["apertium", "apertium-eng-spa", "apertium-fr-es", "apertium-apy"]
const PAIRS = "/usr/share/apertium"
const FILES = ["/usr/bin/apertium-apy", `${PAIRS}/modes/eng-spa.mode`, `${PAIRS}/modes/es-fr.mode`]

/** Sentences of the post, with words of their expected translations. */
const SENTENCES: [english: string, spanish: string[], french: string[]][] = [
  ["The secret is not in the lamp.", ["secreto", "lámpara"], ["secret", "lumière"]],
  ["The light is still on when the sun rises.", ["luz", "sol"], ["lumière", "soleil"]],
  ["The keeper had to clean it every day.", ["limpiar", "todos los días"], ["nettoyer", "tous les jours"]],
  [
    "Each ring has its own angle, and each angle sends the light in the same direction.",
    ["ángulo", "luz", "misma dirección"],
    ["angle", "lumière", "même direction"],
  ],
  ["The sixth order is for the entrance of a small port.", ["entrada", "puerto pequeño"], ["entrée", "port petit"]],
  [
    "The number that counts is the distance between the lamp and the glass.",
    ["número", "distancia", "lámpara"],
    ["nombre", "distance", "lumière"],
  ],
  ["Two things limit the distance.", ["Dos cosas limitan la distancia"], ["Deux choses limitent la distance"]],
  ["Calculate the two distances and add them.", ["dos distancias"], ["deux distances"]],
  [
    "The last number is the time of the whole pattern in seconds.",
    ["último número", "segundos"],
    ["dernier nombre", "secondes"],
  ],
  ["A lens of the first order cost as much as the house of a rich man", ["casa", "rico"], ["maison", "riche"]],
]

const execute = promisify(execFile)

const install = async () => {
  if (FILES.every((file) => existsSync(file))) return
  await execute("apt-get", ["update", "-qq"])
  await execute("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...PACKAGES])
}

const stops: (() => Promise<void>)[] = []

const startApertium = async (): Promise<string> => {
  const port = String(await freePort())
  // apertium-apy does not start in a locale without UTF-8, the default of a minimal environment.
  const command = ["env", "LC_ALL=C.UTF-8", "apertium-apy", "-p", port, "-j1", PAIRS]
  const { stop } = await startChild(command, "stderr", /Serving on/)
  stops.push(stop)
  return `http://127.0.0.1:${port}`
}

const textsOf = (body: string): string[] => segmentsOf(readDocument(body)).map(({ text }) => text)

const wordsOf = (text: string): string[] => text.replaceAll(/<[^>]*>/g, " ").match(/\p{L}+/gu) ?? []

let send: (method: string, path: string, json: object) => Promise<Answer>
let read: (lang: string, slug?: string) => Promise<Answer>
let source: string[]
let body: string
beforeAll(async () => {
  await install()
  const url = await startApertium()
  const { origin, key, stop } = await startService("TRANSLATOR:apertium", `APERTIUM_URL:${url}`)
  stops.push(stop)
  const api = `${origin}/api/blogcontroller`
  const headers = { "X-API-KEY": key }
  const form = new FormData()
  form.append("file", new Blob([await readFile("examples/tide/coast.jpg")]), "coast.jpg")
  const { json: image } = await call("POST", `${api}/image-upload/`, { headers, body: form })
  body = (await readFile("test/full/apertium.md", "utf8")).replace("coast.jpg", image.image_url)
  source = textsOf(body)
  const post = {
    title: "How a lighthouse throws its light so far",
    slug: "lighthouse",
    status: "PB",
    categories: "Coast",
    tags: "light, glass",
    meta_description:
      "Why a small lamp can be seen from a distance of twenty miles, and how a sailor knows which light it is.",
    primary_language: "en",
    translation_languages: LANGUAGES,
    body,
  }
  send = (method, path, json) => call(method, `${api}/${path}`, { headers, body: JSON.stringify(json) })
  expect((await send("POST", "posts/", post)).status).toBe(201)
  read = (lang, slug = "lighthouse") => call("GET", `${api}/posts/${slug}/?lang_code=${lang}`, { headers })
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

const areReady = async () => {
  const { translations } = (await read("en")).json.post
  const state = { status: "ready", engine: "apertium", error: null, warnings: [] }
  expect(translations).toEqual(LANGUAGES.map((lang_code) => expect.objectContaining({ lang_code, ...state })))
}

test("the engine Apertium translates every segment of a post with over a thousand words", async () => {
  expect(wordsOf(source.join(" ")).length).toBeGreaterThan(1000)
  await eventually(areReady, 110_000)
})

describe.each(LANGUAGES)("Apertium translation into %s", (lang) => {
  let translated: string
  let texts: string[]
  beforeAll(async () => {
    translated = (await read(lang)).json.post.body
    texts = textsOf(translated)
  })

  test(`the Apertium translation into ${lang} has the same Markdown structure as the source text`, () => {
    expect(skeletonOf(translated)).toBe(skeletonOf(body))
    expect(texts.length).toBe(source.length)
  })

  test(`in the Apertium translation into ${lang}, nine of ten segments of five or more words differ from the source`, () => {
    const long = source.flatMap((text, n) => (wordsOf(text).length >= 5 ? [[text, texts[n]]] : []))
    const changed = long.filter(([before, after]) => before !== after)
    console.log(`${lang}: ${changed.length} of ${long.length} segments of five words or more have changed`)
    expect(changed.length).toBeGreaterThanOrEqual(0.9 * long.length)
  })

  test(`the Apertium translation into ${lang} has none of the signs that Apertium puts before unknown words`, () => {
    expect(texts.filter((text) => /[*#]/.test(text))).toEqual([])
  })

  test.each(SENTENCES)(
    `the Apertium translation into ${lang} has the expected words for the English sentence with %j`,
    (english, spanish, french) => {
      const text = texts[source.findIndex((one) => one.includes(english))]
      for (const word of lang === "es" ? spanish : french) expect(text).toContain(word)
    },
  )
})

test("Apertium translates around the terms that a glossary keeps, and what lacks a translated term is marked", async () => {
  const entries = [
    { term: "Fresnel House", keep: true },
    { term: "lamp", translations: { es: "lámpara", fr: "lampe" } },
    { term: "tower", translations: { es: "atalaya", fr: "tour" } },
  ]
  expect((await send("PATCH", "account/glossary/", { entries })).status).toBe(200)
  const about = {
    title: "A lamp of the Fresnel House",
    meta_description: "A lamp in Fresnel House.",
    body: "The Fresnel House has a lamp in the tower.\n\nEvery lamp of the *Fresnel House* is in `Fresnel House`.",
  }
  const post = { slug: "house", status: "DF", categories: "Coast", primary_language: "en", ...about }
  expect((await send("POST", "posts/", { ...post, translation_languages: ["es"] })).status).toBe(201)
  await eventually(async () => {
    const { translations } = (await read("en", "house")).json.post
    expect(translations).toMatchObject([{ lang_code: "es", status: "ready" }])
  }, 60_000)
  const { json } = await read("es", "house")
  const { title, meta_description, body: spanish, translations } = json.post
  expect(title).toMatch(/lámpara .*Fresnel House$/)
  expect(meta_description).toMatch(/lámpara .*Fresnel House\.$/)
  expect(spanish.split("\n\n")).toEqual([
    expect.stringMatching(/^El Fresnel House .*lámpara.*torre\.$/),
    expect.stringMatching(/lámpara .*\*Fresnel House\* .*`Fresnel House`\.$/),
  ])
  const message = "1 of 2 parts lack a term of the glossary: “atalaya” for “tower”."
  expect(translations[0].warnings).toEqual([{ field: "body", code: "term_missing", message }])
})

test("Apertium translates code, math and kept terms as words that it does not know, so that sentences stay whole", async () => {
  const about = { title: "El `npm` hoy", meta_description: "La Fresnel House es grande." }
  const text = { body: "El `npm` es rápido.\n\n## El `npm` hoy\n\nLa $x$ es grande." }
  const post = { slug: "npm", status: "DF", categories: "Coast", primary_language: "es", ...about, ...text }
  expect((await send("POST", "posts/", { ...post, translation_languages: ["fr"] })).status).toBe(201)
  await eventually(async () => {
    expect((await read("es", "npm")).json.post.translations).toMatchObject([{ status: "ready", warnings: [] }])
  }, 60_000)
  expect((await read("fr", "npm")).json.post).toMatchObject({
    title: "Le `npm` aujourd'hui",
    meta_description: "La Fresnel House est grande.",
    body: "Le `npm` est rapide.\n\n## Le `npm` aujourd'hui\n\nLa $x$ est grande.",
  })
})
