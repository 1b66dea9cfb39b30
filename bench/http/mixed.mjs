// A mixed load over minutes: whatever was acknowledged must be there at its end, and memory must not grow for ever.
import { Agent } from "node:http"

import { randomFrom } from "../../test/images/mutations.ts"
import { inPool, send } from "./load.mjs"
import * as operations from "./operations.mjs"

const { BODY } = operations
/** Parts of a hundred. */
const MIX = { create: 15, "create with a picture": 5, PATCH: 15, GET: 30, list: 10, page: 15, upload: 5, picture: 5 }
const SAMPLES = 40
const SAMPLE_MS = 500

const pickFrom = (random) => {
  let at = random() * 100
  return Object.keys(MIX).find((name) => (at -= MIX[name]) < 0)
}

/** Lets so many through at a time. */
const gate = (size) => {
  let free = size
  const waiting = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** An author with a memory of everything that was acknowledged, and what comes next. */
const startClient = (number, target, atGate) => {
  const random = randomFrom(number + 1)
  const key = target.keys[number]
  const titles = new Map()
  const slugs = []
  const pictures = []
  const fresh = []
  let made = 0
  const anyOf = (list) => list[Math.floor(random() * list.length)]

  const create = async (ask, picture) => {
    const slug = `mixed-${number}-${(made += 1)}`
    const shown = picture && { image_ids: [picture.id], body: `${BODY}\n\n![](${picture.url})` }
    if (!(await ask(operations.createPost(key, slug, shown), [201]))) return
    titles.set(slug, slug)
    slugs.push(slug)
  }
  const steps = {
    create: (ask) => create(ask),
    "create with a picture": (ask) => create(ask, fresh.shift()),
    PATCH: async (ask) => {
      const [slug, title] = [anyOf(slugs), `Title ${(made += 1)}`]
      if (await ask(operations.patchPost(key, slug, { title, body: `${BODY}\n\n${title}` }), [200, 202]))
        titles.set(slug, title)
    },
    GET: async (ask) => {
      const slug = anyOf(slugs)
      const answer = await ask(operations.getPost(key, slug), [200])
      return !answer || JSON.parse(answer.body).post.title === titles.get(slug)
    },
    list: (ask) => ask(operations.listPosts(key), [200]),
    page: (ask) => ask(operations.getPage(`author-${number}`, anyOf(slugs)), [200]),
    upload: async (ask) => {
      const answer = await atGate(() => ask(operations.uploadPicture(key), [201]))
      if (!answer) return
      const { image_id: id, image_url: url } = JSON.parse(answer.body)
      pictures.push(url)
      fresh.push({ id, url })
    },
    picture: (ask) => ask(operations.getPicture(anyOf(pictures)), [200]),
  }
  const isPossible = (name) => {
    if (name === "picture") return pictures.length > 0
    return titles.size > 0 || name.startsWith("create") || name === "upload"
  }
  const step = (ask) => {
    const name = pickFrom(random)
    return steps[isPossible(name) ? name : "create"](ask)
  }
  return { key, titles, pictures, step }
}

/** Whatever a client was told that it stands: how many, and how many of them are not there. */
const findAgain = async (clients, ask) => {
  const found = { posts: 0, pictures: 0, lost: 0 }
  const all = clients.flatMap(({ key, titles, pictures }) => [
    ...[...titles].map(([slug, title]) => ({ request: operations.getPost(key, slug), title })),
    ...pictures.map((path) => ({ request: operations.getPicture(path) })),
  ])
  await inPool(all, clients.length, async ({ request, title }) => {
    found[title === undefined ? "pictures" : "posts"] += 1
    const answer = await ask(request, [200])
    const isThere = answer && (title === undefined || JSON.parse(answer.body).post.title === title)
    if (!isThere) found.lost += 1
  })
  return found
}

/**
 * Clients that do one thing after another, each its own.
 * @param until `{ seconds }`, or `{ steps }` of each client: the same load again
 */
export const runMixed = async (target, { seconds, steps }, concurrency) => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const errors = []
  let [requests, wrong] = [0, 0]
  const ask = async (request, statuses) => {
    requests += 1
    const answer = await send(agent, target.origin, request).catch((error) => ({ status: 0, body: String(error) }))
    if (statuses.includes(answer.status)) return answer
    errors.push(`${request.method} ${request.path}: ${answer.status} ${answer.body}`)
    return null
  }
  const atGate = gate(operations.UPLOADS_AT_ONCE)
  const clients = Array.from({ length: concurrency }, (_, number) => startClient(number, target, atGate))
  const memory = []
  const sampler = setInterval(() => memory.push({ requests, mb: target.memoryMb().now }), SAMPLE_MS)
  const [start, cpu] = [performance.now(), target.cpuMs()]
  const isOver = (done, number) => (steps ? done >= steps[number] : performance.now() - start >= seconds * 1000)
  const done = await Promise.all(
    clients.map(async (client, number) => {
      let count = 0
      for (; !isOver(count, number); count++) if ((await client.step(ask)) === false) wrong += 1
      return count
    }),
  )
  const took = (performance.now() - start) / 1000
  const [cpuMs, total] = [(target.cpuMs() - cpu) / requests, requests]
  clearInterval(sampler)
  memory.push({ requests: total, mb: target.memoryMb().now })
  const found = await findAgain(clients, ask)
  agent.destroy()
  const every = Math.max(1, Math.floor(memory.length / SAMPLES))
  // The first tenth of the load fills caches and compiles code.
  const warm = memory.find((sample) => sample.requests >= total / 10)
  return {
    seconds: took,
    requests: total,
    cpuMs,
    errors: errors.length,
    firstErrors: errors.slice(0, 5),
    wrong,
    ...found,
    memory: {
      warmMb: warm.mb,
      endMb: target.memoryMb().now,
      mostMb: target.memoryMb().most,
      samples: memory.filter((_, i) => i % every === 0),
    },
    steps: done,
  }
}
