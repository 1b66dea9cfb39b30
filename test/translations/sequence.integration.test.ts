import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { MAX_TRANSLATION_ATTEMPTS, TRANSLATION_LEASE_SECONDS } from "../../src/limits.ts"
import { failing, faulty, recordPauses, type Statement, tapD1 } from "../faults.ts"
import {
  call,
  DEAD_LETTER_QUEUE,
  deliver,
  env as bindings,
  passSeconds,
  recordWakeUps,
  rows,
  runCron,
  runTranslations,
  stopClock,
  unique,
} from "../support.ts"
import { type Desk, newDesk } from "./author.ts"
import { holdEngine, watchEngine } from "./engine.ts"

const LANGUAGES = ["fr", "de", "it"]

beforeEach(() => stopClock())
// The cron finds every post, so the next test must find none.
afterEach(async () => {
  vi.restoreAllMocks()
  await bindings.DB.exec("DELETE FROM posts")
})

const fieldsOf = (name: string) => ({ title: `${name} one`, meta_description: `${name} two`, body: `${name} three` })

/** Creates a post with its name in every segment. Its languages are due. */
const newQueued = async (desk: Desk, name: string, languages = LANGUAGES) => {
  const post = await desk.create({ ...fieldsOf(name), slug: unique(name), translation_languages: languages })
  const [wakeUp] = desk.wakeUps.sent.splice(0)
  passSeconds(5)
  if (!wakeUp) throw new Error("No wake-up was sent.")
  return { slug: post.slug as string, wakeUp: wakeUp.body }
}

const postId = async (slug: string): Promise<unknown> =>
  (await rows("select id from posts where slug = ?", slug))[0]?.id

const statuses = async (desk: Desk, slug: string): Promise<Record<string, string>> =>
  Object.fromEntries(Object.values(await desk.translations(slug)).map(({ lang_code, status }) => [lang_code, status]))

const bodies = async (desk: Desk, slug: string, languages = LANGUAGES): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const lang of languages) found[lang] = (await desk.get(slug, lang)).json.post?.body
  return found
}

/** Delivers a message. @returns the seconds until it is to be retried; null if it was acknowledged */
const retryDelay = async (...message: Parameters<typeof deliver>): Promise<number | null> => {
  const outcome = await deliver(...message)
  return outcome === "ack" ? null : (outcome.retryAfter ?? null)
}

/** Returns the translation of plain words into each language. */
const marked = (body: string, languages = LANGUAGES): Record<string, string> =>
  Object.fromEntries(languages.map((lang) => [lang, body.replaceAll(/\p{L}+/gu, `$&·${lang}`)]))

describe("order of runs", () => {
  it("languages of a post are translated one at a time in list order, and two posts concurrently", async () => {
    const desk = await newDesk()
    const alpha = await newQueued(desk, "alpha")
    const beta = await newQueued(desk, "beta", ["it", "fr", "de"])
    const engine = holdEngine(([first = ""]) => first.slice(0, 4))
    const inbox = [alpha.wakeUp, beta.wakeUp, alpha.wakeUp, beta.wakeUp]
    for (let step = 0; step < LANGUAGES.length; step += 1) {
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
    expect(await bodies(desk, alpha.slug)).toEqual(marked("alpha three"))
    expect(await bodies(desk, beta.slug)).toEqual(marked("beta three"))
    expect(inbox).toEqual([])
  })

  it("eight queue messages for one post at once lead to one call of the translation engine", async () => {
    const desk = await newDesk()
    const { wakeUp } = await newQueued(desk, "gamma")
    const engine = holdEngine()
    const runs = Array.from({ length: 8 }, () => deliver(wakeUp, { env: desk.env }))
    const first = await engine.next()
    expect(await Promise.race(runs)).toBe("ack")
    first.finish()
    await Promise.all(runs)
    expect(engine.calls).toHaveLength(1)
  })

  it("a translation has the status running during the call of the translation engine", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "delta")
    const engine = holdEngine()
    const run = deliver(wakeUp, { env: desk.env })
    const first = await engine.next()
    expect(await statuses(desk, slug)).toEqual({ fr: "running", de: "queued", it: "queued" })
    first.finish()
    await run
    expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "queued", it: "queued" })
  })
})

