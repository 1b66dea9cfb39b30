// A target with so many posts, some of them real, and a picture that a post shows.
import { Agent } from "node:http"

import { send } from "./load.mjs"
import { BODY, createPost, SUBJECTS, uploadPicture } from "./operations.mjs"
import { fillPosts, seedAccounts } from "./seed.mjs"
import { startTarget } from "./target.mjs"

const must = async (agent, target, request) => {
  const { status, body } = await send(agent, target.origin, request)
  if (status !== 201) throw new Error(`${target.name}: ${request.path} answers ${status}: ${body}`)
  return JSON.parse(body)
}

/** Starts a Worker over `posts` posts. @returns the target with `keys` and the path of a `picture` */
export const prepareTarget = async (name, bundle, posts) => {
  const target = await startTarget(name, bundle)
  try {
    const keys = await seedAccounts(target)
    await fillPosts(target, 1, posts - SUBJECTS - 1)
    const agent = new Agent({ keepAlive: true })
    for (let n = 0; n < SUBJECTS; n++) await must(agent, target, createPost(keys[0], `subject-${n}`))
    const { image_id, image_url } = await must(agent, target, uploadPicture(keys[0]))
    const shown = { image_ids: [image_id], body: `${BODY}\n\n![](${image_url})` }
    await must(agent, target, createPost(keys[0], "with-picture", shown))
    agent.destroy()
    return { ...target, keys, picture: image_url }
  } catch (error) {
    await target.stop()
    throw error
  }
}
