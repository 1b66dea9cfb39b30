import * as z from "zod"

import { chat, CHAT_OPTIONS, JSON_SCHEMA } from "./chat.ts"
import { detailOf, type Engine, type Failure, outage } from "./engine.ts"
import { fetchJson } from "./http.ts"

interface Options {
  /** The URL of an OpenAI-compatible API with its version: `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
  /** null for an endpoint without authentication. */
  key: string | null
}

/** https://platform.openai.com/docs/api-reference/chat/object. A content filter may remove the content. */
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }).optional() })),
})

const UNKNOWN_MODEL: Failure = {
  kind: "later",
  code: "engine_model",
  message:
    "The model or address of the translation engine is unknown; the operator of this service must correct them. The service retries automatically.",
}

const NO_COMPLETION = "The translation engine did not return a chat completion. The service retries automatically."

const FORMAT = {
  response_format: { type: "json_schema", json_schema: { name: "translations", strict: true, schema: JSON_SCHEMA } },
}

/** OpenAI's reasoning models refuse `temperature` and `max_tokens`; some other endpoints refuse a schema. */
const OPTIONS = [{ ...CHAT_OPTIONS, ...FORMAT }, FORMAT, {}]

/** Creates an engine for a chat completions API: OpenAI, vLLM, Ollama, a gateway. `baseUrl` ends with its version; `key` may be null. */
export const openai = ({ baseUrl, model, key }: Options): Engine => ({
  name: `openai ${model}`,
  batch: { segments: 40, chars: 3000 },
  followsTerms: true,
  translate: chat(OPTIONS, async (request, signal) => {
    const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) }
    const init = { method: "POST", headers, body: JSON.stringify({ ...request, model }), signal }
    const answer = await fetchJson(`${baseUrl}/chat/completions`, init, key)
    if ("failure" in answer) return answer
    const detail = () => detailOf(`HTTP ${answer.status} ${JSON.stringify(answer.json)}`, key)
    if (answer.status === 404) return { failure: { ...UNKNOWN_MODEL, detail: detail() } }
    // Too large: other options do not help, smaller batches do.
    if (answer.status === 413) return { content: null }
    if (answer.status >= 400) return { refused: detail() }
    const completion = Completion.safeParse(answer.json)
    if (!completion.success) return { failure: outage(NO_COMPLETION, { detail: detail() }) }
    return { content: completion.data.choices[0]?.message?.content }
  }),
})
