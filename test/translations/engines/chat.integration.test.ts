import { describe, expect, it } from "vitest"

import { MAX_ENGINE_CALLS } from "../../../src/limits.ts"
import { unique } from "../../support.ts"
import {
  BODY,
  expectDone,
  FIELDS,
  inFrench,
  LONGEST_WAIT_SECONDS,
  paragraphs,
  setUpEngines,
  startPost,
  word,
} from "./post.ts"
import {
  aiError,
  type Chat,
  chatAnswer,
  chatJson,
  CHATS,
  EACH_CHAT,
  htmlPage,
  ones,
  openaiError,
  type React,
  replying,
  sizes,
  type Stub,
  throwing,
  timedOut,
  TO,
  translate,
} from "./stubs.ts"

// Behaviour that both chat engines share.

setUpEngines()

type ChatAnswer = Awaited<ReturnType<typeof chatAnswer>>

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

/** An engine that refuses every request with a filtered word in it. */
const filteringEngine = (name: Chat): Stub => {
  const engine = CHATS[name]()
  engine.react = (asked) => (isFiltered(asked.segments) ? REFUSALS[name]() : replying(name, chatJson)(asked))
  return engine
}

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
    const post = await startPost(body)
    await post.deliverAll(engine)
    expect(sizes(engine)).toEqual([40, 40, 22])
    expect(await post.bodyIn()).toBe(await inFrench(body))
  })

  it(`the engine ${name} gets at most 3000 characters a call, and a longer segment alone`, async () => {
    const engine = CHATS[name]()
    const body = [paragraphs(6, long(995)), long(4000)(7), paragraphs(1)].join("\n\n")
    const post = await startPost(body)
    await post.deliverAll(engine)
    const lengths = engine.calls.map(({ segments }) => segments.map(({ length }) => Math.round(length / 1000)))
    expect(lengths).toEqual([[0, 0, 1, 1], [1, 1, 1], [1], [4], [0]])
    expect(await post.bodyIn()).toBe(await inFrench(body))
  })

  it(`after ${MAX_ENGINE_CALLS} calls of the engine ${name}, the next queue message continues the translation`, async () => {
    const engine = CHATS[name]()
    const body = paragraphs(400)
    const post = await startPost(body)
    await post.deliverNext(engine.env)
    expect(engine.calls).toHaveLength(MAX_ENGINE_CALLS)
    expect(await post.translation()).toMatchObject({
      status: "queued",
      error: null,
      segments: { done: 320, total: 402 },
    })
    expect(post.delays()).toEqual([0])
    await post.deliverAll(engine)
    expect(sizes(engine)).toEqual([...Array.from({ length: 10 }, () => 40), 2])
    expect(await post.bodyIn()).toBe(await inFrench(body))
  })

  it.each<[string, (segments: string[]) => Promise<string>]>([
    ["in a code fence", async (segments) => `\`\`\`json\n${await chatJson(segments)}\n\`\`\``],
    ["after reasoning", async (segments) => `<think>\nFirst {"id":1}.\n</think>\n\n${await chatJson(segments)}`],
    [
      "in another order",
      async (segments) => JSON.stringify({ translations: (await chatAnswer(segments)).translations.toReversed() }),
    ],
  ])(`an answer of the engine ${name} with the JSON %s is understood`, async (_, say) => {
    const engine = CHATS[name]()
    engine.react = replying(name, say)
    const post = await startPost(BODY)
    await post.deliverAll(engine)
    expect(engine.calls).toHaveLength(1)
    await expectDone(post)
  })

  /** An engine whose first answer is changed. */
  const wrongAtFirst = (change: (answer: ChatAnswer) => unknown): Stub => {
    const engine = CHATS[name]()
    engine.react = replying(name, async (segments) => {
      const answer = await chatAnswer(segments)
      return JSON.stringify(engine.calls.length > 1 ? answer : change(answer))
    })
    return engine
  }

  it(`the engine ${name} gets a segment again alone after its answer left the segment out`, async () => {
    const engine = wrongAtFirst(({ translations }) => ({ translations: translations.filter(({ id }) => id !== 4) }))
    const post = await startPost(BODY)
    await post.deliverAll(engine)
    expect(engine.calls.map(({ segments }) => segments)).toEqual([expect.anything(), [word(1)]])
    await expectDone(post)
  })

  it.each<[string, (answer: ChatAnswer) => unknown]>([
    [
      "repeated ids",
      ({ translations }) => ({ translations: translations.map(({ id, text }) => ({ id: id === 4 ? 3 : id, text })) }),
    ],
    [
      "unknown ids",
      ({ translations }) => ({ translations: translations.map(({ id, text }) => ({ id: id - 1, text })) }),
    ],
    [
      "two segments joined and the rest renumbered",
      ({ translations: [first, second, ...rest] }) => ({
        translations: [
          { id: 1, text: `${first?.text} ${second?.text}` },
          ...rest.map(({ id, text }) => ({ id: id - 1, text })),
        ],
      }),
    ],
  ])(`the engine ${name} gets every segment again alone after its answer had %s`, async (_, change) => {
    const engine = wrongAtFirst(change)
    const post = await startPost(BODY)
    await post.deliverAll(engine)
    expect(sizes(engine)).toEqual([7, 1, 1, 1, 1, 1, 1, 1])
    await expectDone(post)
  })

  it.each<[string, (asked: Parameters<React>[0]) => unknown]>([
    [
      "truncated",
      replying(
        name,
        async (segments) => {
          const json = await chatJson(segments)
          return segments.length > 10 ? json.slice(0, json.length / 2) : json
        },
        "length",
      ),
    ],
    ["empty", replying(name, async (segments) => (segments.length > 10 ? "" : chatJson(segments)), "length")],
    [
      "refused for its size",
      (asked) => (asked.segments.length > 10 ? SIZE_REFUSALS[name]() : replying(name, chatJson)(asked)),
    ],
  ])(`the engine ${name} gets one segment at a time after its answer to a batch was %s`, async (_, react) => {
    const engine = CHATS[name]()
    engine.react = react
    const body = paragraphs(38)
    const post = await startPost(body)
    await post.deliverAll(engine)
    expect(sizes(engine)).toEqual([40, ...ones(40)])
    await expectDone(post, body)
  })

  it(`a segment whose tags the engine ${name} always loses keeps its source text, with a warning`, async () => {
    const engine = CHATS[name]()
    engine.react = replying(name, async (segments) => chatJson(segments.map((text) => text.replaceAll(/<[^>]*>/g, ""))))
    const post = await startPost("Some *marked* words\n\nOther words")
    await post.deliverAll(engine)
    expect(sizes(engine)).toEqual([4, 1])
    expect(await post.bodyIn()).toBe("Some *marked* words\n\nOther·fr words·fr")
    expect(await post.translation()).toMatchObject({
      status: "ready",
      warnings: [{ code: "not_translated", field: "body" }],
    })
  })

  it(`only the segment that the engine ${name} always leaves empty keeps its source text, with a warning`, async () => {
    const engine = CHATS[name]()
    engine.react = replying(name, async (segments) => {
      const { translations } = await chatAnswer(segments)
      const wrong = translations.map(({ id, text }) => ({ id, text: text.includes(word(2)) ? "" : text }))
      return JSON.stringify({ translations: wrong })
    })
    const post = await startPost(BODY)
    await post.deliverAll(engine)
    expect(await post.bodyIn()).toBe((await inFrench(BODY)).replace(`${word(2)}·fr`, word(2)))
    expect(await post.translation()).toMatchObject({
      status: "ready",
      error: null,
      warnings: [{ field: "body", code: "not_translated", message: expect.stringMatching(/^1 of 5 parts /) }],
    })
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
      engine.react = replying(name, () => content)
      const post = await startPost()
      await post.deliverAll(engine)
      expect(await post.translation()).toMatchObject({
        status: "failed",
        error: { code: "not_translated", message: expect.stringMatching(/Request it again/) },
      })
      engine.react = null
      expect((await post.desk.send("POST", `${post.slug}/translations/${TO}/`)).status).toBe(202)
      await post.deliverAll(engine)
      await expectDone(post, "Some words")
    },
  )

  it.each([
    ["first", 11, 0],
    ["middle", 11, 5],
    ["last", 11, 10],
    ["first", 61, 0],
    ["middle", 61, 30],
    ["last", 61, 60],
  ])(
    `if the engine ${name} refuses the %s of %i paragraphs, only this one keeps its source text`,
    async (_, count, refused) => {
      const engine = filteringEngine(name)
      const body = bodyWith(count, [refused])
      const post = await startPost(body)
      await post.deliverAll(engine)
      expect(await post.translation()).toMatchObject({
        status: "ready",
        warnings: [{ code: "not_translated", field: "body", message: expect.stringMatching(`^1 of ${count} parts`) }],
      })
      expect(await post.bodyIn()).toBe(await inFrenchUnlessFiltered(body))
      const others = Array.from({ length: count }, (__, n) => n).filter((n) => n !== refused)
      const answered = new Set(
        engine.calls.filter(({ segments }) => !isFiltered(segments)).flatMap(({ segments }) => segments),
      )
      expect(others.filter((n) => !answered.has(`Some <g id="1">${word(n)}</g> words`))).toEqual([])
    },
  )

  it(`an outage of the engine ${name} for four hours fails no language, and retry delays grow to 15 minutes`, async () => {
    const engine = CHATS[name]()
    engine.react = name === "openai" ? () => htmlPage(503) : throwing(aiError(3040, "Out of capacity"))
    const post = await startPost("Some words", ["fr", "de"])
    const began = Date.now()
    const delays = new Set<number>()
    while (Date.now() - began < 4 * 60 * 60 * 1000) {
      expect(await post.deliverNext(engine.env)).toBe(true)
      for (const delay of post.delays()) delays.add(delay)
    }
    expect([...delays]).toEqual(expect.arrayContaining([10, 20, 40, 80, 160, 320, 640, LONGEST_WAIT_SECONDS]))
    expect(Math.max(...delays)).toBe(LONGEST_WAIT_SECONDS)
    expect(engine.calls.length).toBeLessThan(2 * (8 + 4 * 4))
    expect([(await post.translation("fr")).status, (await post.translation("de")).status]).toEqual(["queued", "queued"])
    engine.react = null
    await post.deliverAll(engine)
    expect([(await post.translation("fr")).status, (await post.translation("de")).status]).toEqual(["ready", "ready"])
  })

  it(`a failure of the engine ${name} in the third call for a post repeats only that call's segments`, async () => {
    const engine = CHATS[name]()
    const fail: React =
      name === "openai"
        ? () => openaiError(429, "rate_limit_exceeded", { "Retry-After": "30" })
        : throwing(aiError(3040, "No capacity"))
    engine.react = (asked) => (engine.calls.length === 3 ? fail(asked) : replying(name, chatJson)(asked))
    const body = paragraphs(150)
    const post = await startPost(body)
    await post.deliverNext(engine.env)
    expect(await post.translation()).toMatchObject({ status: "queued", segments: { done: 80, total: 152 } })
    expect(post.delays()).toEqual([name === "openai" ? 30 : 10])
    await post.deliverAll(engine)
    // An outage may mean that the batch was too large, a limit does not.
    const [half, rest] = name === "openai" ? [40, [32]] : [20, [20, 20, 12]]
    expect(sizes(engine)).toEqual([40, 40, 40, half, ...rest])
    expect(engine.calls[3]?.segments).toEqual(engine.calls[2]?.segments.slice(0, half))
    await expectDone(post, body)
  })

  it(`the engine ${name} gets smaller batches of segments after each timeout`, async () => {
    const engine = CHATS[name]()
    engine.react = (asked) => (asked.segments.length > 6 ? throwing(timedOut)() : replying(name, chatJson)(asked))
    const body = paragraphs(50)
    const post = await startPost(body)
    await post.deliverAll(engine)
    expect(sizes(engine).slice(0, 5)).toEqual([40, 20, 10, 5, 5])
    await expectDone(post, body)
  })
})

