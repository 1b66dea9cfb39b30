import { expect, it, vi } from "vitest"

import { HEALTH_SECONDS } from "../src/limits.ts"
import { SECRET_CHARS } from "../src/tokens.ts"
import { failing, faulty, tapD1 } from "./faults.ts"
import {
  API,
  call,
  countingD1,
  env,
  newAuthor,
  newPost,
  passSeconds,
  postInput,
  recordWakeUps,
  runTranslations,
  stopClock,
  upload,
} from "./support.ts"

it("/healthz/ reports the delays of translations and of the image cleanup in seconds", async () => {
  stopClock()
  const author = await newAuthor()
  await upload(author)
  const { queue, sent } = recordWakeUps()
  const json = postInput({ translation_languages: ["fr"] })
  await call("POST", `${API}/posts/`, { key: author.key, json, env: { TRANSLATIONS: queue } })
  const quiet = await call("GET", "/healthz")
  expect([quiet.status, quiet.json]).toEqual([
    200,
    { success: true, version: env.CF_VERSION_METADATA.id, translation_waiting_seconds: 0, sweep_lag_seconds: 0 },
  ])
  passSeconds(30 * 60 + 7)
  const behind = await call("GET", "/healthz/")
  expect(behind.json).toMatchObject({ success: true, translation_waiting_seconds: 30 * 60 + 2, sweep_lag_seconds: 7 })
  await runTranslations({ queue, sent })
  passSeconds(HEALTH_SECONDS)
  expect((await call("GET", "/healthz/")).json.translation_waiting_seconds).toBe(0)
})

/** Seconds by which a test is later than the one before, whose answer the isolate repeats. */
let forgotten = 60 * 60

it.each([
  ["DB", { DB: tapD1({ before: failing }) }],
  ["IMAGE_TICKETS", { IMAGE_TICKETS: faulty(env.IMAGE_TICKETS, { get: failing }) }],
  ["MEDIA", { MEDIA: faulty(env.MEDIA, { head: failing }) }],
  ["UPLOAD_LIMITER", { UPLOAD_LIMITER: faulty(env.UPLOAD_LIMITER, { getByName: () => ({ count: failing }) }) }],
])("/healthz/ answers 503 and names the binding that fails: %s", async (name, faults) => {
  stopClock()
  forgotten += HEALTH_SECONDS
  passSeconds(forgotten)
  const error = vi.spyOn(console, "error").mockReturnValue()
  const { status, json } = await call("GET", "/healthz/", { env: faults })
  expect([status, json.detail]).toEqual([503, `These do not answer: ${name}.`])
  expect(error.mock.calls.flat().join("\n")).toContain("A fault that a test made.")
})

const callsOfHealth = async (): Promise<number> => {
  const { DB, calls } = countingD1()
  expect((await call("GET", "/healthz/", { env: { DB } })).status).toBe(200)
  return calls()
}

it("/healthz/ asks the stores at most once in ten seconds", async () => {
  stopClock()
  passSeconds(2 * 60 * 60)
  const first = await callsOfHealth()
  passSeconds(HEALTH_SECONDS - 1)
  expect([first > 0, await callsOfHealth()]).toEqual([true, 0])
  passSeconds(1)
  expect(await callsOfHealth()).toBe(first)
})

it("the service logs one line without secrets for each request", async () => {
  const author = await newAuthor()
  const post = await newPost(author)
  const info = vi.spyOn(console, "info").mockReturnValue()
  const { headers } = await call("GET", `${API}/posts/${post.slug}/?lang_code=en`, { key: author.key })
  await call("GET", "/sign-in/a-secret/")
  await call("GET", "/nowhere/")
  const lines = info.mock.calls.map(([line]) => JSON.parse(String(line)))
  expect(lines[0]).toEqual({
    level: "info",
    message: "request.finished",
    request_id: headers.get("X-Request-Id"),
    method: "GET",
    route: `${API}/posts/:slug`,
    status: 200,
    account: author.username,
    ms: expect.any(Number),
    d1_calls: 1,
    rows_read: expect.any(Number),
    rows_written: 0,
  })
  expect(lines.slice(1).map(({ route, status }) => [route, status])).toEqual([
    ["/sign-in/:secret", 410],
    [null, 404],
  ])
  expect(JSON.stringify(lines)).not.toContain("a-secret")
})

it("the request log names the route that ran, even if later routes match the path too", async () => {
  const author = await newAuthor()
  const info = vi.spyOn(console, "info").mockReset().mockReturnValue()
  await call("GET", `${API}/account/`, { key: author.key })
  await call("GET", `${API}/account/`)
  await call("DELETE", `${API}/account/`, { key: author.key })
  const lines = info.mock.calls.map(([line]) => JSON.parse(String(line)))
  expect(lines.map(({ route, status }) => [route, status])).toEqual([
    [`${API}/account`, 200],
    [`${API}/account`, 401],
    [`${API}/account`, 405],
  ])
})

/** The secret of no sign-in link. */
const SECRET = "s".repeat(SECRET_CHARS)

it("a logged error contains neither secrets of the URL path nor parameters of SQL statements", async () => {
  const error = vi.spyOn(console, "error").mockReturnValue()
  const DB = tapD1({ before: failing })
  expect((await call("GET", `/sign-in/${SECRET}/`, { env: { DB } })).status).toBe(500)
  const { key } = await newAuthor()
  const json = postInput({ title: "A private title" })
  const writes = tapD1({ before: (all) => (all.some(({ sql }) => sql.startsWith("insert")) ? failing() : undefined) })
  expect(
    (await call("POST", `${API}/posts/`, { key, json, headers: { "Idempotency-Key": "a-key" }, env: { DB: writes } }))
      .status,
  ).toBe(500)
  const lines = error.mock.calls.flat().join("\n")
  expect(lines).toContain("A fault that a test made.")
  expect(lines).toContain("/sign-in/:secret")
  expect(lines).not.toMatch(new RegExp(`${SECRET}|a-key|private title|params:`))
})
