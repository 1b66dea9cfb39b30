import * as z from "zod"

import { chat, CHAT_OPTIONS, JSON_SCHEMA } from "./chat.ts"
import { detailOf, type Engine, type Failure, outage } from "./engine.ts"
import { ask } from "./http.ts"

interface Options {
  /** Of an OpenAI-compatible API, with its version: `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
  /** null: the endpoint needs none. */
  key: string | null
}

/** https://platform.openai.com/docs/api-reference/chat/object; a message that a filter took away may lack its content. */
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }).optional() })),
})

const UNKNOWN: Failure = {
  kind: "later",
  code: "engine_model",
  message:
    "The translation engine does not know its model or address; the operator of this service must correct them. It will be asked again.",
}

const NO_COMPLETION = "The translation engine does not answer with a chat completion; it will be asked again."

const FORMAT = {
  response_format: { type: "json_schema", json_schema: { name: "translations", strict: true, schema: JSON_SCHEMA } },
}

/** OpenAI's models that reason take neither a temperature nor `max_tokens`; other endpoints know no schema. */
const WAYS: [object, ...object[]] = [{ ...CHAT_OPTIONS, ...FORMAT }, FORMAT, {}]

/** Translates with any chat completions endpoint: OpenAI, vLLM, Ollama, an AI gateway. */
export const openai = ({ baseUrl, model, key }: Options): Engine => ({
  name: `openai ${model}`,
  batch: { segments: 40, chars: 3000 },
  translate: chat(WAYS, async (request, signal) => {
    const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) }
    const init = { method: "POST", headers, body: JSON.stringify({ ...request, model }), signal }
    const answer = await ask(`${baseUrl}/chat/completions`, init, key)
    if ("failure" in answer) return answer
    const detail = () => detailOf(`HTTP ${answer.status} ${JSON.stringify(answer.json)}`, key)
    if (answer.status === 404) return { failure: { ...UNKNOWN, detail: detail() } }
    // Too large: no options help, smaller batches do.
    if (answer.status === 413) return { content: null }
    if (answer.status >= 400) return { refused: detail() }
    const completion = Completion.safeParse(answer.json)
    if (!completion.success) return { failure: outage(NO_COMPLETION, { detail: detail() }) }
    return { content: completion.data.choices[0]?.message?.content }
  }),
})
