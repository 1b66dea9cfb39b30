import { beforeEach, describe, expect, it, vi } from "vitest"

import { MAX_TRANSLATION_ATTEMPTS, TRANSLATION_LEASE_SECONDS } from "../../src/limits.ts"
import { create, patch } from "../calls.ts"
import { failing, faulty, recordPauses, type Statement, tapD1 } from "../faults.ts"
import { DEAD_LETTER_QUEUE, deliver, env as bindings, passSeconds, rows, runCron } from "../support.ts"
import { type Desk, newDesk, newQueued, setUpTranslations, TEXT } from "./author.ts"
import { holdEngine, watchEngine } from "./engine.ts"

const LANGUAGES = ["fr", "de", "it"]
const FRENCH = { translation_languages: ["fr"] }
const ALL_READY = { fr: "ready", de: "ready", it: "ready" }

setUpTranslations()

/** Creates a post whose languages are due, and takes its wake-up from the queue. */
const newDue = async (languages = LANGUAGES, input: Record<string, unknown> = {}, author?: Desk) => {
  const post = await newQueued({ translation_languages: languages, ...input }, author)
  const { desk, slug } = post
  const [wakeUp] = desk.wakeUps.sent.splice(0)
  if (!wakeUp) throw new Error("No wake-up was sent.")
  passSeconds(5)
  const wake = (env: Partial<Env> = {}, options: Parameters<typeof deliver>[1] = {}) =>
    deliver(wakeUp.body, { env: { ...desk.env, ...env }, ...options })
  const statuses = async (): Promise<Record<string, string>> =>
    Object.fromEntries(Object.values(await desk.translations(slug)).map(({ lang_code, status }) => [lang_code, status]))
  const bodies = async (): Promise<Record<string, string>> => {
    const found: Record<string, string> = {}
    for (const lang of languages) found[lang] = (await post.bodyIn(lang)) ?? ""
    return found
  }
  const die = (env: Partial<Env> = {}) => wake(env, { queue: DEAD_LETTER_QUEUE })
  return { ...post, id: wakeUp.body.post_id, wakeUp: wakeUp.body, wake, die, statuses, bodies }
}

type Due = Awaited<ReturnType<typeof newDue>>

/** Returns the translation of a body into each language. */
const marked = (body: string, languages = LANGUAGES): Record<string, string> =>
  Object.fromEntries(languages.map((lang) => [lang, body.replaceAll(/\p{L}+/gu, `$&·${lang}`)]))

describe("order of runs", () => {
  it("languages of a post are translated one at a time in list order, and two posts concurrently", async () => {
    const desk = await newDesk()
    const alpha = await newDue(LANGUAGES, { title: "alpha one" }, desk)
    const beta = await newDue(["it", "fr", "de"], { title: "beta one", body: "beta three" }, desk)
    const engine = holdEngine(([first = ""]) => first.slice(0, 4))
    const inbox = [alpha.wakeUp, beta.wakeUp, alpha.wakeUp, beta.wakeUp]
    for (const _ of LANGUAGES) {
      const runs = inbox.splice(0).map((body) => deliver(body, { env: desk.env }))
      const calls = [await engine.next(), await engine.next()]
      for (const { finish } of calls) finish()
      expect(await Promise.all(runs)).toEqual(runs.map(() => "ack"))
      inbox.push(...desk.wakeUps.sent.splice(0).map(({ body }) => body))
    }
    expect([engine.most("alph"), engine.most("beta"), engine.most()]).toEqual([1, 1, 2])
    const orderOf = (name: string) =>
      engine.calls.filter(({ segments }) => segments[0]?.startsWith(name)).map(({ to }) => to)
    expect([orderOf("alpha"), orderOf("beta")]).toEqual([LANGUAGES, ["it", "fr", "de"]])
    expect(await alpha.bodies()).toEqual(marked(TEXT.body))
    expect(await beta.bodies()).toEqual(marked("beta three"))
    expect(inbox).toEqual([])
  })

  it("eight queue messages for one post at once lead to one engine call, during which its language is running", async () => {
    const { wake, statuses } = await newDue()
    const engine = holdEngine()
    const runs = Array.from({ length: 8 }, () => wake())
    const first = await engine.next()
    expect(await Promise.race(runs)).toBe("ack")
    expect(await statuses()).toEqual({ fr: "running", de: "queued", it: "queued" })
    first.finish()
    await Promise.all(runs)
    expect(engine.calls).toHaveLength(1)
    expect(await statuses()).toEqual({ fr: "ready", de: "queued", it: "queued" })
  })
})

