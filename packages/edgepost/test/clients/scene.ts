import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { ROOT } from "../../../../scripts/tools.ts"
import type { Service } from "../../../../test/e2e/child.ts"
import { type Fault, listen, startProxy } from "../proxy.ts"
import type { Kind, Row } from "./table.ts"

/** A run of a program: its environment, and what is wrong by its output and by what the service has then. */
export interface Run {
  env: Record<string, string>
  check: (output: string) => string[] | Promise<string[]>
  close?: () => Promise<void>
}

const IMAGE = join(ROOT, "examples/tide/twelfths.png")
const COMMAND = JSON.stringify([process.execPath, join(ROOT, "packages/edgepost/src/bin.ts"), "mcp"])

/** What each write gets, one after another, before it is answered. */
const RETRY = { headers: { "Retry-After": "1" } }
const FAULTS: Fault[] = [
  { status: 429, ...RETRY, body: { code: "rate_limited" } },
  { status: 503, ...RETRY, body: { code: "unavailable" } },
  "cut after",
]

/** The post of the readers. A client that has no summary or tags leaves them out. */
const SHOWN = {
  title: '5 < 6 & "so"',
  summary: "When to use the <main> element, and 5 < 6 & so on.",
  tags: ["News", "one", "two words"],
}
const FORMATS: Record<string, string[]> = { feedsmith: ["atom", "rss", "json"] }

/** Lists what a client has found otherwise, as `tags: …`. */
const differences = (found: Record<string, unknown>, wanted: Record<string, unknown>): string[] =>
  Object.entries(wanted)
    .filter(([name, value]) => name in found && JSON.stringify(found[name]) !== JSON.stringify(value))
    .map(([name]) => `${name}: ${JSON.stringify(found[name])}`)

interface Account {
  username: string
  key: string
  // The runs name the fields that they expect.
  // oxlint-disable-next-line typescript/no-explicit-any
  call: (method: string, path: string, sent?: object) => Promise<any>
}

/** Returns a function that makes a paid account of its own for each run. */
const accountsOf = ({ origin, operatorToken }: Service) => {
  let made = 0
  const send = async (method: string, path: string, headers: Record<string, string>, sent?: object) => {
    const body = sent instanceof FormData ? sent : JSON.stringify(sent)
    const init = { method, headers: { ...headers, Connection: "close" }, ...(sent && { body }) }
    const answer = await fetch(origin + path, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
  return async (): Promise<Account> => {
    const username = `client-${(made += 1)}`
    const path = `/operator/api/accounts/${username}/`
    const operator = { Authorization: `Bearer ${operatorToken}` }
    await send("PATCH", path, operator, { paid_until: "2099-01-01T00:00:00Z" })
    const { api_key: key } = (await send("POST", `${path}keys/`, operator)) as { api_key: string }
    const call: Account["call"] = (method, rest, sent) =>
      send(method, `/api/blogcontroller/${rest}`, { "X-API-KEY": key }, sent)
    return { username, key, call }
  }
}

/** Publishes the post of the readers, with a cover that its text does not show. @returns it, and what a webhook was told */
const publish = async ({ call }: Account) => {
  const told: { HEADERS: string; BODY: string }[] = []
  const server = createServer((request, answer) => {
    let BODY = ""
    request.setEncoding("utf8").on("data", (text: string) => (BODY += text))
    request.once("end", () => {
      told.push({ HEADERS: JSON.stringify(request.headers), BODY })
      answer.writeHead(204).end()
    })
  })
  const url = (await listen(server)).replace("127.0.0.1", "localhost")
  const { webhook } = await call("POST", "webhooks/", { url })
  const form = new FormData()
  form.append("file", new Blob([await readFile(IMAGE)]), "image.png")
  const { image_id } = await call("POST", "image-upload/", form)
  const [category, ...tags] = SHOWN.tags
  const { post } = await call("POST", "posts/", {
    slug: "shown",
    title: SHOWN.title,
    meta_description: SHOWN.summary,
    categories: [category],
    tags,
    status: "PB",
    body: "Some words.",
    cover_image_id: image_id,
  })
  for (let n = 0; told.length === 0 && n < 600; n += 1) await sleep(100)
  server.close()
  return { link: String(post.url), cover: String(image_id), event: { SECRET: String(webhook.secret), ...told[0] } }
}

/** Fills the service. @returns a function that opens the runs of a client */
export const openScene = async (service: Service): Promise<(kind: Kind, row: Row) => Promise<Run[]>> => {
  const { origin } = service
  const newAccount = accountsOf(service)
  const reader = await newAccount()
  const { link, cover, event } = await publish(reader)

  const writing = async (to = origin): Promise<Run> => {
    const { username, key, call } = await newAccount()
    const env = { BASE: to, KEY: key, USERNAME: username, SLUG: `post-of-${username}`, IMAGE }
    const left = async () => (await call("GET", "posts/")).posts as { slug: string }[]
    return { env, check: async () => ((await left()).length === 0 ? [] : ["delete: the post is still there"]) }
  }
  const kinds: Record<Kind, (row: Row) => Promise<Run[]>> = {
    generated: async () => [await writing()],
    http: async () => {
      const proxy = await startProxy(origin)
      const counts = new Map<string, number>()
      proxy.fault = (_, request) => {
        const count = counts.get(request) ?? 0
        counts.set(request, count + 1)
        return request.startsWith("GET") ? undefined : FAULTS[count]
      }
      const { env, check } = await writing(proxy.origin)
      const checkAll = async (output: string) => {
        const writes = [...counts].filter(([request]) => !request.startsWith("GET"))
        const others = writes.filter(([, count]) => count !== FAULTS.length + 1)
        const wrong = others.map(([request, count]) => `${request}: sent ${count} times`)
        return [...wrong, ...(writes.length === 4 ? [] : ["not four writes"]), ...(await check(output))]
      }
      return [{ env, check: checkAll, close: proxy.close }]
    },
    feeds: async ({ name }) =>
      (FORMATS[name] ?? ["atom", "rss"]).map((format) => ({
        env: { FEED: new URL(`../feed.${format}`, link).href },
        check: (output) => {
          const { all, ...found } = JSON.parse(output) as { all: string }
          const wrong = differences(found, { ...SHOWN, link })
          return [...wrong, ...(all.includes(cover) ? [] : ["cover: none"])].map((what) => `${format}: ${what}`)
        },
      })),
    microformats: async () => [
      {
        env: { PAGE: link },
        check: (output) => {
          const { items } = JSON.parse(output) as { items: { type: string[]; properties: Record<string, unknown> }[] }
          const entry = items.find(({ type }) => type.includes("h-entry"))?.properties ?? {}
          return differences(entry, {
            name: [SHOWN.title],
            summary: [SHOWN.summary],
            category: SHOWN.tags,
            url: [link],
          })
        },
      },
    ],
    webhooks: async ({ name }) => [{ env: { ...event, LIBRARY: name }, check: () => [] }],
    mcp: async ({ name }) => {
      const { key, username, call } = await newAccount()
      const own = { EDGEPOST_URL: origin, EDGEPOST_API_KEY: key, COMMAND, LIBRARY: name, SLUG: `draft-of-${username}` }
      const check = async () => ((await call("GET", "posts/")).posts.length === 1 ? [] : ["draft: not one post"])
      return [{ env: own, check }]
    },
    micropub: async () => [{ ...(await writing()), check: () => [] }],
  }
  return (kind, row) => kinds[kind](row)
}
