import { openD1 } from "../../src/db/client.ts"
import worker from "../../src/index.ts"

// The service without its queue: answers list the wake-ups in X-Wake-Ups, and the client delivers them to /deliver, which tells
// the rows of D1 that one of them cost, if it was alone.

export { Reader, UploadLimiter } from "../../src/index.ts"

const deliver = async (body: unknown, env: Env): Promise<void> => {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body, ack: () => {}, retry: () => {} }
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } }
  const batch = { queue: "edgepost-translations", messages: [message], metadata, ackAll: () => {}, retryAll: () => {} }
  await worker.queue(batch, env)
}

/** Wake-ups that are not yet listed in an answer. */
const sent: unknown[] = []
const send = async (body: unknown) => {
  sent.push(body)
  return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
}

/** One object for each isolate: the service checks the variables of an Env once. */
let benchEnv: Env | undefined

export default {
  fetch: async (request, env, context) => {
    benchEnv ??= { ...env, TRANSLATIONS: { ...env.TRANSLATIONS, send } }
    if (new URL(request.url).pathname === "/deliver") {
      const { DB, usage } = openD1(env.DB)
      await deliver(await request.json(), { ...benchEnv, DB })
      const headers = { "X-Rows-Read": String(usage.rows_read), "X-Rows-Written": String(usage.rows_written) }
      return Response.json(sent.splice(0), { headers })
    }
    const answer = await worker.fetch(request, benchEnv, context)
    return new Response(answer.body, {
      status: answer.status,
      headers: { ...Object.fromEntries(answer.headers), "X-Wake-Ups": JSON.stringify(sent.splice(0)) },
    })
  },
} satisfies ExportedHandler<Env>
