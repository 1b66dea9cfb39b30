import { afterEach, beforeEach, expect, it, vi } from "vitest"

import { pseudo as engine } from "../../src/translations/engines/pseudo.ts"
import { call, OPERATOR, passSeconds, runCron, stopClock } from "../support.ts"
import { newDesk } from "./author.ts"
import { watchEngine } from "./engine.ts"

const pseudo = engine.translate

beforeEach(() => stopClock())
afterEach(() => vi.restoreAllMocks())

const change = async (username: string, json: Record<string, unknown>, env: Partial<Env> = {}): Promise<void> => {
  const path = `/operator/api/accounts/${username}/`
  expect((await call("PATCH", path, { headers: OPERATOR, json, env })).status).toBe(200)
}

it.each([
  ["restricted", { restricted: true }, { restricted: false }],
  ["hidden", { hidden: true }, { hidden: false }],
  ["unpaid", { paid_until: "2020-01-01T00:00:00Z" }, { paid_until: "2099-01-01T00:00:00Z" }],
])(
  "translations of a %s account stay queued without an engine call and go on at once when it is served again",
  async (_, off, on) => {
    const desk = await newDesk({ translation_languages: ["fr", "de"] })
    const post = await desk.create({ translation_languages: ["fr", "de"] })
    const calls = watchEngine()
    await change(desk.username, off)
    await desk.run()
    passSeconds(3600)
    await runCron(desk.env)
    await desk.run()
    expect(calls).toEqual([])
    expect(desk.wakeUps.sent).toEqual([])
    const { json: health } = await call("GET", "/healthz/")
    expect(health.translation_waiting_seconds).toBe(0)

    // The operator's change sends the wake-ups.
    await change(desk.username, on, desk.env)
    await desk.run()
    expect(calls.length).toBeGreaterThan(0)
    expect(Object.values(await desk.translations(post.slug)).map(({ status }) => status)).toEqual(["ready", "ready"])
  },
)

it("a translation of an account that is restricted between two engine calls stops, and goes on afterwards", async () => {
  const desk = await newDesk({ translation_languages: ["fr"] })
  const body = Array.from({ length: 400 }, (_, i) => `Paragraph ${i}: ${"some words ".repeat(20)}`).join("\n\n")
  const post = await desk.create({ translation_languages: ["fr"], body })
  const calls = watchEngine(async (segments, from, to) => {
    if (calls.length === 1) await change(desk.username, { restricted: true })
    const answer = await pseudo(segments, from, to)
    return "texts" in answer ? answer.texts : []
  })
  await desk.run()
  expect(calls).toHaveLength(1)
  await change(desk.username, { restricted: false })
  passSeconds(3600)
  await runCron(desk.env)
  await desk.run()
  expect(calls.length).toBeGreaterThan(2)
  expect((await desk.translations(post.slug))["fr"]?.status).toBe("ready")
})
