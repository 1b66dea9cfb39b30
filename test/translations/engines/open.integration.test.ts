import { expect, it, vi } from "vitest"

import { call, deliver, passSeconds } from "../../support.ts"
import { setUpTranslations } from "../author.ts"
import { expectDone, startPost } from "./post.ts"
import { workersAi } from "./stubs.ts"

// The variables that choose an engine.

setUpTranslations()

const WORKERS_AI = { TRANSLATOR: "workers-ai", WORKERS_AI_MODEL: "@cf/google/gemma-4-26b-a4b-it" }
const OPENAI = { TRANSLATOR: "openai", OPENAI_BASE_URL: "https://api.openai.com/v1", OPENAI_MODEL: "gpt-4.1" }
const APERTIUM = { TRANSLATOR: "apertium", APERTIUM_URL: "http://127.0.0.1:2737" }

type Others = Record<string, string>
type Invalid = [variable: string, others: Others, values: (string | undefined)[]]

const INVALID = (
  [
    ["TRANSLATOR", {}, [undefined, "", "deepl"]],
    ["TRANSLATOR", OPENAI, ["OpenAI"]],
    ["WORKERS_AI_MODEL", WORKERS_AI, [undefined, "", "gpt-4.1", "@cf/a b"]],
    ["OPENAI_BASE_URL", OPENAI, [undefined, "", "api.openai.com/v1", "ftp://api.openai.com/v1", "https://"]],
    ["OPENAI_MODEL", OPENAI, [undefined, ""]],
    ["APERTIUM_URL", APERTIUM, [undefined, "", "localhost:2737", "file:///usr/share/apertium"]],
    ["TRANSLATED_CHARACTERS_PER_DAY", {}, ["0", "-1", "1e6", "lots"]],
  ] satisfies Invalid[]
).flatMap(([variable, others, values]: Invalid) =>
  values.map((value): [string, string | undefined, Others] => [variable, value, others]),
)

/** Delivers the wake-up of a new post with variables, and expects that the post is translated once the variables are correct. */
const deliverWith = async (variables: Record<string, unknown>) => {
  const error = vi.spyOn(console, "error").mockReturnValue()
  const post = await startPost()
  const [wakeUp] = post.desk.wakeUps.sent
  passSeconds(5)
  const env = { ...post.desk.env, ...variables } as unknown as Partial<Env>
  const outcome = await deliver(wakeUp?.body, { env })
  const { status } = await post.translation()
  const errors = error.mock.calls.flat()
  await post.deliverAll(workersAi())
  await expectDone(post)
  return { outcome, status, errors }
}

const deferred = (problem: string) => ({
  outcome: { retryAfter: 10 },
  status: "queued",
  errors: [expect.stringContaining(problem)],
})

it.each([WORKERS_AI, OPENAI, APERTIUM, { ...OPENAI, OPENAI_API_KEY: "" }])(
  "requests are served with the translation engine's variables %o",
  async (env) => {
    expect((await call("GET", "/@nobody/nothing/", { env })).status).toBe(404)
  },
)

it.each(INVALID)(
  "a request with the translation engine's variable %s=%j answers 500 and names the variable",
  async (variable, value, others) => {
    const env = { ...others, [variable]: value } as Partial<Env>
    const { status, json } = await call("GET", "/@nobody/nothing/", { env })
    expect([status, json.code]).toEqual([500, "misconfigured"])
    expect(json.detail).toMatch(new RegExp(`^Bad variables: ${variable} [^;]+(; ${variable} [^;]+)?\\.$`))
  },
)

it("a request with TRANSLATOR=openai and no other variable names every missing variable", async () => {
  const env = { TRANSLATOR: "openai" } as Partial<Env>
  const { json } = await call("GET", "/@nobody/nothing/", { env })
  expect(json.detail).toMatch(/OPENAI_BASE_URL must be set for TRANSLATOR openai; OPENAI_MODEL must be set/)
})

it.each(INVALID)(
  "the queue consumer with the variable %s=%j logs it, keeps the message and calls no engine",
  async (name, value, others) => {
    expect(await deliverWith({ ...others, [name]: value })).toEqual(deferred(name))
  },
)

it("the queue consumer with TRANSLATOR=workers-ai but no AI binding logs it and keeps the message", async () => {
  expect(await deliverWith({ ...WORKERS_AI, AI: undefined })).toEqual(deferred("the binding AI"))
})
