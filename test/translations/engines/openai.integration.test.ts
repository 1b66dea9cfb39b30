import { expect, it, vi } from "vitest"

import { MAX_CHAT_TOKENS } from "../../../src/limits.ts"
import { passSeconds, rows } from "../../support.ts"
import { setUpTranslations } from "../author.ts"
import {
  BAD_ADDRESS,
  BAD_KEY,
  BAD_MODEL,
  byCron,
  type Delay,
  expectDone,
  failOnce,
  LIMIT,
  OUTAGE,
  paragraphs,
  startPost,
  translateBy,
} from "./post.ts"
import {
  chatJson,
  completion,
  htmlPage,
  KEY,
  offline,
  openai,
  openaiError,
  optionsOf,
  type React,
  replying,
  throwing,
  timedOut,
} from "./stubs.ts"

setUpTranslations()

it("the engine openai is called at the configured endpoint, with key and model, and without redirects", async () => {
  const engine = openai({ OPENAI_BASE_URL: "https://llm.example/openai/v1/" })
  const post = await translateBy(engine)
  const [request] = engine.requests
  expect([request?.method, request?.url]).toEqual(["POST", "https://llm.example/openai/v1/chat/completions"])
  // A redirect must not carry the key to another server.
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
  expect(engine.calls).toHaveLength(1)
  expect((await post.translation()).engine).toBe("openai gpt-4.1")
  await expectDone(post)
})

it("the engine openai gets no Authorization header without OPENAI_API_KEY", async () => {
  const engine = openai({ OPENAI_API_KEY: "" })
  const post = await translateBy(engine)
  expect(engine.requests.map(({ headers }) => headers.get("Authorization"))).toEqual([null])
  expect((await post.translation()).status).toBe("ready")
})

it("the engine openai gets no temperature and max_tokens after a reasoning model refused them once", async () => {
  const engine = openai({ OPENAI_MODEL: "o4-mini" })
  // https://platform.openai.com/docs/guides/reasoning and https://platform.openai.com/docs/api-reference/chat/create
  const post = await translateBy(engine, { body: paragraphs(60) }, async ({ segments, request }) => {
    const param = ["max_tokens", "temperature"].find((option) => option in request)
    if (!param) return completion(await chatJson(segments))
    return openaiError(400, "unsupported_parameter", {}, param)
  })
  const [all, format] = [["temperature", "max_tokens", "response_format"], ["response_format"]]
  expect(optionsOf(engine)).toEqual([all, format, format])
  await expectDone(post)
})

it.each([400, 422])("the engine openai gets no JSON schema after its endpoint refused one with %i", async (status) => {
  const engine = openai()
  const post = await translateBy(engine, { body: paragraphs(60) }, async ({ segments, request }) =>
    "response_format" in request
      ? Response.json({ detail: "response_format: Extra inputs are not permitted" }, { status })
      : completion(await chatJson(segments)),
  )
  expect(optionsOf(engine)).toEqual([["temperature", "max_tokens", "response_format"], ["response_format"], [], []])
  await expectDone(post)
})

/** A Date header, so that Retry-After counts by the sender's clock. */
const NOON = "Fri, 20 Nov 2026 12:00:00 GMT"
const TWO_MINUTES_LATER = "Fri, 20 Nov 2026 12:02:00 GMT"
const TWO_MINUTES_EARLIER = "Fri, 20 Nov 2026 11:58:00 GMT"

it.each<[status: number, code: string | null, headers: Record<string, string>, delay: Delay]>([
  [401, "invalid_api_key", {}, BAD_KEY],
  [403, "unsupported_country_region_territory", {}, BAD_KEY],
  [404, "model_not_found", {}, BAD_MODEL],
  // https://platform.openai.com/docs/guides/rate-limits, and Retry-After in each form of RFC 9110
  [429, "rate_limit_exceeded", { "Retry-After": "20" }, { ...LIMIT, seconds: 20 }],
  [429, "rate_limit_exceeded", { "Retry-After": TWO_MINUTES_LATER, Date: NOON }, { ...LIMIT, seconds: 120 }],
  [429, "rate_limit_exceeded", { "Retry-After": TWO_MINUTES_EARLIER, Date: NOON }, { ...LIMIT, seconds: 1 }],
  [429, "rate_limit_exceeded", { "Retry-After": "99999999999999999999" }, { ...LIMIT, seconds: byCron(86_400) }],
  [429, "rate_limit_exceeded", { "Retry-After": NOON }, LIMIT],
  [429, "rate_limit_exceeded", { "Retry-After": "soon" }, LIMIT],
  [429, "rate_limit_exceeded", {}, LIMIT],
  [429, "insufficient_quota", {}, LIMIT],
  // https://api-docs.deepseek.com/quick_start/error_codes
  [402, "insufficient_balance", {}, LIMIT],
  [500, null, {}, OUTAGE],
  [503, null, {}, OUTAGE],
  [503, "slow_down", { "Retry-After": "45" }, { ...OUTAGE, seconds: 45 }],
  // Some endpoints answer so for an unknown model, whatever the request.
  [400, null, {}, BAD_MODEL],
])(
  "a translation is retried after the engine openai answers %i with code %s and headers %j",
  async (status, code, headers, delay) => {
    expect(await failOnce(openai(), () => openaiError(status, code, headers))).toEqual(delay)
  },
)

