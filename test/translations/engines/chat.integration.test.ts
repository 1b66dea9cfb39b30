import { describe, expect, it } from "vitest"

import { MAX_FAILED_ALONE } from "../../../src/limits.ts"
import { newQueued, setUpTranslations } from "../author.ts"
import { BODY, expectDone, inFrench, LONGEST_WAIT_SECONDS, paragraphs, startPost, translateBy, word } from "./post.ts"
import {
  aiError,
  type Chat,
  chatJson,
  CHATS,
  EACH_CHAT,
  htmlPage,
  ones,
  openai,
  openaiError,
  type React,
  replying,
  sizes,
  type Stub,
  throwing,
  timedOut,
  translate,
} from "./stubs.ts"

// Behaviour that both chat engines share.

setUpTranslations()

const FILTERED = "Damn"
const isFiltered = (segments: string[]) => segments.some((text) => text.includes(FILTERED))

/** The refusal of a request for its content. */
const REFUSALS: Record<Chat, () => unknown> = {
  // https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter
  openai: () => openaiError(400, "content_filter"),
  "workers-ai": throwing(aiError(5004, "Invalid data type for base64 input: string")),
}

/** The refusal of a request for its size. */
const SIZE_REFUSALS: Record<Chat, () => unknown> = {
  openai: () => new Response("<html><h1>413 Request Entity Too Large</h1></html>", { status: 413 }),
  "workers-ai": throwing(aiError(3006, "Request is too large")),
}

/** A rate limit of openai, and an outage of Workers AI. */
const FAILURES: Record<Chat, () => unknown> = {
  openai: () => openaiError(429, "rate_limit_exceeded", { "Retry-After": "30" }),
  "workers-ai": throwing(aiError(3040, "No capacity")),
}

/** Fails at the calls with segments that `isBad` accepts, and answers the others. */
const failingAt =
  (name: Chat, isBad: (segments: string[]) => boolean, fail: React): React =>
  (asked) =>
    isBad(asked.segments) ? fail(asked) : replying(name, chatJson)(asked)

/** An engine that refuses every request with a filtered word in it. */
const filteringEngine = (name: Chat = "openai"): Stub => {
  const engine = CHATS[name]()
  engine.react = failingAt(name, isFiltered, REFUSALS[name])
  return engine
}

const FILTERED_FIELDS = { title: `${FILTERED} title`, meta_description: `${FILTERED} description` }

/** Paragraphs with emphasis, some of them with a filtered word. */
const bodyWith = (count: number, filtered: number[]): string =>
  paragraphs(count, (n) => (filtered.includes(n) ? `${FILTERED} ${word(n)}` : `Some *${word(n)}* words`))

const translateUnlessFiltered = async (text: string) => (text.includes(FILTERED) ? text : (await translate([text]))[0])
/** Returns a body as a correct engine translates it, with filtered paragraphs in the source language. */
const inFrenchUnlessFiltered = async (body: string): Promise<string> =>
  (await Promise.all(body.split("\n\n").map(translateUnlessFiltered))).join("\n\n")

/** A paragraph of `length` characters. */
const long = (length: number) => (n: number) => `${word(n)} `.repeat(length).slice(0, length).trim()

