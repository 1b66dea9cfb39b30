import { runJobs } from "./cron.ts"
import { fetchAtEdge } from "./edge/front.ts"
import { purgeOf } from "./edge/purge.ts"
import { consumeTranslations } from "./translations/queue.ts"

export { Reader } from "./edge/reader.ts"
export { UploadLimiter } from "./images/limiter.ts"

export default {
  fetch: fetchAtEdge,
  queue: consumeTranslations,
  scheduled: ({ scheduledTime }, env, ctx) => runJobs(env, new Date(scheduledTime), purgeOf(ctx)),
} satisfies ExportedHandler<Env>
