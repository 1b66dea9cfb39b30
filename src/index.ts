import { app } from "./app.ts"
import { runJobs } from "./cron.ts"
import { consumeTranslations } from "./translations/queue.ts"

export { UploadLimiter } from "./images/limiter.ts"

export default {
  fetch: app.fetch,
  queue: consumeTranslations,
  scheduled: ({ scheduledTime }, env) => runJobs(env, new Date(scheduledTime)),
} satisfies ExportedHandler<Env>