it.each<[string, Record<string, string>]>([
  ["title", { title: `${FILTERED} title` }],
  ["meta_description", { meta_description: `${FILTERED} description` }],
])("an engine's refusal to translate the %s leaves no paragraph of the body untranslated", async (field, changes) => {
  const engine = filteringEngine("openai")
  const post = await startPost(BODY, [TO], changes)
  await post.deliverAll(engine)
  expect(await post.translation()).toMatchObject({ status: "ready", warnings: [{ code: "not_translated", field }] })
  expect(await post.bodyIn()).toBe(await inFrench(BODY))
})

it.each([58, 59])(
  "if an engine refuses 13 of 60 paragraphs, the last of them number %i, only these 13 keep their source text",
  async (last) => {
    const engine = filteringEngine("openai")
    const body = bodyWith(60, [0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 40, last])
    const post = await startPost(body, [TO], {
      title: `${FILTERED} title`,
      meta_description: `${FILTERED} description`,
    })
    await post.deliverAll(engine)
    expect((await post.translation()).warnings.map(({ message }) => message.slice(0, 8))).toEqual([
      "1 of 1 p",
      "1 of 1 p",
      "13 of 60",
    ])
    expect(await post.bodyIn()).toBe(await inFrenchUnlessFiltered(body))
  },
)

