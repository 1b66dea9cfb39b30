import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { ENGINE_TIMEOUT_MS, MAX_CHAT_TOKENS, MAX_ENGINE_CALLS, TRANSLATION_OVERDUE_SECONDS } from "../../src/limits.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { call, deliver, env as bindings, passSeconds, rows, runCron, stopClock, unique } from "../support.ts"
import { newDesk } from "./author.ts"

const TO = "fr"
const KEY = "sk-proj-the-key-of-the-suite"
const LONGEST_WAIT = 15 * 60
/** A day of waiting is 96 wake-ups. */
const MAX_STEPS = 120

beforeEach(() => stopClock())
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await bindings.DB.exec("DELETE FROM posts")
})

/** What an engine was asked in one call. */
interface Asked {
  segments: string[]
  request: Record<string, unknown>
}

type React = (asked: Asked) => unknown

/** With variables that wrangler.toml leaves out. */
type Variables = Partial<Env> & Record<string, unknown>

/** An engine behind a stub: it answers as `react` says, and well when there is none. */
interface Stub {
  env: Variables
  calls: Asked[]
  react: React | null
}

const translate = async (segments: string[]): Promise<string[]> => {
  const answer = await pseudo.translate(segments, "en", TO)
  return "texts" in answer ? answer.texts.map(String) : []
}

/** What the model is asked to say. */
const said = async (segments: string[]) => ({
  translations: (await translate(segments)).map((text, i) => ({ id: i + 1, text })),
})
const saidJson = async (segments: string[]) => JSON.stringify(await said(segments))

const segmentsIn = (request: Record<string, unknown>): string[] => {
  const { messages } = request as { messages: { role: string; content: string }[] }
  const { segments } = JSON.parse(messages.at(-1)?.content ?? "") as { segments: { id: number; text: string }[] }
  expect(segments.map(({ id }) => id)).toEqual(segments.map((_, i) => i + 1))
  return segments.map(({ text }) => text)
}

/** https://platform.openai.com/docs/api-reference/chat/object */
const completion = (content: unknown, finish_reason = "stop", message: object = {}) => ({
  id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  object: "chat.completion",
  created: 1741569952,
  model: "gpt-4.1-2025-04-14",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, refusal: null, annotations: [], ...message },
      logprobs: null,
      finish_reason,
    },
  ],
  usage: { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 },
  service_tier: "default",
})

/** https://developers.cloudflare.com/workers-ai/features/json-mode/ and the model pages of text generation. */
const generated = (response: unknown) => ({
  response,
  tool_calls: [],
  usage: { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 },
})

/**
 * As the binding throws what https://developers.cloudflare.com/workers-ai/platform/errors/ lists: the internal code before
 * the description, under the name of the upstream error.
 */
const aiError = (code: number, description: string): Error =>
  Object.assign(new Error(`${code}: ${description}`), { name: "AiError" })

const throwing = (error: unknown) => (): never => {
  throw error
}

const workersAi = (model = "@cf/google/gemma-4-26b-a4b-it") => {
  const stub: Stub & { models: string[] } = {
    env: { TRANSLATOR: "workers-ai", WORKERS_AI_MODEL: model },
    calls: [],
    react: null,
    models: [],
  }
  const run = async (id: string, request: Record<string, unknown>, options: { signal: AbortSignal }) => {
    const asked = { segments: segmentsIn(request), request }
    stub.calls.push(asked)
    stub.models.push(id)
    options.signal.throwIfAborted()
    return stub.react ? await stub.react(asked) : generated(await said(asked.segments))
  }
  stub.env.AI = { run } as unknown as Ai
  return stub
}

/** Replaces the network. Like the runtime's own, it makes a request of what it is given, and throws where none can be made. */
const stubNetwork = (respond: (request: Request) => unknown): void => {
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const request = new Request(url, init)
    init?.signal?.throwIfAborted()
    const response = await respond(request)
    return response instanceof Response ? response : Response.json(response)
  })
}

/** https://platform.openai.com/docs/guides/error-codes: its object `error`, which like OpenAI's own may repeat the key. */
const openaiError = (
  status: number,
  code: string | null,
  headers: Record<string, string> = {},
  param: string | null = null,
) =>
  Response.json(
    {
      error: {
        message: `Incorrect: ${KEY}. Find more in the docs.`,
        type: status >= 500 ? "server_error" : "invalid_request_error",
        param,
        code,
      },
    },
    { status, headers: { "x-request-id": "req_7f8d", ...headers } },
  )

const openai = (changes: Variables = {}) => {
  const stub: Stub & { requests: Request[] } = {
    env: {
      TRANSLATOR: "openai",
      OPENAI_BASE_URL: "https://llm.example/v1",
      OPENAI_MODEL: "gpt-4.1",
      OPENAI_API_KEY: KEY,
      ...changes,
    },
    calls: [],
    react: null,
    requests: [],
  }
  stubNetwork(async (request) => {
    stub.requests.push(request)
    const body: Record<string, unknown> = await request.clone().json()
    const asked = { segments: segmentsIn(body), request: body }
    stub.calls.push(asked)
    return stub.react ? stub.react(asked) : completion(await saidJson(asked.segments))
  })
  return stub
}

/** https://wiki.apertium.org/wiki/Apertium-apy: `/translate` and `/translateChain`. */
const apyAnswer = (responseData: object) => ({ responseData, responseDetails: null, responseStatus: 200 })
/** As `write_error` of apertium-apy answers: https://github.com/apertium/apertium-apy/blob/master/apertium_apy/handlers/base.py */
const apyError = (code: number, message: string, explanation: string) =>
  Response.json({ status: "error", code, message, explanation }, { status: code })

const apertium = () => {
  const stub: Stub = {
    env: { TRANSLATOR: "apertium", APERTIUM_URL: "http://apy.example:2737" },
    calls: [],
    react: null,
  }
  stubNetwork(async (request) => {
    const path = new URL(request.url).pathname
    const fields: Record<string, string> = Object.fromEntries(new URLSearchParams(await request.text()))
    const asked = { segments: fields.q === undefined ? [] : [fields.q], request: { path, ...fields } }
    stub.calls.push(asked)
    if (stub.react) return stub.react(asked)
    if (path === "/translateChain") return apyAnswer({ translationChain: ["eng", "fra"] })
    return apyAnswer({ translatedText: (await translate(asked.segments))[0] })
  })
  return stub
}

const CHATS = { "workers-ai": workersAi, openai }
type Chat = keyof typeof CHATS
const EACH_CHAT = ["workers-ai", "openai"] as const satisfies Chat[]

/** The content of a chat's answer, in the shape of each engine. */
const replying =
  (name: Chat, say: (segments: string[]) => unknown, finish_reason?: string): React =>
  async ({ segments }) => {
    const content = await say(segments)
    return name === "openai" ? completion(content, finish_reason) : generated(content)
  }