/** Creates a post with fr translated, and holds the engine during the call for de. */
const inLanguageTwo = async () => {
  const post = await newDue()
  await post.wake()
  const [next] = post.desk.wakeUps.sent.splice(0)
  const engine = holdEngine()
  const run = deliver(next?.body, { env: post.desk.env })
  const held = await engine.next()
  expect(held.to).toBe("de")
  const finish = async () => {
    held.finish()
    expect(await run).toBe("ack")
    vi.restoreAllMocks()
  }
  return { ...post, engine, finish }
}

const HAND = { title: "Hand one", meta_description: "Hand two", body: "Hand three" }

describe("changes during the run of de", () => {
  it("a PATCH of the source text during its translation run starts no second call and discards the result", async () => {
    const { desk, engine, finish, statuses, bodies, ...post } = await inLanguageTwo()
    expect((await post.patch({ body: "Newer words" })).status).toBe(202)
    passSeconds(5)
    for (const { body } of desk.wakeUps.sent.splice(0)) expect(await deliver(body, { env: desk.env })).toBe("ack")
    expect(engine.calls).toHaveLength(1)
    await finish()
    expect(await statuses()).toEqual({ fr: "queued", de: "queued", it: "queued" })
    expect((await desk.get(post.slug, "de")).status).toBe(404)
    const after = watchEngine()
    await desk.run()
    expect(after.map(({ to }) => to)).toEqual(LANGUAGES)
    expect(await bodies()).toEqual(marked("Newer words"))
  })

  it("a manual edit of one field during a translation run is kept, and the engine's other fields are used", async () => {
    const { desk, slug, finish, ...post } = await inLanguageTwo()
    await post.patch({ lang_code: "de", title: "Von Hand" })
    await finish()
    await desk.run()
    const made = { meta_description: "About·de things·de.", body: "Some·de *words·de*." }
    expect((await desk.get(slug, "de")).json.post).toMatchObject({ title: "Von Hand", ...made })
    expect(await post.translation("de")).toMatchObject({ status: "ready", edited: ["title"] })
  })

  it("a manual edit of all fields during a translation run discards the engine's result", async () => {
    const { desk, slug, finish, ...post } = await inLanguageTwo()
    await post.patch({ lang_code: "de", ...HAND })
    await finish()
    const after = watchEngine()
    await desk.run()
    expect(after.map(({ to }) => to)).toEqual(["it"])
    expect((await desk.get(slug, "de")).json.post).toMatchObject(HAND)
  })

  it("a PATCH of another language or of the status during a translation run keeps the engine's result", async () => {
    const { finish, statuses, ...post } = await inLanguageTwo()
    await post.patch({ lang_code: "fr", title: "A la main", status: "DF" })
    await finish()
    expect(await statuses()).toEqual({ fr: "ready", de: "ready", it: "queued" })
  })

  it.each<[string, (post: Due) => ReturnType<Desk["send"]>, number]>([
    [
      "the removal of its language from the list",
      ({ patch: save }) => save({ translation_languages: ["fr", "it"] }),
      202,
    ],
    ["DELETE of the translation", ({ desk, slug }) => desk.send("DELETE", `${slug}/translations/de/`), 204],
  ])("%s during a translation run discards the engine's result", async (_, act, status) => {
    const post = await inLanguageTwo()
    expect((await act(post)).status).toBe(status)
    await post.finish()
    await post.run()
    expect(await post.statuses()).toEqual({ fr: "ready", it: "ready" })
    expect(await rows("select 1 from texts where post_id = ?", post.id)).toHaveLength(3)
  })

  it("DELETE of a post during a translation run leaves no rows, and later messages call no engine", async () => {
    const { desk, slug, id, wake, die, finish } = await inLanguageTwo()
    expect((await desk.send("DELETE", `${slug}/`)).status).toBe(204)
    await finish()
    const after = watchEngine()
    await desk.run()
    await wake()
    await die()
    expect(after).toEqual([])
    for (const where of ["posts where id", "texts where post_id", "leases where post_id"])
      expect(await rows(`select * from ${where} = ?`, id), where).toEqual([])
  })

  it("changing the source language to the one being translated into discards the engine's result", async () => {
    const { desk, slug, finish, ...post } = await inLanguageTwo()
    await post.patch({ lang_code: "de", primary_language: "de", ...FRENCH })
    await finish()
    await desk.run()
    expect((await desk.get(slug)).json.post).toMatchObject({ ...TEXT, lang_code: "de" })
  })
})

