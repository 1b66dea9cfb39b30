import bare from "../http/bare.ts"
import { farEnv } from "./far-bindings.ts"

export { UploadLimiter } from "../http/bare.ts"

export default {
  fetch: (request, env) => bare.fetch(request, farEnv(env, request)),
} satisfies ExportedHandler<Env>
