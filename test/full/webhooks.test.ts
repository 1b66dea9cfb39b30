import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"

import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, expect, test } from "vitest"

import { eventually, newKey, origin } from "../e2e/support.ts"
import { type Client, clientOf } from "./blog.ts"

// Receivers that answer, hang, redirect, and send their answer one byte a second. The Worker's tests have the rest.

const received: { path: string; headers: Record<string, string>; body: string }[] = []
const sockets = new Set<Socket>()

/** Reads a request of HTTP/1.1 whose length is known. Returns null while it is not complete. */
const parse = (text: string) => {
  const [head = "", body = ""] = text.split("\r\n\r\n")
  const [first = "", ...lines] = head.split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  )
  if (!text.includes("\r\n\r\n") || Buffer.byteLength(body) < Number(headers["content-length"])) return null
  return { path: first.split(" ")[1] ?? "", headers, body }
}

const DONE = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"

const ANSWERS: Record<string, (socket: Socket) => void> = {
  "/ok": (socket) => socket.end(DONE),
  "/hangs": () => undefined,
  "/redirects": (socket) => socket.end(`HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nConnection: close\r\n\r\n`),
  "/slow": (socket) => {
    let at = 0
    const timer = setInterval(() => {
      if (at === DONE.length || socket.destroyed) clearInterval(timer)
      else socket.write(DONE[at++] ?? "")
    }, 1000)
  },
}

const server = createServer((socket) => {
  sockets.add(socket)
  let text = ""
  socket.on("error", () => undefined)
  socket.on("data", (data) => {
    text += data.toString()
    const request = parse(text)
    if (!request) return
    received.push(request)
    ANSWERS[request.path]?.(socket)
  })
})

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

interface Delivery {
  url: string
  attempts: number
  status: string
  answer_status: number | null
}

test("a receiver that answers is told of a new post, and others that hang, are slow or redirect are asked again", async () => {
  const key = await newKey("told")
  const client: Client = clientOf({ origin, key })
  const base = `http://localhost:${(server.address() as AddressInfo).port}`
  const secrets = new Map<string, string>()
  for (const path of Object.keys(ANSWERS)) {
    const { webhook } = (await client("POST", "webhooks/", { url: base + path })) as {
      webhook: { secret: string }
    }
    secrets.set(path, webhook.secret)
  }
  const fields = { slug: "told-of-me", title: "Told", meta_description: "Told.", categories: "x", body: "Told." }
  await client("POST", "posts/", { ...fields, status: "PB" })
  await eventually(() => expect(received.map(({ path }) => path)).toContain("/ok"))
  const first = received.find(({ path }) => path === "/ok")
  const event = new Webhook(secrets.get("/ok") ?? "").verify(first?.body ?? "", first?.headers ?? {})
  expect(event).toMatchObject({ type: "post.published", data: { post: { slug: "told-of-me" } } })
  await eventually(async () => {
    const { deliveries } = (await client("GET", "webhooks/deliveries/")) as { deliveries: Delivery[] }
    const states = deliveries.map(({ url, ...each }) => [new URL(url).pathname, each.status, each.answer_status])
    expect(new Map(states.map(([path, ...state]) => [path, state]))).toEqual(
      new Map([
        ["/ok", ["delivered", 204]],
        ["/hangs", ["waiting", null]],
        ["/redirects", ["waiting", 302]],
        ["/slow", ["waiting", null]],
      ]),
    )
    expect(deliveries.every(({ attempts }) => attempts > 0)).toBe(true)
  })
  expect(received.map(({ path }) => path)).not.toContain("/elsewhere")
})
