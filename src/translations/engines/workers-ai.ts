import * as z from "zod"

import { chat, CHAT_OPTIONS, JSON_SCHEMA, type Reply } from "./chat.ts"
import { detailOf, type Engine, type Failure, outage } from "./engine.ts"

const Completion = z
  .object({ choices: z.array(z.object({ message: z.object({ content: z.unknown() }) })) })
  .transform(({ choices }) => choices[0]?.message.content)

/** Newer models return a chat completion, older ones `response`, which is an object where the answer is JSON. */
const Output = z.union([Completion, z.looseObject({ response: z.unknown() }).transform(({ response }) => response)])

const OUTAGE = "Workers AI is unavailable or has no capacity. The service retries automatically."
const LIMIT: Failure = {
  kind: "later",
  code: "engine_limit",
  message: "The daily allocation of Workers AI is used up. The service retries automatically.",
  afterSeconds: 60 * 60,
}
const MODEL: Failure = {
  kind: "later",
  code: "engine_model",
  message:
    "Workers AI cannot run the configured model; the operator of this service must choose another one or enable it. The service retries automatically.",
}

// Codes from https://developers.cloudflare.com/workers-ai/platform/errors/, and some that are not documented.
const LIMIT_CODES = new Set([3036, 4006])
/** A retry fails until the operator acts. */
const OPERATOR_CODES = new Set([3023, 3039, 3041, 3042, 5005, 5007, 5016, 5018, 5019, 5035])
const TOO_LARGE = 3006
/** The model does not support an option, or the request has too many tokens. */
const REFUSAL_CODES = new Set([3003, 5004, 5006, 5021, 5024, 5025])
/** Matches `JSON Mode couldn't be met` (https://developers.cloudflare.com/workers-ai/features/json-mode/); not `Request timeout`. */
const REFUSAL = /JSON Mode|maximum context length/i

/** Finds the internal code: `3040: No more data centers` has one, `Request timeout (3036-a57)` has none. @returns 0 for none */
const codeOf = (error: unknown): number => Number(/\b(\d{4}): /.exec(String(error))?.[1] ?? 0)

const replyToError = (error: unknown): Reply => {
  const [code, detail] = [codeOf(error), detailOf(error)]
  if (LIMIT_CODES.has(code)) return { failure: { ...LIMIT, detail } }
  if (OPERATOR_CODES.has(code)) return { failure: { ...MODEL, detail } }
  if (code === TOO_LARGE) return { content: null }
  if (REFUSAL_CODES.has(code) || REFUSAL.test(String(error))) return { refused: detail }
  return { failure: outage(OUTAGE, { detail }) }
}

/** Newer models expect a name and the schema below it; JSON mode expects the schema itself at this place. */
const FORMAT = {
  response_format: {
    type: "json_schema",
    json_schema: { ...JSON_SCHEMA, name: "translations", strict: true, schema: JSON_SCHEMA },
  },
}

/** Reasoning takes time and uses up the tokens of the answer. */
const NO_REASONING = { chat_template_kwargs: { enable_thinking: false } }

/** Creates an engine for text generation models on Workers AI. @param model such as `@cf/google/gemma-4-26b-a4b-it` */
export const workersAi = (ai: Ai, model: string): Engine => ({
  name: `workers-ai ${model}`,
  batch: { segments: 40, chars: 3000 },
  followsTerms: true,
  translate: chat([{ ...CHAT_OPTIONS, ...NO_REASONING, ...FORMAT }, CHAT_OPTIONS], async (request, signal) => {
    try {
      // The model is configured at run time, so its output has no type.
      const output: unknown = await ai.run(model as keyof AiModels, request as never, { signal })
      const read = Output.safeParse(output)
      return read.success ? { content: read.data } : { failure: { ...MODEL, detail: detailOf(JSON.stringify(output)) } }
    } catch (error) {
      return replyToError(error)
    }
  }),
})