describe.each(EACH_CHAT)("%s", (name) => {
  it(`the engine ${name} gets a post of 100 paragraphs in calls of at most 40 segments`, async () => {
    const engine = CHATS[name]()
    const body = paragraphs(100)
    const post = await translateBy(engine, { body })
    expect(sizes(engine)).toEqual([40, 40, 22])
    await expectDone(post)
  })

  it(`the engine ${name} gets at most 3000 characters a call, and a longer segment alone`, async () => {
    const engine = CHATS[name]()
    const body = [paragraphs(6, long(995)), long(4000)(7), paragraphs(1)].join("\n\n")
    const post = await translateBy(engine, { body })
    const lengths = engine.calls.map(({ segments }) => segments.map(({ length }) => Math.round(length / 1000)))
    expect(lengths).toEqual([[0, 0, 1, 1], [1, 1, 1], [1], [4], [0]])
    await expectDone(post)
  })

  it(`the engine ${name} gets one segment at a time after it refused a batch for its size`, async () => {
    const engine = CHATS[name]()
    const body = paragraphs(38)
    const react = failingAt(name, ({ length }) => length > 10, SIZE_REFUSALS[name])
    const post = await translateBy(engine, { body }, react)
    expect(sizes(engine)).toEqual([40, ...ones(40)])
    await expectDone(post)
  })

  it.each<[string, unknown]>([
    ["an empty text", ""],
    ["words", "I'm sorry, I can't help with that."],
    ["null, as in a refusal", null],
    ["JSON of another shape", '{"segments":[]}'],
  ])(
    `a translation that ${name} always answers with %s fails, and succeeds if requested again later`,
    async (_, content) => {
      const engine = CHATS[name]()
      const reply = replying(name, () => content)
      const post = await translateBy(engine, {}, reply)
      const error = { code: "not_translated", message: expect.stringMatching(/Request it again/) }
      expect(await post.translation()).toMatchObject({ status: "failed", error })
      engine.react = null
      expect((await post.repeat()).status).toBe(202)
      await post.deliverAll(engine)
      await expectDone(post)
    },
  )

  it(`a failure of the engine ${name} in the third call for a post repeats only that call's segments`, async () => {
    const engine = CHATS[name]()
    engine.react = failingAt(name, () => engine.calls.length === 3, FAILURES[name])
    const body = paragraphs(150)
    const post = await startPost({ body })
    await post.deliverNext(engine.env)
    expect(await post.translation()).toMatchObject({ status: "queued", segments: { done: 80, total: 152 } })
    expect(post.delays()).toEqual([name === "openai" ? 30 : 10])
    await post.deliverAll(engine)
    // An outage may mean that the batch was too large, a limit does not.
    const [half, rest] = name === "openai" ? [40, [32]] : [20, [20, 20, 12]]
    expect(sizes(engine)).toEqual([40, 40, 40, half, ...rest])
    expect(engine.calls[3]?.segments).toEqual(engine.calls[2]?.segments.slice(0, half))
    await expectDone(post)
  })
})

it.each<[Chat, string, number, number]>([
  ["workers-ai", "middle", 11, 5],
  ["openai", "first", 11, 0],
  ["openai", "middle", 11, 5],
  ["openai", "last", 11, 10],
  ["openai", "first", 61, 0],
  ["openai", "middle", 61, 30],
  ["openai", "last", 61, 60],
])(
  "if the engine %s refuses the %s of %i paragraphs, only this one keeps its source text",
  async (name, _, count, refused) => {
    const engine = filteringEngine(name)
    const body = bodyWith(count, [refused])
    const post = await translateBy(engine, { body })
    const warning = { code: "not_translated", field: "body", message: expect.stringMatching(`^1 of ${count} parts`) }
    expect(await post.translation()).toMatchObject({ status: "ready", warnings: [warning] })
    expect(await post.bodyIn()).toBe(await inFrenchUnlessFiltered(body))
    const answered = engine.calls.filter(({ segments }) => !isFiltered(segments)).flatMap(({ segments }) => segments)
    const others = Array.from({ length: count }, (__, n) => n).filter((n) => n !== refused)
    expect(answered).toEqual(expect.arrayContaining(others.map((n) => `Some <g id="1">${word(n)}</g> words`)))
  },
)

it("a segment whose tags an engine always loses keeps its source text, with a warning", async () => {
  const engine = openai()
  const loseTags = replying("openai", (segments) => chatJson(segments.map((text) => text.replaceAll(/<[^>]*>/g, ""))))
  const post = await translateBy(engine, { body: "Some *marked* words\n\nOther words" }, loseTags)
  expect(sizes(engine)).toEqual([4, 1])
  expect(await post.bodyIn()).toBe("Some *marked* words\n\nOther·fr words·fr")
  const warnings = [{ code: "not_translated", field: "body" }]
  expect(await post.translation()).toMatchObject({ status: "ready", warnings })
})

