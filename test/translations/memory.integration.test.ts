import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { MAX_ENGINE_CALLS, MAX_REMEMBERED_SEGMENTS } from "../../src/limits.ts"
import { deliver, env as bindings, passSeconds, rows, runCron, runTranslations, stopClock } from "../support.ts"
import { type Desk, newDesk } from "./author.ts"
import { watchEngine } from "./engine.ts"

const DAY_SECONDS = 24 * 60 * 60

beforeEach(() => stopClock())
// The cron finds every post, so the next test must find none.
afterEach(async () => {
  vi.restoreAllMocks()
  await bindings.DB.exec("DELETE FROM posts")
  await bindings.DB.exec("DELETE FROM remembered_segments")
})

const sentence = (n: number) => `Sentence number ${n} of the post.`
const HUNDRED = Array.from({ length: 98 }, (_, n) => sentence(n + 1)).join("\n\n")
const fields = { title: "The title", meta_description: "What it is about.", body: HUNDRED }

/** Creates and translates a post, then records the engine's calls. */
const newTranslated = async (input: Record<string, unknown> = {}) => {
  const desk = await newDesk()
  const { slug } = await desk.create({ ...fields, translation_languages: ["fr"], ...input })
  await desk.run()
  passSeconds(1)
  return { desk, slug: slug as string, calls: watchEngine() }
}

const resave = (desk: Desk, slug: string, changed: Record<string, unknown>) =>
  desk.patch(slug, { translation_languages: ["fr"], ...changed })

/** Delivers the next wake-up when it is due. */
const deliverNext = async (desk: Desk, env: Partial<Env> = {}): Promise<void> => {
  const [wakeUp] = desk.wakeUps.sent.splice(0, 1)
  passSeconds(wakeUp?.delaySeconds ?? 0)
  expect(await deliver(wakeUp?.body, { env: { ...desk.env, ...env } })).toBe("ack")
}

const asked = (calls: { segments: string[] }[]): string[] => calls.flatMap(({ segments }) => segments)

const failure = { kind: "later", code: "engine_limit", message: "Enough.", afterSeconds: 60 } as const

/** Makes every remembered translation unusable. */
const spoilMemory = () => bindings.DB.exec(`UPDATE remembered_segments SET translation = '<g id="9">'`)

const answerBut = (bad: string) => async (segments: string[], _from: string, to: string) =>
  segments.map((text) => (text.includes(bad) ? "" : text.replaceAll(/[a-z]+/gi, `$&·${to}`)))

/** Lists the warnings of segments that keep their earlier translation. */
const warningsOf = async (desk: Desk, slug: string): Promise<string[]> => {
  const { fr } = await desk.translations(slug)
  for (const { code } of fr?.warnings ?? []) expect(code).toBe("not_translated_again")
  return (fr?.warnings ?? []).map(({ field, message }) => `${field}: ${message.slice(0, message.indexOf(" parts"))}`)
}

it("the migration that adds remembered_segments.failures keeps all rows and moves the failure mark into it", async () => {
  const { account_id } =
    (await rows("select account_id from posts where slug = ?", (await newTranslated()).slug))[0] ?? {}
  const migration = bindings.MIGRATIONS.find(({ name }) => name.includes("failures_column"))
  await bindings.DB.batch(
    [
      "drop index remembered_failures",
      "alter table remembered_segments drop column failures",
      "create index remembered_failures on remembered_segments (account_id, to_code) where translation is null",
      "delete from remembered_segments",
    ].map((sql) => bindings.DB.prepare(sql)),
  )
  const insert = bindings.DB.prepare("insert into remembered_segments values (?, 'e', 'en', 'fr', ?, ?, 1, 2)")
  await bindings.DB.batch(
    [
      ["made", "fait"],
      ["failed", null],
      ["older", "\nancien\nfini"],
    ].map(([hash, translation]) => insert.bind(account_id, hash, translation)),
  )
  await bindings.DB.batch((migration?.queries ?? []).map((sql) => bindings.DB.prepare(sql)))
  const kept = "select hash, translation, failures, made_at, used_at from remembered_segments order by hash"
  expect(await rows(kept)).toEqual([
    { hash: "failed", translation: null, failures: 2, made_at: 1, used_at: 2 },
    { hash: "made", translation: "fait", failures: 0, made_at: 1, used_at: 2 },
    { hash: "older", translation: "ancien\nfini", failures: 2, made_at: 1, used_at: 2 },
  ])
})