const LETTERS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
/** A word of its own for each number. */
const word = (n: number): string => [...String(n)].map((digit) => LETTERS[Number(digit)]).join("")
const paragraphs = (count: number, make: (n: number) => string = word): string =>
  Array.from({ length: count }, (_, n) => make(n)).join("\n\n")

/** Some paragraph of a length. */
const long = (length: number) => (n: number) => `${word(n)} `.repeat(length).slice(0, length).trim()

const FIELDS = { title: "The title", meta_description: "The description" }

/** A post that waits to be translated. */
const start = async (body = "Some words", languages = [TO], changes: Partial<typeof FIELDS> = {}) => {
  const desk = await newDesk()
  const input = { ...FIELDS, body, slug: unique("post"), translation_languages: languages, ...changes }
  const slug: string = (await desk.create(input)).slug
  const of = async (lang = TO) => {
    const text = (await desk.translations(slug))[lang]
    if (!text) throw new Error(`No translation into ${lang}.`)
    return text
  }
  const bodyIn = async (lang = TO) => (await desk.get(slug, lang)).json.post?.body as string | undefined
  /** The wake-up of the cron for what is due next, when that is overdue. */
  const wakenByCron = async () => {
    const [{ due_at } = {}] = await rows("select min(due_at) as due_at from texts where status = 'queued'")
    if (due_at === null) return undefined
    vi.setSystemTime(Number(due_at) + TRANSLATION_OVERDUE_SECONDS * 1000)
    await runCron(desk.env)
    return desk.wakeUps.sent.shift()
  }
  /** Takes the next wake-up when its time has come. @returns false when there is none */
  const step = async (env: Partial<Env>): Promise<boolean> => {
    const message = desk.wakeUps.sent.shift() ?? (await wakenByCron())
    if (!message) return false
    passSeconds(message.delaySeconds)
    expect(await deliver(message.body, { env: { ...desk.env, ...env } })).toBe("ack")
    return true
  }
  /** Goes on until the engine has been asked. @returns after how many seconds; null: it never is */
  const untilAsked = async ({ env, calls }: Stub): Promise<number | null> => {
    const [before, since] = [calls.length, Date.now()]
    for (let steps = 0; calls.length === before; steps += 1) {
      expect(steps, "wake-ups for nothing").toBeLessThan(MAX_STEPS)
      if (!(await step(env))) return null
    }
    return (Date.now() - since) / 1000
  }
  /** Goes on until nothing is left to do. */
  const finish = async ({ env }: Stub): Promise<void> => {
    for (let steps = 0; await step(env); steps += 1) expect(steps, "wake-ups for nothing").toBeLessThan(MAX_STEPS)
  }
  /** Of the wake-ups that are under way. */
  const delays = () => desk.wakeUps.sent.map(({ delaySeconds }) => delaySeconds)
  return { desk, slug, of, bodyIn, step, untilAsked, finish, delays }
}

/** A body as a good engine translates it. */
const inFrench = async (body: string): Promise<string> =>
  (await Promise.all(body.split("\n\n").map(async (text) => (await translate([text]))[0]))).join("\n\n")

const sizes = ({ calls }: Stub): number[] => calls.map(({ segments }) => segments.length)

/** Calls for one segment each. */
const ones = (count: number): number[] => Array.from({ length: count }, () => 1)

describe("what a chat is asked", () => {
  it("workers-ai: the model of the variable, the schema, the segments with their ids and tags", async () => {
    const engine = workersAi("@cf/zai-org/glm-4.7-flash")
    const post = await start('Some *marked* words, `code` & a [link](https://a.example "Titled").')
    await post.finish(engine)
    expect(engine.models).toEqual(["@cf/zai-org/glm-4.7-flash"])
    expect(engine.calls[0]?.segments).toEqual([
      "The title",
      "The description",
      'Some <g id="1">marked</g> words, <x id="2"/> &amp; a <g id="3">link</g>.',
      "Titled",
    ])
    const { messages, temperature, max_tokens, response_format } = engine.calls[0]?.request ?? {}
    expect(messages).toEqual([
      { role: "system", content: expect.stringMatching(/from English \(en\) to French \(fr\).*"translations"/s) },
      { role: "user", content: expect.any(String) },
    ])
    expect([temperature, max_tokens]).toEqual([0, MAX_CHAT_TOKENS])
    // The page of JSON mode has the schema itself here; those of newer models, gemma-4 among them, a name and the schema below.
    const schema = { type: "object", required: ["translations"], properties: { translations: expect.anything() } }
    expect(response_format).toMatchObject({
      type: "json_schema",
      json_schema: { ...schema, name: expect.stringMatching(/^\w+$/), schema },
    })
    expect(await post.bodyIn()).toBe(
      'Some·fr *marked·fr* words·fr, `code` & a·fr [link·fr](https://a.example "Titled·fr").',
    )
    expect(await post.of()).toMatchObject({ status: "ready", engine: "workers-ai @cf/zai-org/glm-4.7-flash" })
  })

  it("openai: its endpoint, its key, its model", async () => {
    const engine = openai({ OPENAI_BASE_URL: "https://llm.example/openai/v1/" })
    const post = await start()
    await post.finish(engine)
    const [request] = engine.requests
    expect([request?.method, request?.url]).toEqual(["POST", "https://llm.example/openai/v1/chat/completions"])
    // Where a redirect leads, the key must not go.
    expect(request?.redirect).toBe("manual")
    expect(request?.headers.get("Authorization")).toBe(`Bearer ${KEY}`)
    expect(request?.headers.get("Content-Type")).toBe("application/json")
    expect(engine.calls[0]?.request).toMatchObject({
      model: "gpt-4.1",
      temperature: 0,
      max_tokens: MAX_CHAT_TOKENS,
      // https://platform.openai.com/docs/guides/structured-outputs
      response_format: {
        type: "json_schema",
        json_schema: { name: "translations", strict: true, schema: { type: "object", additionalProperties: false } },
      },
    })
    expect(await post.of()).toMatchObject({ status: "ready", engine: "openai gpt-4.1" })
  })

  it("openai: an endpoint that wants no key gets none", async () => {
    const engine = openai({ OPENAI_API_KEY: "" })
    const post = await start()
    await post.finish(engine)
    expect(engine.requests.map(({ headers }) => headers.get("Authorization"))).toEqual([null])
    expect((await post.of()).status).toBe("ready")
  })
})

