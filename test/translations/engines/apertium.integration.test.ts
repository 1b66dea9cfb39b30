import { expect, it } from "vitest"

import { API, call } from "../../support.ts"
import { newDesk, setUpTranslations } from "../author.ts"
import { BAD_ADDRESS, BODY, type Delay, expectDone, failOnce, OUTAGE, startPost, translateBy } from "./post.ts"
import { apertium, apyAnswer, apyError, apyReply, htmlPage, offline, type React, throwing, timedOut } from "./stubs.ts"

setUpTranslations()

// https://github.com/apertium/apertium-apy/blob/master/apertium_apy/handlers/translate_chain.py
it("a language that Apertium does not support fails as unsupported_language; the next one is translated", async () => {
  const engine = apertium()
  const post = await translateBy(engine, { translation_languages: ["ja", "fr"] }, (asked) =>
    asked.request.langpairs === "en|ja" ? apyError(400, "Bad Request", "No path found for en-ja") : apyReply(asked),
  )
  const error = { code: "unsupported_language", message: expect.stringMatching(/does not translate between/) }
  expect(await post.translation("ja")).toMatchObject({ status: "failed", error })
  expect((await post.translation("fr")).status).toBe("ready")
})

it("Apertium translates through another language if it has no direct language pair", async () => {
  const engine = apertium()
  const post = await translateBy(engine, {}, (asked) => apyReply(asked, ["eng", "spa", "fra"]))
  const pairs = engine.calls.map(({ request }) => request.langpair).filter((pair) => pair !== undefined)
  expect(new Set(pairs)).toEqual(new Set(["eng|spa", "spa|fra"]))
  expect(await post.translation()).toMatchObject({ status: "ready", engine: "apertium" })
})

it("an outage of Apertium between two segments of a batch repeats the batch of segments", async () => {
  const engine = apertium()
  let failures = 0
  engine.react = (asked) => {
    if (asked.request.path === "/translateChain" || engine.calls.length !== 5) return apyReply(asked)
    failures += 1
    return apyError(503, "Service Unavailable", "internal error")
  }
  const post = await startPost({ body: BODY })
  await post.deliverNext(engine.env)
  expect(await post.translation()).toMatchObject({ status: "queued", error: { code: "engine_unavailable" } })
  await post.deliverAll(engine)
  expect(failures).toBe(1)
  await expectDone(post)
})

it.each<[string, React, Delay]>([
  // https://github.com/apertium/apertium-apy/blob/master/apertium_apy/handlers/translate.py
  ["a 503 of a stuck pipe", () => apyError(503, "Service Unavailable", "internal error"), OUTAGE],
  ["a 500", () => apyError(500, "Internal Server Error", "Internal Server Error"), OUTAGE],
  ["a network failure", throwing(offline), OUTAGE],
  ["the service's own timeout", throwing(timedOut), OUTAGE],
  ["a web page", () => htmlPage(200), BAD_ADDRESS],
  ["a 404 page", () => htmlPage(404), BAD_ADDRESS],
  ["an answer of over 4 MB", () => new Response(JSON.stringify({ all: "x".repeat(4 * 2 ** 20) })), BAD_ADDRESS],
])("a translation is retried with Apertium after %s", async (_, react, delay) => {
  expect(await failOnce(apertium(), react)).toEqual(delay)
})

const TEN = [..."bcdefghij", "ba"].map((digits) => `qz${digits}qz`).join(" ")

// https://wiki.apertium.org/wiki/Apertium_stream_format: `*` marks an unknown word. Seen with apertium 3.8.3, apertium-eng-spa 0.8.1.
it.each<[name: string, source: string, sent: string, answer: string, translation: string]>([
  ["code", "The `npm` is quick.", "The qzbqz is quick.", "El *qzbqz es rápido.", "El `npm` es rápido."],
  [
    "several",
    "Use `a`, ($b$) or “`c`”.",
    "Use qzbqz, (qzcqz) or “qzdqz”.",
    "Uso *qzcqz, (*qzbqz) o “*Qzdqz”.",
    "Uso $b$, (`a`) o “`c`”.",
  ],
  ["in emphasis", "A *`b` c* d", '<g id="1">qzcqz c</g>', '<g id="1">*qzcqz ce</g>', "*`b` ce*"],
  [
    "a kept term with an ending",
    "The Harbour’s boats",
    "The qzbqz’s boats",
    "El *qzbqz  los botes",
    "El Harbour los botes",
  ],
  ["the tenth", `${"`a` ".repeat(10)}b`, `${TEN} b`, `${TEN} be`, `${"`a` ".repeat(10)}be`],
  [
    "no word: a note and a break",
    "A lens[^n].\\\nGood\n\n[^n]: 1",
    'A lens<x id="1"/>.<x id="2"/>Good',
    'Una lente<x id="1"/>.<x id="2"/>Bien',
    "Una lente[^n].\\\nBien",
  ],
  [
    "no word: a part of one",
    "Two `word`s and x`y`",
    'Two <x id="1"/>s and x<x id="2"/>',
    'Dos <x id="1"/>s y x<x id="2"/>',
    "Dos `word`s y x`y`",
  ],
])(
  "Apertium gets content that stays as a word that it does not know: %s",
  async (_, body, sent, answer, translation) => {
    const engine = apertium()
    const desk = await newDesk()
    const glossary = { entries: [{ term: "Harbour", keep: true }] }
    await call("PATCH", `${API}/account/glossary/`, { key: desk.key, json: glossary })
    engine.react = (asked) =>
      asked.request.path === "/translateChain" || !String(asked.request.q).includes(sent)
        ? apyReply(asked)
        : apyAnswer({ translatedText: String(asked.request.q).replace(sent, answer) })
    const post = await startPost({ body }, desk)
    await post.deliverAll(engine)
    expect(engine.calls.map(({ request }) => request.q)).toContainEqual(expect.stringContaining(sent))
    expect(await post.bodyIn()).toContain(translation)
  },
)