it("removing a translated language from the list during its next run keeps its earlier text", async () => {
  const { wake, ...post } = await newDue(["fr"])
  await wake()
  await post.patch({ body: "Newer words" })
  passSeconds(5)
  const engine = holdEngine()
  const run = wake()
  const held = await engine.next()
  await post.patch({ translation_languages: [] })
  held.finish()
  await run
  expect(await post.bodies()).toEqual(marked(TEXT.body, ["fr"]))
  expect(await post.translation()).toMatchObject({ status: "ready", listed: false })
})

type Inbox = { body: unknown }[]

it.each<[string, (inbox: Inbox) => Inbox]>([
  ["in order", (inbox) => inbox],
  ["twice each", (inbox) => inbox.flatMap((message) => [message, message])],
  ["in reverse order", (inbox) => inbox.toReversed()],
  ["never, with the cron only", () => []],
])("every language of a post is translated once if queue messages are delivered %s", async (_, arrive) => {
  const desk = await newDesk()
  const posts = [await newDue(LANGUAGES, {}, desk), await newDue(LANGUAGES, { title: "Two", body: "Body two" }, desk)]
  desk.wakeUps.sent.push(...posts.map(({ wakeUp }) => ({ body: wakeUp, delaySeconds: 0 })))
  const engine = watchEngine()
  const take = () => desk.wakeUps.sent.splice(0)
  const deliverAll = async (inbox: Inbox) => {
    for (const { body } of inbox) await deliver(body, { env: desk.env })
  }
  for (let minute = 0; minute < 6; minute += 1) {
    passSeconds(61)
    for (let inbox = arrive(take()); inbox.length > 0; inbox = arrive(take())) await deliverAll(inbox)
    await runCron(desk.env)
    await deliverAll(take())
  }
  expect(engine).toHaveLength(6)
  for (const [i, { slug, statuses, bodies }] of posts.entries()) {
    expect(await statuses()).toEqual(ALL_READY)
    expect(await bodies()).toEqual(marked(i === 0 ? TEXT.body : "Body two"))
    expect((await desk.get(slug)).json.post.version).toBe(1)
  }
  expect(await rows("select * from leases")).toEqual([])
})

/** Lets the cron find overdue work, and does it. */
const runOverdue = async ({ env, run }: Desk): Promise<void> => {
  passSeconds(65)
  await runCron(env)
  await run()
}

