import { vi } from "vitest"

import { outage } from "../../src/translations/engines/engine.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { type Statement, tapD1 } from "../faults.ts"
import { env as bindings } from "../support.ts"

/**
 * A fault at a call of a binding.
 * - `before`, `after`: the call fails before or after it takes effect.
 * - `unanswered`: the call takes effect, its answer is lost, and the service may retry it.
 * - `overloaded`: D1 refuses the call.
 * - `dies before`, `dies after`: this and every later call fail, and the caller gets no answer.
 * - `stale`: a read answers with an earlier state.
 * - `lost`, `twice`, `late`: the message is lost, delivered twice or delivered late.
 */
export type Fault =
  | "before"
  | "after"
  | "unanswered"
  | "overloaded"
  | "dies before"
  | "dies after"
  | "stale"
  | "lost"
  | "twice"
  | "late"

const OF_READS: Fault[] = ["before", "overloaded", "dies before"]
/** Faults after the effect apply only to writes. */
const OF_WRITES: Fault[] = [...OF_READS, "after", "unanswered", "dies after"]

/** Returns true if the caller gets no answer. */
export const isDeath = (fault: Fault): boolean => fault.startsWith("dies")

/** A call of a binding with the faults that apply to it. */
export interface Point {
  what: string
  faults: Fault[]
}

export interface Plan {
  nth: number
  fault: Fault
}

type Make = <T>(call: () => Promise<T>, what: string, own?: Partial<Record<Fault, () => Promise<T>>>) => Promise<T>

const LOST = "Network connection lost."
/** An error after which the effect is unknown and the call is not retried. */
const TIMED_OUT = "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset."
/** Error messages of the platform. */
const OVERLOADED: Record<string, string> = {
  DB: "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  IMAGE_TICKETS: "KV PUT failed: 429 Too Many Requests",
  MEDIA: "put: Reduce your concurrent request rate for the same object. (10058)",
  TRANSLATIONS: "Queue send failed: Too Many Requests",
  UPLOAD_LIMITER: "Durable Object is overloaded. Too many requests for the same object within a 10 second window.",
}

const isRead = (what: string): boolean => /^(?:DB|REPLICA) select|\.(?:get|head|list|count)$/.test(what)

/** Counts the calls of an operation and injects the planned fault at one of them. */
const newInjector = (plan: Plan | null) => {
  const points: Point[] = []
  let isDead = false
  let hasStruck = false
  const make: Make = async (call, what, own = {}) => {
    if (isDead) throw new Error(LOST)
    points.push({ what, faults: [...(isRead(what) ? OF_READS : OF_WRITES), ...(Object.keys(own) as Fault[])] })
    if (points.length !== plan?.nth) return call()
    const { fault } = plan
    const instead = own[fault]
    // A parallel call may come first this time, to which the fault does not apply.
    if (!instead && !OF_WRITES.includes(fault)) return call()
    hasStruck = true
    if (instead) return instead()
    if (fault === "overloaded") throw new Error(OVERLOADED[what.split(/[ .]/)[0] ?? ""] ?? LOST)
    isDead = isDeath(fault)
    if (fault !== "before" && fault !== "dies before") await call()
    throw new Error(fault === "before" || fault === "after" ? TIMED_OUT : LOST)
  }
  return { points, make, hasStruck: () => hasStruck }
}

export type Injector = ReturnType<typeof newInjector>

type Call = (...args: never[]) => Promise<unknown>
type Own = (
  method: string,
  args: never[],
  call: () => Promise<unknown>,
) => Partial<Record<Fault, () => Promise<unknown>>>

/** Returns a binding whose every call goes through `make`. */
const through = <T extends object>(real: T, name: string, make: Make, ownOf: Own = () => ({})): T =>
  new Proxy(real, {
    get: (target, property) => {
      const method = Reflect.get(target, property) as unknown
      if (typeof method !== "function") return method
      return (...args: never[]) => {
        const call = () => Promise.resolve(Reflect.apply(method as Call, target, args))
        return make(call, `${name}.${String(property)}`, ownOf(String(property), args, call))
      }
    },
  })

const ticketFaults: Own = (method) => (method.startsWith("get") ? { stale: () => Promise.resolve(null) } : {})

