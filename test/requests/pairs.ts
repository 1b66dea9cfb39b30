import { vi } from "vitest"

import { Browser, newLink, whereTo } from "../author-pages/browser.ts"
import { formTo } from "../author-pages/forms.ts"
import { put, remove } from "../calls.ts"
import { tapD1 } from "../faults.ts"
import { again } from "../faults/pages.ts"
import { plain } from "../faults/search.ts"
import { wipeStorage } from "../storage.ts"
import { type Answer, API, call, deliver, passSeconds, rows, stopClock } from "../support.ts"
import { newDesk, newQueued } from "../translations/author.ts"
import { holdEngine } from "../translations/engine.ts"

// Two writes of one post, whose calls of D1 take turns, must answer and leave what they do if one comes after the other. That,
// in turn, is what sequences.ts compares with the model.

/** A draft with a translation that waits for approval, and one that is queued. */
const open = async () => {
  vi.restoreAllMocks()
  await wipeStorage()
  stopClock(new Date("2026-03-01T12:00:00Z"))
  const desk = await newDesk({ translation_review: "hold" })
  await call("POST", `${API}/webhooks/`, { key: desk.key, json: { url: "https://hooks.example/" } })
  const post = await newQueued({ slug: "a-post", status: "DF" }, desk)
  await post.run()
  await post.patch({ translation_languages: ["fr", "de"] })
  return post
}

type Scene = Awaited<ReturnType<typeof open>>

/** Prepares a write of a post. @returns what sends it: from then on its calls of D1 take turns */
type Write = (scene: Scene, env: Partial<Env>) => Promise<() => Promise<string>>

const word = ({ status, json }: Answer): string => [status, json?.code].filter(Boolean).join(" ")

const sending =
  (send: (scene: Scene, env: Partial<Env>) => Promise<Answer>): Write =>
  async (scene, env) =>
  async () =>
    word(await send(scene, env))

const pathOf = ({ slug }: Scene): string => `${API}/posts/${slug}/`
const FRENCH_AND_GERMAN = { primary_language: "en", translation_languages: ["fr", "de"] }

/** The writes of a post, each of another kind. */
const WRITES = {
  PATCH: sending((scene, env) =>
    call("PATCH", pathOf(scene), {
      key: scene.desk.key,
      json: { lang_code: "en", ...FRENCH_AND_GERMAN, title: "By PATCH", tags: "patched" },
      env,
    }),
  ),
  PUT: sending(({ desk, slug }, env) => put(desk, slug, { ...FRENCH_AND_GERMAN, body: "By *PUT*." }, { env })),
  DELETE: sending(({ desk, slug }, env) => remove(desk, slug, { env })),
  "publish by form": async ({ desk, slug }, env) => {
    const browser = new Browser()
    await browser.post(await newLink(desk.username))
    const path = `/settings/posts/${slug}/`
    const fields = formTo((await browser.get(path)).html, path)
    return async () => String(whereTo(await again(browser, env).post(path, { ...fields, action: "publish" })))
  },
  approve: sending((scene, env) =>
    call("POST", `${pathOf(scene)}translations/fr/approve/`, { key: scene.desk.key, json: {}, env }),
  ),
  "a translation's end": async ({ desk }, env) => {
    const engine = holdEngine()
    const [wakeUp] = desk.wakeUps.sent.splice(0, 1)
    passSeconds(wakeUp?.delaySeconds ?? 0)
    const run = deliver(wakeUp?.body, { env })
    const asked = await engine.next()
    return async () => {
      asked.finish()
      return JSON.stringify(await run)
    }
  },
} satisfies Record<string, Write>

type Kind = keyof typeof WRITES

/** A write whose calls of D1 wait, once it is sent, until it is their turn. */
const newActor = async (write: Write, scene: Scene) => {
  const waiting: (() => Promise<void>)[] = []
  let isSent = false
  let answer: string | undefined
  let wakeUp = Promise.withResolvers<void>()
  const around = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (!isSent) return ask()
    const turn = Promise.withResolvers<void>()
    const asked = turn.promise.then(ask)
    waiting.push(async () => {
      turn.resolve()
      await asked.catch(() => {})
    })
    wakeUp.resolve()
    return asked
  }
  const send = await write(scene, { DB: tapD1({ around }), TRANSLATIONS: scene.desk.env.TRANSLATIONS })
  /** Waits until the next call of D1, or the answer. */
  const settle = async (): Promise<void> => {
    if (waiting.length === 0 && answer === undefined) await wakeUp.promise
  }
  return {
    start: async () => {
      isSent = true
      send().then(
        (said) => {
          answer = said
          return wakeUp.resolve()
        },
        (error: unknown) => wakeUp.reject(error),
      )
      await settle()
    },
    step: async () => {
      wakeUp = Promise.withResolvers()
      await waiting.shift()?.()
      await settle()
    },
    answer: () => answer,
  }
}

