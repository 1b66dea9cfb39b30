import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import type { WakeUp } from "../../src/posts/wake.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { faulty, tapD1 } from "../faults.ts"
import { randomFrom, shuffle } from "../markdown/generate.ts"
import { deliver, env as bindings, passSeconds, runCron, stopClock } from "../support.ts"
import { type Desk, newDesk } from "./author.ts"

const LANGUAGES = ["fr", "de", "it"]
const HALF_HOURS = 8

beforeEach(() => stopClock())
// The cron sees every post: none may be left to the next test.
afterEach(async () => {
  vi.restoreAllMocks()
  await bindings.DB.exec("DELETE FROM posts")
})

type Moment = "before" | "after"

/** Kills a run at its n-th call of a binding or the engine, before or after it takes effect: the run never hears of it. */
const newDeath = (moment: Moment, nth: number) => {
  const { promise: died, resolve } = Promise.withResolvers<"died">()
  let calls = 0
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1
    if (calls > nth) return new Promise<never>(() => {})
    if (calls < nth) return call()
    if (moment === "after") await call()
    resolve("died")
    return new Promise<never>(() => {})
  }
  return { died, around }
}

type Death = ReturnType<typeof newDeath>

const mortal = (desk: Desk, { around }: Death): Partial<Env> => ({
  ...desk.env,
  DB: tapD1({ around }),
  TRANSLATIONS: faulty(desk.env.TRANSLATIONS, {
    send: (body: WakeUp, options?: QueueSendOptions) => around(() => desk.env.TRANSLATIONS.send(body, options)),
  }),
})

/** The engine, watched for calls for a post that overlap; those of the dead are over. */
const watchOverlaps = () => {
  const real = pseudo.translate
  let underWay = 0
  const seen = { most: 0, death: null as Death | null }
  vi.spyOn(pseudo, "translate").mockImplementation(async (...args) => {
    underWay += 1
    seen.most = Math.max(seen.most, underWay)
    const answer = seen.death ? seen.death.around(() => real(...args)) : real(...args)
    if (seen.death) void seen.death.died.then(() => (underWay = 0))
    const texts = await answer
    underWay -= 1
    return texts
  })
  return seen
}

/** More than the engine takes at once. */
const bodyOf = (name: string) =>
  [`# ${name} one`, "", "A *second* part.", "", ...Array.from({ length: 50 }, (_, i) => `- ${name} item ${i}`)].join(
    "\n",
  )
const marked = (text: string, lang: string) => text.replaceAll(/\p{L}+/gu, `$&·${lang}`)

/** Messages as a queue may hand them out: doubled, in another order, some of them never. */
const playOut = async (desk: Desk, random: () => number): Promise<void> => {
  for (let i = 0; i < 20 && desk.wakeUps.sent.length > 0; i++) {
    const messages = desk.wakeUps.sent.splice(0).filter(() => random() > 0.2)
    const doubled = shuffle([...messages, ...messages.filter(() => random() < 0.5)], random)
    passSeconds(Math.max(0, ...doubled.map(({ delaySeconds }) => delaySeconds)))
    await Promise.all(doubled.map(({ body }) => deliver(body, { env: desk.env })))
  }
}

/** A run that dies at a call, a save in between or not, and what is there hours later. @returns null when the run outlived it */
const live = async (moment: Moment, nth: number, isSaved: boolean) => {
  const random = randomFrom(nth)
  const desk = await newDesk()
  const fields = { title: "The title", meta_description: "What it says.", body: bodyOf("old") }
  const { slug } = await desk.create({ ...fields, translation_languages: LANGUAGES })
  const [wakeUp] = desk.wakeUps.sent.splice(0)
  passSeconds(5)
  const death = newDeath(moment, nth)
  const seen = watchOverlaps()
  seen.death = death
  const end = await Promise.race([deliver(wakeUp?.body, { env: mortal(desk, death) }), death.died])
  seen.death = null
  if (end !== "died") return null
  const body = bodyOf(isSaved ? "new" : "old")
  if (isSaved) await desk.patch(slug, { translation_languages: LANGUAGES, body })
  for (let i = 0; i < HALF_HOURS; i++) {
    await playOut(desk, random)
    passSeconds(30 * 60)
    await runCron(desk.env)
  }
  await desk.run()
  const translations = await desk.translations(slug)
  const found = await Promise.all(
    LANGUAGES.map(async (lang) => {
      const { post } = (await desk.get(slug, lang)).json
      return [lang, translations[lang]?.status, post?.title, post?.body]
    }),
  )
  const expected = LANGUAGES.map((lang) => [lang, "ready", marked("The title", lang), marked(body, lang)])
  vi.restoreAllMocks()
  return { found, expected, overlapping: seen.most > 1 }
}

describe("a run that dies at any of its calls, among messages doubled, in another order and lost", () => {
  it.each<[Moment, boolean]>([
    ["before", false],
    ["after", false],
    ["before", true],
    ["after", true],
  ])("%s the call takes effect, with a save behind it: %s", async (moment, isSaved) => {
    let deaths = 0
    for (;;) {
      const end = await live(moment, deaths + 1, isSaved)
      if (!end) break
      deaths += 1
      expect(end.found, `death ${deaths}`).toEqual(end.expected)
      expect(end.overlapping, `death ${deaths}`).toBe(false)
    }
    // Claim, memory; budget, engine, memory with progress; budget, engine; memory with text, wake-up.
    expect(deaths).toBeGreaterThanOrEqual(9)
  })
})
