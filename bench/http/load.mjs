// A client that costs little: node:http over connections that stay open.
import { Agent, request as open } from "node:http"

/** Sends a request. @returns status, headers, body and milliseconds until all of it was there */
export const send = (agent, origin, { method, path, headers, body }) =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const sent = open(`${origin}${path}`, { agent, method, headers }, (answer) => {
      const chunks = []
      answer.on("data", (chunk) => chunks.push(chunk))
      answer.on("error", reject)
      answer.on("end", () =>
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          body: Buffer.concat(chunks),
          ms: performance.now() - start,
        }),
      )
    })
    sent.on("error", reject)
    sent.end(body)
  })

/** The value below which so large a part of sorted numbers lies. */
const quantile = (sorted, part) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)]

/** Does something with each item, so many at a time. */
export const inPool = async (items, size, work) => {
  const queue = items.values()
  const takeAll = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: size }, takeAll))
}

/**
 * Sends requests, so many at a time.
 * @throws Error at the first answer that is not `status`
 */
export const measure = async (target, requests, { status, concurrency }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const times = []
  const answers = []
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
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => quantile(sorted, part))
  return { figures: { p50, p95, p99, perSecond: requests.length / seconds, cpuMs }, answers }
}
