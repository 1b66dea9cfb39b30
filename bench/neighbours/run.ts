// Measures what the dearest requests of an account cost another one. See README.md.
import { join } from "node:path"

import { main } from "../../scripts/cli.ts"
import { runTool } from "../../scripts/tools.ts"
import { NoForm } from "../../test/author-pages/forms.ts"
import { FULL, type Holdings, SMALL } from "../../test/prices/fill.ts"
import { initOf, PRICES, type PricedRequest, type Scene, THE_EDGE } from "../../test/prices/requests.ts"
import { startBenchService } from "../service.ts"
import { putIn, setting, table } from "../shared.ts"
import { makeAccount, sendTo, signIn } from "./accounts.ts"
import { type Call, contend, type Contest, newTimes, type Outcome, type Times } from "./contend.ts"

/** Seconds of dear requests for each route, and of ordinary ones. */
const SECONDS = setting("SECONDS", 4)
const TURN_SECONDS = Math.min(2, SECONDS)
const WARM_UP_SECONDS = 5
/** The routes whose names match: `ROUTES=posts`. */
const { ROUTES } = process.env
/** Calls a minute that the service accepts of an account: of reads, the page of each form is one. */
const ACCEPTED = { reads: 900, writes: 300, expensive: 20 }
/** Calls a minute of what the edge keeps for an hour: it forgets that once a minute at most. */
const KEPT = 1
/** The most that the neighbour may take beside dear requests, as a multiple of what it takes beside ordinary ones. */
const BAR = { p50: 1.5, p99: 3 }
/** Milliseconds after which the authors sign in again: some routes need a sign-in of the last ten minutes. */
const SIGN_IN_MS = 300_000

/** The account of the dear requests: with one endpoint, four more can be added at once. */
const DEAR: Holdings = { ...FULL, endpoints: 1 }
/** The account of the ordinary requests. */
const ORDINARY: Holdings = { ...SMALL, posts: 1000, scheduled: 1000, translated: 600, endpoints: 1 }

/** The requests that can be sent again and again, without another one before. Matches `/sign-out/`. */
const isSendable = ({ as, method, path, special, file, prepare, isLast }: PricedRequest): boolean =>
  ["reader", "key", "author"].includes(as) &&
  [special, file, prepare, isLast].every((one) => one === undefined) &&
  // Endpoints are added and deleted in turn. The others end the session.
  !(method !== "GET" && /webhooks\/(?:delete\/|\{hook1\}\/)?$|sign-out|end-all/.test(path))

/** The posts that may be handled once, from the first on: of each kind of requests that a minute accepts. */
const POSTS_OF_KIND = 320
const FIRST_POSTS = [/\/approve\/$/, /^\/api\//, /\/delete\/$/]

/** Returns the request with the posts of a later call: each can be deleted or approved once. */
const nth = (request: PricedRequest, n: number): PricedRequest => {
  if (request.method !== "DELETE" && !/\/(?:delete|approve)\/$/.test(request.path)) return request
  const first = 31 + POSTS_OF_KIND * FIRST_POSTS.findIndex((kind) => kind.test(request.path))
  // Matches `{p6}` and `{s2}`. Does not match `{user}`.
  const later = JSON.stringify(request).replaceAll(/\{([ps])\d+\}/g, (_, kind: string) => `{${kind}${first + n}}`)
  return JSON.parse(later) as PricedRequest
}

const GONE = 410

const callOf = (request: PricedRequest, scene: Scene): Call => {
  const send = sendTo(scene.origin)
  return async (n) => {
    const init = await initOf(nth(request, n), scene, send).catch((error: unknown) => {
      if (error instanceof NoForm) return null
      throw error
    })
    // As a form to approve what other requests have approved.
    if (!init) return GONE
    const answer = await send(...init)
    await answer.arrayBuffer()
    return answer.status
  }
}

const ENDPOINTS = "POST and DELETE /api/blogcontroller/webhooks/"

/** Adds an endpoint and deletes it: an account has five at most. */
const callEndpoints = ({ origin, key }: Scene): Call => {
  const send = sendTo(origin)
  const headers = { "X-API-KEY": key }
  return async (n) => {
    const body = JSON.stringify({ url: `https://dear-${n}.example/` })
    const added = await send("/api/blogcontroller/webhooks/", { method: "POST", headers, body })
    const { webhook } = await added.json<{ webhook?: { id: string } }>()
    if (!webhook) return added.status
    return (await send(`/api/blogcontroller/webhooks/${webhook.id}/`, { method: "DELETE", headers })).status
  }
}

const perMinuteOf = (route: string, { method, as }: PricedRequest): number => {
  const limiter = PRICES[route]?.limiter
  if (limiter === "EXPENSIVE_CALL_LIMITER") return ACCEPTED.expensive
  if (limiter === THE_EDGE) return KEPT
  if (method !== "GET") return ACCEPTED.writes
  return as === "reader" ? Infinity : ACCEPTED.reads
}

/** Sends each request of a route once. @returns the slowest one that is accepted; null without one */
const dearestOf = async (requests: PricedRequest[], scene: Scene): Promise<PricedRequest | null> => {
  let found: { request: PricedRequest; ms: number } | null = null
  for (const request of requests) {
    const call = callOf(request, scene)
    // The first one may have to wait for what others have left.
    await call(-1)
    const began = performance.now()
    const status = await call(0)
    const ms = performance.now() - began
    if ((status < 400 || status === request.status) && (!found || ms > found.ms)) found = { request, ms }
  }
  return found?.request ?? null
}

/** Returns the contest of a route; null if none of its requests is accepted. */
const openContest = async (route: string, full: Scene, ordinary: Scene): Promise<Contest | null> => {
  if (route === ENDPOINTS) {
    const perMinute = ACCEPTED.writes / 2
    return { name: route, dear: callEndpoints(full), ordinary: callEndpoints(ordinary), perMinute }
  }
  const request = await dearestOf(PRICES[route]?.requests.filter(isSendable) ?? [], full)
  if (!request) return null
  const { method, path, name } = request
  return {
    name: `${method} ${path.slice(0, 70)}${name === undefined ? "" : `, ${name}`}`,
    dear: callOf(request, full),
    ordinary: callOf(request, ordinary),
    perMinute: perMinuteOf(route, request),
  }
}

const quantile = (times: number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(times.length * part) - 1)] ?? NaN

