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

/** What a client is answered. */
export interface Reply {
  status: number
  headers: Headers
  /** The parsed JSON; undefined for pages. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json?: any
  text: string
}

/** Where an operation happens. */
export interface World {
  /** Bindings without faults, whose messages are recorded. */
  env: Partial<Env>
  wakeUps: ReturnType<typeof recordWakeUps>
  engine: EngineWatch
  /** How a replica is behind; a scene that has none leaves null. */
  rewind: Rewind | null
}

/** An operation that is about to happen. */
export interface Scene {
  /** Sends its request, the same each time. */
  run: (env: Partial<Env>) => Promise<Reply>
  /** What is to be seen of it; names, ids and times in it do not count. */
  look: () => Promise<unknown>
  /** Holds what the last answer has promised against what is there: what is broken, in words. */
  verify?: (reply: Reply) => Promise<string[]>
}

export interface Operation {
  name: string
  /** Makes what the operation needs; these calls are not counted. */
  open: (world: World) => Promise<Scene>
  /** It has an Idempotency-Key: it is sent again until it is answered, and after that. */
  hasKey?: boolean
  /** It happens in steps that each stand for themselves: only its end is looked at. */
  isStepwise?: boolean
  /** It changes nothing. */
  isRead?: boolean
}

/** Safeguards to switch off, for the test of the search itself. */
export interface Sabotage {
  rewrite?: (sql: string) => string
  noCron?: boolean
}

const START = new Date("2026-03-01T12:00:00Z")
const ROUND_SECONDS = 16 * 60
/** Longer than anything waits: a lease, a picture's life, every retry. */
const MAX_ROUNDS = 12
const MAX_TRIES = 4

/** Names, ids and times are others each time. */
const plain = (seen: unknown): string =>
  JSON.stringify(seen)
    .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/gi, "ID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b(author|payer|slug|address|sub|evt)-\d+/g, "$1")

/** Hands out what is in the queue, all that is due at once, until it is empty. */
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

/** Lets time pass with queue and cron, until nothing is left to do. */
const comeToRest = async (world: World, { noCron = false }: Sabotage): Promise<void> => {
  const isBusy = async () => world.wakeUps.sent.length > 0 || (await hasWork())
  for (let round = 0; round < MAX_ROUNDS && (await isBusy()); round++) {
    await playOut(world)
    passSeconds(ROUND_SECONDS)
    if (!noCron) await runCron(world.env)
  }
}

/** How a run without faults goes: what is seen before it, after it and at rest, and the calls it makes. */
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

/** Runs the operation; while it does, the engine's calls count as its own. */
const send = async ({ world, scene, injector }: Run, env: Partial<Env>): Promise<Reply> => {
  world.engine.injector = env === world.env ? null : injector
  try {
    return await scene.run(env)
  } finally {
    world.engine.injector = null
  }
}

const waitFor = ({ headers }: Reply): void => passSeconds(Number(headers.get("Retry-After") ?? 5))

/** As a sensible client repeats a request. @returns the last answer, and how often it was sent */
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

/** A run without faults. */
const learn = async (operation: Operation, engine: EngineWatch): Promise<Course> => {
  // In a world of its own: who looks may leave traces.
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

/** The first answer to a request with a fault in it, and what it left behind. */
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

/** What is broken when a fault is at one call of an operation, and whether there was one. */
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

/** The routes that an operation calls, with their methods. */
export const routesOf = async (operation: Operation): Promise<string[]> => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockReturnValue()
  const info = vi.spyOn(console, "info").mockReturnValue()
  try {
    const run = await open(operation, watchEngine(), null, {})
    info.mockClear()
    await send(run, run.env)
    const lines = info.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
    return lines
      .filter(({ message }) => message === "request")
      .map(({ method, route }) => `${String(method)} ${String(route)}`)
  } finally {
    vi.restoreAllMocks()
  }
}

export interface Found {
  /** Calls of bindings that the operation makes. */
  calls: number
  /** Runs with a fault at one of them. */
  injections: number
  /** Places and kinds of faults that were planned and have never struck: nothing was tried there. */
  missed: string[]
  /** What was broken, in words, with the place and kind of the fault. */
  broken: string[]
}

/**
 * Runs an operation with each fault at each of its calls, and looks at what is there in the end.
 * @param faults kinds to try; all of them by default
 * @throws when the operation breaks an invariant without any fault
 */
export const searchFaults = async (
  operation: Operation,
  { faults, sabotage = {} }: { faults?: Fault[]; sabotage?: Sabotage } = {},
): Promise<Found> => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue()
  const engine = watchEngine()
  try {
    const course = await learn(operation, engine)
    const found: Found = { calls: course.points.length, injections: 0, missed: [], broken: [] }
    for (const [i, point] of course.points.entries()) {
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
