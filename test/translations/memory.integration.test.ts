import { describe, expect, it, vi } from "vitest"

import { MAX_FAILED_ALONE, MAX_REMEMBERED_SEGMENTS } from "../../src/limits.ts"
import { deliver, env as bindings, passSeconds, rows, runCron, runTranslations, stopClock } from "../support.ts"
import { newDesk, newQueued, type QueuedPost, setUpTranslations } from "./author.ts"
import { mark, watchEngine } from "./engine.ts"

const DAY_SECONDS = 24 * 60 * 60

setUpTranslations()

const sentence = (n: number) => `Sentence number ${n} of the post.`
const paragraphs = (count: number, make = sentence) => Array.from({ length: count }, (_, n) => make(n)).join("\n\n")
/** Five of them fill a batch. */
const longParagraph = (n: number) => `Paragraph ${"of a long post ".repeat(60)}${n}.`
const HUNDRED = paragraphs(98)
const STUBBORN = "One.\n\nA stubborn one.\n\nTwo."

/** Creates and translates a post, then records the engine's calls. */
const newTranslated = async (body = HUNDRED) => {
  const post = await newQueued({ body })
  await post.run()
  passSeconds(1)
  const save = async (changes: Record<string, unknown>) => {
    await post.patch(changes)
    await post.run()
  }
  return { ...post, save, calls: watchEngine() }
}

const asked = (calls: { segments: string[] }[]): string[] => calls.flatMap(({ segments }) => segments)

const failure = { kind: "later", code: "engine_limit", message: "Enough.", afterSeconds: 60 } as const

/** Makes every remembered translation unusable. */
const spoilMemory = () => bindings.DB.exec(`UPDATE remembered_segments SET translation = '<g id="9">'`)

const answerBut = (bad: string) => async (segments: string[], _from: string, to: string) =>
  segments.map((text) => (text.includes(bad) ? "" : text.replaceAll(/[a-z]+/gi, `$&·${to}`)))
const nothing = async (segments: string[]) => segments.map(() => "")

/** With calls of 100 seconds, a run has time for eight. */
const CALLS_A_RUN = 8
const slowly =
  (answer: NonNullable<Parameters<typeof watchEngine>[0]>) =>
  async (...call: Parameters<typeof mark>) => {
    passSeconds(100)
    return answer(...call)
  }

const countedCharacters = async () =>
  Number((await rows("select sum(characters) as sum from translated_characters"))[0]?.["sum"])

/** Lists the warnings of segments that keep their earlier translation. */
const warningsOf = async ({ translation }: QueuedPost): Promise<string[]> => {
  const { warnings } = await translation()
  for (const { code } of warnings) expect(code).toBe("not_translated_again")
  return warnings.map(({ field, message }) => `${field}: ${message.slice(0, message.indexOf(" parts"))}`)
}

it("the migration that adds remembered_segments.failures keeps all rows and moves the failure mark into it", async () => {
  await newTranslated()
  const migration = bindings.MIGRATIONS.find(({ name }) => name.includes("failures_column"))?.queries ?? []
  const before = [
    "drop index remembered_failures",
    "alter table remembered_segments drop column failures",
    "create index remembered_failures on remembered_segments (account_id, to_code) where translation is null",
    "delete from remembered_segments",
    `insert into remembered_segments select account_id, 'e', 'en', 'fr', column1, column2, 1, 2 from posts,
     (values ('made', 'fait'), ('failed', null), ('older', char(10) || 'ancien' || char(10) || 'fini'))`,
  ]
  await bindings.DB.batch([...before, ...migration].map((sql) => bindings.DB.prepare(sql)))
  const kept = "select hash, translation, failures, made_at, used_at from remembered_segments order by hash"
  expect(await rows(kept)).toEqual([
    { hash: "failed", translation: null, failures: 2, made_at: 1, used_at: 2 },
    { hash: "made", translation: "fait", failures: 0, made_at: 1, used_at: 2 },
    { hash: "older", translation: "ancien\nfini", failures: 2, made_at: 1, used_at: 2 },
  ])
})