const TABLES = ["posts", "texts", "post_labels", "webhook_deliveries", "leases"]

/** Returns what is stored of the post, but for what differs from scene to scene. */
const look = async (): Promise<string[]> => {
  const found = await Promise.all(TABLES.map((table) => rows(`select * from "${table}"`)))
  // The secret of the preview link, and ids of events.
  return found.flat().map((row) => plain(row).replaceAll(/"preview_token":"[^"]*"|evt_\w+/g, "RANDOM"))
}

interface Ran {
  /** Whose turn it was at each call of D1: 0 or 1. */
  turns: (0 | 1)[]
  /** The turns before the last one that the first write took although the second one could have; null if there is none. */
  untilChoice: (0 | 1)[] | null
  /** The answers, and what is left. */
  outcome: string
}

/** Runs two writes in turns: in those given, then the first one as long as it can. */
const runInTurns = async (pair: [Kind, Kind], given: (0 | 1)[]): Promise<Ran> => {
  const scene = await open()
  const actors = [await newActor(WRITES[pair[0]], scene), await newActor(WRITES[pair[1]], scene)] as const
  for (const actor of actors) await actor.start()
  const turns: (0 | 1)[] = []
  let untilChoice: Ran["untilChoice"] = null
  while (!actors.every((actor) => actor.answer() !== undefined)) {
    const wanted = given[turns.length] ?? 0
    const other = wanted === 0 ? 1 : 0
    const turn = actors[wanted].answer() === undefined ? wanted : other
    if (turn === 0 && actors[1].answer() === undefined) untilChoice = [...turns]
    turns.push(turn)
    await actors[turn].step()
  }
  const answers = actors.map((actor) => actor.answer())
  return { turns, untilChoice, outcome: [plain(answers), ...(await look()).toSorted()].join("\n") }
}

const FIRST_ALONE: (0 | 1)[] = []
/** More turns than a write has calls. */
const SECOND_ALONE = Array<0 | 1>(50).fill(1)

export interface Misfit {
  turns: string
  outcome: string
}

/** Lists the runs whose outcome is neither that of the first nor of the last one, in which one write comes after the other. */
const misfitsIn = (runs: Ran[]): Misfit[] => {
  const serial = new Set([runs.at(0)?.outcome, runs.at(-1)?.outcome])
  const misfits = runs.filter(({ outcome }) => !serial.has(outcome))
  return misfits.map(({ turns, outcome }) => ({ turns: turns.join(""), outcome }))
}

/** Runs two writes in given turns. @returns the orders whose outcome is that of neither write after the other */
export const tryTurns = async (pair: [Kind, Kind], orders: (0 | 1)[][]): Promise<Misfit[]> => {
  const runs: Ran[] = []
  for (const order of [FIRST_ALONE, ...orders, SECOND_ALONE]) runs.push(await runInTurns(pair, order))
  return misfitsIn(runs)
}

/** Runs two writes in every order of their calls. @returns how many there are, and those whose outcome fits no order of the writes */
export const tryAllTurns = async (pair: [Kind, Kind]): Promise<{ count: number; misfits: Misfit[] }> => {
  const runs: Ran[] = []
  for (let next: (0 | 1)[] | null = FIRST_ALONE; next;) {
    const ran: Ran = await runInTurns(pair, next)
    runs.push(ran)
    next = ran.untilChoice && [...ran.untilChoice, 1]
  }
  return { count: runs.length, misfits: misfitsIn(runs) }
}

const KINDS = Object.keys(WRITES) as Kind[]

/** The kinds of writes in pairs, each with itself as well, but for the end of a translation: the lease lets one run at a time. */
export const PAIRS = KINDS.flatMap((first, i) => KINDS.slice(i).map((second): [Kind, Kind] => [first, second])).slice(
  0,
  -1,
)
