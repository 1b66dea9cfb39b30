import { describe, expect, it, vi } from "vitest"

import { ENGINE_TIMEOUT_MS } from "../../../src/limits.ts"
import { setUpTranslations } from "../author.ts"
import { expectDone, startPost, translateBy } from "./post.ts"
import { aiError, apertium, CHATS, offline, openaiError, type React, throwing, timedOut } from "./stubs.ts"

// Behaviour that all engines share.

setUpTranslations()

const ENGINES = { ...CHATS, apertium }
type Name = keyof typeof ENGINES

describe.each(Object.keys(ENGINES) as Name[])("%s", (name) => {
  it(`a call of the translation engine ${name} has one timeout for all its HTTP requests`, async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout")
    const engine = ENGINES[name]()
    const post = await translateBy(engine)
    expect((await post.translation()).status).toBe("ready")
    expect(timeout.mock.calls).toEqual([[ENGINE_TIMEOUT_MS]])
  })

  it(`a call of the translation engine ${name} that times out is aborted and repeated later`, async () => {
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort(timedOut))
    const engine = ENGINES[name]()
    const post = await startPost()
    await post.deliverNext(engine.env)
    expect(await post.translation()).toMatchObject({ status: "queued", error: { code: "engine_unavailable" } })
    await post.deliverAll(engine)
    await expectDone(post)
  })
})

it.each<[Name, string, React]>([
  ["workers-ai", "AiError: 5007: No such model @cf/a/b", throwing(aiError(5007, "No such model @cf/a/b or task"))],
  ["workers-ai", "translated_text", () => ({ translated_text: "Bonjour" })],
  ["openai", "HTTP 503", () => openaiError(503, null)],
  ["openai", "model_not_found", () => openaiError(404, "model_not_found")],
  ["openai", "no_such_region", () => openaiError(400, "no_such_region")],
  ["openai", "fetch failed", throwing(offline)],
  ["apertium", "TimeoutError", throwing(timedOut)],
])(
  "a failure of the translation engine %s is logged once with %j, which the author does not see",
  async (name, detail, react) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue()
    const engine = ENGINES[name]()
    engine.react = react
    const post = await startPost()
    await post.deliverNext(engine.env)
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(detail))
    const message = expect.not.stringContaining(detail)
    expect((await post.translation()).error).toEqual({ code: expect.any(String), message })
  },
)