describe("remembered segments", () => {
  it("changing one of 98 translated paragraphs sends only that segment to the translation engine", async () => {
    const { desk, slug, calls } = await newTranslated()
    await resave(desk, slug, { body: HUNDRED.replace(sentence(42), "Something else.") })
    await desk.run()
    expect(asked(calls)).toEqual(["Something else."])
    const { body } = (await desk.get(slug, "fr")).json.post
    expect(body).toContain("Something·fr else·fr.")
    expect(body).not.toContain("number·fr 42")
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", segments: { done: 98, total: 98 } })
  })

  it.each([
    ["the same text", fields],
    ["another status", { status: "PB" }],
    ["other tags and categories", { tags: "a, b", categories: "c" }],
  ])("saving a translated post with %s sends nothing to the translation engine", async (_, changed) => {
    const { desk, slug, calls } = await newTranslated()
    await resave(desk, slug, changed)
    await desk.run()
    expect(calls).toEqual([])
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready" })
  })

  it("ten saves of a post in a row are translated once for each language", async () => {
    const { desk, slug, calls } = await newTranslated()
    for (let n = 1; n <= 10; n++) {
      await resave(desk, slug, { translation_languages: ["fr", "de"], title: `Title ${"x".repeat(n)}` })
      passSeconds(1)
    }
    passSeconds(5)
    await desk.run()
    expect(calls.filter(({ to }) => to === "fr").map(({ segments }) => segments)).toEqual([["Title xxxxxxxxxx"]])
    expect(asked(calls.filter(({ to }) => to === "de"))).toHaveLength(100)
  })

  it("a segment that repeats in a post is sent to the translation engine once", async () => {
    const calls = watchEngine()
    const desk = await newDesk()
    const { slug } = await desk.create({ ...fields, body: "Same.\n\nSame.\n\n- Same.", translation_languages: ["fr"] })
    await desk.run()
    expect(asked(calls)).toEqual(["The title", "What it is about.", "Same."])
    expect((await desk.get(slug, "fr")).json.post.body).toBe("Same·fr.\n\nSame·fr.\n\n- Same·fr.")
  })

  it("stored segment translations are not used for another language or another account", async () => {
    const { desk, slug, calls } = await newTranslated()
    await resave(desk, slug, { translation_languages: ["fr", "de"] })
    await desk.run()
    const other = await newDesk()
    await other.create({ ...fields, translation_languages: ["fr"] })
    await other.run()
    expect(asked(calls)).toHaveLength(200)
  })

  it("POST to a ready translation sends all its segments to the translation engine again", async () => {
    const { desk, slug, calls } = await newTranslated()
    await desk.send("POST", `${slug}/translations/fr/`)
    await desk.run()
    expect(asked(calls)).toHaveLength(100)
  })

  it("POST to a translation sends all its segments again even if the post is saved before it is ready", async () => {
    const { desk, slug, calls } = await newTranslated()
    await desk.send("POST", `${slug}/translations/fr/`)
    await resave(desk, slug, { body: `${HUNDRED}\n\n${sentence(101)}` })
    await desk.run()
    expect(asked(calls)).toHaveLength(101)
  })

  it("a stored segment translation is deleted 90 days after its last use", async () => {
    const { desk, slug, calls } = await newTranslated()
    passSeconds(80 * DAY_SECONDS)
    await resave(desk, slug, { body: `${sentence(1)}\n\n${sentence(2)}` })
    await desk.run()
    passSeconds(20 * DAY_SECONDS)
    await runCron()
    expect(
      await rows(
        "select count(*) as count from remembered_segments where account_id in (select account_id from posts where slug = ?)",
        slug,
      ),
    ).toEqual([{ count: 2 }])
    await resave(desk, slug, { body: HUNDRED })
    await desk.run()
    expect(asked(calls)).toHaveLength(96)
  })
})