/** Creates a post with fr translated, and holds the engine during the call for de. */
const inLanguageTwo = async (name: string) => {
  const desk = await newDesk()
  const { slug, wakeUp } = await newQueued(desk, name)
  await deliver(wakeUp, { env: desk.env })
  const [next] = desk.wakeUps.sent.splice(0)
  const engine = holdEngine()
  const run = deliver(next?.body, { env: desk.env })
  const held = await engine.next()
  expect(held.to).toBe("de")
  const finish = async () => {
    held.finish()
    expect(await run).toBe("ack")
    vi.restoreAllMocks()
  }
  return { desk, slug, engine, finish, id: await postId(slug) }
}

describe("changes during the run of de", () => {
  it("a PATCH of the source text during its translation run starts no second call and discards the result", async () => {
    const { desk, slug, engine, finish } = await inLanguageTwo("epsilon")
    const { status } = await desk.patch(slug, { translation_languages: LANGUAGES, body: "Newer words" })
    expect(status).toBe(202)
    passSeconds(5)
    for (const { body } of desk.wakeUps.sent.splice(0)) expect(await deliver(body, { env: desk.env })).toBe("ack")
    expect(engine.calls).toHaveLength(1)
    await finish()
    expect(await statuses(desk, slug)).toEqual({ fr: "queued", de: "queued", it: "queued" })
    expect((await desk.get(slug, "de")).status).toBe(404)
    const after = watchEngine()
    await desk.run()
    expect(after.map(({ to }) => to)).toEqual(LANGUAGES)
    expect(await bodies(desk, slug)).toEqual(marked("Newer words"))
  })

  it("a manual edit of one field during a translation run is kept, and the engine's other fields are used", async () => {
    const { desk, slug, finish } = await inLanguageTwo("zeta")
    await desk.patch(slug, { lang_code: "de", translation_languages: LANGUAGES, title: "Von Hand" })
    await finish()
    await desk.run()
    const { json } = await desk.get(slug, "de")
    expect(json.post).toMatchObject({ title: "Von Hand", meta_description: "zeta·de two·de", body: "zeta·de three·de" })
    expect((await desk.translations(slug)).de).toMatchObject({ status: "ready", edited: ["title"] })
  })

  it("a manual edit of all fields during a translation run discards the engine's result", async () => {
    const { desk, slug, finish } = await inLanguageTwo("eta")
    await desk.patch(slug, { lang_code: "de", translation_languages: LANGUAGES, ...fieldsOf("Hand") })
    await finish()
    const after = watchEngine()
    await desk.run()
    expect(after.map(({ to }) => to)).toEqual(["it"])
    expect((await desk.get(slug, "de")).json.post).toMatchObject(fieldsOf("Hand"))
  })

  it("a PATCH of another language or of the status during a translation run keeps the engine's result", async () => {
    const { desk, slug, finish } = await inLanguageTwo("theta")
    await desk.patch(slug, { lang_code: "fr", translation_languages: LANGUAGES, title: "A la main", status: "DF" })
    await finish()
    expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "ready", it: "queued" })
  })

  it("removing a language from the post's list during its translation run discards the engine's result", async () => {
    const { desk, slug, finish, id } = await inLanguageTwo("iota")
    await desk.patch(slug, { translation_languages: ["fr", "it"] })
    await finish()
    await desk.run()
    expect(await rows("select lang_code from texts where post_id = ? order by lang_code", id)).toEqual(
      ["en", "fr", "it"].map((lang_code) => ({ lang_code })),
    )
  })

  it("DELETE of a translation during its run discards the engine's result", async () => {
    const { desk, slug, finish } = await inLanguageTwo("kappa")
    expect((await desk.send("DELETE", `${slug}/translations/de/`)).status).toBe(204)
    await finish()
    await desk.run()
    expect(await statuses(desk, slug)).toEqual({ fr: "ready", it: "ready" })
  })

  it("DELETE of a post during a translation run leaves no rows, and later messages call no engine", async () => {
    const { desk, slug, finish, id } = await inLanguageTwo("lambda")
    expect((await desk.send("DELETE", `${slug}/`)).status).toBe(204)
    await finish()
    const after = watchEngine()
    await desk.run()
    await deliver({ post_id: id, request_id: "late" }, { env: desk.env })
    await deliver({ post_id: id, request_id: "late" }, { env: desk.env, queue: DEAD_LETTER_QUEUE })
    expect(after).toEqual([])
    for (const [table, column] of [
      ["posts", "id"],
      ["texts", "post_id"],
      ["leases", "post_id"],
    ])
      expect(await rows(`select * from ${table} where ${column} = ?`, id), table).toEqual([])
  })

  it("changing the source language to the one being translated into discards the engine's result", async () => {
    const { desk, slug, finish } = await inLanguageTwo("mu")
    await desk.patch(slug, { lang_code: "de", primary_language: "de", translation_languages: ["fr"] })
    await finish()
    await desk.run()
    expect((await desk.get(slug)).json.post).toMatchObject({ ...fieldsOf("mu"), lang_code: "de" })
  })
})

