import { type Client, createClient, type ClientOptions } from "../../src/client/index.ts"
import type { Timing } from "../../src/client/retry.ts"

export const ORIGIN = "https://blog.example"
const KEY = "a-key-of-the-tests"

/** What the service does with a request: it answers, or the connection is cut. */
export type Step = Response | "cut"

export interface Fake {
  client: Client
  /** Requests as they were sent, such as `PUT posts/a/`. */
  sent: string[]
  requests: Request[]
  /** Seconds of each wait, in order. */
  waits: number[]
  /** What `onWait` was told. */
  told: string[]
}

export const answer = (status: number, headers: Record<string, string> = {}, body: object = {}): Response =>
  status === 204 ? new Response(null, { status, headers }) : Response.json(body, { status, headers })

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  answer(status, headers, { status, code, title: "Title", detail: `Detail of ${code}.`, errors: [], request_id: "r1" })

/** A clock that stands still but for waits; dice that show these numbers, and then the greatest. */
const fakeTiming = (waits: number[], dice: number[]): Timing => {
  let time = Date.UTC(2026, 0, 1)
  return {
    now: () => time,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms / 1000)
      time += ms
    },
    random: () => dice.shift() ?? 1,
  }
}

/** Makes a client of a service that does one step for each request, and the last one for all that follow. */
export const fakeService = (steps: Step[], options: Partial<ClientOptions> = {}, dice: number[] = []): Fake => {
  const fake: Omit<Fake, "client"> = { sent: [], requests: [], waits: [], told: [] }
  const fetch = async (request: Request): Promise<Response> => {
    const step = steps[Math.min(fake.requests.length, steps.length - 1)]
    fake.requests.push(request)
    fake.sent.push(`${request.method} ${request.url.replace(`${ORIGIN}/api/blogcontroller/`, "")}`)
    if (step === undefined || step === "cut") throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } })
    return step.clone()
  }
  const onWait = (seconds: number, reason: string) => fake.told.push(`${seconds} s: ${reason}`)
  const client = createClient({ baseUrl: ORIGIN, apiKey: KEY, fetch, onWait, ...options }, fakeTiming(fake.waits, dice))
  return Object.assign(fake, { client })
}