it("segments that an engine translated before it failed are not sent to it again", async () => {
  const desk = await newDesk()
  let isOut = false
  watchEngine(async (segments, from, to) => {
    if (isOut) return { failure }
    isOut = true
    return await answerBut("stubborn")(segments, from, to)
  })
  const post = { ...fields, body: "One.\n\nA stubborn one.\n\nTwo.", translation_languages: ["fr"] }
  const { slug } = await desk.create(post)
  await deliverNext(desk)
  const waiting = { status: "queued", error: { code: "engine_limit" }, segments: { done: 4, total: 5 } }
  expect((await desk.translations(slug)).fr).toMatchObject(waiting)
  const other = await desk.create(post)
  desk.wakeUps.sent.reverse()
  await deliverNext(desk)
  expect((await desk.translations(other.slug)).fr).toMatchObject(waiting)
  vi.restoreAllMocks()
  const later = watchEngine()
  await desk.run()
  expect(asked(later)).toEqual(["A stubborn one."])
  expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", warnings: [] })
})

describe("a post that takes several deliveries", () => {
  const long = Array.from({ length: 1000 }, (_, n) => `Paragraph ${"of a long post ".repeat(4)}${n}.`).join("\n\n")

  it("a translation fails after four runs without a usable engine answer, even with a slow engine", async () => {
    const desk = await newDesk()
    const calls = watchEngine(async (segments) => {
      passSeconds(60)
      return segments.map(() => "")
    })
    const body = Array.from({ length: 400 }, (_, n) => `Some${n} **bold${n}** words${n}, ${sentence(n)}`).join("\n\n")
    const { slug } = await desk.create({ ...fields, body, translation_languages: ["fr"] })
    await desk.run()
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "failed", error: { code: "not_translated" } })
    expect(calls).toHaveLength(4 * MAX_ENGINE_CALLS)
  })

  it("a translation is not given up while an engine translates any of its segments", async () => {
    const desk = await newDesk()
    watchEngine(answerBut("stubborn"))
    const stubborn = Array.from({ length: 200 }, (_, n) => `A stubborn one, number ${n}.`)
    const body = [...stubborn.slice(0, 190), "A good one.", ...stubborn.slice(190)].join("\n\n")
    const { slug } = await desk.create({ ...fields, body, translation_languages: ["fr"] })
    await desk.run()
    expect((await desk.get(slug, "fr")).json.post.body).toContain("A·fr good·fr one·fr.")
  })

  it("a repeated translation keeps its earlier text after two more runs without a usable engine answer", async () => {
    const { desk, slug } = await newTranslated()
    let left = 5
    const calls = watchEngine(async (segments) => (left-- > 0 ? segments.map(() => null) : { failure }))
    await desk.send("POST", `${slug}/translations/fr/`)
    await deliverNext(desk)
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "queued", error: { code: "engine_limit" } })
    expect(await rows("select 1 from remembered_segments where translation is not null and failures = 2")).not.toEqual(
      [],
    )
    calls.splice(0)
    left = 1000
    await desk.run()
    expect((await desk.translations(slug)).fr?.status).toBe("ready")
    expect(calls).toHaveLength(2 * MAX_ENGINE_CALLS)
  })

  it("a post is translated segment by segment if its engine answers no batch and few calls a run", async () => {
    const desk = await newDesk()
    let left = 0
    const calls = watchEngine(async (segments) => {
      if (left-- <= 0) return { failure }
      return segments.map((text) => (segments.length > 1 ? "" : `${text} translated`))
    })
    const body = Array.from({ length: 60 }, (_, n) => sentence(n)).join("\n\n")
    const { slug } = await desk.create({ ...fields, body, translation_languages: ["fr"] })
    for (let deliveries = 0; desk.wakeUps.sent.length > 0 && deliveries < 60; deliveries++) {
      left = 5
      await deliverNext(desk)
    }
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", warnings: [] })
    const answered = calls.map(({ segments }) => segments).filter(({ length }) => length === 1)
    // Of every six calls the last is refused, and made again.
    expect(new Set(answered.flat()).size).toBe(62)
    expect(calls.filter(({ segments }) => segments.length > 1)).toHaveLength(2)
    expect((await desk.get(slug, "fr")).json.post.body).toContain(`${sentence(59)} translated`)
  })

  it("an engine's answer is kept if the database fails after it, and is not requested again", async () => {
    const desk = await newDesk()
    const calls = watchEngine(answerBut("stubborn"))
    const body = "One.\n\nA stubborn one.\n\nTwo."
    const { slug } = await desk.create({ ...fields, body, translation_languages: ["fr"] })
    const [wakeUp] = desk.wakeUps.sent.splice(0, 1)
    passSeconds(wakeUp?.delaySeconds ?? 0)
    await bindings.DB.exec(
      "CREATE TRIGGER no_count BEFORE UPDATE ON translated_characters BEGIN SELECT RAISE(ABORT, 'Out of reach.'); END",
    )
    const outcome = await deliver(wakeUp?.body, { env: desk.env })
    await bindings.DB.exec("DROP TRIGGER no_count")
    expect(outcome).toEqual({ retryAfter: expect.any(Number) })
    expect(calls).toHaveLength(1)
    expect((await desk.translations(slug)).fr?.segments).toEqual({ done: 4, total: 5 })
    await deliver(wakeUp?.body, { env: desk.env })
    expect(asked(calls.slice(1))).toEqual(Array.from({ length: calls.length - 1 }, () => "A stubborn one."))
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", segments: { done: 5, total: 5 } })
  })

  it("the translation of a post of 1,000 paragraphs continues in further runs, and the API shows its progress", async () => {
    const desk = await newDesk()
    const calls = watchEngine()
    const { slug } = await desk.create({ ...fields, body: long, translation_languages: ["fr", "de"] })
    const seen: unknown[] = []
    let deliveries = 0
    for (; desk.wakeUps.sent.length > 0 && deliveries < 20; deliveries++) {
      await deliverNext(desk)
      const { fr } = await desk.translations(slug)
      seen.push([fr?.status, fr?.segments.done])
    }
    const french = calls.filter(({ to }) => to === "fr")
    expect(french.length).toBeGreaterThan(8)
    expect(new Set(asked(french)).size).toBe(asked(french).length)
    expect(asked(french)).toHaveLength(1002)
    expect(seen[0]).toEqual(["queued", asked(french.slice(0, 8)).length])
    expect(await desk.translations(slug)).toMatchObject({ fr: { status: "ready" }, de: { status: "ready" } })
    // One language after the other, although each took several deliveries.
    expect(calls.map(({ to }) => to).join()).toMatch(/^(fr,)+(de,?)+$/)
  })
})