describe.each(EACH_CHAT)("batches of %s", (name) => {
  it("a long post goes in calls of 40 segments", async () => {
    const engine = CHATS[name]()
    const body = paragraphs(100)
    const post = await start(body)
    await post.finish(engine)
    expect(sizes(engine)).toEqual([40, 40, 22])
    expect(await post.bodyIn()).toBe(await inFrench(body))
  })

  it("or of 3000 characters, and what is longer goes alone", async () => {
    const engine = CHATS[name]()
    const body = [paragraphs(6, long(995)), long(4000)(7), paragraphs(1)].join("\n\n")
    const post = await start(body)
    await post.finish(engine)
    const lengths = engine.calls.map(({ segments }) => segments.map(({ length }) => Math.round(length / 1000)))
    expect(lengths).toEqual([[0, 0, 1, 1], [1, 1, 1], [1], [4], [0]])
    expect(await post.bodyIn()).toBe(await inFrench(body))
  })

  it("what is more than one delivery may ask is left to the next, which goes on from there", async () => {
    const engine = CHATS[name]()
    const body = paragraphs(400)
    const post = await start(body)
    await post.step(engine.env)
    expect(engine.calls).toHaveLength(MAX_ENGINE_CALLS)
    expect(await post.of()).toMatchObject({ status: "queued", error: null, segments: { done: 320, total: 402 } })
    expect(post.delays()).toEqual([0])
    await post.finish(engine)
    expect(sizes(engine)).toEqual([...Array.from({ length: 10 }, () => 40), 2])
    expect(await post.bodyIn()).toBe(await inFrench(body))
  })
})

const BODY = paragraphs(5)

/** What is expected when one call was enough. */
const expectDone = async (post: Awaited<ReturnType<typeof start>>, body = BODY): Promise<void> => {
  expect(await post.of()).toMatchObject({ status: "ready", error: null, warnings: [] })
  expect(await post.bodyIn()).toBe(await inFrench(body))
}

describe("shapes of an answer", () => {
  // https://developers.cloudflare.com/workers-ai/models/gemma-4-26b-a4b-it/ answers as chat completions do.
  const SHAPES: [string, Chat, React][] = [
    ["workers-ai: JSON mode, parsed", "workers-ai", replying("workers-ai", said)],
    ["workers-ai: JSON mode, as text", "workers-ai", replying("workers-ai", saidJson)],
    ["workers-ai: a completion", "workers-ai", async ({ segments }) => completion(await saidJson(segments))],
    ["workers-ai: a completion, parsed", "workers-ai", async ({ segments }) => completion(await said(segments))],
    [
      "workers-ai: a completion with its thoughts beside it",
      "workers-ai",
      async ({ segments }) => completion(await saidJson(segments), "stop", { reasoning_content: "{Hm.}" }),
    ],
    ["openai: a completion", "openai", replying("openai", saidJson)],
    ...EACH_CHAT.flatMap((name): [string, Chat, React][] => [
      [`${name}: fenced`, name, replying(name, async (segments) => `\`\`\`json\n${await saidJson(segments)}\n\`\`\``)],
      [
        `${name}: thoughts before the JSON`,
        name,
        replying(name, async (segments) => `<think>\nFirst {"id":1}.\n</think>\n\n${await saidJson(segments)}`),
      ],
      [
        `${name}: another order`,
        name,
        replying(name, async (segments) =>
          JSON.stringify({ translations: (await said(segments)).translations.toReversed() }),
        ),
      ],
    ]),
  ]

  it.each(SHAPES)("%s", async (_, name, react) => {
    const engine = CHATS[name]()
    engine.react = react
    const post = await start(BODY)
    await post.finish(engine)
    expect(engine.calls).toHaveLength(1)
    await expectDone(post)
  })
})

describe.each(EACH_CHAT)("%s answers less than it was asked", (name) => {
  /** A model that gets the first answers wrong, and the others right. */
  const wrongAtFirst = (times: number, change: (answer: Awaited<ReturnType<typeof said>>) => unknown): Stub => {
    const engine = CHATS[name]()
    engine.react = replying(name, async (segments) => {
      const answer = await said(segments)
      return JSON.stringify(engine.calls.length > times ? answer : change(answer))
    })
    return engine
  }

  it("a segment that was left out is asked for again, alone", async () => {
    const engine = wrongAtFirst(1, ({ translations }) => ({ translations: translations.filter(({ id }) => id !== 4) }))
    const post = await start(BODY)
    await post.finish(engine)
    expect(engine.calls.map(({ segments }) => segments)).toEqual([expect.anything(), [word(1)]])
    await expectDone(post)
  })

  it.each<[string, (answer: Awaited<ReturnType<typeof said>>) => unknown]>([
    [
      "ids doubled",
      ({ translations }) => ({ translations: translations.map(({ id, text }) => ({ id: id === 4 ? 3 : id, text })) }),
    ],
    [
      "ids unknown",
      ({ translations }) => ({ translations: translations.map(({ id, text }) => ({ id: id - 1, text })) }),
    ],
    [
      "two joined and the rest counted anew",
      ({ translations: [first, second, ...rest] }) => ({
        translations: [
          { id: 1, text: `${first?.text} ${second?.text}` },
          ...rest.map(({ id, text }) => ({ id: id - 1, text })),
        ],
      }),
    ],
  ])("%s: each segment is asked for again alone, and none gets the text of another", async (_, change) => {
    const engine = wrongAtFirst(1, change)
    const post = await start(BODY)
    await post.finish(engine)
    expect(sizes(engine)).toEqual([7, 1, 1, 1, 1, 1, 1, 1])
    await expectDone(post)
  })

  it("an answer that is always cut off when it gets long: one segment at a time", async () => {
    const engine = CHATS[name]()
    engine.react = replying(
      name,
      async (segments) => {
        const json = await saidJson(segments)
        return segments.length > 10 ? json.slice(0, json.length / 2) : json
      },
      "length",
    )
    const body = paragraphs(38)
    const post = await start(body)
    await post.finish(engine)
    expect(sizes(engine)).toEqual([40, ...ones(40)])
    await expectDone(post, body)
  })

  it("an answer with nothing in it, for all its tokens went into thoughts: one segment at a time", async () => {
    const engine = CHATS[name]()
    engine.react = replying(name, async (segments) => (segments.length > 10 ? "" : saidJson(segments)), "length")
    const body = paragraphs(38)
    const post = await start(body)
    await post.finish(engine)
    expect(sizes(engine)).toEqual([40, ...ones(40)])
    await expectDone(post, body)
  })

  it("a segment whose tags are always lost keeps its source, with a warning", async () => {
    const engine = CHATS[name]()
    engine.react = replying(name, async (segments) => saidJson(segments.map((text) => text.replaceAll(/<[^>]*>/g, ""))))
    const post = await start("Some *marked* words\n\nOther words")
    await post.finish(engine)
    expect(sizes(engine)).toEqual([4, 1])
    expect(await post.bodyIn()).toBe("Some *marked* words\n\nOther·fr words·fr")
    expect(await post.of()).toMatchObject({ status: "ready", warnings: [{ code: "not_translated", field: "body" }] })
  })

  it("a segment of which nothing comes keeps its source, with a warning, and no other does", async () => {
    const engine = CHATS[name]()
    engine.react = replying(name, async (segments) => {
      const { translations } = await said(segments)
      const wrong = translations.map(({ id, text }) => ({ id, text: text.includes(word(2)) ? "" : text }))
      return JSON.stringify({ translations: wrong })
    })
    const post = await start(BODY)
    await post.finish(engine)
    expect(await post.bodyIn()).toBe((await inFrench(BODY)).replace(`${word(2)}·fr`, word(2)))
    expect(await post.of()).toMatchObject({
      status: "ready",
      error: null,
      warnings: [{ field: "body", code: "not_translated", message: expect.stringMatching(/^1 of 5 parts /) }],
    })
  })

  it.each<[string, unknown]>([
    ["nothing", ""],
    ["words", "I'm sorry, I can't help with that."],
    ["null, as in a refusal", null],
    ["JSON of another shape", '{"segments":[]}'],
  ])("%s, always: failed, and made when it is asked for once more", async (_, content) => {
    const engine = CHATS[name]()
    engine.react = replying(name, () => content)
    const post = await start()
    await post.finish(engine)
    expect(await post.of()).toMatchObject({
      status: "failed",
      error: { code: "not_translated", message: expect.stringMatching(/Request it again/) },
    })
    engine.react = null
    expect((await post.desk.send("POST", `${post.slug}/translations/${TO}/`)).status).toBe(202)
    await post.finish(engine)
    await expectDone(post, "Some words")
  })
})

