// A client that takes little processor time: node:http with connections that stay open.
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as open } from "node:http"

import { median } from "../shared.ts"
import type { Target } from "./target.ts"

export interface Request {
  method: string
  path: string
  headers: OutgoingHttpHeaders
  body?: Buffer
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** Until the whole body was there. */
  ms: number
}

/** The measures of a batch of requests: quantiles of times in ms, requests a second, processor time of workerd for each in ms. */
export interface Figures {
  p50: number
  p95: number
  p99: number
  perSecond: number
  cpuMs: number
}

/** Sends a request and reads the answer. */
export const send = (agent: Agent, origin: string, { method, path, headers, body }: Request): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const start = performance.now()
  const sent = open(`${origin}${path}`, { agent, method, headers }, (answer) => {
    const chunks: Buffer[] = []
    answer.on("data", (chunk: Buffer) => chunks.push(chunk))
    answer.on("error", reject)
    answer.on("end", () =>
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body: Buffer.concat(chunks).toString(),
        ms: performance.now() - start,
      }),
    )
  })
  sent.on("error", reject)
  sent.end(body)
  return promise
}

/** Returns the value that this part of sorted numbers is not above. */
const quantile = (sorted: number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? NaN

/** Works on items, `size` at a time. */
export const inPool = async <T>(items: T[], size: number, work: (item: T) => Promise<void>): Promise<void> => {
  const queue = items.values()
  const takeAll = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: size }, takeAll))
}

interface Options {
  /** The expected status. */
  status: number
  concurrency: number
}

/**
 * Sends requests, `concurrency` at a time.
 * @throws Error at the first answer with another status than `status`
 */
export const measure = async (target: Target, requests: Request[], { status, concurrency }: Options) => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const times: number[] = []
  const answers: Answer[] = []
  const cpu = target.cpuMs()
  const start = performance.now()
  await inPool(requests, concurrency, async (request) => {
    const answer = await send(agent, target.origin, request)
    if (answer.status !== status)
      throw new Error(`${target.name}: ${request.method} ${request.path} answers ${answer.status}: ${answer.body}`)
    times.push(answer.ms)
    answers.push(answer)
  })
  const seconds = (performance.now() - start) / 1000
  const cpuMs = (target.cpuMs() - cpu) / requests.length
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const [p50, p95, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.95), quantile(sorted, 0.99)]
  const figures: Figures = { p50, p95, p99, perSecond: requests.length / seconds, cpuMs }
  return { figures, answers }
}

const FIGURES = ["p50", "p95", "p99", "perSecond", "cpuMs"] as const

/** Returns the medians of the rounds' figures. */
export const mediansOf = (rounds: Figures[]): Figures =>
  Object.fromEntries(
    FIGURES.map((name) => [name, median(rounds.map((figures) => figures[name]))]),
  ) as unknown as Figures
