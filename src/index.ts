import { app } from "./app.ts"
import { runJobs } from "./cron.ts"
import { consumeTranslations } from "./translations/queue.ts"

export { UploadLimiter } from "./images/limiter.ts"

export default {
  fetch: app.fetch,
  queue: consumeTranslations,
  scheduled: (_controller, env) => runJobs(env, new Date()),
} satisfies ExportedHandler<Env>