describe("remembered segments", () => {
  it("changing one of 98 translated paragraphs sends only that segment to the translation engine", async () => {
    const { save, bodyIn, translation, calls } = await newTranslated()
    await save({ body: HUNDRED.replace(sentence(42), "Something else.") })
    expect(asked(calls)).toEqual(["Something else."])
    expect(await bodyIn()).toContain("Something·fr else·fr.")
    expect(await bodyIn()).not.toContain("number·fr 42")
    expect(await translation()).toMatchObject({ status: "ready", segments: { done: 98, total: 98 } })
  })

  it.each([
    ["the same text", { title: "Hello world", body: HUNDRED }],
    ["another status", { status: "PB" }],
    ["other tags and categories", { tags: "a, b", categories: "c" }],
  ])("saving a translated post with %s sends nothing to the translation engine", async (_, changed) => {
    const { save, translation, calls } = await newTranslated()
    await save(changed)
    expect(calls).toEqual([])
    expect((await translation()).status).toBe("ready")
  })

  it("a segment that repeats in a post is sent to the translation engine once", async () => {
    const calls = watchEngine()
    const { run, bodyIn } = await newQueued({ body: "Same.\n\nSame.\n\n- Same." })
    await run()
    expect(asked(calls)).toEqual(["Hello world", "About things.", "Same."])
    expect(await bodyIn()).toBe("Same·fr.\n\nSame·fr.\n\n- Same·fr.")
  })

  it("stored segment translations are not used for another language or another account", async () => {
    const { save, calls } = await newTranslated()
    await save({ translation_languages: ["fr", "de"] })
    await (await newQueued({ body: HUNDRED })).run()
    expect(asked(calls)).toHaveLength(200)
  })

  it("POST to a translation sends all its segments again even if the post is saved before it is ready", async () => {
    const { repeat, save, calls } = await newTranslated()
    await repeat()
    await save({ body: `${HUNDRED}\n\n${sentence(101)}` })
    expect(asked(calls)).toHaveLength(101)
  })

  it("a stored segment translation is deleted 90 days after its last use", async () => {
    const { save, calls } = await newTranslated()
    passSeconds(80 * DAY_SECONDS)
    await save({ body: `${sentence(1)}\n\n${sentence(2)}` })
    passSeconds(20 * DAY_SECONDS)
    await runCron()
    const left = "select hash from remembered_segments join posts on posts.account_id = remembered_segments.account_id"
    expect(await rows(left)).toHaveLength(2)
    await save({ body: HUNDRED })
    expect(asked(calls)).toHaveLength(96)
  })
})

it("segments that an engine translated before it failed are not sent to it again", async () => {
  let isOut = false
  watchEngine(async (...call) => {
    if (isOut) return { failure }
    isOut = true
    return await answerBut("stubborn")(...call)
  })
  const post = await newQueued({ body: STUBBORN })
  await post.deliverNext()
  const waiting = { status: "queued", error: { code: "engine_limit" }, segments: { done: 4, total: 5 } }
  expect(await post.translation()).toMatchObject(waiting)
  const other = await newQueued({ body: STUBBORN }, post.desk)
  post.desk.wakeUps.sent.reverse()
  await post.deliverNext()
  expect(await other.translation()).toMatchObject(waiting)
  const later = watchEngine()
  await post.run()
  expect(asked(later)).toEqual(["A stubborn one."])
  expect(await post.translation()).toMatchObject({ status: "ready", warnings: [] })
})

