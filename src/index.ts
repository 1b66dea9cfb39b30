import { app } from "./app.ts"
import { sweep } from "./sweep.ts"
import { consumeTranslations } from "./translations/queue.ts"

export { UploadLimiter } from "./images/limiter.ts"

export default {
  fetch: app.fetch,
  queue: consumeTranslations,
  scheduled: (_controller, env) => sweep(env, new Date()),
} satisfies ExportedHandler<Env>