describe("TRANSLATED_CHARACTERS_PER_DAY", () => {
  const LIMITED = { TRANSLATED_CHARACTERS_PER_DAY: "15" } as Partial<Env>
  const short = { title: "Ten letter", meta_description: "Ten letter", body: "Ten letter" }

  it("a translation over the daily character limit is queued with daily_limit until the next day (UTC)", async () => {
    vi.setSystemTime("2026-11-20T22:00:00Z")
    const desk = await newDesk()
    const calls = watchEngine()
    const first = await desk.create({ ...short, translation_languages: ["fr"] })
    await runTranslations(desk.wakeUps, LIMITED)
    const second = await desk.create({ ...short, body: "Other word", translation_languages: ["fr"] })
    await deliverNext(desk, LIMITED)
    expect((await desk.translations(first.slug)).fr?.status).toBe("ready")
    expect((await desk.translations(second.slug)).fr).toMatchObject({
      status: "queued",
      error: { code: "daily_limit" },
    })
    desk.wakeUps.sent.splice(0)
    vi.setSystemTime("2026-11-21T00:02:00Z")
    await runCron({ ...desk.env, ...LIMITED })
    await runTranslations(desk.wakeUps, LIMITED)
    expect((await desk.translations(second.slug)).fr).toMatchObject({ status: "ready", error: null })
    expect(asked(calls)).toEqual(["Ten letter", "Other word"])
  })

  it("the daily character limit counts every request to an engine and no stored segment translation", async () => {
    const desk = await newDesk()
    const calls = watchEngine(answerBut("stubborn"))
    const body = `${HUNDRED}\n\nA stubborn one.`
    const { slug } = await desk.create({ ...fields, body, translation_languages: ["fr", "de"] })
    await desk.run()
    await desk.patch(slug, { translation_languages: ["fr", "de"], body: `${body}\n\nOne more.` })
    await desk.run()
    const counted = await rows("select characters from translated_characters")
    expect(counted).toContainEqual({ characters: asked(calls).join("").length })
    expect(calls.length).toBeGreaterThan(8)
  })

  it("the daily character limit counts a segment again if its stored translation is unusable", async () => {
    const { desk, slug, calls } = await newTranslated()
    const [before] = await rows("select sum(characters) as characters from translated_characters")
    await spoilMemory()
    await resave(desk, slug, { body: `${HUNDRED}\n\nOne more.` })
    await desk.run()
    expect(asked(calls)).toHaveLength(99)
    const [after] = await rows("select sum(characters) as characters from translated_characters")
    expect(Number(after?.["characters"]) - Number(before?.["characters"])).toBe(asked(calls).join("").length)
  })

  it("the daily character limit does not block a text whose stored segment translations are unusable", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create({ ...short, translation_languages: ["fr"] })
    await runTranslations(desk.wakeUps, LIMITED)
    passSeconds(DAY_SECONDS)
    await spoilMemory()
    await resave(desk, slug, { body: "Ten letter\n\nOther word" })
    await deliverNext(desk, LIMITED)
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", error: null })
  })

  it("the daily character limit does not block a text without a usable engine answer", async () => {
    const desk = await newDesk()
    watchEngine(answerBut("stubborn"))
    const { slug } = await desk.create({ ...short, body: "A stubborn one", translation_languages: ["fr"] })
    await deliverNext(desk, { TRANSLATED_CHARACTERS_PER_DAY: "30" })
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", warnings: [{ field: "body" }] })
  })

  it("the daily character limit for translations is counted for each account separately", async () => {
    const one = await newDesk()
    const other = await newDesk()
    for (const desk of [one, other]) {
      const { slug } = await desk.create({ ...short, translation_languages: ["fr"] })
      await runTranslations(desk.wakeUps, LIMITED)
      expect((await desk.translations(slug)).fr?.status).toBe("ready")
    }
  })
})