describe("a post that takes several deliveries", () => {
  it("a translation fails after nine batches and 16 segments alone without a usable engine answer, even with a slow engine", async () => {
    const calls = watchEngine(slowly(nothing))
    const body = paragraphs(400, (n) => `Some${n} **bold${n}** words${n}, ${sentence(n)}`)
    const { run, translation } = await newQueued({ body })
    await run()
    expect(await translation()).toMatchObject({ status: "failed", error: { code: "not_translated" } })
    expect(calls).toHaveLength(9 + MAX_FAILED_ALONE)
  })

  it("a translation is not given up while an engine translates any of its segments", async () => {
    watchEngine(answerBut("stubborn"))
    const body = paragraphs(100, (n) => (n === 90 ? "A good one." : `A stubborn one, number ${n}.`))
    const { run, bodyIn } = await newQueued({ body })
    await run()
    expect(await bodyIn()).toContain("A·fr good·fr one·fr.")
  })

  it("a repeated translation keeps its earlier text after 16 segments without a usable engine answer, in two runs", async () => {
    const { repeat, deliverNext, run, translation } = await newTranslated()
    let left = 5
    const calls = watchEngine(async (segments) => (left-- > 0 ? segments.map(() => null) : { failure }))
    await repeat()
    await deliverNext()
    expect(await translation()).toMatchObject({ status: "queued", error: { code: "engine_limit" } })
    const failedTwice = "select 1 from remembered_segments where translation is not null and failures = 2"
    expect(await rows(failedTwice)).not.toEqual([])
    left = 1000
    await run()
    expect((await translation()).status).toBe("ready")
    // One of them was refused, and is asked again.
    expect(calls.filter(({ segments }) => segments.length === 1)).toHaveLength(MAX_FAILED_ALONE + 1)
  })

  it("a post is translated segment by segment if its engine answers no batch and few calls a run", async () => {
    let left = 0
    const calls = watchEngine(async (segments) => {
      if (left-- <= 0) return { failure }
      return segments.map((text) => (segments.length > 1 ? "" : `${text} translated`))
    })
    const { desk, deliverNext, translation, bodyIn } = await newQueued({ body: paragraphs(60) })
    for (let deliveries = 0; desk.wakeUps.sent.length > 0 && deliveries < 60; deliveries++) {
      left = 5
      await deliverNext()
    }
    expect(await translation()).toMatchObject({ status: "ready", warnings: [] })
    const [alone, batches] = [1, 2].map((least) =>
      calls.filter(({ segments }) => Math.min(segments.length, 2) === least),
    )
    // Of every six calls the last is refused, and made again.
    expect(new Set(asked(alone ?? [])).size).toBe(62)
    expect(batches).toHaveLength(2)
    expect(await bodyIn()).toContain(`${sentence(59)} translated`)
  })

  it("an engine's answer is kept if the database fails after it, and is not requested again", async () => {
    const calls = watchEngine(answerBut("stubborn"))
    const { desk, translation } = await newQueued({ body: STUBBORN })
    const [wakeUp] = desk.wakeUps.sent.splice(0, 1)
    passSeconds(wakeUp?.delaySeconds ?? 0)
    await bindings.DB.exec(
      "CREATE TRIGGER no_count BEFORE UPDATE ON translated_characters BEGIN SELECT RAISE(ABORT, 'Out of reach.'); END",
    )
    const outcome = await deliver(wakeUp?.body, { env: desk.env })
    await bindings.DB.exec("DROP TRIGGER no_count")
    expect(outcome).toEqual({ retryAfter: expect.any(Number) })
    expect(calls).toHaveLength(1)
    expect((await translation()).segments).toEqual({ done: 4, total: 5 })
    await deliver(wakeUp?.body, { env: desk.env })
    expect(asked(calls.slice(1))).toEqual(calls.slice(1).map(() => "A stubborn one."))
    expect(await translation()).toMatchObject({ status: "ready", segments: { done: 5, total: 5 } })
  })

  it("the translation of a post of 100 long paragraphs continues in further runs, and the API shows its progress", async () => {
    const calls = watchEngine(slowly(mark))
    const body = paragraphs(100, longParagraph)
    const { desk, deliverNext, translation } = await newQueued({ body, translation_languages: ["fr", "de"] })
    await deliverNext()
    expect(calls).toHaveLength(CALLS_A_RUN)
    const segments = { done: asked(calls).length, total: 102 }
    expect(await translation()).toMatchObject({ status: "queued", error: null, segments })
    expect(desk.wakeUps.sent.map(({ delaySeconds }) => delaySeconds)).toEqual([0])
    for (let deliveries = 0; desk.wakeUps.sent.length > 0 && deliveries < 20; deliveries++) await deliverNext()
    const french = asked(calls.filter(({ to }) => to === "fr"))
    expect([french.length, new Set(french).size]).toEqual([102, 102])
    expect([(await translation("fr")).status, (await translation("de")).status]).toEqual(["ready", "ready"])
    // One language after the other, although each took several deliveries.
    expect(calls.map(({ to }) => to).join()).toMatch(/^(fr,)+(de,?)+$/)
  })
})

