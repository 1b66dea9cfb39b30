import { onTestFinished, vi } from "vitest"

import { deliver, env, passSeconds } from "../support.ts"

/** A message that a receiver got. */
export interface Received {
  url: string
  headers: Headers
  // Tests read any field.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
  body: string
  init: RequestInit
}

/** Plays receivers on the internet. @param answerTo returns the status of an answer, with its `Retry-After`; null if it does not come */
export const receive = (
  answerTo: (received: Received, nth: number) => number | null | [status: number, retryAfter: string] = () => 204,
): Received[] => {
  const all: Received[] = []
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    const body = init.body as string
    const received = { url, headers: new Headers(init.headers), json: JSON.parse(body), body, init }
    all.push(received)
    const answer = answerTo(received, all.length)
    const [status, retryAfter] = Array.isArray(answer) ? answer : [answer]
    if (status === null) return Promise.reject(new DOMException("The operation timed out.", "TimeoutError"))
    const headers = { ...(retryAfter !== undefined && { "Retry-After": retryAfter }) }
    return Promise.resolve(new Response(status === 204 ? null : "Thank you.", { status, headers }))
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return all
}

interface Sent {
  body: unknown
  at: number
}

/** Records the messages of the queue of webhooks, and hands them to the consumer when they are due. Requires a stopped clock. */
export const newQueue = () => {
  const sent: Sent[] = []
  const add = (body: unknown, delaySeconds = 0) => sent.push({ body, at: Date.now() + delaySeconds * 1000 })
  const queue = {
    send: (body: unknown, options?: QueueSendOptions) => Promise.resolve(void add(body, options?.delaySeconds)),
    sendBatch: (messages: Iterable<MessageSendRequest>) =>
      Promise.resolve(void [...messages].map(({ body, delaySeconds }) => add(body, delaySeconds))),
  } as unknown as Queue
  const vars = { WEBHOOK_EVENTS: queue } as Partial<Env>
  /** Delivers what is due within some seconds, message by message. */
  const run = async (seconds = 0, faults: Partial<Env> = vars): Promise<void> => {
    const end = Date.now() + seconds * 1000
    for (;;) {
      const [next] = sent.toSorted((one, other) => one.at - other.at)
      if (!next || next.at > end) break
      sent.splice(sent.indexOf(next), 1)
      passSeconds(Math.max(0, (next.at - Date.now()) / 1000))
      const outcome = await deliver(next.body, { queue: "edgepost-webhooks", env: { ...env, ...faults } })
      if (outcome !== "ack") add(next.body, outcome.retryAfter)
    }
    passSeconds(Math.max(0, (end - Date.now()) / 1000))
  }
  return { sent, queue, vars, run }
}
