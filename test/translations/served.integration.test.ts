import { expect, it } from "vitest"

import { setAccount } from "../calls.ts"
import { call, OPERATOR, passSeconds, runCron } from "../support.ts"
import { type Desk, newQueued, setUpTranslations } from "./author.ts"
import { mark, watchEngine } from "./engine.ts"

setUpTranslations()

const runLater = async ({ env, run }: Desk): Promise<void> => {
  passSeconds(3600)
  await runCron(env)
  await run()
}

it.each([
  ["restricted", { restricted: true }, { restricted: false }],
  ["hidden", { hidden: true }, { hidden: false }],
  ["unpaid", { paid_until: "2020-01-01T00:00:00Z" }, { paid_until: "2099-01-01T00:00:00Z" }],
])(
  "translations of a %s account stay queued without an engine call and go on at once when it is served again",
  async (_, off, json) => {
    const { desk, slug, run } = await newQueued({ translation_languages: ["fr", "de"] })
    const calls = watchEngine()
    expect((await setAccount(desk, off)).status).toBe(200)
    await run()
    await runLater(desk)
    expect([calls, desk.wakeUps.sent]).toEqual([[], []])
    expect((await call("GET", "/healthz/")).json.translation_waiting_seconds).toBe(0)

    // The operator's change sends the wake-ups.
    await call("PATCH", `/operator/api/accounts/${desk.username}/`, { headers: OPERATOR, json, env: desk.env })
    await run()
    expect(calls.length).toBeGreaterThan(0)
    expect(await desk.translations(slug)).toMatchObject({ fr: { status: "ready" }, de: { status: "ready" } })
  },
)

it("a translation of an account that is restricted between two engine calls stops, and goes on afterwards", async () => {
  const body = Array.from({ length: 400 }, (_, i) => `Paragraph ${i}: ${"some words ".repeat(20)}`).join("\n\n")
  const { desk, run, translation } = await newQueued({ body })
  const calls = watchEngine(async (...segments) => {
    if (calls.length === 1) await setAccount(desk, { restricted: true })
    return mark(...segments)
  })
  await run()
  expect(calls).toHaveLength(1)
  await setAccount(desk, { restricted: false })
  await runLater(desk)
  expect(calls.length).toBeGreaterThan(2)
  expect((await translation()).status).toBe("ready")
})