describe("TRANSLATED_CHARACTERS_PER_DAY", () => {
  const LIMITED = { TRANSLATED_CHARACTERS_PER_DAY: "15" } as Partial<Env>
  const short = { title: "Ten letter", meta_description: "Ten letter", body: "Ten letter" }

  it("a translation over the daily character limit is queued with daily_limit until the next day (UTC)", async () => {
    vi.setSystemTime("2026-11-20T22:00:00Z")
    const calls = watchEngine()
    const first = await newQueued(short)
    const { wakeUps, env } = first.desk
    await runTranslations(wakeUps, LIMITED)
    const second = await newQueued({ ...short, body: "Other word" }, first.desk)
    await second.deliverNext(LIMITED)
    expect((await first.translation()).status).toBe("ready")
    expect(await second.translation()).toMatchObject({ status: "queued", error: { code: "daily_limit" } })
    wakeUps.sent.splice(0)
    vi.setSystemTime("2026-11-21T00:02:00Z")
    await runCron({ ...env, ...LIMITED })
    await runTranslations(wakeUps, LIMITED)
    expect(await second.translation()).toMatchObject({ status: "ready", error: null })
    expect(asked(calls)).toEqual(["Ten letter", "Other word"])
  })

  it("the daily character limit counts every request to an engine and no stored segment translation", async () => {
    const before = await countedCharacters()
    const calls = watchEngine(answerBut("stubborn"))
    const body = `${HUNDRED}\n\nA stubborn one.`
    const { patch, run } = await newQueued({ body, translation_languages: ["fr", "de"] })
    await run()
    await patch({ body: `${body}\n\nOne more.` })
    await run()
    expect((await countedCharacters()) - before).toBe(asked(calls).join("").length)
    expect(calls.length).toBeGreaterThan(8)
  })

  it("the daily character limit counts a segment again if its stored translation is unusable", async () => {
    const { save, calls } = await newTranslated()
    const before = await countedCharacters()
    await spoilMemory()
    await save({ body: `${HUNDRED}\n\nOne more.` })
    expect(asked(calls)).toHaveLength(99)
    expect((await countedCharacters()) - before).toBe(asked(calls).join("").length)
  })

  it("the daily character limit does not block a text whose stored segment translations are unusable", async () => {
    const { desk, patch, deliverNext, translation } = await newQueued(short)
    await runTranslations(desk.wakeUps, LIMITED)
    passSeconds(DAY_SECONDS)
    await spoilMemory()
    await patch({ body: "Ten letter\n\nOther word" })
    await deliverNext(LIMITED)
    expect(await translation()).toMatchObject({ status: "ready", error: null })
  })

  it("the daily character limit does not block a text without a usable engine answer", async () => {
    watchEngine(answerBut("stubborn"))
    const { deliverNext, translation } = await newQueued({ ...short, body: "A stubborn one" })
    await deliverNext({ TRANSLATED_CHARACTERS_PER_DAY: "30" })
    expect(await translation()).toMatchObject({ status: "ready", warnings: [{ field: "body" }] })
  })

  it("the daily character limit for translations is counted for each account separately", async () => {
    for (const { desk, translation } of [await newQueued(short), await newQueued(short)]) {
      await runTranslations(desk.wakeUps, LIMITED)
      expect((await translation()).status).toBe("ready")
    }
  })
})

