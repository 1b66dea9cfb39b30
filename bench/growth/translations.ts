// Measures what a segment costs in posts of 502 to 8,002 segments, translated into one language by the job, on a local D1.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { main } from "../../scripts/cli.ts"
import { bundle } from "../http/bundle.ts"
import { readMigrations } from "../http/seed.ts"
import { startTarget, type Target } from "../http/target.ts"
import { median, setting, table } from "../shared.ts"

const SIZES = [502, 1002, 2002, 4002, 8002]
/** Posts of each size and kind, after one that warms up. */
const ROUNDS = setting("ROUNDS", 3)
const OPERATOR_TOKEN = "an-operator-token-of-the-benchmark"

const KINDS: Record<string, (n: number, post: string) => string> = {
  headings: (n, post) => `## Heading ${n} ${post}`,
  list: (n, post) => `- Item ${n} ${post}`,
}

interface Cost {
  messages: number
  read: number
  written: number
  cpuMs: number
}

const call = async (
  { origin }: Target,
  method: string,
  path: string,
  headers: Record<string, string>,
  json?: unknown,
) => {
  const answer = await fetch(`${origin}${path}`, { method, headers, body: JSON.stringify(json) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

const makeKey = async (target: Target): Promise<string> => {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` }
  const account = "/operator/api/accounts/bench/"
  await call(target, "PATCH", account, headers, { paid_until: "2099-01-01T00:00:00Z" })
  const answer = await call(target, "POST", `${account}keys/`, headers, {})
  return (await answer.json<{ api_key: string }>()).api_key
}

/** Creates a post with this number of segments, its title and description included, and translates it. */
const measure = async (target: Target, key: string, kind: string, segments: number, round: number): Promise<Cost> => {
  const slug = `${kind.charAt(0)}${segments}r${round}`
  const body = Array.from({ length: segments - 2 }, (_, n) => KINDS[kind]?.(n, slug)).join("\n")
  const post = { title: slug, slug, meta_description: `About ${slug}`, body, categories: "a", status: "DF" }
  const headers = { "X-API-KEY": key }
  const json = { ...post, translation_languages: ["fr"] }
  const created = await call(target, "POST", "/api/blogcontroller/posts/", headers, json)
  const wakeUps = JSON.parse(created.headers.get("X-Wake-Ups") ?? "[]") as unknown[]
  const cost = { messages: 0, read: 0, written: 0, cpuMs: -target.cpuMs() }
  for (let wakeUp = wakeUps.shift(); wakeUp; wakeUp = wakeUps.shift()) {
    const answer = await call(target, "POST", "/deliver", {}, wakeUp)
    wakeUps.push(...(await answer.json<unknown[]>()))
    cost.messages += 1
    cost.read += Number(answer.headers.get("X-Rows-Read"))
    cost.written += Number(answer.headers.get("X-Rows-Written"))
  }
  cost.cpuMs += target.cpuMs()
  const path = `/api/blogcontroller/posts/${slug}/translations/`
  const { translations } = await (
    await call(target, "GET", path, headers)
  ).json<{
    translations: { status: string; segments: { done: number } }[]
  }>()
  const [made] = translations
  if (made?.status !== "ready" || made.segments.done !== segments)
    throw new Error(`${slug}: ${JSON.stringify(translations)}`)
  return cost
}

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-"))
  const vars = { OPERATOR_TOKEN, TRANSLATION_DEBOUNCE_SECONDS: "0", TRANSLATED_CHARACTERS_PER_DAY: "1000000000" }
  const target = await startTarget("edgepost", bundle("bench/translations/worker.ts", folder), vars)
  try {
    await target.query(readMigrations())
    const key = await makeKey(target)
    for (const kind of Object.keys(KINDS)) {
      const costs = SIZES.map((): Cost[] => [])
      for (let round = 0; round <= ROUNDS; round++)
        for (const [i, segments] of SIZES.entries()) {
          const cost = await measure(target, key, kind, segments, round)
          if (round > 0) costs[i]?.push(cost)
        }
      const medianOf = (i: number, name: keyof Cost) => median((costs[i] ?? []).map((cost) => cost[name]))
      const each = (i: number, name: keyof Cost) => medianOf(i, name) / (SIZES[i] ?? 1)
      const rows = SIZES.map((segments, i) => [
        segments,
        medianOf(i, "messages"),
        each(i, "read").toFixed(1),
        each(i, "written").toFixed(1),
        each(i, "cpuMs").toFixed(2),
        (each(i, "cpuMs") / each(0, "cpuMs")).toFixed(2),
      ])
      const head = ["messages", "rows read each", "rows written each", "CPU ms each", "CPU to that of 502"]
      console.log(`${table([[`segments: ${kind}`, ...head], ...rows])}\n`)
    }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