const OVERTAKEN_SECONDS = 20 * 60

const messageFaults =
  (queue: Queue): Own =>
  (method, args, call) => ({
    lost: () => Promise.resolve(),
    twice: async () => {
      await call()
      return call()
    },
    late: () => {
      const [body, { delaySeconds = 0 } = {}] = args as unknown as [unknown, QueueSendOptions?]
      const options = { delaySeconds: delaySeconds + OVERTAKEN_SECONDS }
      return method === "send" ? queue.send(body, options) : queue.sendBatch(body as MessageSendRequest[], options)
    },
  })

/** Returns the first statement that writes, or else the first statement. */
const nameOf = (statements: Statement[]): string => {
  const { sql } = statements.find((statement) => !statement.sql.startsWith("select")) ?? statements[0] ?? { sql: "" }
  return sql.trim().replaceAll('"', "").slice(0, 50)
}

/** Waits for some database calls, because engines are slower than those. */
const slowly = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await bindings.DB.prepare("select 1").run()
}

const failEngine = () => Promise.resolve({ failure: outage("The engine is out.") })

/** The engine's state during a run of the search. One watch serves all runs. */
export interface EngineWatch {
  injector: Injector | null
  /** Runs once while the engine works. */
  meanwhile: (() => Promise<unknown>) | null
  /** The highest number of concurrent engine calls. */
  most: number
}

/** Watches the engine until mocks are restored. */
export const watchEngine = (): EngineWatch => {
  const watch: EngineWatch = { injector: null, meanwhile: null, most: 0 }
  const real = pseudo.translate
  let underWay = 0
  vi.spyOn(pseudo, "translate").mockImplementation(async (...args) => {
    const work = async () => {
      const { meanwhile } = watch
      watch.meanwhile = null
      await meanwhile?.()
      await slowly()
      return real(...args)
    }
    underWay += 1
    watch.most = Math.max(watch.most, underWay)
    try {
      if (!watch.injector) return await work()
      return await watch.injector.make(work, "engine", { overloaded: failEngine })
    } finally {
      underWay -= 1
    }
  })
  return watch
}

/** Answers a read with the state before the last write. */
export type Rewind = <T>(read: () => Promise<T>) => Promise<T>

interface Around {
  /** The queue that receives the messages. */
  queue: Queue
  /** The queue that receives those of webhooks. */
  webhooks?: Queue
  /** Rewrites SQL to switch a safeguard off. */
  rewrite: (sql: string) => string
  /** The answers of an outdated replica; without it replicas are up to date. */
  rewind: Rewind | null
}

/** Returns bindings like the real ones with a fault at one of their calls. */
export const inject = (
  plan: Plan | null,
  { queue, webhooks = bindings.WEBHOOK_EVENTS, rewrite, rewind }: Around,
): { injector: Injector; env: Partial<Env> } => {
  const injector = newInjector(plan)
  const { make } = injector
  const { IMAGE_TICKETS, MEDIA, UPLOAD_LIMITER, ATTEMPT_LIMITER } = bindings
  const env: Partial<Env> = {
    DB: tapD1({
      around: (call, statements) => make(call, `DB ${nameOf(statements)}`),
      aroundReplica: (call, statements) =>
        make(call, `REPLICA ${nameOf(statements)}`, rewind ? { stale: () => rewind(call) } : {}),
      rewrite,
    }),
    IMAGE_TICKETS: through(IMAGE_TICKETS, "IMAGE_TICKETS", make, ticketFaults),
    MEDIA: through(MEDIA, "MEDIA", make),
    WEBHOOK_EVENTS: through(webhooks, "WEBHOOK_EVENTS", make),
    TRANSLATIONS: through(queue, "TRANSLATIONS", make, messageFaults(queue)),
    ATTEMPT_LIMITER: through(ATTEMPT_LIMITER, "ATTEMPT_LIMITER", make),
    UPLOAD_LIMITER: new Proxy(UPLOAD_LIMITER, {
      get: (target, property) =>
        property === "getByName"
          ? (name: string) => through(target.getByName(name), "UPLOAD_LIMITER", make)
          : Reflect.get(target, property),
    }),
  }
  return { injector, env }
}
