import { createHash } from "node:crypto"

import { beforeAll, describe, expect, test } from "vitest"

import { type Account, newAccount, post } from "./account.ts"
import { draw } from "./blogs.ts"
import type { Ran } from "./command.ts"
import type { Fault } from "./proxy.ts"

let accounts = 0

/** Makes an account with two posts, whose slugs no other account may have. */
const newBlog = async (): Promise<Account> => {
  accounts += 1
  const account = await newAccount(`cli-faults-${accounts}`)
  const first = `slug: first-${account.username}\n`
  const gull = "[Before](first.md)\n\n![Gull](gull.png) ![Boat](boat.png)"
  await account.write({
    "edgepost.config.yaml": "category: Sea\nsource: faults\n",
    "boat.png": await draw("boat.png", 20, 20),
    "gull.png": await draw("gull.png", 30, 20),
    "first.md": post("First", "A boat.\n\n![Boat](boat.png)", first),
    "first.fr.md": post("Premier", "Un bateau.\n\n![Bateau](boat.png)", first),
    "second.md": post("Second", gull, `slug: second-${account.username}\n`),
  })
  return account
}

const publish = ({ root, run }: Account): Promise<Ran> => run(["publish", root])

/** Returns what an account has, without its name and ids: each post with its version, so that a write that took effect twice shows. */
const stateOf = async ({ send, username }: Account) => {
  const { posts } = (await send("GET", "posts/?limit=100")).json
  const ids = new Map<string, number>()
  const state = []
  for (const { slug, version, images, texts } of posts.toSorted((one: { slug: string }, other: { slug: string }) =>
    one.slug < other.slug ? -1 : 1,
  )) {
    for (const { image_id } of images) if (!ids.has(image_id)) ids.set(image_id, ids.size)
    const bodies = []
    for (const lang of Object.keys(texts)) {
      const { title, body } = (await send("GET", `posts/${slug}/?lang_code=${lang}`)).json.post
      const steady = body
        .replaceAll(username, "ANN")
        .replaceAll(/[0-9A-Z]{26}/g, (id: string) => `image ${ids.get(id)}`)
      bodies.push([lang, title, createHash("sha256").update(steady).digest("hex")])
    }
    state.push({ slug: slug.replace(username, ""), version, images: images.length, bodies })
  }
  return { state, images: ids.size }
}

const isWrite = (request: string): boolean => /^(PUT|PATCH)/.test(request)

describe("publish through a network that fails", () => {
  let requests: string[]
  let wanted: Awaited<ReturnType<typeof stateOf>>
  beforeAll(async () => {
    const account = await newBlog()
    expect((await publish(account)).code).toBe(0)
    requests = [...account.proxy.requests]
    wanted = await stateOf(account)
    expect([wanted.state.length, wanted.images]).toEqual([2, 2])
  })

  /** Publishes with a fault at each request in turn; runs again if that fails. @returns at how many requests */
  const atEach = async (fault: Fault, isHit: (request: string) => boolean = () => true) => {
    let hits = 0
    for (const [number, request] of requests.entries()) {
      if (!isHit(request)) continue
      const account = await newBlog()
      account.proxy.fault = (current) => (current === number ? fault : undefined)
      const first = await publish(account)
      account.proxy.fault = () => undefined
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
    ["410 for an image that has expired", { status: 410, body: { code: "image_expired" } }, isWrite],
    ["412 for a post that has changed", { status: 412, body: { code: "version_conflict" } }, isWrite],
  ])(
    "after %s at each request in turn, publish ends in the same state, with nothing written twice",
    async (_, fault, isHit) => {
      expect(await atEach(fault, isHit)).toBeGreaterThan(0)
    },
  )

  test("after kill -9 at each request in turn, the next publish ends in the same state, with nothing written twice", async () => {
    for (const [number, request] of requests.entries()) {
      const account = await newBlog()
      const { child, ended } = account.spawn(["publish", account.root])
      account.proxy.fault = (current) => {
        if (current === number) child.kill("SIGKILL")
        return undefined
      }
      expect((await ended).signal, request).toBe("SIGKILL")
      account.proxy.fault = () => undefined
      expect((await publish(account)).code, request).toBe(0)
      expect(await stateOf(account), request).toEqual(wanted)
    }
  })

  test("Ctrl-C ends publish with 130, and the next one goes on", async () => {
    const account = await newBlog()
    const { child, ended } = account.spawn(["publish", account.root])
    account.proxy.fault = (_, request) => {
      if (request.startsWith("PUT")) child.kill("SIGINT")
      return undefined
    }
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining("Interrupted") })
    account.proxy.fault = () => undefined
    expect((await publish(account)).code).toBe(0)
    expect(await stateOf(account)).toEqual(wanted)
  })
})
