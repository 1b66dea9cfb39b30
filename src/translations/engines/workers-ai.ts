import * as z from "zod"

import { chat, CHAT_OPTIONS, JSON_SCHEMA, type Reply } from "./chat.ts"
import { detailOf, type Engine, type Failure, outage } from "./engine.ts"

const Completion = z
  .object({ choices: z.array(z.object({ message: z.object({ content: z.unknown() }) })) })
  .transform(({ choices }) => choices[0]?.message.content)

/** Newer models answer as chat completions do, older ones with `response`, an object where the answer is JSON. */
const Output = z.union([Completion, z.looseObject({ response: z.unknown() }).transform(({ response }) => response)])

const OUTAGE = "Workers AI is out of order or has no capacity; it will be asked again."
const LIMIT: Failure = {
  kind: "later",
  code: "engine_limit",
  message: "The daily allocation of Workers AI is used up; it will be asked again.",
  afterSeconds: 60 * 60,
}
const MODEL: Failure = {
  kind: "later",
  code: "engine_model",
  message:
    "Workers AI does not let this service use its model; the operator of this service must change that. It will be asked again.",
}

// Codes of https://developers.cloudflare.com/workers-ai/platform/errors/, and some that it answers but does not list.
const LIMIT_CODES = new Set([3036, 4006])
/** A second try does not help before the operator acts. */
const OPERATOR_CODES = new Set([3023, 3039, 3041, 3042, 5005, 5007, 5016, 5018, 5019, 5035])
const TOO_LARGE = 3006
/** An option that the model does not know, or more tokens than it can take. */
const REFUSAL_CODES = new Set([3003, 5004, 5006, 5021, 5024, 5025])
/** https://developers.cloudflare.com/workers-ai/features/json-mode/ has no code for the first. */
const REFUSAL = /JSON Mode|maximum context length/i

/** Finds the internal code before the message: `3040: No more data centers to forward the request to`. */
const codeOf = (error: unknown): number => Number(/\b(\d{4}): /.exec(String(error))?.[1] ?? 0)

const explain = (error: unknown): Reply => {
  const [code, detail] = [codeOf(error), detailOf(error)]
  if (LIMIT_CODES.has(code)) return { failure: { ...LIMIT, detail } }
  if (OPERATOR_CODES.has(code)) return { failure: { ...MODEL, detail } }
  if (code === TOO_LARGE) return { content: null }
  if (REFUSAL_CODES.has(code) || REFUSAL.test(String(error))) return { refused: detail }
  return { failure: outage(OUTAGE, { detail }) }
}

/** The pages of newer models want a name and the schema below it; the page of JSON mode has the schema itself there. */
const FORMAT = {
  response_format: {
    type: "json_schema",
    json_schema: { ...JSON_SCHEMA, name: "translations", strict: true, schema: JSON_SCHEMA },
  },
}

/** Thoughts take time, and tokens of the answer. */
const SILENT = { chat_template_kwargs: { enable_thinking: false } }

/** Translates with models of text generation on Workers AI. */
export const workersAi = (ai: Ai, model: string): Engine => ({
  name: `workers-ai ${model}`,
  batch: { segments: 40, chars: 3000 },
  translate: chat([{ ...CHAT_OPTIONS, ...SILENT, ...FORMAT }, CHAT_OPTIONS], async (request, signal) => {
    try {
      // The id of the model is a variable: no type knows what it answers.
      const output: unknown = await ai.run(model as keyof AiModels, request as never, { signal })
      const read = Output.safeParse(output)
      return read.success ? { content: read.data } : { failure: { ...MODEL, detail: detailOf(JSON.stringify(output)) } }
    } catch (error) {
      return explain(error)
    }
  }),
})
