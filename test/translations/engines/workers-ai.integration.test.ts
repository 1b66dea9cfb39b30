import { expect, it } from "vitest"

import { MAX_CHAT_TOKENS } from "../../../src/limits.ts"
import { setUpTranslations } from "../author.ts"
import {
  BAD_MODEL,
  BODY,
  byCron,
  type Delay,
  expectDone,
  failOnce,
  LIMIT,
  OUTAGE,
  paragraphs,
  translateBy,
} from "./post.ts"
import {
  aiError,
  chatAnswer,
  chatJson,
  completion,
  optionsOf,
  type React,
  replying,
  throwing,
  timedOut,
  workersAi,
} from "./stubs.ts"

setUpTranslations()

it("the engine workers-ai gets the configured model, a JSON schema, and segments with ids and tags", async () => {
  const engine = workersAi("@cf/zai-org/glm-4.7-flash")
  const body = 'Some *marked* words, `code` & a [link](https://a.example "Titled").'
  const post = await translateBy(engine, { body })
  expect(engine.models).toEqual(["@cf/zai-org/glm-4.7-flash"])
  expect(engine.calls[0]?.segments).toEqual([
    "Hello world",
    "About things.",
    'Some <g id="1">marked</g> words, <x id="2"/> &amp; a <g id="3">link</g>.',
    "Titled",
  ])
  const { messages, temperature, max_tokens, response_format } = engine.calls[0]?.request ?? {}
  expect(messages).toEqual([
    { role: "system", content: expect.stringMatching(/from English \(en\) to French \(fr\).*"translations"/s) },
    { role: "user", content: expect.any(String) },
  ])
  expect([temperature, max_tokens]).toEqual([0, MAX_CHAT_TOKENS])
  // JSON mode expects the schema itself here; newer models such as gemma-4 expect a name and the schema below it.
  const schema = { type: "object", required: ["translations"], properties: { translations: expect.anything() } }
  expect(response_format).toMatchObject({
    type: "json_schema",
    json_schema: { ...schema, name: expect.stringMatching(/^\w+$/), schema },
  })
  expect(await post.bodyIn()).toBe(
    'Some·fr *marked·fr* words·fr, `code` & a·fr [link·fr](https://a.example "Titled·fr").',
  )
  expect(await post.translation()).toMatchObject({ status: "ready", engine: "workers-ai @cf/zai-org/glm-4.7-flash" })
})

it.each<[string, React]>([
  ["the parsed JSON of JSON mode", replying("workers-ai", chatAnswer)],
  ["the JSON of JSON mode as a string", replying("workers-ai", chatJson)],
  // https://developers.cloudflare.com/workers-ai/models/gemma-4-26b-a4b-it/ returns chat completions.
  ["a chat completion", async ({ segments }) => completion(await chatJson(segments))],
  ["a chat completion with parsed JSON", async ({ segments }) => completion(await chatAnswer(segments))],
  [
    "a chat completion with separate reasoning",
    async ({ segments }) => completion(await chatJson(segments), "stop", { reasoning_content: "{Hm.}" }),
  ],
])("an answer of the engine workers-ai is understood if it is %s", async (_, react) => {
  const engine = workersAi()
  const post = await translateBy(engine, { body: BODY }, react)
  expect(engine.calls).toHaveLength(1)
  await expectDone(post)
})

it.each([
  // https://developers.cloudflare.com/workers-ai/features/json-mode/
  ["InferenceUpstreamError", "AiError: JSON Mode couldn't be met"],
  // https://github.com/cloudflare/cloudflare-docs/issues/21316
  ["AiError", "5025: This model doesn't suuport JSON Schema."],
  ["AiError", "5006: Error: oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt'"],
])("the engine workers-ai gets no JSON schema after its error %s: %s", async (kind, message) => {
  const engine = workersAi()
  const post = await translateBy(engine, { body: paragraphs(60) }, async (asked) => {
    if ("response_format" in asked.request) throw Object.assign(new Error(message), { name: kind })
    return replying("workers-ai", chatJson)(asked)
  })
  const plain = ["temperature", "max_tokens"]
  expect(optionsOf(engine)).toEqual([[...plain, "response_format", "chat_template_kwargs"], plain, plain])
  await expectDone(post)
})

it.each<[code: number, description: string, delay: Delay]>([
  [3040, "No more data centers to forward the request to", OUTAGE],
  // https://developers.cloudflare.com/workers-ai/features/reject-if-busy/
  [3040, "Capacity temporarily exceeded, please try again.", OUTAGE],
  [3007, "Request timeout", OUTAGE],
  [3008, "Request was aborted", OUTAGE],
  [3036, "You have used up your daily free allocation of 10,000 neurons.", { ...LIMIT, seconds: byCron(60 * 60) }],
  // The binding throws this instead: https://github.com/Rexezuge-CloudflareWorkers/Mail-Otter/pull/88
  [4006, "you have used up your daily free allocation of 10,000 neurons", { ...LIMIT, seconds: byCron(60 * 60) }],
  [5007, "No such model @cf/google/gemma-9 or task", BAD_MODEL],
  [3042, "The model name is invalid", BAD_MODEL],
  [5018, "The account is not allowed to access this model", BAD_MODEL],
  [3041, "The account is not allowed to access this model", BAD_MODEL],
  [5016, "User has not agreed to Llama3.2 model terms", BAD_MODEL],
  [3023, "Service unavailable for account", BAD_MODEL],
  [5019, "Request trying to use deprecated SDK version", BAD_MODEL],
  [5005, "The model @cf/google/gemma-9 does not support LoRa inference", BAD_MODEL],
  [3039, "Finetune is missing required files (model.safetensors and config.json)", BAD_MODEL],
  // Thrown for every request, so no segment causes it.
  [3003, "Request is missing headers or body: prompt", BAD_MODEL],
  [5004, "Invalid data type for base64 input: string", BAD_MODEL],
])("a translation is retried after the engine workers-ai fails with error %i %s", async (code, description, delay) => {
  expect(await failOnce(workersAi(), throwing(aiError(code, description)))).toEqual(delay)
})

it.each<[string, React, Delay]>([
  ["a timeout without a code", throwing(new Error("AiError: Request timeout (a613c7db-4c07-3036-a570)")), OUTAGE],
  ["the service's own timeout", throwing(timedOut), OUTAGE],
  ["a network failure", throwing(new Error("Network connection lost.")), OUTAGE],
  ["an unknown exception", throwing("Unknown internal error"), OUTAGE],
  // https://developers.cloudflare.com/workers-ai/models/m2m100-1.2b/
  ["the answer of a translation model", () => ({ translated_text: "Bonjour" }), BAD_MODEL],
])("a translation is retried after the engine workers-ai fails with %s", async (_, react, delay) => {
  expect(await failOnce(workersAi(), react)).toEqual(delay)
})
