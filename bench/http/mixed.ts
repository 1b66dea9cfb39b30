// A mixed load over minutes: at its end everything that was acknowledged must be there, and memory must not grow for ever.
import { Agent } from "node:http"

import { randomFrom } from "../../test/random.ts"
import { type Answer, inPool, type Request, send } from "./load.ts"
import * as operations from "./operations.ts"
import type { Prepared } from "./prepare.ts"

const { BODY } = operations
/** Percentages. */
const MIX = { create: 15, "create with a picture": 5, PATCH: 15, GET: 30, list: 10, page: 15, upload: 5, picture: 5 }
type Step = keyof typeof MIX
const SAMPLE_MS = 500

export interface MixedResult {
  seconds: number
  requests: number
  /** Processor time of workerd for each request. */
  cpuMs: number
  /** Answers with another status than the expected one. */
  errors: number
  firstErrors: string[]
  /** Reads that did not show the newest title. */
  wrong: number
  /** How many posts were looked for at the end. */
  posts: number
  /** How many images were looked for at the end. */
  pictures: number
  /** How many of these were not there. */
  lost: number
  /** Resident memory of workerd after a tenth of the load, and at its end. */
  memory: { warmMb: number; endMb: number }
}

/** Sends a request. @returns null if the answer does not have one of the statuses */
type Ask = (request: Request, statuses: number[]) => Promise<Answer | null>

const pickFrom = (random: () => number): Step => {
  let left = random() * 100
  const steps = Object.keys(MIX) as Step[]
  return steps.find((name) => (left -= MIX[name]) < 0) ?? "create"
}

/** Returns a function that runs work, `size` at a time. */
const gate = (size: number) => {
  let free = size
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

interface Post {
  slug: string
  title: string
}

interface Image {
  image_id: string
  image_url: string
}

interface Client {
  key: string
  /** Posts with the newest title that was acknowledged. */
  posts: Post[]
  /** Paths of images whose upload was acknowledged. */
  images: string[]
  /** Does one thing. @returns false if a read did not show the newest title */
  step: (ask: Ask) => Promise<boolean>
}

const titleIn = ({ body }: Answer): string => (JSON.parse(body) as { post: Post }).post.title

/** Starts an author. Its choices come from a seed. */
const startClient = (number: number, target: Prepared, atGate: ReturnType<typeof gate>): Client => {
  const random = randomFrom(number + 1)
  const key = target.keys[number] ?? ""
  const posts: Post[] = []
  const images: string[] = []
  /** Uploads that no post shows yet. */
  const unused: Image[] = []
  let made = 0
  const anyOf = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T

  const create = async (ask: Ask, image?: Image): Promise<boolean> => {
    const slug = `mixed-${number}-${(made += 1)}`
    const shown = image && { image_ids: [image.image_id], body: `${BODY}\n\n![](${image.image_url})` }
    if (await ask(operations.createPost(key, slug, shown), [201])) posts.push({ slug, title: slug })
    return true
  }
  const steps: Record<Step, (ask: Ask) => Promise<boolean>> = {
    create: (ask) => create(ask),
    "create with a picture": (ask) => create(ask, unused.shift()),
    PATCH: async (ask) => {
      const [post, title] = [anyOf(posts), `Title ${(made += 1)}`]
      const changes = { title, body: `${BODY}\n\n${title}` }
      if (await ask(operations.patchPost(key, post.slug, changes), [200, 202])) post.title = title
      return true
    },
    GET: async (ask) => {
      const { slug, title } = anyOf(posts)
      const answer = await ask(operations.getPost(key, slug), [200])
      return !answer || titleIn(answer) === title
    },
    list: async (ask) => {
      await ask(operations.listPosts(key), [200])
      return true
    },
    page: async (ask) => {
      await ask(operations.getPage(`author-${number}`, anyOf(posts).slug), [200])
      return true
    },
    upload: async (ask) => {
      const answer = await atGate(() => ask(operations.uploadImage(key, (made += 1)), [201]))
      if (!answer) return true
      const uploaded = JSON.parse(answer.body) as Image
      images.push(uploaded.image_url)
      unused.push(uploaded)
      return true
    },
    picture: async (ask) => {
      await ask(operations.getImage(anyOf(images)), [200])
      return true
    },
  }
  const isPossible = (name: Step): boolean => {
    if (name === "picture") return images.length > 0
    return posts.length > 0 || name.startsWith("create") || name === "upload"
  }
  const step = (ask: Ask): Promise<boolean> => {
    const name = pickFrom(random)
    return steps[isPossible(name) ? name : "create"](ask)
  }
  return { key, posts, images, step }
}

/** Looks for everything that was acknowledged. */
const findAgain = async (clients: Client[], ask: Ask) => {
  const found = { posts: 0, pictures: 0, lost: 0 }
  const all = clients.flatMap(({ key, posts, images }): { request: Request; title?: string }[] => [
    ...posts.map(({ slug, title }) => ({ request: operations.getPost(key, slug), title })),
    ...images.map((path) => ({ request: operations.getImage(path) })),
  ])
  await inPool(all, clients.length, async ({ request, title }) => {
    found[title === undefined ? "pictures" : "posts"] += 1
    const answer = await ask(request, [200])
    const isThere = answer && (title === undefined || titleIn(answer) === title)
    if (!isThere) found.lost += 1
  })
  return found
}

/** How long a load lasts: seconds, or steps of each client, which repeats an earlier load. */
export type Load = { seconds: number } | { steps: number[] }

/** Lets `concurrency` clients do one thing after another. @returns the result, and the steps of each client */
export const runMixed = async (
  target: Prepared,
  load: Load,
  concurrency: number,
): Promise<{ result: MixedResult; steps: number[] }> => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const errors: string[] = []
  let [requests, wrong] = [0, 0]
  const ask: Ask = async (request, statuses) => {
    requests += 1
    const answer = await send(agent, target.origin, request).catch((error: unknown) => String(error))
    if (typeof answer !== "string" && statuses.includes(answer.status)) return answer
    const reason = typeof answer === "string" ? answer : `${answer.status} ${answer.body}`
    errors.push(`${request.method} ${request.path}: ${reason}`)
    return null
  }
  const atGate = gate(operations.UPLOADS_AT_ONCE)
  const clients = Array.from({ length: concurrency }, (_, number) => startClient(number, target, atGate))
  const samples: { requests: number; mb: number }[] = []
  const sampler = setInterval(() => samples.push({ requests, mb: target.memoryMb() }), SAMPLE_MS)
  const [start, cpu] = [performance.now(), target.cpuMs()]
  const isOver = (done: number, number: number): boolean =>
    "steps" in load ? done >= (load.steps[number] ?? 0) : performance.now() - start >= load.seconds * 1000
  const steps = await Promise.all(
    clients.map(async (client, number) => {
      let done = 0
      for (; !isOver(done, number); done++) if (!(await client.step(ask))) wrong += 1
      return done
    }),
  )
  const seconds = (performance.now() - start) / 1000
  const [cpuMs, total] = [(target.cpuMs() - cpu) / requests, requests]
  clearInterval(sampler)
  samples.push({ requests: total, mb: target.memoryMb() })
  const found = await findAgain(clients, ask)
  agent.destroy()
  // The first tenth of the load fills caches and compiles code.
  const warmMb = samples.find((sample) => sample.requests >= total / 10)?.mb ?? NaN
  const memory = { warmMb, endMb: target.memoryMb() }
  const firstErrors = errors.slice(0, 5)
  return {
    result: { seconds, requests: total, cpuMs, errors: errors.length, firstErrors, wrong, ...found, memory },
    steps,
  }
}
