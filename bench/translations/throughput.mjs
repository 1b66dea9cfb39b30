// Posts through the consumer with an engine that takes its time: how near to the time that the engine alone takes.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

import { bundle } from "../http/bundle.mjs"
import { readMigrations } from "../http/seed.mjs"
import { startTarget } from "../http/target.mjs"

const LANGUAGES = ["fr", "de", "es"]
const CONCURRENCY = 10
const OPERATOR_TOKEN = "an-operator-token-of-the-benchmark"

/** Words outside of tags and character references. */
const WORDS = /(?<![<\w"/&])\b[a-z]+\b(?![^<]*>)/gi

const respond = async (request, response, delayMs) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { messages } = JSON.parse(Buffer.concat(chunks).toString())
  const { segments } = JSON.parse(messages.at(-1).content)
  const translations = segments.map(({ id, text }) => ({ id, text: text.replaceAll(WORDS, "$&x") }))
  const message = { role: "assistant", content: JSON.stringify({ translations }) }
  await setTimeout(delayMs)
  response.setHeader("Content-Type", "application/json")
  response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }))
}

/** An OpenAI-compatible engine that marks words, after so long. */
const startEngine = async (delayMs) => {
  const seen = { calls: 0 }
  const server = createServer((request, response) => {
    seen.calls += 1
    void respond(request, response, delayMs)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${server.address().port}/v1`, seen, stop: () => server.close() }
}

const bodyOf = (round, n) =>
  Array.from({ length: 10 }, (_, i) => `Paragraph **${i}** of post ${n} in round ${round}, with *some* words.`).join(
    "\n\n",
  )

/** Does something with each item, `size` at a time, the first of which begin so long apart; what it returns comes next. */
const inPool = async (items, size, work, apartMs = 0) => {
  const queue = [...items]
  const takeAll = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) queue.unshift(...((await work(item)) ?? []))
  }
  await Promise.all(Array.from({ length: size }, (_, i) => setTimeout(i * apartMs).then(takeAll)))
}

const call = async (origin, method, path, headers, body) => {
  const answer = await fetch(origin + path, { method, headers, body: body && JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

const measureRound = async ({ target: { origin, cpuMs }, headers, round, posts, delayMs, seen }) => {
  const wakeUps = []
  const slugs = Array.from({ length: posts }, (_, n) => `round-${round}-${n}`)
  await inPool(slugs, 4, async (slug) => {
    const post = {
      slug,
      title: slug,
      meta_description: slug,
      categories: "a",
      status: "DF",
      translation_languages: LANGUAGES,
    }
    const answer = await call(origin, "POST", "/api/blogcontroller/posts/", headers, {
      ...post,
      body: bodyOf(round, slug),
    })
    wakeUps.push(...JSON.parse(answer.headers.get("X-Wake-Ups")))
  })
  const before = { calls: seen.calls, cpuMs: cpuMs() }
  const start = performance.now()
  const deliver = async (wakeUp) => (await call(origin, "POST", "/deliver", {}, wakeUp)).json()
  await inPool(wakeUps, CONCURRENCY, deliver, delayMs / CONCURRENCY)
  const ms = performance.now() - start
  const spent = { calls: seen.calls - before.calls, cpuMs: cpuMs() - before.cpuMs }
  for (const slug of slugs) {
    const { post } = await (await call(origin, "GET", `/api/blogcontroller/posts/${slug}/`, headers)).json()
    const unready = post.translations.filter(({ status, warnings }) => status !== "ready" || warnings.length > 0)
    if (unready.length > 0) throw new Error(`${slug}: ${JSON.stringify(unready)}`)
  }
  return { ms, ...spent }
}

/** @returns for each round the milliseconds, processor time of workerd and the ideal: calls × their time over the concurrency */
export const measureThroughput = async ({ posts, rounds, delayMs }) => {
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
  let target
  try {
    target = await startTarget("edgepost", bundle("bench/translations/worker.ts", folder), vars)
    await target.query(readMigrations())
    const operator = { Authorization: `Bearer ${OPERATOR_TOKEN}` }
    const account = "/operator/api/accounts/bench/"
    await call(target.origin, "PATCH", account, operator, { paid_until: "2099-01-01T00:00:00Z" })
    const { api_key } = await (await call(target.origin, "POST", `${account}keys/`, operator)).json()
    const headers = { "X-API-KEY": api_key, "Content-Type": "application/json" }
    const results = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const result = await measureRound({ target, headers, round, posts, delayMs, seen: engine.seen })
      if (round > 0) results.push({ ...result, idealMs: (result.calls * delayMs) / CONCURRENCY })
    }
    return results
  } finally {
    await target?.stop()
    engine.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
