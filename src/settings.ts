import * as z from "zod"

import { ApiError } from "./http/problem.ts"
import { MIN_OPERATOR_TOKEN_CHARS } from "./limits.ts"

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

const isLoopback = (origin: string): boolean => URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname)

const Origin = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    "must be an origin such as https://blog.example",
  )

const Count = (max: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number).pipe(z.int().positive().max(max))

const Variables = z
  .object({
    PUBLIC_ORIGIN: z.union([z.literal(""), Origin]).default(""),
    IMAGE_ID_TTL_SECONDS: Count(86_400).default(1800),
    UPLOADS_PER_MINUTE: Count(1000).default(10),
    TRANSLATOR: z.enum(["pseudo"]),
    TRANSLATION_DEBOUNCE_SECONDS: z
      .string()
      .regex(/^\d+$/, "must be a whole number")
      .transform(Number)
      .pipe(z.int().max(3600))
      .default(5),
    OPERATOR_TOKEN: z.string().optional(),
  })
  .refine(({ TRANSLATOR, PUBLIC_ORIGIN }) => TRANSLATOR !== "pseudo" || !PUBLIC_ORIGIN || isLoopback(PUBLIC_ORIGIN), {
    path: ["TRANSLATOR"],
    error: "pseudo only marks words; it is refused when PUBLIC_ORIGIN is not loopback",
  })

export interface Settings {
  /** null: each request's own origin, on loopback only. */
  publicOrigin: string | null
  imageIdTtlSeconds: number
  uploadsPerMinute: number
  translator: "pseudo"
  translationDebounceSeconds: number
  /** null: the operator API does not exist. */
  operatorToken: string | null
}

const read = (env: Env): Settings => {
  const parsed = Variables.safeParse(env)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`)
    throw new ApiError("misconfigured", `Bad variables: ${faults.join("; ")}.`)
  }
  const vars = parsed.data
  const token = vars.OPERATOR_TOKEN ?? ""
  return {
    publicOrigin: vars.PUBLIC_ORIGIN || null,
    imageIdTtlSeconds: vars.IMAGE_ID_TTL_SECONDS,
    uploadsPerMinute: vars.UPLOADS_PER_MINUTE,
    translator: vars.TRANSLATOR,
    translationDebounceSeconds: vars.TRANSLATION_DEBOUNCE_SECONDS,
    operatorToken: token.length >= MIN_OPERATOR_TOKEN_CHARS ? token : null,
  }
}

const known = new WeakMap<Env, Settings>()

/** The variables of this deployment, checked once an isolate. @throws ApiError `misconfigured`, naming the variable */
export const readSettings = (env: Env): Settings => {
  const settings = known.get(env) ?? read(env)
  known.set(env, settings)
  return settings
}

/** The origin of absolute URLs. Never a Host header: a request's own origin counts on loopback alone. */
export const publicOrigin = (settings: Settings, requestUrl: string): string => {
  if (settings.publicOrigin) return settings.publicOrigin
  const { origin } = new URL(requestUrl)
  if (isLoopback(origin)) return origin
  throw new ApiError("misconfigured", "Bad variables: PUBLIC_ORIGIN must be set when the service is not on loopback.")
}