it("removing a translated language from the list during its next run keeps its earlier text", async () => {
  const desk = await newDesk()
  const { slug, wakeUp } = await newQueued(desk, "nu", ["fr"])
  await deliver(wakeUp, { env: desk.env })
  await desk.patch(slug, { translation_languages: ["fr"], body: "Newer words" })
  passSeconds(5)
  const engine = holdEngine()
  const run = deliver(wakeUp, { env: desk.env })
  const held = await engine.next()
  await desk.patch(slug, {})
  held.finish()
  await run
  expect(await bodies(desk, slug, ["fr"])).toEqual({ fr: "nu·fr three·fr" })
  expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", listed: false })
})

type Inbox = { body: unknown }[]
const DELIVERIES: [string, (inbox: Inbox) => Inbox][] = [
  ["in order", (inbox) => inbox],
  ["twice each", (inbox) => inbox.flatMap((message) => [message, message])],
  ["in reverse order", (inbox) => inbox.toReversed()],
  ["never, with the cron only", () => []],
]

describe("delivery of wake-ups", () => {
  it.each(DELIVERIES)(
    "every language of a post is translated once if queue messages are delivered %s",
    async (_, arrive) => {
      const desk = await newDesk()
      const posts = []
      for (const name of ["xi", "omicron"])
        posts.push(await desk.create({ ...fieldsOf(name), slug: unique(name), translation_languages: LANGUAGES }))
      const engine = watchEngine()
      for (let minute = 0; minute < 6; minute += 1) {
        passSeconds(61)
        for (
          let inbox = arrive(desk.wakeUps.sent.splice(0));
          inbox.length > 0;
          inbox = arrive(desk.wakeUps.sent.splice(0))
        )
          for (const { body } of inbox) await deliver(body, { env: desk.env })
        await runCron(desk.env)
        for (const { body } of desk.wakeUps.sent.splice(0)) await deliver(body, { env: desk.env })
      }
      expect(engine).toHaveLength(6)
      for (const { slug, title } of posts) {
        expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "ready", it: "ready" })
        expect(await bodies(desk, slug)).toEqual(marked(title.replace("one", "three")))
        expect((await desk.get(slug)).json.post.version).toBe(1)
      }
      expect(await rows("select * from leases")).toEqual([])
    },
  )
})

describe("a queue that fails", () => {
  const broken = faulty(bindings.TRANSLATIONS, { send: failing })

  it.each([
    ["POST", 201],
    ["PATCH", 202],
  ] as const)(
    "a %s of a post whose queue message cannot be sent answers %i, and the cron starts its translation",
    async (method, expected) => {
      const desk = await newDesk()
      const first = method === "PATCH" ? await desk.create({ title: "pi one" }) : null
      const create = {
        ...fieldsOf("pi"),
        slug: unique("pi"),
        status: "DF",
        categories: "a",
        translation_languages: ["fr"],
      }
      const change = { lang_code: "en", primary_language: "en", translation_languages: ["fr"], body: "pi three" }
      const { status, json } = await call(method, `/api/blogcontroller/posts/${first ? `${first.slug}/` : ""}`, {
        key: desk.key,
        env: { TRANSLATIONS: broken },
        json: first ? change : create,
      })
      expect(status).toBe(expected)
      passSeconds(65)
      await runCron(desk.env)
      await desk.run()
      expect(await bodies(desk, json.post.slug, ["fr"])).toEqual({ fr: "pi·fr three·fr" })
    },
  )

  it("a translation run that cannot send the next queue message leaves the next language to the cron", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "rho")
    await deliver(wakeUp, { env: { TRANSLATIONS: broken } })
    passSeconds(65)
    await runCron(desk.env)
    await desk.run()
    expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "ready", it: "ready" })
  })
})

