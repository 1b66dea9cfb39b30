// Dear and ordinary requests in turn, and a neighbour meanwhile.
import { setTimeout as sleep } from "node:timers/promises"

import { Failure } from "../../scripts/cli.ts"
import type { Scene } from "../../test/prices/requests.ts"
import { sendTo } from "./accounts.ts"

const CONNECTIONS = 4
/** Milliseconds of a round of the neighbour's three calls: more creations would be above its limit of writes. */
const ROUND_MS = 250
/** Milliseconds before the call after one that was refused. */
const REFUSED_MS = 100

/** Sends a request for an account, with a number that no other call of it has. @returns the status */
export type Call = (n: number) => Promise<number>

/** The dear requests of a route, and the same ones for an ordinary account. */
export interface Contest {
  name: string
  dear: Call
  ordinary: Call
  /** Calls that the service accepts in a minute. */
  perMinute: number
}

interface Wave {
  first: number
  most: number
  /** When no further call begins, by the clock of `performance`. */
  end: number
  /** Milliseconds between the beginnings of two calls. */
  pauseMs: number
}

interface Sent {
  calls: number
  accepted: number
  ms: number
}

/** Makes calls on four connections. */
const attack = async (call: Call, { first, most, end, pauseMs }: Wave): Promise<Sent> => {
  const began = performance.now()
  const sent: Sent = { calls: 0, accepted: 0, ms: 0 }
  const connect = async () => {
    while (sent.calls < most && performance.now() < end) {
      const n = sent.calls++
      const early = began + n * pauseMs - performance.now()
      if (early > 0) await sleep(early)
      const status = await call(first + n)
      // A page that is not there costs as much as another.
      if (status < 400 || status === 404) sent.accepted += 1
      else await sleep(REFUSED_MS)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connect))
  sent.ms = performance.now() - began
  return sent
}

/** The milliseconds of the neighbour's calls. */
export type Times = Record<"get" | "page" | "create", number[]>
export const newTimes = (): Times => ({ get: [], page: [], create: [] })

let created = 0

const callsOf = ({ origin, username, key }: Scene): Record<keyof Times, () => Promise<Response>> => {
  const send = sendTo(origin)
  const headers = { "X-API-KEY": key }
  const slug = `${username}-20`
  const fields = { title: "A title", status: "PB", categories: "news", meta_description: "About.", body: "Some words." }
  return {
    get: () => send(`/api/blogcontroller/posts/${slug}/`, { headers }),
    page: () => send(`/@${username}/${slug}/`),
    create: () => {
      created += 1
      const body = JSON.stringify({ ...fields, slug: `created-${created}` })
      return send("/api/blogcontroller/posts/", { method: "POST", headers, body })
    },
  }
}

/** Makes the neighbour's calls, one after the other, until a time, and notes how long each takes. */
const beNeighbour = async (scene: Scene, end: number, times: Times): Promise<void> => {
  const calls = Object.entries(callsOf(scene)) as [keyof Times, () => Promise<Response>][]
  while (performance.now() < end) {
    const round = performance.now()
    for (const [name, call] of calls) {
      const began = performance.now()
      const answer = await call()
      await answer.arrayBuffer()
      if (!answer.ok) throw new Failure(`The neighbour's ${name} was answered ${answer.status}.`)
      times[name].push(performance.now() - began)
    }
    const rest = ROUND_MS - (performance.now() - round)
    if (rest > 0) await sleep(rest)
  }
}

/** The neighbour's times beside dear and beside ordinary requests, and the number of these. */
export interface Outcome {
  beside: Times
  without: Times
  calls: number
  accepted: number
}

/** Lets dear and ordinary requests take turns of some seconds, an equal number of each, and measures the neighbour meanwhile. */
export const contend = async (
  { dear, ordinary, perMinute }: Contest,
  neighbour: Scene,
  { turns, seconds }: { turns: number; seconds: number },
): Promise<Outcome> => {
  const outcome: Outcome = { beside: newTimes(), without: newTimes(), calls: 0, accepted: 0 }
  const most = Math.max(1, Math.round((perMinute * seconds) / 60))
  for (let turn = 0; turn < turns; turn++) {
    const first = outcome.calls + 1
    const end = performance.now() + seconds * 1000
    const [sent] = await Promise.all([
      attack(dear, { first, most, end, pauseMs: 0 }),
      beNeighbour(neighbour, end, outcome.beside),
    ])
    const { calls, accepted, ms } = sent
    await Promise.all([
      attack(ordinary, { first, most: calls, end: Infinity, pauseMs: ms / calls }),
      beNeighbour(neighbour, performance.now() + seconds * 1000, outcome.without),
    ])
    outcome.calls += calls
    outcome.accepted += accepted
  }
  return outcome
}