it("a paragraph that an engine refused in one post does not keep the other paragraphs of it from being translated in a second post", async () => {
  const engine = filteringEngine("openai")
  const post = await startPost(bodyWith(11, [0]))
  await post.deliverAll(engine)
  const body = paragraphs(10, (n) => `Some *${word(n + 1)}* words`)
  const { slug } = await post.desk.create({ ...FIELDS, body, slug: unique("post"), translation_languages: [TO] })
  await post.deliverAll(engine)
  expect((await post.desk.translations(slug))[TO]).toMatchObject({ status: "ready", warnings: [] })
  expect((await post.desk.get(slug, TO)).json.post.body).toBe(await inFrench(body))
})

it.each([1, 400])(
  "a translation whose %i paragraphs the engine all refuses fails within four queue messages",
  async (count) => {
    const engine = filteringEngine("openai")
    const all = Array.from({ length: count }, (_, n) => n)
    const filtered = { title: `${FILTERED} title`, meta_description: `${FILTERED} description` }
    const post = await startPost(bodyWith(count, all), [TO], filtered)
    await post.deliverAll(engine)
    expect(await post.translation()).toMatchObject({ status: "failed", error: { code: "not_translated" } })
    // After each refusal the engine is asked for "Hello".
    const refused = engine.calls.filter(({ segments }) => segments[0] === "Hello")
    expect(refused.length).toBeLessThanOrEqual(4 * MAX_ENGINE_CALLS)
    engine.react = null
    // Only segments that failed alone are remembered as failed.
    const body = `${FILTERED} ${word(Math.max(1, count - 2))}`
    const { slug } = await post.desk.create({ ...FIELDS, body, slug: unique("post"), translation_languages: [TO] })
    await post.deliverAll(engine)
    expect((await post.desk.translations(slug))[TO]).toMatchObject({ status: "ready", warnings: [] })
  },
)

it("after an engine refused the content of a segment, its other requests still have a JSON schema", async () => {
  const engine = filteringEngine("openai")
  const post = await startPost(`${FILTERED}\n\n${paragraphs(50)}`)
  await post.deliverAll(engine)
  const answered = engine.calls.filter(({ segments }) => !isFiltered(segments) && segments[0] !== "Hello")
  expect(answered.length).toBeGreaterThan(1)
  expect(answered.filter(({ request }) => !("response_format" in request))).toEqual([])
})