it("the cron restarts a dead translation run after its lease, and the late result of the run is discarded", async () => {
  const desk = await newDesk()
  const { slug, wakeUp } = await newQueued(desk, "sigma", ["fr"])
  const engine = holdEngine()
  const dead = deliver(wakeUp, { env: desk.env })
  const lost = await engine.next()
  passSeconds(14 * 60)
  await runCron(desk.env)
  expect(desk.wakeUps.sent, "the lease still lives").toEqual([])
  expect(await deliver(wakeUp, { env: desk.env })).toBe("ack")
  expect(engine.calls).toHaveLength(1)

  passSeconds(61)
  await runCron(desk.env)
  expect(desk.wakeUps.sent).toHaveLength(1)
  const takenOver = desk.run()
  const second = await engine.next()
  lost.finish()
  expect(await dead).toBe("ack")
  expect(await statuses(desk, slug)).toEqual({ fr: "running" })
  second.finish()
  await takenOver
  expect(await bodies(desk, slug, ["fr"])).toEqual({ fr: "sigma·fr three·fr" })
})

it("a translation whose runs die five times fails, and the next language is translated", async () => {
  const desk = await newDesk()
  const { slug, wakeUp } = await newQueued(desk, "tau", ["fr", "de"])
  const engine = holdEngine()
  const lost = []
  for (let death = 1; death <= 5; death += 1) {
    lost.push(deliver(wakeUp, { env: desk.env }))
    await engine.next()
    passSeconds(16 * 60)
  }
  vi.restoreAllMocks()
  const after = watchEngine()
  await runCron(desk.env)
  await desk.run()
  expect(await statuses(desk, slug)).toEqual({ fr: "failed", de: "ready" })
  expect(after.map(({ to }) => to)).toEqual(["de"])
  for (const { finish } of engine.calls) finish()
  await Promise.all(lost)
  expect(await statuses(desk, slug)).toEqual({ fr: "failed", de: "ready" })
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

/** Lets runs of a post die after their claim until no attempts are left. */
const useUpAttempts = async (desk: Desk, wakeUp: unknown): Promise<void> => {
  for (let tries = 0; tries < MAX_TRANSLATION_ATTEMPTS; tries++) {
    await deliver(wakeUp, { env: { ...desk.env, DB: failingD1((nth) => nth > 1) } })
    passSeconds(TRANSLATION_LEASE_SECONDS)
  }
}

describe("failures", () => {
  it("a translation whose engine always throws fails with a plain message; other languages are translated", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "upsilon")
    const calls = watchEngine(async (segments, _from, to) => {
      if (to === "fr") throw new Error("TypeError: x is undefined at engine.ts:12")
      return segments
    })
    desk.wakeUps.sent.push({ body: wakeUp, delaySeconds: 0 })
    await desk.run()
    expect(calls.map(({ to }) => to).toSorted()).toEqual(["de", "fr", "fr", "fr", "fr", "fr", "it"])
    expect(await statuses(desk, slug)).toEqual({ fr: "failed", de: "ready", it: "ready" })
    const { error } = (await desk.translations(slug)).fr ?? {}
    expect(error?.message).toMatch(/^[A-Z][a-z ,]+\. /)
    expect(error?.message).not.toMatch(/TypeError|engine\.ts/)
  })

  it("a translation whose engine throws is retried after 10, 20, 40 and 80 seconds, then fails", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "phi", ["fr"])
    watchEngine(() => Promise.reject(new Error("out")))
    const delays = []
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await deliver(wakeUp, { env: desk.env })).toBe("ack")
      const [next] = desk.wakeUps.sent.splice(0)
      delays.push(next?.delaySeconds)
      passSeconds(next?.delaySeconds ?? 0)
    }
    expect(delays).toEqual([10, 20, 40, 80, undefined])
    expect(await statuses(desk, slug)).toEqual({ fr: "failed" })
  })

  it("a failed engine call for one language does not delay the next language", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "vav", ["fr", "de"])
    watchEngine(async (segments, _from, to) => (to === "fr" ? Promise.reject(new Error("out")) : segments))
    await deliver(wakeUp, { env: desk.env })
    const [next] = desk.wakeUps.sent.splice(0)
    expect(next?.delaySeconds).toBe(0)
    await deliver(wakeUp, { env: desk.env })
    expect(await statuses(desk, slug)).toEqual({ fr: "queued", de: "ready" })
  })

  it("a translation succeeds on the first retry after its engine recovers", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "chi", ["fr"])
    const engine = holdEngine()
    const run = deliver(wakeUp, { env: desk.env })
    const held = await engine.next()
    held.fail()
    expect(await run).toBe("ack")
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "queued", error: { code: expect.any(String) } })
    vi.restoreAllMocks()
    await desk.run()
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", error: null })
  })

  it("a translation for which the engine returns too few segments fails", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "psi", ["fr"])
    watchEngine(async (segments) => segments.slice(1))
    await deliver(wakeUp, { env: desk.env })
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "failed", error: { code: "not_translated" } })
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
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "omega")
    await useUpAttempts(desk, wakeUp)
    expect(await deliver(wakeUp, { env: desk.env, queue: DEAD_LETTER_QUEUE })).toBe("ack")
    const { fr } = await desk.translations(slug)
    expect(fr).toMatchObject({ status: "failed", error: { message: expect.stringMatching(/\w{3,} \w+/) } })
    expect(desk.wakeUps.sent).toHaveLength(1)
    await desk.run()
    expect(await statuses(desk, slug)).toEqual({ fr: "failed", de: "ready", it: "ready" })
  })

  it.each([
    ["a D1 outage", { DB: failingD1(() => true) }],
    ["a wrong variable", { TRANSLATED_CHARACTERS_PER_DAY: "many" }],
  ])("a dead letter after %s fails no language, and the post's translation continues", async (_, broken) => {
    recordPauses()
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "zayin", ["fr", "de"])
    for (let attempts = 1; attempts <= 6; attempts++) {
      expect(await deliver(wakeUp, { env: { ...desk.env, ...broken }, attempts })).not.toBe("ack")
      passSeconds(60)
    }
    expect(await deliver(wakeUp, { env: desk.env, queue: DEAD_LETTER_QUEUE })).toBe("ack")
    expect(await statuses(desk, slug)).toEqual({ fr: "queued", de: "queued" })
    await desk.run()
    expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "ready" })
  })

  it("a dead letter for a post during its translation run changes nothing", async () => {
    const { desk, slug, finish, id } = await inLanguageTwo("alef")
    await deliver({ post_id: id, request_id: "dead" }, { env: desk.env, queue: DEAD_LETTER_QUEUE })
    await finish()
    expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "ready", it: "queued" })
  })

  it("the cron deletes the lease left by a dead letter's run that died after it failed its language", async () => {
    const desk = await newDesk()
    const { wakeUp } = await newQueued(desk, "dying", ["fr"])
    await useUpAttempts(desk, wakeUp)
    const DB = tapD1({
      before: ([statement]) => {
        if (statement?.sql.startsWith('delete from "leases"')) throw new Error("Network connection lost.")
      },
    })
    await deliver(wakeUp, { env: { ...desk.env, DB }, queue: DEAD_LETTER_QUEUE })
    await runCron(desk.env)
    expect(await rows("select * from leases"), "it may live yet").toHaveLength(1)
    passSeconds(15 * 60)
    await runCron(desk.env)
    expect(await rows("select * from leases")).toEqual([])
    expect(await rows("select status from texts where lang_code = 'fr'")).toEqual([{ status: "failed" }])
  })

  it("a dead letter for a finished translation changes nothing", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "bet", ["fr"])
    await deliver(wakeUp, { env: desk.env })
    await deliver(wakeUp, { env: desk.env, queue: DEAD_LETTER_QUEUE })
    expect(await statuses(desk, slug)).toEqual({ fr: "ready" })
  })
})