describe("a queue that fails", () => {
  const broken = { TRANSLATIONS: faulty(bindings.TRANSLATIONS, { send: failing }) }

  it.each<[string, number, (desk: Desk) => ReturnType<typeof create>]>([
    ["POST", 201, (desk) => create(desk, { ...TEXT, ...FRENCH }, broken)],
    ["PATCH", 202, async (desk) => patch(desk, (await desk.create()).slug, { ...TEXT, ...FRENCH }, { env: broken })],
  ])(
    "a %s of a post whose queue message cannot be sent answers %i, and the cron starts its translation",
    async (_, expected, save) => {
      const desk = await newDesk()
      const { status, json } = await save(desk)
      expect(status).toBe(expected)
      await runOverdue(desk)
      expect((await desk.get(json.post.slug, "fr")).json.post.body).toBe("Some·fr *words·fr*.")
    },
  )

  it("a translation run that cannot send the next queue message leaves the next language to the cron", async () => {
    const { desk, wake, statuses } = await newDue()
    await wake(broken)
    await runOverdue(desk)
    expect(await statuses()).toEqual(ALL_READY)
  })

  it("if sending queue messages fails in the cron, the next cron starts the translations", async () => {
    const { desk, statuses } = await newDue()
    passSeconds(60)
    await runCron({ TRANSLATIONS: faulty(bindings.TRANSLATIONS, { sendBatch: failing }) })
    await runCron(desk.env)
    await desk.run()
    expect(await statuses()).toEqual(ALL_READY)
  })
})

it("the cron restarts a dead translation run after its lease, and the late result of the run is discarded", async () => {
  const { desk, wake, statuses, bodies } = await newDue(["fr"])
  const engine = holdEngine()
  const dead = wake()
  const lost = await engine.next()
  passSeconds(14 * 60)
  await runCron(desk.env)
  expect(desk.wakeUps.sent, "the lease still lives").toEqual([])
  expect(await wake()).toBe("ack")
  expect(engine.calls).toHaveLength(1)

  passSeconds(61)
  await runCron(desk.env)
  expect(desk.wakeUps.sent).toHaveLength(1)
  const takenOver = desk.run()
  const second = await engine.next()
  lost.finish()
  expect(await dead).toBe("ack")
  expect(await statuses()).toEqual({ fr: "running" })
  second.finish()
  await takenOver
  expect(await bodies()).toEqual(marked(TEXT.body, ["fr"]))
})

it("a translation whose runs die five times fails, and the next language is translated", async () => {
  const { desk, wake, statuses } = await newDue(["fr", "de"])
  const engine = holdEngine()
  const lost = []
  for (let death = 1; death <= 5; death += 1) {
    lost.push(wake())
    await engine.next()
    passSeconds(16 * 60)
  }
  vi.restoreAllMocks()
  const after = watchEngine()
  await runCron(desk.env)
  await desk.run()
  expect(await statuses()).toEqual({ fr: "failed", de: "ready" })
  expect(after.map(({ to }) => to)).toEqual(["de"])
  for (const { finish } of engine.calls) finish()
  await Promise.all(lost)
  expect(await statuses()).toEqual({ fr: "failed", de: "ready" })
})

/** A database that fails like D1 without a network, at the calls whose number `fails` accepts. */
const failingD1 = (fails: (nth: number) => boolean): D1Database => {
  let [calls, failed] = [0, ""]
  const before = (statements: Statement[]) => {
    const asked = JSON.stringify(statements)
    // An immediate retry of a failed call fails again.
    if (asked !== failed) calls += 1
    failed = fails(calls) ? asked : ""
    if (failed) throw new Error("D1_ERROR: Network connection lost.")
  }
  return tapD1({ before })
}

const outage = () => ({ DB: failingD1(() => true) })

/** Lets runs of a post die after their claim until no attempts are left. */
const useUpAttempts = async ({ wake }: Due): Promise<void> => {
  for (let tries = 0; tries < MAX_TRANSLATION_ATTEMPTS; tries++) {
    await wake({ DB: failingD1((nth) => nth > 1) })
    passSeconds(TRANSLATION_LEASE_SECONDS)
  }
}