it("an outage of an engine for four hours fails no language, and retry delays grow to 15 minutes", async () => {
  const engine = openai()
  engine.react = () => htmlPage(503)
  const post = await startPost({ translation_languages: ["fr", "de"] })
  const statuses = async () => [(await post.translation("fr")).status, (await post.translation("de")).status]
  const began = Date.now()
  const delays = new Set<number>()
  while (Date.now() - began < 4 * 60 * 60 * 1000) {
    expect(await post.deliverNext(engine.env)).toBe(true)
    for (const delay of post.delays()) delays.add(delay)
  }
  expect([...delays]).toEqual(expect.arrayContaining([10, 20, 40, 80, 160, 320, 640, LONGEST_WAIT_SECONDS]))
  expect(Math.max(...delays)).toBe(LONGEST_WAIT_SECONDS)
  expect(engine.calls.length).toBeLessThan(2 * (8 + 4 * 4))
  expect(await statuses()).toEqual(["queued", "queued"])
  engine.react = null
  await post.deliverAll(engine)
  expect(await statuses()).toEqual(["ready", "ready"])
})

it("an engine gets smaller batches of segments after each timeout", async () => {
  const engine = openai()
  const body = paragraphs(50)
  const react = failingAt("openai", ({ length }) => length > 6, throwing(timedOut))
  const post = await translateBy(engine, { body }, react)
  expect(sizes(engine).slice(0, 5)).toEqual([40, 20, 10, 5, 5])
  await expectDone(post)
})

it.each(["title", "meta_description"] as const)(
  "an engine's refusal to translate the %s leaves no paragraph of the body untranslated",
  async (field) => {
    const post = await translateBy(filteringEngine(), { body: BODY, [field]: FILTERED_FIELDS[field] })
    expect(await post.translation()).toMatchObject({ status: "ready", warnings: [{ code: "not_translated", field }] })
    expect(await post.bodyIn()).toBe(await inFrench(BODY))
  },
)

it.each([58, 59])(
  "if an engine refuses 13 of 60 paragraphs, the last of them number %i, only these 13 keep their source text",
  async (last) => {
    const body = bodyWith(60, [0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 40, last])
    const post = await translateBy(filteringEngine(), { ...FILTERED_FIELDS, body })
    const { warnings } = await post.translation()
    expect(warnings.map(({ message }) => message.slice(0, 8))).toEqual(["1 of 1 p", "1 of 1 p", "13 of 60"])
    expect(await post.bodyIn()).toBe(await inFrenchUnlessFiltered(body))
  },
)

it("a paragraph that an engine refused in one post does not keep the other paragraphs of it from being translated in a second post", async () => {
  const engine = filteringEngine()
  const { desk, deliverAll } = await translateBy(engine, { body: bodyWith(11, [0]) })
  const body = paragraphs(10, (n) => `Some *${word(n + 1)}* words`)
  const second = await newQueued({ body }, desk)
  await deliverAll(engine)
  expect(await second.translation()).toMatchObject({ status: "ready", warnings: [] })
  expect(await second.bodyIn()).toBe(await inFrench(body))
})

it.each([1, 400])("a translation whose %i paragraphs the engine all refuses fails within 32 calls", async (count) => {
  const engine = filteringEngine()
  const all = Array.from({ length: count }, (_, n) => n)
  const post = await translateBy(engine, { ...FILTERED_FIELDS, body: bodyWith(count, all) })
  expect(await post.translation()).toMatchObject({ status: "failed", error: { code: "not_translated" } })
  // After each refusal the engine is asked for "Hello".
  const refused = engine.calls.filter(({ segments }) => segments[0] === "Hello")
  expect(refused.length).toBeLessThanOrEqual(2 * MAX_FAILED_ALONE)
  engine.react = null
  // Only segments that failed alone are remembered as failed.
  const second = await newQueued({ body: `${FILTERED} ${word(Math.max(1, count - 2))}` }, post.desk)
  await post.deliverAll(engine)
  expect(await second.translation()).toMatchObject({ status: "ready", warnings: [] })
})

it("after an engine refused the content of a segment, its other requests still have a JSON schema", async () => {
  const engine = filteringEngine()
  await translateBy(engine, { body: `${FILTERED}\n\n${paragraphs(50)}` })
  const answered = engine.calls.filter(({ segments }) => !isFiltered(segments) && segments[0] !== "Hello")
  expect(answered.length).toBeGreaterThan(1)
  expect(answered.filter(({ request }) => !("response_format" in request))).toEqual([])
})