const isOf = (statements: Statement[], sql: string): boolean =>
  statements.some((statement) => statement.sql.startsWith(sql))

describe("a transient failure of D1", () => {
  beforeEach(() => void recordPauses())

  it("a D1 failure during a translation run releases its lease for the message's next delivery", async () => {
    for (const nth of [2, 3, 4]) {
      const desk = await newDesk()
      const { slug, wakeUp } = await newQueued(desk, "het", ["fr"])
      const DB = failingD1((made) => made === nth)
      expect(await deliver(wakeUp, { env: { ...desk.env, DB } }), `call ${nth}`).not.toBe("ack")
      await deliver(wakeUp, { env: desk.env, attempts: 2 })
      expect(await statuses(desk, slug), `call ${nth}`).toEqual({ fr: "ready" })
    }
  })

  it("a D1 outage retries a translation's queue message after 10, 20 and 40 seconds without an engine call", async () => {
    const desk = await newDesk()
    const { wakeUp } = await newQueued(desk, "gimel")
    const engine = watchEngine()
    const delays = []
    for (const attempts of [1, 2, 3])
      delays.push(await retryDelay(wakeUp, { attempts, env: { ...desk.env, DB: failingD1(() => true) } }))
    expect(delays).toEqual([10, 20, 40])
    expect(engine).toEqual([])
  })

  it.each(
    [1, 2, 3, 4].flatMap((first): [string, (nth: number) => boolean][] => [
      [`from call ${first} on`, (nth) => nth >= first],
      [`at call ${first} only`, (nth) => nth === first],
    ]),
  )("every language of a post is translated after D1 fails %s of a translation run", async (_, fails) => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "dalet")
    await deliver(wakeUp, { env: { ...desk.env, DB: failingD1(fails) } })
    for (let minute = 0; minute < 20; minute += 1) {
      passSeconds(60)
      await runCron(desk.env)
      await desk.run()
    }
    expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "ready", it: "ready" })
    expect(await bodies(desk, slug)).toEqual(marked("dalet three"))
  })

  it("a D1 failure while a translation is written repeats no call of the translation engine", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "waw", ["fr"])
    const engine = watchEngine()
    await deliver(wakeUp, { env: { ...desk.env, DB: failingD1((nth) => nth === 4) } })
    expect(await statuses(desk, slug)).toEqual({ fr: "running" })
    await deliver(wakeUp, { env: desk.env, attempts: 2 })
    expect(await statuses(desk, slug)).toEqual({ fr: "ready" })
    expect(engine).toHaveLength(1)
  })

  it("the start of a translation run whose D1 answer is lost counts as one attempt", async () => {
    const desk = await newDesk()
    const { slug, wakeUp } = await newQueued(desk, "zayin", ["fr"])
    watchEngine(failing)
    let calls = 0
    const around = async <T>(ask: () => Promise<T>): Promise<T> => {
      const answer = await ask()
      calls += 1
      if (calls === 1) throw new Error("D1_ERROR: Network connection lost.")
      return answer
    }
    await deliver(wakeUp, { env: { ...desk.env, DB: tapD1({ around }) } })
    expect(
      await rows("select status, attempts from texts where post_id = ? and lang_code = 'fr'", await postId(slug)),
    ).toEqual([{ status: "queued", attempts: 1 }])
  })

  it("a D1 timeout in a translation run, at its start or while segments are stored, leaves no lease", async () => {
    const timeout = new Error("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.")
    const faults = [
      tapD1({
        before: (statements) => {
          if (isOf(statements, 'insert into "remembered_segments"')) throw timeout
        },
      }),
      tapD1({
        around: async (ask, statements) => {
          const answer = await ask()
          if (isOf(statements, 'insert into "leases"')) throw timeout
          return answer
        },
      }),
    ]
    for (const DB of faults) {
      const desk = await newDesk()
      const { slug, wakeUp } = await newQueued(desk, "tet", ["fr"])
      expect(await deliver(wakeUp, { env: { ...desk.env, DB } })).not.toBe("ack")
      await deliver(wakeUp, { env: desk.env, attempts: 2 })
      expect(await statuses(desk, slug)).toEqual({ fr: "ready" })
    }
  })

  it("a D1 outage retries a dead letter of a translation after 10 seconds", async () => {
    const desk = await newDesk()
    const { wakeUp } = await newQueued(desk, "he")
    const env = { ...desk.env, DB: failingD1(() => true) }
    expect(await retryDelay(wakeUp, { env, queue: DEAD_LETTER_QUEUE })).toBe(10)
  })
})

it("if sending queue messages fails in the cron, the next cron starts the translations", async () => {
  const desk = await newDesk()
  const { slug } = await newQueued(desk, "vav")
  passSeconds(60)
  await runCron({ TRANSLATIONS: faulty(bindings.TRANSLATIONS, { sendBatch: failing }) })
  const wakeUps = recordWakeUps()
  await runCron({ TRANSLATIONS: wakeUps.queue })
  await runTranslations(wakeUps)
  expect(await statuses(desk, slug)).toEqual({ fr: "ready", de: "ready", it: "ready" })
})