/** What there was in each request beside the messages. */
const options = ({ calls }: Stub): string[][] =>
  calls.map(({ request }) =>
    ["temperature", "max_tokens", "response_format", "chat_template_kwargs"].filter((option) => option in request),
  )

describe("a model that does not take every option", () => {
  const body = paragraphs(60)

  it("openai: those that reason, without temperature and max_tokens", async () => {
    const engine = openai({ OPENAI_MODEL: "o4-mini" })
    // https://platform.openai.com/docs/guides/reasoning and https://platform.openai.com/docs/api-reference/chat/create
    engine.react = async ({ segments, request }) => {
      const param = ["max_tokens", "temperature"].find((option) => option in request)
      if (!param) return completion(await saidJson(segments))
      return openaiError(400, "unsupported_parameter", {}, param)
    }
    const post = await start(body)
    await post.finish(engine)
    // Once is enough to know it.
    expect(options(engine)).toEqual([
      ["temperature", "max_tokens", "response_format"],
      ["response_format"],
      ["response_format"],
    ])
    await expectDone(post, body)
  })

  it.each([400, 422])("openai: endpoints that know no schema (%i), without one", async (status) => {
    const engine = openai()
    engine.react = async ({ segments, request }) =>
      "response_format" in request
        ? Response.json({ detail: "response_format: Extra inputs are not permitted" }, { status })
        : completion(await saidJson(segments))
    const post = await start(body)
    await post.finish(engine)
    expect(options(engine)).toEqual([["temperature", "max_tokens", "response_format"], ["response_format"], [], []])
    await expectDone(post, body)
  })

  it.each([
    // https://developers.cloudflare.com/workers-ai/features/json-mode/
    ["InferenceUpstreamError", "AiError: JSON Mode couldn't be met"],
    // https://github.com/cloudflare/cloudflare-docs/issues/21316
    ["AiError", "5025: This model doesn't suuport JSON Schema."],
    ["AiError", "5006: Error: oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt'"],
  ])("workers-ai: %s: %s", async (kind, message) => {
    const engine = workersAi()
    engine.react = async ({ segments, request }) => {
      if ("response_format" in request) throw Object.assign(new Error(message), { name: kind })
      return generated(await saidJson(segments))
    }
    const post = await start(body)
    await post.finish(engine)
    expect(options(engine)).toEqual([
      ["temperature", "max_tokens", "response_format", "chat_template_kwargs"],
      ["temperature", "max_tokens"],
      ["temperature", "max_tokens"],
    ])
    await expectDone(post, body)
  })
})