/** A response that ends in the middle of its body. */
const truncated = () =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"id":"chatcmpl-'))
        controller.error(new Error("Network connection lost."))
      },
    }),
  )
const redirect = (status: number, url: string) => () => new Response(null, { status, headers: { Location: url } })

it.each<[string, React, Delay]>([
  ["a 404 page of another server", () => htmlPage(404), BAD_MODEL],
  ["a 405 page of another server", () => htmlPage(405), BAD_ADDRESS],
  ["a 502 page of a proxy", () => htmlPage(502), OUTAGE],
  ["a 524 page of a proxy", () => htmlPage(524), OUTAGE],
  ["a redirect", redirect(301, "https://a.example/"), BAD_ADDRESS],
  ["the service's own timeout", throwing(timedOut), OUTAGE],
  ["an abort", throwing(new DOMException("The operation was aborted", "AbortError")), OUTAGE],
  ["a network failure", throwing(offline), OUTAGE],
  ["a truncated response", truncated, OUTAGE],
  ["a web page", () => htmlPage(200), OUTAGE],
  ["an empty response", () => new Response(null, { status: 204 }), OUTAGE],
  // https://openrouter.ai/docs/api-reference/errors
  ["an error with status 200", () => ({ error: { code: 502, message: "Provider returned error" } }), OUTAGE],
])("a translation is retried after the engine openai answers with %s", async (_, react, delay) => {
  expect(await failOnce(openai(), react)).toEqual(delay)
})

it("Retry-After of the engine openai counts from its response, not from the start of the run", async () => {
  const engine = openai()
  engine.react = () => {
    passSeconds(50)
    return openaiError(429, "rate_limit_exceeded", { "Retry-After": "100" })
  }
  const post = await startPost()
  await post.deliverNext(engine.env)
  expect(post.delays()).toEqual([100])
  const wait = "select due_at - ? as wait from texts where lang_code = 'fr'"
  expect(await rows(wait, Date.now())).toEqual([{ wait: 100_000 }])
})

it("five saves of a post while the engine openai is at its limit queue only one later message", async () => {
  const engine = openai()
  engine.react = () => openaiError(429, "insufficient_quota", { "Retry-After": "7200" })
  const post = await startPost()
  await post.deliverNext(engine.env)
  for (let save = 0; save < 5; save++) {
    await post.patch({ body: `Words ${save}` })
    expect(post.delays()).toEqual([5])
    await post.deliverNext(engine.env)
  }
  expect(post.delays()).toEqual([])
  engine.react = null
  await post.deliverAll(engine)
  await expectDone(post, "Words 4")
})

it("a language at a rate limit of the engine openai does not delay the next language", async () => {
  const engine = openai()
  engine.react = (asked) =>
    JSON.stringify(asked.request).includes("(de)")
      ? openaiError(429, "rate_limit_exceeded")
      : replying("openai", chatJson)(asked)
  const post = await startPost({ translation_languages: ["de", "fr"] })
  await post.deliverNext(engine.env)
  expect(post.delays()).toEqual([0])
  await post.deliverNext(engine.env)
  expect([(await post.translation("de")).status, (await post.translation("fr")).status]).toEqual(["queued", "ready"])
})

const SECRET = `Authorization: Bearer ${KEY}`

it.each<[string, React]>([
  ["in an error response", () => new Response(SECRET, { status: 500 })],
  ["in a redirect", redirect(302, `https://a.example/?key=${KEY}`)],
  ["in a network error", throwing(new TypeError(`fetch failed: ${SECRET}`))],
  ["in a refusal", () => openaiError(400, null)],
  ["in the text of a completion", () => completion(JSON.stringify({ error: SECRET }))],
  ["in a web page", () => new Response(`<html>${SECRET}`)],
])("the API key of the engine openai that comes back %s appears neither in logs nor in answers", async (_, react) => {
  const written: unknown[] = []
  for (const level of ["debug", "info", "log", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...parts) => void written.push(parts))
  const engine = openai()
  engine.react = react
  const post = await startPost()
  await post.deliverNext(engine.env)
  const seen = JSON.stringify([written, await post.translation(), (await post.desk.get(post.slug)).text])
  expect(seen).toContain('"translation.engine_failed')
  expect(seen).not.toContain(KEY)
})
