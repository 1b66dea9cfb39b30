import worker from "../../src/index.ts"

// The service, but for its queue: who sends a request is told of the wake-ups and delivers them when it likes.

export { UploadLimiter } from "../../src/index.ts"

const deliver = async (body: unknown, env: Env): Promise<void> => {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body, ack: () => {}, retry: () => {} }
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } }
  const batch = { queue: "edgepost-translations", messages: [message], metadata, ackAll: () => {}, retryAll: () => {} }
  await worker.queue(batch, env)
}

/** Wake-ups that nobody has been told of. */
const sent: unknown[] = []
const send = async (body: unknown) => {
  sent.push(body)
  return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
}

/** An isolate has one, by which the service knows that its variables are checked. */
let own: Env | undefined

export default {
  fetch: async (request, env, context) => {
    own ??= { ...env, TRANSLATIONS: { ...env.TRANSLATIONS, send } }
    if (new URL(request.url).pathname === "/deliver") {
      await deliver(await request.json(), own)
      return Response.json(sent.splice(0))
    }
    const answer = await worker.fetch(request, own, context)
    return new Response(answer.body, {
      status: answer.status,
      headers: { ...Object.fromEntries(answer.headers), "X-Wake-Ups": JSON.stringify(sent.splice(0)) },
    })
  },
} satisfies ExportedHandler<Env>