describe("segments without a usable answer", () => {
  it.each([4, 60])(
    "a segment that makes an engine fail whole batches leaves the other %i paragraphs translated",
    async (count) => {
      const desk = await newDesk()
      watchEngine(async (segments, from, to) =>
        segments.some((text) => text.includes("Damn"))
          ? segments.map(() => null)
          : answerBut("Damn")(segments, from, to),
      )
      const rest = Array.from({ length: count }, (_, n) => sentence(n)).join("\n\n")
      const { slug } = await desk.create({ ...fields, body: `Damn.\n\n${rest}`, translation_languages: ["fr"] })
      await desk.run()
      const { fr } = await desk.translations(slug)
      expect(fr).toMatchObject({ status: "ready", warnings: [{ code: "not_translated", field: "body" }] })
      expect(fr?.warnings[0]?.message).toMatch(`1 of ${count + 1} parts`)
      expect((await desk.get(slug, "fr")).json.post.body).toMatch(/^Damn\.\n\nSentence·fr/)
    },
  )

  it("a segment without a usable engine answer keeps its source text, with a warning until a manual edit", async () => {
    const desk = await newDesk()
    watchEngine(answerBut("stubborn"))
    const { slug } = await desk.create({
      ...fields,
      body: "One.\n\nA stubborn one.\n\nTwo.",
      translation_languages: ["fr"],
    })
    await desk.run()
    const { fr } = await desk.translations(slug)
    expect(fr).toMatchObject({ status: "ready", warnings: [{ code: "not_translated", field: "body" }] })
    expect(fr?.warnings[0]?.message).toMatch(/^1 of 3 parts/)
    expect((await desk.get(slug, "fr")).json.post.body).toBe("One·fr.\n\nA stubborn one.\n\nTwo·fr.")
    await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], body: "Un.\n\nUn têtu.\n\nDeux." })
    expect((await desk.translations(slug)).fr).toMatchObject({ warnings: [] })
  })

  it("a segment without a usable engine answer keeps its earlier translation, in this post and in others", async () => {
    const { desk, slug } = await newTranslated({ body: "One.\n\nA stubborn one." })
    passSeconds(1)
    watchEngine(answerBut("stubborn"))
    await desk.send("POST", `${slug}/translations/fr/`)
    await desk.run()
    expect((await desk.get(slug, "fr")).json.post.body).toBe("One·fr.\n\nA·fr stubborn·fr one·fr.")
    expect(await warningsOf(desk, slug)).toEqual(["body: 1 of 2"])
    const calls = watchEngine()
    const other = await desk.create({ ...fields, body: "A stubborn one.", translation_languages: ["fr"] })
    await desk.run()
    expect((await desk.get(other.slug, "fr")).json.post.body).toBe("A·fr stubborn·fr one·fr.")
    expect(asked(calls)).toEqual([])
    expect((await desk.translations(other.slug)).fr?.warnings).toEqual([])
    await desk.send("POST", `${slug}/translations/fr/`)
    await desk.run()
    expect(await warningsOf(desk, slug)).toEqual([])
  })

  it.each([
    ["short", "One.", 1],
    ["long", HUNDRED, 98],
  ])(
    "a repeated translation of a %s post without usable answers keeps its earlier text, with warnings",
    async (_, body, count) => {
      const desk = await newDesk()
      const { slug } = await desk.create({ ...fields, body, translation_languages: ["fr"] })
      await desk.run()
      const before = (await desk.get(slug, "fr")).json.post
      passSeconds(1)
      const calls = watchEngine(async (segments) => segments.map(() => ""))
      await desk.send("POST", `${slug}/translations/fr/`)
      await desk.run()
      expect(calls.length).toBeLessThanOrEqual(3 * MAX_ENGINE_CALLS)
      expect((await desk.get(slug, "fr")).json.post).toMatchObject({ title: before.title, body: before.body })
      expect((await desk.translations(slug)).fr?.status).toBe("ready")
      expect(await warningsOf(desk, slug)).toEqual([
        "title: 1 of 1",
        "meta_description: 1 of 1",
        `body: ${count} of ${count}`,
      ])
    },
  )

  it("the warning of a repeated translation counts all segments with earlier text, even over several runs", async () => {
    const texts = Array.from({ length: 1000 }, (_, n) => (n % 100 === 0 ? `stubborn ${n}` : sentence(n)))
    const body = texts.map((text) => `${text} ${"and so on ".repeat(5)}`.trim()).join("\n\n")
    const { desk, slug } = await newTranslated({ body })
    const calls = watchEngine(answerBut("stubborn"))
    await desk.send("POST", `${slug}/translations/fr/`)
    await desk.run()
    expect(calls.length).toBeGreaterThan(3 * MAX_ENGINE_CALLS)
    expect(await warningsOf(desk, slug)).toEqual(["body: 10 of 1000"])
    expect((await desk.get(slug, "fr")).json.post.body).toContain("stubborn·fr 900")
  })

  it.each([
    ["nothing", "failed", async (segments: string[]) => segments.map(() => "")],
    ["only new segments", "ready", answerBut("Sentence")],
  ] as const)(
    "a translation with unusable stored segments ends if its engine translates %s",
    async (_, status, answer) => {
      const { desk, slug } = await newTranslated()
      await spoilMemory()
      const calls = watchEngine(answer)
      await resave(desk, slug, { body: `${HUNDRED}\n\nOne more.` })
      for (let deliveries = 0; desk.wakeUps.sent.length > 0 && deliveries < 40; deliveries++) await deliverNext(desk)
      expect(desk.wakeUps.sent).toEqual([])
      expect((await desk.translations(slug)).fr?.status).toBe(status)
      const alone = calls.filter(({ segments }) => segments.length === 1).flatMap(({ segments }) => segments)
      expect(new Set(alone).size).toBeGreaterThan(alone.length - 3)
    },
  )

  it("a translation run without a usable engine answer keeps what a concurrent run has stored", async () => {
    const desk = await newDesk()
    const post = { ...fields, body: "A stubborn one.", translation_languages: ["fr"] }
    await desk.create(post)
    const [slow] = desk.wakeUps.sent.splice(0)
    await desk.create(post)
    watchEngine(async (...call) => {
      watchEngine()
      await desk.run()
      watchEngine(answerBut("stubborn"))
      return answerBut("stubborn")(...call)
    })
    passSeconds(5)
    await deliver(slow?.body, { env: desk.env })
    const { slug } = await desk.create(post)
    await desk.run()
    expect((await desk.get(slug, "fr")).json.post.body).toBe("A·fr stubborn·fr one·fr.")
  })

  it("a segment that an engine returns with wrong tags in a batch and alone keeps its source text", async () => {
    const desk = await newDesk()
    const calls = watchEngine(async (segments, _from, to) =>
      segments.map((text) => text.replaceAll(/<[^>]*>/g, "").replaceAll(/[a-z]+/gi, `$&·${to}`)),
    )
    const { slug } = await desk.create({ ...fields, body: "Some **bold** words.", translation_languages: ["fr"] })
    await desk.run()
    expect((await desk.get(slug, "fr")).json.post.body).toBe("Some **bold** words.")
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", warnings: [{ field: "body" }] })
    expect(calls.map(({ segments }) => segments.length)).toEqual([3, 1])
  })

  it("a segment without a usable engine answer is sent again for another post after two days", async () => {
    const desk = await newDesk()
    const calls = watchEngine(answerBut("Thanks"))
    const again: number[] = []
    for (let day = 0; day < 6; day++) {
      calls.splice(0)
      const body = `${sentence(day)}\n\nThanks for reading.`
      await desk.create({ ...fields, title: `Day ${day}`, body, translation_languages: ["fr"] })
      await desk.run()
      if (asked(calls).includes("Thanks for reading.")) again.push(day)
      passSeconds(DAY_SECONDS)
    }
    expect(again).toEqual([0, 2, 4])
  })

  it("a segment without a usable engine answer is sent again at the end of a long post after two days", async () => {
    const desk = await newDesk()
    watchEngine(answerBut("Thanks"))
    const end = "Thanks for reading."
    for (let day = 0; day < 2; day++) {
      await desk.create({ ...fields, title: `Day ${day}`, body: end, translation_languages: ["fr"] })
      await desk.run()
      passSeconds(DAY_SECONDS)
    }
    const calls = watchEngine()
    const paragraphs = Array.from({ length: 1000 }, (_, n) => `Paragraph ${"of a long post ".repeat(4)}${n}.`)
    const body = [...paragraphs, end].join("\n\n")
    const { slug } = await desk.create({ ...fields, title: "Long", body, translation_languages: ["fr"] })
    await desk.run()
    expect(calls.length).toBeGreaterThan(MAX_ENGINE_CALLS)
    expect((await desk.translations(slug)).fr).toMatchObject({ status: "ready", warnings: [] })
  })

  it("a segment whose translation is too long with its character references is not sent again", async () => {
    const desk = await newDesk()
    const calls = watchEngine(async (segments) =>
      segments.map((text) => (text.includes("<") ? `<g id="1">a</g>${"&".repeat(200)}` : "Words.")),
    )
    const body = "Some **bold** words."
    const { slug } = await desk.create({ ...fields, body, translation_languages: ["fr"] })
    await desk.run()
    expect((await desk.get(slug, "fr")).json.post.body).toBe(body)
    calls.splice(0)
    await resave(desk, slug, { body: `${body}\n\nAnother paragraph.` })
    await desk.run()
    expect(asked(calls)).toEqual(["Another paragraph."])
    expect((await desk.get(slug, "fr")).json.post.body).toBe(`${body}\n\nWords.`)
  })
})