describe("failures", () => {
  it("a translation whose engine always throws fails with a plain message; other languages are translated", async () => {
    const { desk, wakeUp, statuses, translation } = await newDue()
    const calls = watchEngine(async (segments, _from, to) => {
      if (to === "fr") throw new Error("TypeError: x is undefined at engine.ts:12")
      return segments
    })
    desk.wakeUps.sent.push({ body: wakeUp, delaySeconds: 0 })
    await desk.run()
    expect(calls.map(({ to }) => to).toSorted()).toEqual(["de", "fr", "fr", "fr", "fr", "fr", "it"])
    expect(await statuses()).toEqual({ ...ALL_READY, fr: "failed" })
    const { error } = await translation()
    expect(error?.message).toMatch(/^[A-Z][a-z ,]+\. /)
    expect(error?.message).not.toMatch(/TypeError|engine\.ts/)
  })

  it("a translation whose engine throws is retried after 10, 20, 40 and 80 seconds, then fails", async () => {
    const { desk, wake, statuses } = await newDue(["fr"])
    watchEngine(failing)
    const delays = []
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await wake()).toBe("ack")
      const [next] = desk.wakeUps.sent.splice(0)
      delays.push(next?.delaySeconds)
      passSeconds(next?.delaySeconds ?? 0)
    }
    expect(delays).toEqual([10, 20, 40, 80, undefined])
    expect(await statuses()).toEqual({ fr: "failed" })
  })

  it("a failed engine call for one language delays no other, and its first retry succeeds after the engine recovers", async () => {
    const { desk, wake, statuses, translation } = await newDue(["fr", "de"])
    watchEngine(async (segments, _from, to) => (to === "fr" ? failing() : segments))
    expect(await wake()).toBe("ack")
    expect(desk.wakeUps.sent.splice(0).map(({ delaySeconds }) => delaySeconds)).toEqual([0])
    await wake()
    expect(await statuses()).toEqual({ fr: "queued", de: "ready" })
    expect((await translation()).error).toMatchObject({ code: expect.any(String) })
    const retry = watchEngine()
    await desk.run()
    expect(await translation()).toMatchObject({ status: "ready", error: null })
    expect(retry).toHaveLength(1)
  })

  it("a translation for which the engine returns too few segments fails", async () => {
    const { desk, slug, wake, translation } = await newDue(["fr"])
    watchEngine(async (segments) => segments.slice(1))
    await wake()
    expect(await translation()).toMatchObject({ status: "failed", error: { code: "not_translated" } })
    expect((await desk.get(slug, "fr")).status).toBe(404)
  })

  it.each([[null], ["text"], [{}], [{ post_id: 1, request_id: "r" }], [[]]])(
    "the queue consumer of translations acknowledges and logs a malformed message: %j",
    async (body) => {
      const log = vi.spyOn(console, "error").mockReturnValue()
      expect(await deliver(body)).toBe("ack")
      expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"level":"error"'))
    },
  )

  it("the queue consumer of translations acknowledges a message for an unknown post", async () => {
    expect(await deliver({ post_id: "none", request_id: "r" })).toBe("ack")
  })

  it("a dead letter fails the language that has no attempts left, and the next language is translated", async () => {
    const post = await newDue()
    await useUpAttempts(post)
    expect(await post.die()).toBe("ack")
    const error = { message: expect.stringMatching(/\w{3,} \w+/) }
    expect(await post.translation()).toMatchObject({ status: "failed", error })
    expect(post.desk.wakeUps.sent).toHaveLength(1)
    await post.run()
    expect(await post.statuses()).toEqual({ ...ALL_READY, fr: "failed" })
  })

  it.each([
    ["a D1 outage", outage()],
    ["a wrong variable", { TRANSLATED_CHARACTERS_PER_DAY: "many" }],
  ])("a dead letter after %s fails no language, and the post's translation continues", async (_, broken) => {
    recordPauses()
    const { desk, wake, die, statuses } = await newDue()
    for (let attempts = 1; attempts <= 6; attempts++) {
      expect(await wake(broken, { attempts })).not.toBe("ack")
      passSeconds(60)
    }
    expect(await die()).toBe("ack")
    expect(await statuses()).toEqual({ fr: "queued", de: "queued", it: "queued" })
    await desk.run()
    expect(await statuses()).toEqual(ALL_READY)
  })

  it("a dead letter for a post during its translation run or after the last one changes nothing", async () => {
    const { run, die, finish, statuses } = await inLanguageTwo()
    await die()
    await finish()
    expect(await statuses()).toEqual({ fr: "ready", de: "ready", it: "queued" })
    await run()
    await die()
    expect(await statuses()).toEqual(ALL_READY)
  })

  it("the cron deletes the lease left by a dead letter's run that died after it failed its language", async () => {
    const post = await newDue(["fr"])
    await useUpAttempts(post)
    const DB = tapD1({
      before: ([statement]) => {
        if (statement?.sql.startsWith('delete from "leases"')) throw new Error("Network connection lost.")
      },
    })
    await post.die({ DB })
    await runCron(post.desk.env)
    expect(await rows("select * from leases"), "it may live yet").toHaveLength(1)
    passSeconds(15 * 60)
    await runCron(post.desk.env)
    expect(await rows("select * from leases")).toEqual([])
    expect(await post.statuses()).toEqual({ fr: "failed" })
  })
})