describe("segments without a usable answer", () => {
  it("a segment without a usable engine answer keeps its source text, with a warning until a manual edit", async () => {
    watchEngine(answerBut("stubborn"))
    const { run, patch, translation, bodyIn } = await newQueued({ body: STUBBORN })
    await run()
    const warning = { code: "not_translated", field: "body", message: expect.stringMatching(/^1 of 3 parts/) }
    expect(await translation()).toMatchObject({ status: "ready", error: null, warnings: [warning] })
    expect(await bodyIn()).toBe("One·fr.\n\nA stubborn one.\n\nTwo·fr.")
    await patch({ lang_code: "fr", body: "Un.\n\nUn têtu.\n\nDeux." })
    expect((await translation()).warnings).toEqual([])
  })

  it("a segment without a usable engine answer keeps its earlier translation, in this post and in others", async () => {
    const post = await newTranslated("One.\n\nA stubborn one.")
    watchEngine(answerBut("stubborn"))
    await post.repeat()
    await post.run()
    expect(await post.bodyIn()).toBe("One·fr.\n\nA·fr stubborn·fr one·fr.")
    expect(await warningsOf(post)).toEqual(["body: 1 of 2"])
    const calls = watchEngine()
    const other = await newQueued({ body: "A stubborn one." }, post.desk)
    await post.run()
    expect(await other.bodyIn()).toBe("A·fr stubborn·fr one·fr.")
    expect(asked(calls)).toEqual([])
    expect((await other.translation()).warnings).toEqual([])
    await post.repeat()
    await post.run()
    expect(await warningsOf(post)).toEqual([])
  })

  it.each([
    ["short", "One.", 1],
    ["long", HUNDRED, 98],
  ])(
    "a repeated translation of a %s post without usable answers keeps its earlier text, with warnings",
    async (_, body, count) => {
      const post = await newTranslated(body)
      const { title, body: before } = (await post.desk.get(post.slug, "fr")).json.post
      const calls = watchEngine(nothing)
      await post.repeat()
      await post.run()
      expect(calls.length).toBeLessThanOrEqual(2 + MAX_FAILED_ALONE)
      expect((await post.desk.get(post.slug, "fr")).json.post).toMatchObject({ title, body: before })
      expect((await post.translation()).status).toBe("ready")
      const warnings = ["title: 1 of 1", "meta_description: 1 of 1", `body: ${count} of ${count}`]
      expect(await warningsOf(post)).toEqual(warnings)
    },
  )

  it("the warning of a repeated translation counts all segments with earlier text, even over several runs", async () => {
    const texts = paragraphs(150, (n) =>
      `${n % 15 === 0 ? "stubborn" : "Sentence number"} ${n} ${"and so on ".repeat(90)}`.trim(),
    )
    const post = await newTranslated(texts)
    const calls = watchEngine(slowly(answerBut("stubborn")))
    await post.repeat()
    await post.run()
    expect(calls.length).toBeGreaterThan(3 * CALLS_A_RUN)
    expect(await warningsOf(post)).toEqual(["body: 10 of 150"])
    expect(await post.bodyIn()).toContain("stubborn·fr 135")
  })

  it.each([
    ["nothing", "failed", nothing],
    ["only new segments", "ready", answerBut("Sentence")],
  ] as const)(
    "a translation with unusable stored segments ends if its engine translates %s",
    async (_, status, answer) => {
      const { desk, patch, deliverNext, translation } = await newTranslated()
      await spoilMemory()
      const calls = watchEngine(answer)
      await patch({ body: `${HUNDRED}\n\nOne more.` })
      for (let deliveries = 0; desk.wakeUps.sent.length > 0 && deliveries < 40; deliveries++) await deliverNext()
      expect(desk.wakeUps.sent).toEqual([])
      expect((await translation()).status).toBe(status)
      const alone = asked(calls.filter(({ segments }) => segments.length === 1))
      expect(new Set(alone).size).toBeGreaterThan(alone.length - 3)
    },
  )

  it("a translation run without a usable engine answer keeps what a concurrent run has stored", async () => {
    const post = { body: "A stubborn one." }
    const { desk, run } = await newQueued(post)
    const [slow] = desk.wakeUps.sent.splice(0)
    await newQueued(post, desk)
    watchEngine(async (...call) => {
      watchEngine()
      await run()
      watchEngine(answerBut("stubborn"))
      return answerBut("stubborn")(...call)
    })
    passSeconds(5)
    await deliver(slow?.body, { env: desk.env })
    const { bodyIn } = await newQueued(post, desk)
    await run()
    expect(await bodyIn()).toBe("A·fr stubborn·fr one·fr.")
  })

  it("a segment without a usable engine answer is sent again for another post after two days", async () => {
    const desk = await newDesk()
    const calls = watchEngine(answerBut("Thanks"))
    const again: number[] = []
    for (let day = 0; day < 6; day++) {
      calls.splice(0)
      await newQueued({ title: `Day ${day}`, body: `${sentence(day)}\n\nThanks for reading.` }, desk)
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
      await newQueued({ title: `Day ${day}`, body: end }, desk)
      await desk.run()
      passSeconds(DAY_SECONDS)
    }
    const calls = watchEngine(slowly(mark))
    const { translation } = await newQueued(
      { title: "Long", body: `${paragraphs(100, longParagraph)}\n\n${end}` },
      desk,
    )
    await desk.run()
    expect(calls.length).toBeGreaterThan(CALLS_A_RUN)
    expect(await translation()).toMatchObject({ status: "ready", warnings: [] })
  })

  it("a segment whose translation is too long with its character references is not sent again", async () => {
    const calls = watchEngine(async (segments) =>
      segments.map((text) => (text.includes("<") ? `<g id="1">a</g>${"&".repeat(200)}` : "Words.")),
    )
    const body = "Some **bold** words."
    const { run, patch, bodyIn } = await newQueued({ body })
    await run()
    expect(await bodyIn()).toBe(body)
    calls.splice(0)
    await patch({ body: `${body}\n\nAnother paragraph.` })
    await run()
    expect(asked(calls)).toEqual(["Another paragraph."])
    expect(await bodyIn()).toBe(`${body}\n\nWords.`)
  })
})

