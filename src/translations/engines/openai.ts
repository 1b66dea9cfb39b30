import * as z from "zod"

import { chatRequest, JSON_SCHEMA, readChat } from "./chat.ts"
import type { Engine } from "./engine.ts"
import { ask } from "./http.ts"

interface Options {
  /** Of an OpenAI-compatible API, with its version: `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
  /** null: the endpoint wants none. */
  key: string | null
}

/** https://platform.openai.com/docs/api-reference/chat/object */
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
})

/** Any chat completions endpoint: OpenAI, vLLM, Ollama, an AI gateway. */
export const openai = ({ baseUrl, model, key }: Options): Engine => ({
  name: `openai ${model}`,
  batch: { segments: 40, chars: 3000 },
  translate: async (segments, from, to) => {
    const body = {
      ...chatRequest(segments, from, to),
      model,
      response_format: {
        type: "json_schema",
        json_schema: { name: "translations", strict: true, schema: JSON_SCHEMA },
      },
    }
    const answer = await ask(`${baseUrl}/chat/completions`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    })
    if ("failure" in answer) return answer
    if (answer.status === 404)
      return {
        failure: {
          kind: "later",
          code: "engine_model",
          message: "The translation engine does not know its model or address.",
        },
      }
    const completion = Completion.safeParse(answer.json)
    return { texts: readChat(completion.data?.choices[0]?.message.content, segments.length) }
  },
})