it("the daily job keeps the 50,000 most recently used segments of an account that has translated since yesterday", async () => {
  stopClock(new Date("2030-01-01T12:00:00Z"))
  const desk = await newDesk({ translation_languages: ["fr"] })
  await desk.create()
  await desk.run()
  const account = "(select id from accounts where username = ?)"
  await rows(
    `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${MAX_REMEMBERED_SEGMENTS})
     insert into remembered_segments (account_id, engine, from_code, to_code, hash, made_at, used_at)
     select ${account}, 'pseudo', 'en', 'de', n, 0, ${Date.now()} - n from number`,
    desk.username,
  )
  const summary = async () => {
    const [summed] = await rows(
      `select count(*) as kept, max(case to_code when 'de' then cast(hash as integer) end) as oldest
       from remembered_segments where account_id = ${account}`,
      desk.username,
    )
    return summed
  }
  const before = Number((await summary())?.["kept"])
  expect(before).toBeGreaterThan(MAX_REMEMBERED_SEGMENTS)
  vi.setSystemTime(new Date("2030-01-02T02:59:00Z"))
  await runCron()
  expect((await summary())?.["kept"]).toBe(before)
  vi.setSystemTime(new Date("2030-01-02T03:00:30Z"))
  await runCron()
  expect(await summary()).toEqual({ kept: MAX_REMEMBERED_SEGMENTS, oldest: 2 * MAX_REMEMBERED_SEGMENTS - before })
})
