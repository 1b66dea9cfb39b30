import { expect, vi } from "vitest"

import { pseudo } from "../../../src/translations/engines/pseudo.ts"

// Stubs of the three engines.

const TO = "fr"
export const KEY = "sk-proj-the-key-of-the-suite"
/** The content of one engine call. */
interface Asked {
  segments: string[]
  request: Record<string, unknown>
}

export type React = (asked: Asked) => unknown

/** The Worker's variables, with those that wrangler.toml leaves out. */
type Variables = Partial<Env> & Record<string, unknown>

/** A stubbed engine. It answers with `react`, or translates correctly where `react` is null. */
export interface Stub {
  env: Variables
  calls: Asked[]
  react: React | null
}

export const translate = async (segments: string[]): Promise<string[]> => {
  const answer = await pseudo.translate({ segments, from: "en", to: TO })
  return "texts" in answer ? answer.texts.map(String) : []
}

/** The correct answer of a chat model. */
export const chatAnswer = async (segments: string[]) => ({
  translations: (await translate(segments)).map((text, i) => ({ id: i + 1, text })),
})
export const chatJson = async (segments: string[]) => JSON.stringify(await chatAnswer(segments))

const segmentsIn = (request: Record<string, unknown>): string[] => {
  const { messages } = request as { messages: { role: string; content: string }[] }
  const { segments } = JSON.parse(messages.at(-1)?.content ?? "") as { segments: { id: number; text: string }[] }
  expect(segments.map(({ id }) => id)).toEqual(segments.map((_, i) => i + 1))
  return segments.map(({ text }) => text)
}

const USAGE = { usage: { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 } }

/** https://platform.openai.com/docs/api-reference/chat/object */
export const completion = (content: unknown, finish_reason = "stop", changes: object = {}) => {
  const message = { role: "assistant", content, refusal: null, annotations: [], ...changes }
  const choices = [{ index: 0, message, logprobs: null, finish_reason }]
  const about = { id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", object: "chat.completion", created: 1741569952 }
  return { ...about, model: "gpt-4.1-2025-04-14", choices, ...USAGE, service_tier: "default" }
}

/** https://developers.cloudflare.com/workers-ai/features/json-mode/ and the model pages of text generation. */
const generated = (response: unknown) => ({ response, tool_calls: [], ...USAGE })

/**
 * An error as the binding throws it for https://developers.cloudflare.com/workers-ai/platform/errors/: the internal code before
 * the description.
 */
export const aiError = (code: number, description: string): Error =>
  Object.assign(new Error(`${code}: ${description}`), { name: "AiError" })

export const throwing = (error: unknown) => (): never => {
  throw error
}

export const workersAi = (model = "@cf/google/gemma-4-26b-a4b-it") => {
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
    return stub.react ? await stub.react(asked) : generated(await chatAnswer(asked.segments))
  }
  stub.env.AI = { run } as unknown as Ai
  return stub
}

/** Replaces the network. As the runtime does, it builds a Request from its arguments, and throws where that is impossible. */
const stubNetwork = (respond: (request: Request) => unknown): void => {
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const request = new Request(url, init)
    init?.signal?.throwIfAborted()
    const response = await respond(request)
    return response instanceof Response ? response : Response.json(response)
  })
}

/** https://platform.openai.com/docs/guides/error-codes: the object `error`, which may repeat the key as OpenAI's does. */
export const openaiError = (
  status: number,
  code: string | null,
  headers: Record<string, string> = {},
  param: string | null = null,
): Response => {
  const type = status >= 500 ? "server_error" : "invalid_request_error"
  const error = { message: `Incorrect: ${KEY}. Find more in the docs.`, type, param, code }
  return Response.json({ error }, { status, headers: { "x-request-id": "req_7f8d", ...headers } })
}

const ENDPOINT = { OPENAI_BASE_URL: "https://llm.example/v1", OPENAI_MODEL: "gpt-4.1" }

export const openai = (changes: Variables = {}) => {
  const stub: Stub & { requests: Request[] } = {
    env: { TRANSLATOR: "openai", ...ENDPOINT, OPENAI_API_KEY: KEY, ...changes },
    calls: [],
    react: null,
    requests: [],
  }
  stubNetwork(async (request) => {
    stub.requests.push(request)
    const body: Record<string, unknown> = await request.clone().json()
    const asked = { segments: segmentsIn(body), request: body }
    stub.calls.push(asked)
    return stub.react ? stub.react(asked) : completion(await chatJson(asked.segments))
  })
  return stub
}

/** https://wiki.apertium.org/wiki/Apertium-apy: `/translate` and `/translateChain`. */
export const apyAnswer = (responseData: object) => ({ responseData, responseDetails: null, responseStatus: 200 })
/** https://github.com/apertium/apertium-apy/blob/master/apertium_apy/handlers/base.py: `write_error`. */
export const apyError = (code: number, message: string, explanation: string) =>
  Response.json({ status: "error", code, message, explanation }, { status: code })

/** A correct answer of apertium-apy. @param chain the languages that `/translateChain` goes through */
export const apyReply = async ({ segments, request }: Asked, chain = ["eng", "fra"]) =>
  request.path === "/translateChain"
    ? apyAnswer({ translationChain: chain })
    : apyAnswer({ translatedText: (await translate(segments))[0] })

export const apertium = () => {
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
    return stub.react ? stub.react(asked) : apyReply(asked)
  })
  return stub
}

export const CHATS = { "workers-ai": workersAi, openai }
export type Chat = keyof typeof CHATS
export const EACH_CHAT = ["workers-ai", "openai"] as const satisfies Chat[]

/** Answers with a chat message, in the shape of each engine's response. */
export const replying =
  (name: Chat, say: (segments: string[]) => unknown, finish_reason?: string): React =>
  async ({ segments }) => {
    const content = await say(segments)
    return name === "openai" ? completion(content, finish_reason) : generated(content)
  }

/** A response with a web page, as another server or a proxy sends it. */
export const htmlPage = (status: number) =>
  new Response("<!doctype html><title>Welcome</title>", { status, headers: { "Content-Type": "text/html" } })

export const timedOut = new DOMException("The operation was aborted due to timeout", "TimeoutError")
export const offline = new TypeError("fetch failed")

/** Returns the number of segments in each call. */
export const sizes = ({ calls }: Stub): number[] => calls.map(({ segments }) => segments.length)

/** Sizes of calls with one segment each. */
export const ones = (count: number): number[] => Array.from({ length: count }, () => 1)

/** Returns the options of each request, without its messages. */
export const optionsOf = ({ calls }: Stub): string[][] =>
  calls.map(({ request }) =>
    ["temperature", "max_tokens", "response_format", "chat_template_kwargs"].filter((option) => option in request),
  )
