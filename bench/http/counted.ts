import { openD1 } from "../../src/db/client.ts"

// What a request asks of each binding, told in a header of its answer. Not for measuring time.

const COUNTED = {
  IMAGE_TICKETS: { get: "kv_reads", put: "kv_writes" },
  MEDIA: { get: "r2_reads", head: "r2_reads", put: "r2_writes" },
  UPLOAD_LIMITER: { getByName: "object_calls" },
  TRANSLATIONS: { send: "messages" },
} as const

/** A binding that tells of every call of its methods. */
const heard = <T extends object>(real: T, hear: (method: string) => void): T =>
  new Proxy(real, {
    get: (target, property) => {
      const own: unknown = Reflect.get(target, property)
      if (typeof own !== "function") return own
      return (...args: unknown[]): unknown => {
        hear(String(property))
        return Reflect.apply(own, target, args)
      }
    },
  })

/** The Worker, but that `X-Calls` of its answers has the calls it made and the rows they read and wrote. */
export const counted = ({ fetch }: { fetch: ExportedHandlerFetchHandler<Env> }) =>
  ({
    fetch: async (request, env, context) => {
      const calls: Record<string, number> = {}
      for (const kinds of Object.values(COUNTED)) for (const kind of Object.values(kinds)) calls[kind] = 0
      const { DB, usage } = openD1(env.DB)
      const listen = <N extends keyof typeof COUNTED>(name: N): Env[N] => {
        const kinds: Record<string, string> = COUNTED[name]
        return heard(env[name], (method) => {
          const kind = kinds[method]
          if (kind) calls[kind] = (calls[kind] ?? 0) + 1
        })
      }
      const own = {
        ...env,
        DB,
        IMAGE_TICKETS: listen("IMAGE_TICKETS"),
        MEDIA: listen("MEDIA"),
        UPLOAD_LIMITER: listen("UPLOAD_LIMITER"),
        TRANSLATIONS: listen("TRANSLATIONS"),
      }
      const answer = await fetch(request, own, context)
      const headers = { ...Object.fromEntries(answer.headers), "X-Calls": JSON.stringify({ ...usage, ...calls }) }
      return new Response(answer.body, { status: answer.status, headers })
    },
  }) satisfies ExportedHandler<Env>
