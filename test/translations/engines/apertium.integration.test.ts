import { expect, it } from "vitest"

import { setUpTranslations } from "../author.ts"
import { BAD_ADDRESS, BODY, type Delay, expectDone, failOnce, OUTAGE, startPost, translateBy } from "./post.ts"
import { apertium, apyError, apyReply, htmlPage, offline, type React, throwing, timedOut } from "./stubs.ts"

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