const TIMEOUT = new Error("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.")

/** A database that times out at statements that begin with `sql`: before they take effect, or after. */
const slowD1 = (moment: "before" | "after", sql: string): D1Database =>
  tapD1({
    around: async (run, statements) => {
      const isSlow = statements.some((statement) => statement.sql.startsWith(sql))
      if (isSlow && moment === "before") throw TIMEOUT
      const answer = await run()
      if (isSlow) throw TIMEOUT
      return answer
    },
  })

describe("a transient failure of D1", () => {
  beforeEach(() => void recordPauses())

  it.each([
    ["network failure at call 2", 1, failingD1((nth) => nth === 2)],
    ["network failure at call 3", 1, failingD1((nth) => nth === 3)],
    ["network failure while the text is written", 1, failingD1((nth) => nth === 4)],
    ["timeout while segments are stored", 2, slowD1("before", 'insert into "remembered_segments"')],
    ["timeout after the start", 1, slowD1("after", 'insert into "leases"')],
  ])(
    "after a D1 %s of a translation run, the next delivery finds no lease and the run took %i engine calls",
    async (_, calls, DB) => {
      const { wake, statuses } = await newDue(["fr"])
      const engine = watchEngine()
      expect(await wake({ DB })).not.toBe("ack")
      await wake({}, { attempts: 2 })
      expect(await statuses()).toEqual({ fr: "ready" })
      expect(engine).toHaveLength(calls)
    },
  )

  it("a D1 outage retries a queue message after 10, 20 and 40 seconds, and a dead letter after 10, without an engine call", async () => {
    const { wake, die } = await newDue()
    const engine = watchEngine()
    const outcomes = [await die(outage())]
    for (const attempts of [1, 2, 3]) outcomes.push(await wake(outage(), { attempts }))
    expect(outcomes).toEqual([10, 10, 20, 40].map((retryAfter) => ({ retryAfter })))
    expect(engine).toEqual([])
  })

  it.each(
    [1, 2, 3, 4].flatMap((first): [string, (nth: number) => boolean][] => [
      [`from call ${first} on`, (nth) => nth >= first],
      [`at call ${first} only`, (nth) => nth === first],
    ]),
  )("every language of a post is translated after D1 fails %s of a translation run", async (_, fails) => {
    const { desk, wake, statuses, bodies } = await newDue()
    await wake({ DB: failingD1(fails) })
    for (let minute = 0; minute < 20; minute += 1) await runOverdue(desk)
    expect(await statuses()).toEqual(ALL_READY)
    expect(await bodies()).toEqual(marked(TEXT.body))
  })

  it("the start of a translation run whose D1 answer is lost counts as one attempt", async () => {
    const { id, wake } = await newDue(["fr"])
    watchEngine(failing)
    let calls = 0
    const around = async <T>(ask: () => Promise<T>): Promise<T> => {
      const answer = await ask()
      calls += 1
      if (calls === 1) throw new Error("D1_ERROR: Network connection lost.")
      return answer
    }
    await wake({ DB: tapD1({ around }) })
    const text = "select status, attempts from texts where post_id = ? and lang_code = 'fr'"
    expect(await rows(text, id)).toEqual([{ status: "queued", attempts: 1 }])
  })
})
