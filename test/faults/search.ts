import { vi } from "vitest"

import { wipeStorage } from "../storage.ts"
import { passSeconds, recordWakeUps, deliver, runCron, stopClock } from "../support.ts"
import {
  type EngineWatch,
  type Fault,
  inject,
  type Injector,
  isDeath,
  type Plan,
  type Point,
  type Rewind,
  watchEngine,
} from "./inject.ts"
import { checkInvariants, hasWork } from "./invariants.ts"

/** The answer to a client. */
export interface Reply {
  status: number
  headers: Headers
  /** The parsed JSON; undefined for pages. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json?: any
  text: string
}

/** The environment of an operation. */
export interface World {
  /** Bindings without faults that record messages. */
  env: Partial<Env>
  wakeUps: ReturnType<typeof recordWakeUps>
  engine: EngineWatch
  /** The outdated state of a replica, or null if the scene has none. */
  rewind: Rewind | null
}

/** An operation that is ready to run. */
export interface Scene {
  /** Sends its request, the same each time. */
  run: (env: Partial<Env>) => Promise<Reply>
  /** Returns the visible result. Names, ids and times in it are ignored. */
  look: () => Promise<unknown>
  /** Compares the last answer with the stored state and returns violations. */
  verify?: (reply: Reply) => Promise<string[]>
}

export interface Operation {
  name: string
  /** Prepares the operation; these calls are not counted. */
  open: (world: World) => Promise<Scene>
  /** The operation has an Idempotency-Key: it is repeated until it is answered, and once more. */
  hasKey?: boolean
  /** The operation has independent steps, so only its end is checked. */
  isStepwise?: boolean
  /** The operation changes nothing. */
  isRead?: boolean
}

/** Safeguards to switch off when testing the search itself. */
export interface Sabotage {
  rewrite?: (sql: string) => string
  noCron?: boolean
}

const START = new Date("2026-03-01T12:00:00Z")
const ROUND_SECONDS = 16 * 60
/** Enough rounds to outlast every wait: a lease, an image's life, every retry. */
const MAX_ROUNDS = 12
const MAX_TRIES = 4

/** Replaces names, ids and times, which differ between runs. */
export const plain = (seen: unknown): string =>
  JSON.stringify(seen)
    .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/gi, "ID")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "HASH")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b(author|payer|slug|address|sub|evt)-\d+/g, "$1")

/** Delivers everything that is due in the queue until it is empty. */
const playOut = async ({ wakeUps, env }: World): Promise<void> => {
  for (let i = 0; i < MAX_ROUNDS && wakeUps.sent.length > 0; i++) {
    const messages = wakeUps.sent.splice(0)
    const first = Math.min(...messages.map(({ delaySeconds }) => delaySeconds))
    passSeconds(first)
    for (const { body, delaySeconds } of messages)
      if (delaySeconds > first) wakeUps.sent.push({ body, delaySeconds: delaySeconds - first })
    const due = messages.filter(({ delaySeconds }) => delaySeconds === first)
    await Promise.all(
      due.map(async ({ body }) => {
        const outcome = await deliver(body, { env })
        if (outcome !== "ack") wakeUps.sent.push({ body, delaySeconds: outcome.retryAfter ?? 0 })
      }),
    )
  }
}

/** Advances the time with queue and cron until no work is left. */
const comeToRest = async (world: World, { noCron = false }: Sabotage): Promise<void> => {
  const isBusy = async () => world.wakeUps.sent.length > 0 || (await hasWork())
  for (let round = 0; round < MAX_ROUNDS && (await isBusy()); round++) {
    await playOut(world)
    passSeconds(ROUND_SECONDS)
    if (!noCron) await runCron(world.env)
  }
}

/** A run without faults: the result before it, after it and at rest, and its calls. */
interface Course {
  before: string
  after: string
  atRest: string
  points: Point[]
}

interface Run {
  world: World
  scene: Scene
  env: Partial<Env>
  injector: Injector
}

const open = async (operation: Operation, engine: EngineWatch, plan: Plan | null, sabotage: Sabotage): Promise<Run> => {
  await wipeStorage()
  stopClock(START)
  const { rewrite = (sql) => sql } = sabotage
  const wakeUps = recordWakeUps()
  const around = { queue: wakeUps.queue, rewrite, rewind: null }
  const world: World = { env: inject(null, around).env, wakeUps, engine, rewind: null }
  Object.assign(engine, { injector: null, meanwhile: null, most: 0 })
  const scene = await operation.open(world)
  const { injector, env } = inject(plan, { ...around, rewind: world.rewind })
  return { world, scene, env, injector }
}

/** Runs the operation and counts the engine's calls as its own. */
const send = async ({ world, scene, injector }: Run, env: Partial<Env>): Promise<Reply> => {
  world.engine.injector = env === world.env ? null : injector
  try {
    return await scene.run(env)
  } finally {
    world.engine.injector = null
  }
}

const waitFor = ({ headers }: Reply): void => passSeconds(Number(headers.get("Retry-After") ?? 5))

/** Repeats a request like a sensible client. @returns the last answer and the number of requests */
const repeat = async (run: Run, first: Reply): Promise<Reply> => {
  let last = first
  for (let i = 0; i < MAX_TRIES; i++) {
    waitFor(last)
    last = await send(run, run.world.env)
    if (last.status !== 409) return last
  }
  return last
}

const wordOf = ({ status, json }: Reply): string => [status, json?.code].filter(Boolean).join(" ")

