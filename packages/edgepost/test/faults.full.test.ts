import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { call, newKey, origin } from "../../../test/e2e/support.ts"
import { draw, write } from "./blogs.ts"
import { edgepost } from "./command.ts"
import { type Fault, type Proxy, startProxy } from "./proxy.ts"

const API = `${origin}/api/blogcontroller`

let folder: string
let proxy: Proxy
let accounts = 0

const post = (slug: string, title: string, body: string): string =>
  `---\ntitle: ${title}\nslug: ${slug}\ndate: 2024-01-02\n---\n\n${body}\n`

/** Writes the posts of an account, whose slugs no other account may have. */
const writePosts = async (name: string): Promise<string> => {
  const root = join(folder, name)
  await write(join(root, "edgepost.config.yaml"), "category: Sea\nsource: faults\n")
  await write(join(root, "boat.png"), await draw("boat.png", 20, 20))
  await write(join(root, "gull.png"), await draw("gull.png", 30, 20))
  await write(join(root, "first.md"), post(`first-${name}`, "First", "A boat.\n\n![Boat](boat.png)"))
  await write(join(root, "first.fr.md"), post(`first-${name}`, "Premier", "Un bateau.\n\n![Bateau](boat.png)"))
  const body = "[Before](first.md)\n\n![Gull](gull.png) ![Boat](boat.png)"
  await write(join(root, "second.md"), post(`second-${name}`, "Second", body))
  return root
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-faults-"))
  proxy = await startProxy(origin)
})
afterAll(async () => {
  await proxy.close()
  await rm(folder, { recursive: true })
})

const newAccount = async () => {
  accounts += 1
  const username = `cli-faults-${accounts}`
  const key = await newKey(username, { translation_languages: [] })
  proxy.requests.length = 0
  proxy.fault = () => undefined
  const root = await writePosts(username)
  return { username, key, root, env: { EDGEPOST_URL: proxy.origin, EDGEPOST_API_KEY: key, HOME: folder } }
}

type Account = Awaited<ReturnType<typeof newAccount>>

const publish = ({ env, root }: Account, onStart?: (kill: () => void) => void) =>
  edgepost(["publish", root], { env, ...(onStart && { onStart }) })

/** Returns what an account has, without its name and ids: each post with its version, so that a write that took effect twice shows. */
const stateOf = async ({ key, username }: Account) => {
  const { json } = await call("GET", `${API}/posts/?limit=100`, { headers: { "X-API-KEY": key } })
  const ids = new Map<string, number>()
  const state = []
  for (const { slug, version, images, texts } of json.posts.toSorted((one: { slug: string }, other: { slug: string }) =>
    one.slug < other.slug ? -1 : 1,
  )) {
    for (const { image_id } of images) if (!ids.has(image_id)) ids.set(image_id, ids.size)
    const bodies = []
    for (const lang of Object.keys(texts)) {
      const { post: read } = (
        await call("GET", `${API}/posts/${slug}/?lang_code=${lang}`, { headers: { "X-API-KEY": key } })
      ).json
      const body = read.body
        .replaceAll(username, "ANN")
        .replaceAll(/[0-9A-Z]{26}/g, (id: string) => `image ${ids.get(id)}`)
      bodies.push([lang, read.title, createHash("sha256").update(body).digest("hex")])
    }
    state.push({ slug: slug.replace(username, ""), version, images: images.length, bodies })
  }
  return { state, images: ids.size }
}

describe("publish through a network that fails", () => {
  let requests: string[]
  let wanted: Awaited<ReturnType<typeof stateOf>>
  beforeAll(async () => {
    const account = await newAccount()
    expect((await publish(account)).code).toBe(0)
    requests = [...proxy.requests]
    wanted = await stateOf(account)
    expect([wanted.state.length, wanted.images]).toEqual([2, 2])
  })

  /** Publishes with a fault at each request in turn; runs again if that fails. @returns at how many requests */
  const atEach = async (fault: Fault, isHit: (request: string) => boolean = () => true) => {
    let hits = 0
    for (const [number, request] of requests.entries()) {
      if (!isHit(request)) continue
      const account = await newAccount()
      proxy.fault = (current) => (current === number ? fault : undefined)
      const first = await publish(account)
      proxy.fault = () => undefined
      if (first.code !== 0) expect((await publish(account)).code, request).toBe(0)
      expect(await stateOf(account), request).toEqual(wanted)
      hits += 1
    }
    return hits
  }

  const RETRY = { headers: { "Retry-After": "1" } }

  test.each<[string, Fault, ((request: string) => boolean)?]>([
    ["429 with Retry-After", { status: 429, ...RETRY, body: { code: "rate_limited" } }],
    ["503 with Retry-After", { status: 503, ...RETRY, body: { code: "unavailable" } }],
    ["the connection cut before the service sees the request", "cut before"],
    ["the connection cut before the answer", "cut after"],
    [
      "410 for an image that has expired",
      { status: 410, body: { code: "image_expired" } },
      (request) => /^(PUT|PATCH)/.test(request),
    ],
    [
      "412 for a post that has changed",
      { status: 412, body: { code: "version_conflict" } },
      (request) => /^(PUT|PATCH)/.test(request),
    ],
  ])(
    "after %s at each request in turn, publish ends in the same state, with nothing written twice",
    async (_, fault, isHit) => {
      expect(await atEach(fault, isHit)).toBeGreaterThan(0)
    },
  )

  test("after kill -9 at each request in turn, the next publish ends in the same state, with nothing written twice", async () => {
    for (const [number, request] of requests.entries()) {
      const account = await newAccount()
      const first = publish(account, (kill) => {
        proxy.fault = (current) => {
          if (current === number) kill()
          return undefined
        }
      })
      expect((await first).signal, request).toBe("SIGKILL")
      proxy.fault = () => undefined
      expect((await publish(account)).code, request).toBe(0)
      expect(await stateOf(account), request).toEqual(wanted)
    }
  })

  test("Ctrl-C ends publish with 130, and the next one goes on", async () => {
    const account = await newAccount()
    const first = await edgepost(["publish", account.root], {
      env: account.env,
      onStart: (_, interrupt) => {
        proxy.fault = (_number, request) => {
          if (request.startsWith("PUT")) interrupt()
          return undefined
        }
      },
    })
    expect([first.code, first.stderr]).toEqual([130, expect.stringContaining("Interrupted")])
    proxy.fault = () => undefined
    expect((await publish(account)).code).toBe(0)
    expect(await stateOf(account)).toEqual(wanted)
  })
})