describe("a request that is refused for what it says", () => {
  const filtered = "Damn"
  const isFiltered = (segments: string[]) => segments.some((text) => text.includes(filtered))
  const refusals: [string, Chat, () => unknown][] = [
    [
      "openai: 400 content_filter",
      "openai",
      // https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter
      () => openaiError(400, "content_filter"),
    ],
    ["workers-ai: 5004", "workers-ai", throwing(aiError(5004, "Invalid data type for base64 input: string"))],
  ]

  /** @param say how to refuse a call with a bad text in it */
  const refusing = (name: Chat, say: () => unknown): Stub => {
    const engine = CHATS[name]()
    engine.react = async (asked) => (isFiltered(asked.segments) ? say() : replying(name, saidJson)(asked))
    return engine
  }
  /** Paragraphs with marks in them, of which some are bad. */
  const bodyWith = (count: number, bad: number[]): string =>
    paragraphs(count, (n) => (bad.includes(n) ? `${filtered} ${word(n)}` : `Some *${word(n)}* words`))
  const inFrenchBut = async (body: string): Promise<string> =>
    (
      await Promise.all(
        body.split("\n\n").map(async (text) => (text.includes(filtered) ? text : (await translate([text]))[0])),
      )
    ).join("\n\n")
  const places = [
    ["first", 11, 0],
    ["in the middle", 11, 5],
    ["last", 11, 10],
    ["first of many", 61, 0],
    ["in the middle of many", 61, 30],
    ["last of many", 61, 60],
  ] as const

  it.each(refusals.flatMap((refusal) => places.map((place) => [...refusal, ...place] as const)))(
    "%s: it keeps its source, and no other does",
    async (_, name, refuse, _place, count, bad) => {
      const engine = refusing(name, refuse)
      const body = bodyWith(count, [bad])
      const post = await start(body)
      await post.finish(engine)
      expect(await post.of()).toMatchObject({
        status: "ready",
        warnings: [{ code: "not_translated", field: "body", message: expect.stringMatching(`^1 of ${count} parts`) }],
      })
      expect(await post.bodyIn()).toBe(await inFrenchBut(body))
      const others = Array.from({ length: count }, (__, n) => n).filter((n) => n !== bad)
      const answered = new Set(
        engine.calls.filter(({ segments }) => !isFiltered(segments)).flatMap(({ segments }) => segments),
      )
      expect(others.filter((n) => !answered.has(`Some <g id="1">${word(n)}</g> words`))).toEqual([])
    },
  )

  it.each<[string, Record<string, string>]>([
    ["title", { title: `${filtered} title` }],
    ["meta_description", { meta_description: `${filtered} description` }],
  ])("in the %s: the body is whole", async (field, changes) => {
    const engine = refusing("openai", () => openaiError(400, "content_filter"))
    const post = await start(BODY, [TO], changes)
    await post.finish(engine)
    expect(await post.of()).toMatchObject({ status: "ready", warnings: [{ code: "not_translated", field }] })
    expect(await post.bodyIn()).toBe(await inFrench(BODY))
  })

  it.each([
    ["", 58],
    [", at the end too", 59],
  ])("each of many keeps its source, wherever they are%s", async (_, last) => {
    const engine = refusing("openai", () => openaiError(400, "content_filter"))
    const body = bodyWith(60, [0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 40, last])
    const post = await start(body, [TO], { title: `${filtered} title`, meta_description: `${filtered} description` })
    await post.finish(engine)
    expect((await post.of()).warnings.map(({ message }) => message.slice(0, 8))).toEqual([
      "1 of 1 p",
      "1 of 1 p",
      "13 of 60",
    ])
    expect(await post.bodyIn()).toBe(await inFrenchBut(body))
  })

  it("costs another post nothing that they share", async () => {
    const engine = refusing("openai", () => openaiError(400, "content_filter"))
    const post = await start(bodyWith(11, [0]))
    await post.finish(engine)
    const shared = paragraphs(10, (n) => `Some *${word(n + 1)}* words`)
    const { slug } = await post.desk.create({
      ...FIELDS,
      body: shared,
      slug: unique("post"),
      translation_languages: [TO],
    })
    await post.finish(engine)
    expect((await post.desk.translations(slug))[TO]).toMatchObject({ status: "ready", warnings: [] })
    expect((await post.desk.get(slug, TO)).json.post.body).toBe(await inFrench(shared))
  })

  it.each([1, 400])("all of %i paragraphs: failed, after the calls of four deliveries at most", async (count) => {
    const engine = refusing("openai", () => openaiError(400, "content_filter"))
    const all = Array.from({ length: count }, (_, n) => n)
    const bad = { title: `${filtered} title`, meta_description: `${filtered} description` }
    const post = await start(bodyWith(count, all), [TO], bad)
    await post.finish(engine)
    expect(await post.of()).toMatchObject({ status: "failed", error: { code: "not_translated" } })
    // It is asked for a word of its own behind each refusal.
    const refused = engine.calls.filter(({ segments }) => segments[0] === "Hello")
    expect(refused.length).toBeLessThanOrEqual(4 * MAX_ENGINE_CALLS)
    engine.react = null
    // Only what was asked for alone is held against anything.
    const body = `${filtered} ${word(Math.max(1, count - 2))}`
    const { slug } = await post.desk.create({ ...FIELDS, body, slug: unique("post"), translation_languages: [TO] })
    await post.finish(engine)
    expect((await post.desk.translations(slug))[TO]).toMatchObject({ status: "ready", warnings: [] })
  })

  it("openai: what it asks of answers stays as it is for all else", async () => {
    const engine = openai()
    engine.react = async (asked) =>
      isFiltered(asked.segments) ? openaiError(400, "content_filter") : replying("openai", saidJson)(asked)
    const post = await start(`${filtered}\n\n${paragraphs(50)}`)
    await post.finish(engine)
    const answered = engine.calls.filter(({ segments }) => !isFiltered(segments) && segments[0] !== "Hello")
    expect(answered.length).toBeGreaterThan(1)
    expect(answered.filter(({ request }) => !("response_format" in request))).toEqual([])
  })

  const sizeLimits: [string, Chat, () => unknown][] = [
    [
      "openai: 413",
      "openai",
      () => new Response("<html><h1>413 Request Entity Too Large</h1></html>", { status: 413 }),
    ],
    ["workers-ai: 3006", "workers-ai", throwing(aiError(3006, "Request is too large"))],
  ]

  it.each(sizeLimits)("%s: one segment at a time", async (_, name, refuse) => {
    const engine = CHATS[name]()
    engine.react = async (asked) => (asked.segments.length > 10 ? refuse() : replying(name, saidJson)(asked))
    const body = paragraphs(38)
    const post = await start(body)
    await post.finish(engine)
    expect(sizes(engine)).toEqual([40, ...ones(40)])
    await expectDone(post, body)
  })
})

/** A page that some server or proxy answers. */
const html = (status: number) =>
  new Response("<!doctype html><html><title>Welcome</title></html>", {
    status,
    headers: { "Content-Type": "text/html" },
  })
const timedOut = new DOMException("The operation was aborted due to timeout", "TimeoutError")
const offline = new TypeError("fetch failed")
const breakingOff = () =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"id":"chatcmpl-'))
        controller.error(new Error("Network connection lost."))
      },
    }),
  )
/** What the author is told, and after how many seconds the engine is asked again. */
interface Later {
  code: "engine_unavailable" | "engine_limit" | "engine_model" | "engine_key" | "engine_address"
  seconds: number
}
const OUTAGE: Later = { code: "engine_unavailable", seconds: 10 }
const LIMIT: Later = { code: "engine_limit", seconds: LONGEST_WAIT }
const MODEL: Later = { code: "engine_model", seconds: LONGEST_WAIT }
const NO_KEY: Later = { code: "engine_key", seconds: LONGEST_WAIT }
const ADDRESS: Later = { code: "engine_address", seconds: LONGEST_WAIT }

const AI_ERRORS: [code: number, description: string, later: Later][] = [
  [3040, "No more data centers to forward the request to", OUTAGE],
  // https://developers.cloudflare.com/workers-ai/features/reject-if-busy/
  [3040, "Capacity temporarily exceeded, please try again.", OUTAGE],
  [3007, "Request timeout", OUTAGE],
  [3008, "Request was aborted", OUTAGE],
  [3036, "You have used up your daily free allocation of 10,000 neurons.", { ...LIMIT, seconds: 60 * 60 }],
  // What the binding throws in its place: https://github.com/Rexezuge-CloudflareWorkers/Mail-Otter/pull/88
  [4006, "you have used up your daily free allocation of 10,000 neurons", { ...LIMIT, seconds: 60 * 60 }],
  [5007, "No such model @cf/google/gemma-9 or task", MODEL],
  [3042, "The model name is invalid", MODEL],
  [5018, "The account is not allowed to access this model", MODEL],
  [3041, "The account is not allowed to access this model", MODEL],
  [5016, "User has not agreed to Llama3.2 model terms", MODEL],
  [3023, "Service unavailable for account", MODEL],
  [5019, "Request trying to use deprecated SDK version", MODEL],
  [5005, "The model @cf/google/gemma-9 does not support LoRa inference", MODEL],
  [3039, "Finetune is missing required files (model.safetensors and config.json)", MODEL],
  // To whatever it is asked: nothing in a post is at fault.
  [3003, "Request is missing headers or body: prompt", MODEL],
  [5004, "Invalid data type for base64 input: string", MODEL],
]

