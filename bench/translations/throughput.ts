// Measures posts through the queue consumer with a slow engine, compared with the time of the engine alone.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { bundle } from "../http/bundle.ts"
import { readMigrations } from "../http/seed.ts"
import { startTarget, type Target } from "../http/target.ts"

const LANGUAGES = ["fr", "de", "es"]
const CONCURRENCY = 10
const OPERATOR_TOKEN = "an-operator-token-of-the-benchmark"

/** The times of one round. */
export interface Throughput {
  /** Milliseconds from the first wake-up to the end of the last. */
  ms: number
  /** The number of requests to the engine. */
  calls: number
  /** The CPU milliseconds of workerd. */
  cpuMs: number
  /** calls × the engine's time / the concurrency. */
  idealMs: number
}

// Matches the words of `one <a1>two</a1> &amp;`: "one" and "two". Does not match names of tags and character references.
const WORDS = /(?<![<\w"/&])\b[a-z]+\b(?![^<]*>)/gi

interface Chat {
  messages: { content: string }[]
}

interface Batch {
  segments: { id: number; text: string }[]
}

const respond = async (request: IncomingMessage, response: ServerResponse, delayMs: number): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as Chat
  const { segments } = JSON.parse(messages.at(-1)?.content ?? "") as Batch
  const translations = segments.map(({ id, text }) => ({ id, text: text.replaceAll(WORDS, "$&x") }))
  const message = { role: "assistant", content: JSON.stringify({ translations }) }
  await sleep(delayMs)
  response.setHeader("Content-Type", "application/json")
  response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }))
}

/** Starts an OpenAI-compatible engine that marks words and answers after `delayMs`. */
const startEngine = async (delayMs: number) => {
  const seen = { calls: 0 }
  const server = createServer((request, response) => {
    seen.calls += 1
    void respond(request, response, delayMs)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", resolve)
  await promise
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, seen, stop: () => server.close() }
}

const bodyOf = (round: number, slug: string): string =>
  Array.from({ length: 10 }, (_, i) => `Paragraph **${i}** of post ${slug} in round ${round}, with *some* words.`).join(
    "\n\n",
  )

/** Processes items, `size` at a time; the first ones start `apartMs` apart. Items that `work` returns are processed next. */
const inPool = async <T>(items: T[], size: number, work: (item: T) => Promise<T[]>, apartMs = 0): Promise<void> => {
  const queue = [...items]
  const takeAll = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) queue.unshift(...(await work(item)))
  }
  await Promise.all(Array.from({ length: size }, (_, i) => sleep(i * apartMs).then(takeAll)))
}

type Headers = Record<string, string>

const call = async (origin: string, method: string, path: string, headers: Headers, body?: unknown) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(origin + path, { method, headers, ...sent })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

interface Setup {
  target: Target
  /** The headers of an author's requests. */
  headers: Headers
  posts: number
  delayMs: number
  /** The number of requests to the engine. */
  seen: { calls: number }
}

/** Creates a post in three languages. @returns the wake-ups that the service has sent */
const createPost = async ({ target, headers }: Setup, round: number, slug: string): Promise<unknown[]> => {
  const texts = { title: slug, meta_description: slug, body: bodyOf(round, slug) }
  const post = { slug, ...texts, categories: "a", status: "DF", translation_languages: LANGUAGES }
  const answer = await call(target.origin, "POST", "/api/blogcontroller/posts/", headers, post)
  return JSON.parse(answer.headers.get("X-Wake-Ups") ?? "[]") as unknown[]
}

interface Read {
  post: { translations: { status: string; warnings: unknown[] }[] }
}

/** @throws Error unless all translations of a post are ready, without warnings */
const requireReady = async ({ target, headers }: Setup, slug: string): Promise<void> => {
  const answer = await call(target.origin, "GET", `/api/blogcontroller/posts/${slug}/`, headers)
  const { post } = await answer.json<Read>()
  const others = post.translations.filter(({ status, warnings }) => status !== "ready" || warnings.length > 0)
  if (others.length > 0) throw new Error(`${slug}: ${JSON.stringify(others)}`)
}

const measureRound = async (setup: Setup, round: number): Promise<Throughput> => {
  const { target, posts, delayMs, seen } = setup
  const wakeUps: unknown[] = []
  const slugs = Array.from({ length: posts }, (_, n) => `round-${round}-${n}`)
  await inPool(slugs, 4, async (slug) => {
    wakeUps.push(...(await createPost(setup, round, slug)))
    return []
  })
  const before = { calls: seen.calls, cpuMs: target.cpuMs() }
  const start = performance.now()
  const deliver = async (wakeUp: unknown) => {
    const answer = await call(target.origin, "POST", "/deliver", {}, wakeUp)
    return await answer.json<unknown[]>()
  }
  await inPool(wakeUps, CONCURRENCY, deliver, delayMs / CONCURRENCY)
  const ms = performance.now() - start
  const [calls, cpuMs] = [seen.calls - before.calls, target.cpuMs() - before.cpuMs]
  for (const slug of slugs) await requireReady(setup, slug)
  return { ms, calls, cpuMs, idealMs: (calls * delayMs) / CONCURRENCY }
}

const makeKey = async (origin: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` }
  const account = "/operator/api/accounts/bench/"
  await call(origin, "PATCH", account, headers, { paid_until: "2099-01-01T00:00:00Z" })
  const answer = await call(origin, "POST", `${account}keys/`, headers)
  const { api_key } = await answer.json<{ api_key: string }>()
  return api_key
}

interface Options {
  posts: number
  rounds: number
  delayMs: number
}

/** Measures rounds with new posts, after one round to warm up. @throws Error when a request or translation fails */
export const measureThroughput = async ({ posts, rounds, delayMs }: Options): Promise<Throughput[]> => {
  const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-"))
  const engine = await startEngine(delayMs)
  const vars = {
    OPERATOR_TOKEN,
    TRANSLATOR: "openai",
    OPENAI_BASE_URL: engine.url,
    OPENAI_MODEL: "slow",
    TRANSLATION_DEBOUNCE_SECONDS: "0",
    TRANSLATED_CHARACTERS_PER_DAY: "1000000000",
  }
  let target: Target | undefined
  try {
    target = await startTarget("edgepost", bundle("bench/translations/worker.ts", folder), vars)
    await target.query(readMigrations())
    const headers = { "X-API-KEY": await makeKey(target.origin), "Content-Type": "application/json" }
    const results = []
    for (let round = 0; round <= rounds; round++) {
      const result = await measureRound({ target, headers, posts, delayMs, seen: engine.seen }, round)
      // The first round warms up.
      if (round > 0) results.push(result)
    }
    return results
  } finally {
    await target?.stop()
    engine.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
