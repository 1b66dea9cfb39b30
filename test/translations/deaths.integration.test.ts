import { expect, it, vi } from "vitest"

import type { WakeUp } from "../../src/posts/commit.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { faulty, tapD1 } from "../faults.ts"
import { shuffle } from "../markdown/generate.ts"
import { randomFrom } from "../random.ts"
import { deliver, passSeconds, runCron } from "../support.ts"
import { type Desk, newQueued, setUpTranslations } from "./author.ts"

const LANGUAGES = ["fr", "de", "it"]
const HALF_HOURS = 8

setUpTranslations()

/** Stops a run at its n-th call to a binding or the engine, which takes effect, and never returns. */
const newDeath = (nth: number) => {
  const { promise: died, resolve } = Promise.withResolvers<"died">()
  let calls = 0
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1
    if (calls > nth) return new Promise<never>(() => {})
    if (calls < nth) return call()
    await call()
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

/** Counts overlapping calls of the engine. Calls of a dead run do not count. */
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

/** More than one batch. */
const bodyOf = (name: string) =>
  `# ${name} one\n\nA *second* part.\n\n${Array.from({ length: 50 }, (_, i) => `- ${name} item ${i}`).join("\n")}`
const marked = (text: string, lang: string) => text.replaceAll(/\p{L}+/gu, `$&·${lang}`)

/** Delivers messages as a queue may: some twice, in another order, some never. */
const playOut = async (desk: Desk, random: () => number): Promise<void> => {
  for (let i = 0; i < 20 && desk.wakeUps.sent.length > 0; i++) {
    const messages = desk.wakeUps.sent.splice(0).filter(() => random() > 0.2)
    const doubled = shuffle([...messages, ...messages.filter(() => random() < 0.5)], random)
    passSeconds(Math.max(0, ...doubled.map(({ delaySeconds }) => delaySeconds)))
    await Promise.all(doubled.map(({ body }) => deliver(body, { env: desk.env })))
  }
}

/** Lets a run die at a call, saves the post or not, and reads the texts hours later. @returns null when the run did not die */
const live = async (nth: number, isSaved: boolean) => {
  const random = randomFrom(nth)
  const { desk, slug, patch, bodyIn } = await newQueued({ body: bodyOf("old"), translation_languages: LANGUAGES })
  const [wakeUp] = desk.wakeUps.sent.splice(0)
  passSeconds(5)
  const death = newDeath(nth)
  const seen = watchOverlaps()
  seen.death = death
  const end = await Promise.race([deliver(wakeUp?.body, { env: mortal(desk, death) }), death.died])
  seen.death = null
  if (end !== "died") return null
  const body = bodyOf(isSaved ? "new" : "old")
  if (isSaved) await patch({ body })
  for (let i = 0; i < HALF_HOURS; i++) {
    await playOut(desk, random)
    passSeconds(30 * 60)
    await runCron(desk.env)
  }
  await desk.run()
  const translations = await desk.translations(slug)
  const found = await Promise.all(
    LANGUAGES.map(async (lang) => [translations[lang]?.status, translations[lang]?.title, await bodyIn(lang)]),
  )
  const expected = LANGUAGES.map((lang) => ["ready", marked("Hello world", lang), marked(body, lang)])
  vi.restoreAllMocks()
  return { found, expected, overlapping: seen.most > 1 }
}

// A run that dies before a call leaves what one leaves that dies after the call before it.
it.each<[string, boolean]>([
  ["not saved", false],
  ["saved", true],
])(
  "every text is translated if a translation run dies after any of its calls and the post is %s meanwhile",
  async (_, isSaved) => {
    let deaths = 0
    for (;;) {
      const end = await live(deaths + 1, isSaved)
      if (!end) break
      deaths += 1
      expect(end.found, `death ${deaths}`).toEqual(end.expected)
      expect(end.overlapping, `death ${deaths}`).toBe(false)
    }
    // Claim, memory; budget, engine, memory with progress; budget, engine; memory with text, wake-up.
    expect(deaths).toBeGreaterThanOrEqual(9)
  },
)