/** By the sender's own clock, whatever ours says. */
const NOON = "Fri, 20 Nov 2026 12:00:00 GMT"

const OPENAI_ERRORS: [status: number, code: string | null, headers: Record<string, string>, later: Later][] = [
  [401, "invalid_api_key", {}, NO_KEY],
  [403, "unsupported_country_region_territory", {}, NO_KEY],
  [404, "model_not_found", {}, MODEL],
  // https://platform.openai.com/docs/guides/rate-limits, and Retry-After in each form of RFC 9110
  [429, "rate_limit_exceeded", { "Retry-After": "20" }, { ...LIMIT, seconds: 20 }],
  [
    429,
    "rate_limit_exceeded",
    { "Retry-After": "Fri, 20 Nov 2026 12:02:00 GMT", Date: NOON },
    { ...LIMIT, seconds: 120 },
  ],
  [
    429,
    "rate_limit_exceeded",
    { "Retry-After": "Fri, 20 Nov 2026 11:58:00 GMT", Date: NOON },
    { ...LIMIT, seconds: 1 },
  ],
  [429, "rate_limit_exceeded", { "Retry-After": "99999999999999999999" }, { ...LIMIT, seconds: 86_400 }],
  [429, "rate_limit_exceeded", { "Retry-After": NOON }, LIMIT],
  [429, "rate_limit_exceeded", { "Retry-After": "soon" }, LIMIT],
  [429, "rate_limit_exceeded", {}, LIMIT],
  [429, "insufficient_quota", {}, LIMIT],
  // https://api-docs.deepseek.com/quick_start/error_codes
  [402, "insufficient_balance", {}, LIMIT],
  [500, null, {}, OUTAGE],
  [503, null, {}, OUTAGE],
  [503, "slow_down", { "Retry-After": "45" }, { ...OUTAGE, seconds: 45 }],
  // To whatever it is asked, as some endpoints answer an unknown model.
  [400, null, {}, MODEL],
]

const ENGINES = { ...CHATS, apertium }
const EACH_ENGINE = Object.keys(ENGINES) as (keyof typeof ENGINES)[]

const PASSING: [keyof typeof ENGINES, string, React, Later][] = [
  ...AI_ERRORS.map(([code, description, later]): (typeof PASSING)[number] => [
    "workers-ai",
    `${code} ${description}`,
    throwing(aiError(code, description)),
    later,
  ]),
  [
    "workers-ai",
    "a timeout without a code",
    throwing(new Error("AiError: Request timeout (a613c7db-647c-4c07-3036-a5702bc99d52)")),
    OUTAGE,
  ],
  ["workers-ai", "our own limit of time", throwing(timedOut), OUTAGE],
  ["workers-ai", "a network that fails", throwing(new Error("Network connection lost.")), OUTAGE],
  ["workers-ai", "what nobody knows", throwing("Unknown internal error"), OUTAGE],
  // https://developers.cloudflare.com/workers-ai/models/m2m100-1.2b/
  ["workers-ai", "a model of another kind", () => ({ translated_text: "Bonjour" }), MODEL],
  ...OPENAI_ERRORS.map(([status, code, headers, later], i): (typeof PASSING)[number] => [
    "openai",
    `${status} ${code} (${i})`,
    () => openaiError(status, code, headers),
    later,
  ]),
  ["openai", "404 of another server", () => html(404), MODEL],
  ["openai", "405 of another server", () => html(405), ADDRESS],
  ["openai", "502 of a proxy", () => html(502), OUTAGE],
  ["openai", "524 of a proxy", () => html(524), OUTAGE],
  [
    "openai",
    "a redirect",
    () => new Response(null, { status: 301, headers: { Location: "https://a.example/" } }),
    ADDRESS,
  ],
  ["openai", "our own limit of time", throwing(timedOut), OUTAGE],
  ["openai", "an abort", throwing(new DOMException("The operation was aborted", "AbortError")), OUTAGE],
  ["openai", "a network that fails", throwing(offline), OUTAGE],
  ["openai", "an answer that breaks off", breakingOff, OUTAGE],
  ["openai", "HTML", () => html(200), OUTAGE],
  ["openai", "nothing", () => new Response(null, { status: 204 }), OUTAGE],
  // https://openrouter.ai/docs/api-reference/errors
  ["openai", "an error as a success", () => ({ error: { code: 502, message: "Provider returned error" } }), OUTAGE],
  // https://github.com/apertium/apertium-apy/blob/master/apertium_apy/handlers/translate.py
  ["apertium", "503 of a pipe that is stuck", () => apyError(503, "Service Unavailable", "internal error"), OUTAGE],
  ["apertium", "500", () => apyError(500, "Internal Server Error", "Internal Server Error"), OUTAGE],
  ["apertium", "a network that fails", throwing(offline), OUTAGE],
  ["apertium", "our own limit of time", throwing(timedOut), OUTAGE],
  ["apertium", "HTML", () => html(200), ADDRESS],
  ["apertium", "404", () => html(404), ADDRESS],
]