/** Runs the operation without faults. */
const learn = async (operation: Operation, engine: EngineWatch): Promise<Course> => {
  // It runs in a separate scene, because looking may leave traces.
  const before = plain(await (await open(operation, engine, null, {})).scene.look())
  const run = await open(operation, engine, null, {})
  const { scene, world, env, injector } = run
  const reply = await send(run, env)
  const points = [...injector.points]
  const after = plain(await scene.look())
  const broken = reply.status < 400 ? ((await scene.verify?.(reply)) ?? []) : [`answered ${wordOf(reply)}`]
  await comeToRest(world, {})
  const atRest = plain(await scene.look())
  broken.push(...(await checkInvariants(true)))
  if (broken.length > 0) throw new Error(`${operation.name}, without a fault: ${broken.join("; ")}`)
  if (!operation.isRead && before === atRest && before === after) throw new Error(`${operation.name} changes nothing.`)
  return { before, after, atRest, points }
}

/** The first answer to a request with a fault, and the state it left. */
const judgeFirst = (operation: Operation, course: Course, plan: Plan, first: Reply, seen: string): string[] => {
  const isOverload = plan.fault === "overloaded"
  if (first.status < 400) return operation.isStepwise || seen === course.after ? [] : [`acknowledged, but: ${seen}`]
  if (first.status < 500) return [`answered ${wordOf(first)}`]
  const isTold = isDeath(plan.fault) || (first.status === 503 && first.headers.has("Retry-After"))
  const isWhole = operation.isStepwise || seen === course.before || seen === course.after
  return [
    ...(isTold ? [] : [`answered ${wordOf(first)}${isOverload ? " when overloaded" : ""}`]),
    ...(isWhole ? [] : [`half done: ${seen}`]),
  ]
}

/** Returns the violations after a fault at one call, and whether the fault occurred. */
const tryFault = async (
  operation: Operation,
  course: Course,
  engine: EngineWatch,
  plan: Plan,
  sabotage: Sabotage,
): Promise<{ hasStruck: boolean; broken: string[] }> => {
  const run = await open(operation, engine, plan, sabotage)
  const { scene, world, env } = run
  const first = await send(run, env)
  const broken = judgeFirst(operation, course, plan, first, plain(await scene.look()))
  broken.push(...(await checkInvariants(false)))
  let last = first
  if (first.status >= 500 || isDeath(plan.fault)) {
    last = await repeat(run, first)
    const seen = plain(await scene.look())
    if (last.status >= 500 || (operation.hasKey && last.status >= 400)) broken.push(`repeated: ${wordOf(last)}`)
    if (!operation.isStepwise && seen !== course.after) broken.push(`repeated, but: ${seen}`)
  }
  if (operation.hasKey) {
    const again = await send(run, world.env)
    if (wordOf(again) !== wordOf(last) || !again.headers.has("Idempotent-Replayed"))
      broken.push(`sent once more: ${wordOf(again)}`)
  }
  if (last.status < 400) broken.push(...((await scene.verify?.(last)) ?? []))
  await comeToRest(world, sabotage)
  const seen = plain(await scene.look())
  if (seen !== course.atRest) broken.push(`at rest: ${seen}`)
  if (engine.most > 1) broken.push("two calls of the engine at once for one post")
  broken.push(...(await checkInvariants(true)))
  return { hasStruck: run.injector.hasStruck(), broken }
}

/** Returns the routes that an operation calls, with their methods. */
export const routesOf = async (operation: Operation): Promise<string[]> => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockReturnValue()
  const info = vi.spyOn(console, "info").mockReturnValue()
  try {
    const run = await open(operation, watchEngine(), null, {})
    info.mockClear()
    await send(run, run.env)
    const lines = info.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
    return lines
      .filter(({ message }) => message === "request.finished")
      .map(({ method, route }) => `${String(method)} ${String(route)}`)
  } finally {
    vi.restoreAllMocks()
  }
}

export interface Found {
  /** The number of binding calls of the operation. */
  calls: number
  /** The number of runs with a fault. */
  injections: number
  /** Planned faults that never occurred, by place and kind: these were not tested. */
  missed: string[]
  /** Violations, with the place and kind of the fault. */
  broken: string[]
}

/**
 * Runs an operation with each fault at each of its calls and checks the final state.
 * @param faults kinds to try; all of them by default
 * @param at the calls to try, by what they do; all of them by default
 * @throws when the operation breaks an invariant without a fault
 */
export const searchFaults = async (
  operation: Operation,
  { faults, at = /^/, sabotage = {} }: { faults?: Fault[]; at?: RegExp; sabotage?: Sabotage } = {},
): Promise<Found> => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue()
  const engine = watchEngine()
  try {
    const course = await learn(operation, engine)
    const found: Found = { calls: course.points.length, injections: 0, missed: [], broken: [] }
    for (const [i, point] of course.points.entries()) {
      if (!at.test(point.what)) continue
      for (const fault of point.faults.filter((kind) => faults?.includes(kind) ?? true)) {
        const { hasStruck, broken } = await tryFault(operation, course, engine, { nth: i + 1, fault }, sabotage).catch(
          (error: unknown) => ({ hasStruck: true, broken: [String(error)] }),
        )
        const place = `${operation.name}, ${fault} at call ${i + 1} (${point.what})`
        if (hasStruck) found.injections += 1
        else found.missed.push(place)
        found.broken.push(...broken.map((what) => `${place}: ${what}`))
      }
    }
    return found
  } finally {
    vi.restoreAllMocks()
  }
}
