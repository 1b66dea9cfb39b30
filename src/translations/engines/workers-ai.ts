import * as z from "zod"

import { ENGINE_TIMEOUT_MS } from "../../limits.ts"
import { chatRequest, JSON_SCHEMA, readChat } from "./chat.ts"
import { type Engine, type Failure, outage } from "./engine.ts"

/** `response` of text generation, an object where the answer is JSON; newer models answer as chat completions do. */
const Output = z.union([
  z.object({ response: z.unknown() }).transform(({ response }) => response),
  z
    .object({ choices: z.array(z.object({ message: z.object({ content: z.unknown() }) })).min(1) })
    .transform(({ choices }) => choices[0]?.message.content),
])

const OUTAGE = "Workers AI is out of order or has no capacity; it will be asked again."
const LIMIT = "The daily allocation of Workers AI is used up; it will be asked again."
const MODEL =
  "Workers AI does not let this service use its model; whoever runs it has to see to it. It will be asked again."

/** Codes of https://developers.cloudflare.com/workers-ai/platform/errors/ that no second try helps before somebody acts. */
const OPERATOR_CODES = new Set([3023, 3041, 3042, 5005, 5007, 5016, 5018, 5019, 5035])
const DAILY_LIMIT = 3036
/** The request itself is at fault: this batch is not answered, smaller ones may be. */
const BATCH_CODES = new Set([3003, 3006, 5004])
const HOUR_SECONDS = 60 * 60

/** The internal code stands in front of the message: `3040: No more data centers to forward the request to`. */
const codeOf = (error: unknown): number => Number(/\b([35]\d{3})\b/.exec(String(error))?.[1] ?? 0)

const explain = (error: unknown): { failure: Failure } | null => {
  const code = codeOf(error)
  if (BATCH_CODES.has(code)) return null
  if (code === DAILY_LIMIT)
    return { failure: { kind: "later", code: "engine_limit", message: LIMIT, afterSeconds: HOUR_SECONDS } }
  if (OPERATOR_CODES.has(code)) return { failure: { kind: "later", code: "engine_model", message: MODEL } }
  return outage("engine_unavailable", OUTAGE)
}

/** Models of text generation on Workers AI. */
export const workersAi = (ai: Ai, model: string): Engine => ({
  name: `workers-ai ${model}`,
  batch: { segments: 40, chars: 3000 },
  translate: async (segments, from, to) => {
    const input = {
      ...chatRequest(segments, from, to),
      response_format: { type: "json_schema", json_schema: JSON_SCHEMA },
    }
    try {
      // The id of the model is a variable: no type knows what it answers.
      const output: unknown = await ai.run(model as keyof AiModels, input as never, {
        signal: AbortSignal.timeout(ENGINE_TIMEOUT_MS),
      })
      return { texts: readChat(Output.safeParse(output).data, segments.length) }
    } catch (error) {
      return explain(error) ?? { texts: segments.map(() => null) }
    }
  },
})