describe("failures that are over by themselves, or when somebody acts: nothing is lost", () => {
  it.each(PASSING)("%s: %s", async (name, _, react, { code, seconds }) => {
    const logs = (["debug", "info", "log", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockReturnValue(),
    )
    const engine = ENGINES[name]()
    engine.react = react
    const post = await start()
    expect(await post.untilAsked(engine)).toBe(5)
    const { status, error } = await post.of()
    expect({ status, code: error?.code }).toEqual({ status: "queued", code })
    // In words for the author: nothing of what the engine said, which may be anything.
    expect(error?.message).toMatch(/^[A-Z][\w ,;-]+\. The service retries automatically\.$/)
    engine.react = null
    // What is further off has no message of its own.
    expect(await post.untilAsked(engine)).toBe(seconds > LONGEST_WAIT ? seconds + TRANSLATION_OVERDUE_SECONDS : seconds)
    await post.finish(engine)
    await expectDone(post, "Some words")
    const lines = logs.flatMap(({ mock }) => mock.calls.map(String))
    expect(lines.filter((line) => line.includes("engine failed"))).toHaveLength(1)
    expect(lines.filter((line) => line.includes(KEY))).toEqual([])
  })

  it.each<[keyof typeof ENGINES, React, string]>([
    [
      "workers-ai",
      throwing(aiError(5007, "No such model @cf/a/b or task")),
      "AiError: 5007: No such model @cf/a/b or task",
    ],
    ["workers-ai", () => ({ translated_text: "Bonjour" }), "translated_text"],
    ["openai", () => openaiError(503, null), "HTTP 503"],
    ["openai", () => openaiError(404, "model_not_found"), "model_not_found"],
    ["openai", () => openaiError(400, "no_such_region"), "no_such_region"],
    ["openai", throwing(offline), "fetch failed"],
    ["apertium", throwing(timedOut), "TimeoutError"],
  ])("%s: the log says what whoever runs the service has to know (%#)", async (name, react, detail) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue()
    const engine = ENGINES[name]()
    engine.react = react
    const post = await start()
    await post.step(engine.env)
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(detail))
    expect((await post.of()).error).toEqual({ code: expect.any(String), message: expect.not.stringContaining(detail) })
  })

  it.each(EACH_ENGINE)("%s: a call, of however many requests, takes no longer than is stated", async (name) => {
    const timeout = vi.spyOn(AbortSignal, "timeout")
    const engine = ENGINES[name]()
    const post = await start()
    await post.finish(engine)
    expect((await post.of()).status).toBe("ready")
    expect(timeout.mock.calls).toEqual([[ENGINE_TIMEOUT_MS]])
  })

  it.each(EACH_ENGINE)("%s: a call that takes too long is ended, and asked again later", async (name) => {
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort(timedOut))
    const engine = ENGINES[name]()
    const post = await start()
    await post.step(engine.env)
    expect(await post.of()).toMatchObject({ status: "queued", error: { code: "engine_unavailable" } })
    await post.finish(engine)
    await expectDone(post, "Some words")
  })

  it.each(EACH_CHAT)("%s: an outage of hours gives nothing up, and is asked less and less often", async (name) => {
    const engine = CHATS[name]()
    engine.react = name === "openai" ? () => html(503) : throwing(aiError(3040, "Out of capacity"))
    const post = await start("Some words", ["fr", "de"])
    const began = Date.now()
    const delays = new Set<number>()
    while (Date.now() - began < 4 * 60 * 60 * 1000) {
      expect(await post.step(engine.env)).toBe(true)
      for (const delay of post.delays()) delays.add(delay)
    }
    expect([...delays]).toEqual(expect.arrayContaining([10, 20, 40, 80, 160, 320, 640, LONGEST_WAIT]))
    expect(Math.max(...delays)).toBe(LONGEST_WAIT)
    expect(engine.calls.length).toBeLessThan(2 * (8 + 4 * 4))
    expect([(await post.of("fr")).status, (await post.of("de")).status]).toEqual(["queued", "queued"])
    engine.react = null
    await post.finish(engine)
    expect([(await post.of("fr")).status, (await post.of("de")).status]).toEqual(["ready", "ready"])
  })

  it.each(EACH_CHAT)(
    "%s: an outage in the middle of a long post costs what was under way, and no more",
    async (name) => {
      const engine = CHATS[name]()
      const react: React =
        name === "openai"
          ? () => openaiError(429, "rate_limit_exceeded", { "Retry-After": "30" })
          : throwing(aiError(3040, "No capacity"))
      engine.react = (asked) => (engine.calls.length === 3 ? react(asked) : replying(name, saidJson)(asked))
      const body = paragraphs(150)
      const post = await start(body)
      await post.step(engine.env)
      expect(await post.of()).toMatchObject({ status: "queued", segments: { done: 80, total: 152 } })
      expect(post.delays()).toEqual([name === "openai" ? 30 : 10])
      await post.finish(engine)
      // It may have been too much at once; of a limit that is known to be something else.
      const [half, rest] = name === "openai" ? [40, [32]] : [20, [20, 20, 12]]
      expect(sizes(engine)).toEqual([40, 40, 40, half, ...rest])
      expect(engine.calls[3]?.segments).toEqual(engine.calls[2]?.segments.slice(0, half))
      await expectDone(post, body)
    },
  )

  it("what it says of time counts from its answer", async () => {
    const engine = openai()
    engine.react = () => {
      passSeconds(50)
      return openaiError(429, "rate_limit_exceeded", { "Retry-After": "100" })
    }
    const post = await start()
    await post.step(engine.env)
    expect(post.delays()).toEqual([100])
    expect(await rows("select due_at - ? as wait from texts where lang_code = 'fr'", Date.now())).toEqual([
      { wait: 100_000 },
    ])
  })

  it("saves while it waits do not make more and more messages", async () => {
    const engine = openai()
    engine.react = () => openaiError(429, "insufficient_quota", { "Retry-After": "7200" })
    const post = await start()
    await post.step(engine.env)
    for (let save = 0; save < 5; save++) {
      await post.desk.patch(post.slug, { body: `Words ${save}`, translation_languages: [TO] })
      expect(post.delays()).toEqual([5])
      await post.step(engine.env)
    }
    expect(post.delays()).toEqual([])
    engine.react = null
    await post.finish(engine)
    await expectDone(post, "Words 4")
  })

  it.each(EACH_CHAT)("%s: what takes too long at once is asked for in ever smaller parts", async (name) => {
    const engine = CHATS[name]()
    engine.react = (asked) => (asked.segments.length > 6 ? throwing(timedOut)() : replying(name, saidJson)(asked))
    const body = paragraphs(50)
    const post = await start(body)
    await post.finish(engine)
    expect(sizes(engine).slice(0, 5)).toEqual([40, 20, 10, 5, 5])
    await expectDone(post, body)
  })

  it("a language that cannot be made now does not hold up one that can", async () => {
    const engine = openai()
    engine.react = ({ segments, request }) =>
      JSON.stringify(request).includes("(de)")
        ? openaiError(429, "rate_limit_exceeded")
        : replying("openai", saidJson)({ segments, request })
    const post = await start("Some words", ["de", "fr"])
    await post.step(engine.env)
    expect(post.delays()).toEqual([0])
    await post.step(engine.env)
    expect([(await post.of("de")).status, (await post.of("fr")).status]).toEqual(["queued", "ready"])
  })
})

