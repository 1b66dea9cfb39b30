import { app } from "../../src/app.ts"
import { withLifetime } from "../../src/edge/cache-policy.ts"
import { fetchAtEdge } from "../../src/edge/front.ts"
import { parseMediaPath } from "../../src/images/image.ts"
import { FakeEdge } from "../../test/edge/fake-edge.ts"
import { farEnv } from "./far-bindings.ts"

export { Reader, UploadLimiter } from "../../src/index.ts"

// The service with a cache before `Reader`, played in memory, which is near.

let edge = new FakeEdge(1)

export default {
  fetch: (request, env, context) => {
    if (request.headers.has("X-Miss")) edge = new FakeEdge(1)
    const far = farEnv(env, request)
    const reader = {
      fetch: async (asked: Request) =>
        withLifetime(await app.fetch(asked, far, context), parseMediaPath(new URL(asked.url).pathname)),
      purge: () => Promise.resolve(),
    }
    const exports = { Reader: ({ props }: { props: { origin: string } }) => edge.at(0)(reader, props.origin) }
    return fetchAtEdge(request, far, Object.defineProperty(context, "exports", { value: exports }))
  },
} satisfies ExportedHandler<Env>