/** Returns the cells of a row: both quantiles beside dear and beside ordinary requests, and their ratios. */
const compare = (beside: number[], without: number[]): string[] => {
  const [p50, p99] = [0.5, 0.99].map((part) => [quantile(beside, part), quantile(without, part)] as const)
  if (!p50 || !p99) return []
  const ratios = { p50: p50[0] / p50[1], p99: p99[0] / p99[1] }
  const isAbove = ratios.p50 > BAR.p50 || ratios.p99 > BAR.p99
  return [
    ...[...p50, ...p99].map((ms) => `${ms.toFixed(0)} ms`),
    ratios.p50.toFixed(2),
    ratios.p99.toFixed(2),
    isAbove ? "above" : "within",
  ]
}

const COMPARED = ["p50 beside dear", "ordinary", "p99 beside dear", "ordinary", "p50, ratio", "p99, ratio", "bar"]
const NAMES = ["get", "page", "create"] as const
const flat = (times: Times): number[] => NAMES.flatMap((name) => times[name])

const tablesOf = (outcomes: [string, Outcome][]): Record<string, string> => {
  const sums = { beside: newTimes(), without: newTimes() }
  for (const [, { beside, without }] of outcomes)
    for (const name of NAMES) {
      sums.beside[name].push(...beside[name])
      sums.without[name].push(...without[name])
    }
  const rows = outcomes.map(([name, { calls, accepted, beside, without }]) => [
    name,
    calls,
    accepted,
    ...compare(flat(beside), flat(without)),
  ])
  return {
    all: table([
      ["neighbour's call", ...COMPARED],
      ...NAMES.map((name) => [name, ...compare(sums.beside[name], sums.without[name])]),
    ]),
    routes: table([["dear requests", "sent", "accepted", ...COMPARED], ...rows]),
  }
}

await main(async () => {
  const service = await startBenchService()
  try {
    const full = await makeAccount(service, "full", 1, DEAR)
    const ordinary = await makeAccount(service, "ordinary", 2, ORDINARY)
    const neighbour = await makeAccount(service, "neighbour", 3, SMALL)
    const wanted = new RegExp(ROUTES ?? "")
    const routes = [...Object.keys(PRICES), ENDPOINTS].filter((route) => wanted.test(route))
    const outcomes: [string, Outcome][] = []
    let signedInAt = -Infinity
    for (const route of routes) {
      if (performance.now() - signedInAt > SIGN_IN_MS) {
        await Promise.all([signIn(full), signIn(ordinary)])
        signedInAt = performance.now()
      }
      const contest = await openContest(route, full, ordinary)
      if (!contest) continue
      const turns = Math.max(1, Math.round(SECONDS / TURN_SECONDS))
      if (outcomes.length === 0) await contend(contest, neighbour, { turns: 1, seconds: WARM_UP_SECONDS })
      const outcome = await contend(contest, neighbour, { turns, seconds: TURN_SECONDS })
      outcomes.push([contest.name, outcome])
      const { calls, accepted, beside, without } = outcome
      console.log([contest.name, calls, accepted, ...compare(flat(beside), flat(without))].join(" | "))
    }
    const texts = tablesOf(outcomes)
    console.log(`\n${Object.values(texts).join("\n\n")}`)
    if (ROUTES !== undefined) return
    putIn(join(import.meta.dirname, "README.md"), texts)
    runTool("oxfmt", ["bench/neighbours/README.md"])
  } finally {
    await service.stop()
  }
})