describe("apertium", () => {
  it("languages that no pairs connect: failed at once, and the others are made", async () => {
    const engine = apertium()
    // https://github.com/apertium/apertium-apy/blob/master/apertium_apy/handlers/translate_chain.py
    engine.react = async ({ segments, request }) => {
      if (request.langpairs === "en|ja") return apyError(400, "Bad Request", "No path found for en-ja")
      if (request.path === "/translateChain") return apyAnswer({ translationChain: ["eng", "fra"] })
      return apyAnswer({ translatedText: (await translate(segments))[0] })
    }
    const post = await start("Some words", ["ja", "fr"])
    await post.finish(engine)
    expect(await post.of("ja")).toMatchObject({
      status: "failed",
      error: { code: "unsupported_language", message: expect.stringMatching(/does not translate between/) },
    })
    expect((await post.of("fr")).status).toBe("ready")
  })

  it("goes over other languages, pair by pair", async () => {
    const engine = apertium()
    engine.react = async ({ segments, request }) => {
      if (request.path === "/translateChain") return apyAnswer({ translationChain: ["eng", "spa", "fra"] })
      return apyAnswer({ translatedText: (await translate(segments))[0] })
    }
    const post = await start()
    await post.finish(engine)
    const pairs = engine.calls.map(({ request }) => request.langpair).filter((pair) => pair !== undefined)
    expect(new Set(pairs)).toEqual(new Set(["eng|spa", "spa|fra"]))
    expect(await post.of()).toMatchObject({ status: "ready", engine: "apertium" })
  })

  it("an outage between two segments: what was under way is asked again", async () => {
    const engine = apertium()
    let failures = 0
    engine.react = async ({ segments, request }) => {
      if (request.path === "/translateChain") return apyAnswer({ translationChain: ["eng", "fra"] })
      if (engine.calls.length === 5) {
        failures += 1
        return apyError(503, "Service Unavailable", "internal error")
      }
      return apyAnswer({ translatedText: (await translate(segments))[0] })
    }
    const post = await start(BODY)
    await post.step(engine.env)
    expect(await post.of()).toMatchObject({ status: "queued", error: { code: "engine_unavailable" } })
    await post.finish(engine)
    expect(failures).toBe(1)
    await expectDone(post)
  })
})

describe("the key stays where it is", () => {
  const secret = `Authorization: Bearer ${KEY}`

  it.each<[string, React]>([
    ["in the answer", () => new Response(secret, { status: 500 })],
    [
      "in a redirect",
      () => new Response(null, { status: 302, headers: { Location: `https://a.example/?key=${KEY}` } }),
    ],
    ["in the network's error", throwing(new TypeError(`fetch failed: ${secret}`))],
    ["in a refusal", () => openaiError(400, null)],
    ["in the text", () => completion(JSON.stringify({ error: secret }))],
    ["in nothing that can be read", () => new Response(`<html>${secret}`)],
  ])("%s: neither logs nor answers have it", async (_, react) => {
    const written: unknown[] = []
    for (const level of ["debug", "info", "log", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((...parts) => void written.push(parts))
    const engine = openai()
    engine.react = react
    const post = await start()
    await post.step(engine.env)
    const seen = JSON.stringify([written, await post.of(), (await post.desk.get(post.slug)).text])
    expect(seen).toContain('"engine ')
    expect(seen).not.toContain(KEY)
  })
})

const WORKERS_AI = { TRANSLATOR: "workers-ai", WORKERS_AI_MODEL: "@cf/google/gemma-4-26b-a4b-it" }
const OPENAI = { TRANSLATOR: "openai", OPENAI_BASE_URL: "https://api.openai.com/v1", OPENAI_MODEL: "gpt-4.1" }
const APERTIUM = { TRANSLATOR: "apertium", APERTIUM_URL: "http://127.0.0.1:2737" }

const BAD: [variable: string, value: string | undefined, rest: Record<string, string>][] = [
  ["TRANSLATOR", undefined, {}],
  ["TRANSLATOR", "", {}],
  ["TRANSLATOR", "deepl", {}],
  ["TRANSLATOR", "OpenAI", OPENAI],
  ["WORKERS_AI_MODEL", undefined, WORKERS_AI],
  ["WORKERS_AI_MODEL", "", WORKERS_AI],
  ["WORKERS_AI_MODEL", "gpt-4.1", WORKERS_AI],
  ["WORKERS_AI_MODEL", "@cf/a b", WORKERS_AI],
  ["OPENAI_BASE_URL", undefined, OPENAI],
  ["OPENAI_BASE_URL", "", OPENAI],
  ["OPENAI_BASE_URL", "api.openai.com/v1", OPENAI],
  ["OPENAI_BASE_URL", "ftp://api.openai.com/v1", OPENAI],
  ["OPENAI_BASE_URL", "https://", OPENAI],
  ["OPENAI_MODEL", undefined, OPENAI],
  ["OPENAI_MODEL", "", OPENAI],
  ["APERTIUM_URL", undefined, APERTIUM],
  ["APERTIUM_URL", "", APERTIUM],
  ["APERTIUM_URL", "localhost:2737", APERTIUM],
  ["APERTIUM_URL", "file:///usr/share/apertium", APERTIUM],
  ["TRANSLATED_CHARACTERS_PER_DAY", "0", {}],
  ["TRANSLATED_CHARACTERS_PER_DAY", "-1", {}],
  ["TRANSLATED_CHARACTERS_PER_DAY", "1e6", {}],
  ["TRANSLATED_CHARACTERS_PER_DAY", "lots", {}],
]

describe("settings", () => {
  it.each([WORKERS_AI, OPENAI, APERTIUM, { ...OPENAI, OPENAI_API_KEY: "" }])("that are right: %o", async (env) => {
    expect((await call("GET", "/@nobody/nothing/", { env })).status).toBe(404)
  })

  it.each(BAD)("%s=%j fails the first request, by its name", async (variable, value, rest) => {
    const env = { ...rest, [variable]: value } as Partial<Env>
    const { status, json } = await call("GET", "/@nobody/nothing/", { env })
    expect([status, json.code]).toEqual([500, "misconfigured"])
    expect(json.detail).toMatch(new RegExp(`^Bad variables: ${variable} [^;]+(; ${variable} [^;]+)?\\.$`))
  })

  it("all that an engine misses is named at once", async () => {
    const env = { TRANSLATOR: "openai" } as Partial<Env>
    const { json } = await call("GET", "/@nobody/nothing/", { env })
    expect(json.detail).toMatch(/OPENAI_BASE_URL must be set for TRANSLATOR openai; OPENAI_MODEL must be set/)
  })

  it.each(BAD)("%s=%j: the consumer says so, keeps the message and asks nobody", async (variable, value, rest) => {
    const error = vi.spyOn(console, "error").mockReturnValue()
    const post = await start()
    const [wakeUp] = post.desk.wakeUps.sent
    const env = { ...post.desk.env, ...rest, [variable]: value } as Partial<Env>
    passSeconds(5)
    expect(await deliver(wakeUp?.body, { env })).toEqual({ retryAfter: 10 })
    expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(variable))
    expect((await post.of()).status).toBe("queued")
    await post.finish(workersAi())
    await expectDone(post, "Some words")
  })

  it("workers-ai without its binding: the consumer says so and keeps the message", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue()
    const post = await start()
    const [wakeUp] = post.desk.wakeUps.sent
    const env = { ...post.desk.env, ...WORKERS_AI, AI: undefined } as unknown as Partial<Env>
    passSeconds(5)
    expect(await deliver(wakeUp?.body, { env })).toEqual({ retryAfter: 10 })
    expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("the binding AI"))
    await post.finish(workersAi())
    await expectDone(post, "Some words")
  })
})
