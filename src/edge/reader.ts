import { WorkerEntrypoint } from "cloudflare:workers"

import { app } from "../app.ts"
import { parseMediaPath } from "../images/image.ts"
import { listsOf, UNCACHED, withLifetime } from "./cache-policy.ts"

/** The origin of the request, which is not part of the edge's key: a path of two hosts are two pages. */
interface ReaderProps {
  origin?: string
}

/** The entrypoint before which the edge keeps answers. `fetchAtEdge` calls it. */
export class Reader extends WorkerEntrypoint<Env, ReaderProps> {
  override async fetch(request: Request): Promise<Response> {
    const image = parseMediaPath(new URL(request.url).pathname)
    const answer = withLifetime(await app.fetch(request, this.env, this.ctx), image, listsOf.get(request))
    if (!this.ctx.cache) answer.headers.set(UNCACHED, "1")
    return answer
  }

  /** Removes kept answers, as `Purge` says. Without a cache, as on a local machine, there is nothing to remove. */
  async purge(tags: string[]): Promise<void> {
    const result = await this.ctx.cache?.purge({ tags })
    if (result?.success === false) throw new Error(`The edge has not removed ${tags.length} tags.`)
  }
}
