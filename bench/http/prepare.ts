// Starts a Worker and fills its database: posts by SQL, some posts over HTTP, and an image that a post shows.
import { Agent } from "node:http"

import type { Bundle } from "./bundle.ts"
import { type Request, send } from "./load.ts"
import { BODY, createPost, SUBJECTS, uploadImage } from "./operations.ts"
import { fillPosts, seedAccounts } from "./seed.ts"
import { startTarget, type Target } from "./target.ts"

/** Moves every second subject to the middle of the filled posts, because a page also shows the posts before and after it. */
const MOVE_SUBJECTS = `update posts set published_at = substr(slug, 9) +
  (select max(published_at) / 2 from posts where slug like 'filled-%')
  where slug like 'subject-%' and substr(slug, 9) % 2 = 1`

export interface Prepared extends Target {
  /** API keys of the authors. */
  keys: string[]
  /** The path of an image. */
  image: string
}

const must = async (agent: Agent, target: Target, request: Request): Promise<unknown> => {
  const { status, body } = await send(agent, target.origin, request)
  if (status !== 201) throw new Error(`${target.name}: ${request.path} answers ${status}: ${body}`)
  return JSON.parse(body)
}

/** Starts a Worker with `posts` posts. */
export const prepareTarget = async (name: string, bundle: Bundle, posts: number): Promise<Prepared> => {
  const target = await startTarget(name, bundle)
  try {
    const keys = await seedAccounts(target)
    const [key = ""] = keys
    await fillPosts(target, 1, posts - SUBJECTS - 1)
    const agent = new Agent({ keepAlive: true })
    for (let n = 0; n < SUBJECTS; n++) await must(agent, target, createPost(key, `subject-${n}`))
    const uploaded = await must(agent, target, uploadImage(key, -1))
    const { image_id, image_url } = uploaded as { image_id: string; image_url: string }
    const shown = { image_ids: [image_id], body: `${BODY}\n\n![](${image_url})` }
    await must(agent, target, createPost(key, "with-image", shown))
    agent.destroy()
    await target.query([MOVE_SUBJECTS])
    return { ...target, keys, image: image_url }
  } catch (error) {
    await target.stop()
    throw error
  }
}
