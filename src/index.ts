import { runJobs } from "./cron.ts"
import { fetchAtEdge } from "./edge/front.ts"
import { purgeOf } from "./edge/purge.ts"
import { consumeTranslations } from "./translations/queue.ts"
import { consumeWebhooks } from "./webhooks/queue.ts"

export { Reader } from "./edge/reader.ts"
export { UploadLimiter } from "./images/limiter.ts"

/** Matches `edgepost-webhooks`. Does not match `edgepost-translations`. */
const WEBHOOKS = /-webhooks$/

export default {
  fetch: fetchAtEdge,
  queue: (batch, env) => (WEBHOOKS.test(batch.queue) ? consumeWebhooks(batch, env) : consumeTranslations(batch, env)),
  scheduled: ({ scheduledTime }, env, ctx) => runJobs(env, new Date(scheduledTime), purgeOf(ctx)),
} satisfies ExportedHandler<Env>