it("the daily job keeps the 50,000 most recently used segments of an account that has translated since yesterday", async () => {
  stopClock(new Date("2030-01-01T12:00:00Z"))
  const { desk, run } = await newQueued()
  await run()
  const account = "(select id from accounts where username = ?)"
  await rows(
    `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${MAX_REMEMBERED_SEGMENTS})
     insert into remembered_segments (account_id, engine, from_code, to_code, hash, made_at, used_at)
     select ${account}, 'pseudo', 'en', 'de', n, 0, ${Date.now()} - n from number`,
    desk.username,
  )
  const summary = `select count(*) as kept, max(case to_code when 'de' then cast(hash as integer) end) as oldest
    from remembered_segments where account_id = ${account}`
  const kept = async () => (await rows(summary, desk.username))[0]
  const before = Number((await kept())?.["kept"])
  expect(before).toBeGreaterThan(MAX_REMEMBERED_SEGMENTS)
  vi.setSystemTime(new Date("2030-01-02T02:59:00Z"))
  await runCron()
  expect((await kept())?.["kept"]).toBe(before)
  vi.setSystemTime(new Date("2030-01-02T03:00:30Z"))
  await runCron()
  expect(await kept()).toEqual({ kept: MAX_REMEMBERED_SEGMENTS, oldest: 2 * MAX_REMEMBERED_SEGMENTS - before })
})
