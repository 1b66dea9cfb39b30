import * as z from "zod"

import { isLoopback, type Places, withoutRootDot } from "./addresses.ts"
import { ApiError } from "./http/errors.ts"
import {
  DEFAULT_IMAGE_ID_TTL_SECONDS,
  DEFAULT_MAX_STORED_TEXT_BYTES,
  DEFAULT_TRANSLATED_CHARACTERS_PER_DAY,
  DEFAULT_TRANSLATION_DEBOUNCE_SECONDS,
  DEFAULT_UPLOADS_PER_MINUTE,
  MIN_SECRET_CHARS,
} from "./limits.ts"

const Origin = z
  .string()
  .transform(withoutRootDot)
  .refine(
    (text) =>
      URL.canParse(text) &&
      new URL(text).origin === text &&
      // Over http, cookies and keys would travel unencrypted.
      (text.startsWith("https:") || (text.startsWith("http:") && isLoopback(text))),
    "must be an origin such as https://blog.example; http is for loopback only",
  )

/** Tells whether two origins differ in host or port. */
const isOtherHost = (origin: string, other: string): boolean =>
  URL.canParse(origin) && URL.canParse(other) && new URL(origin).host !== new URL(other).host

const Count = (max: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number).pipe(z.int().positive().max(max))

/** The base URL of an API, without a slash at its end. */
const Endpoint = z
  .string()
  .refine(
    (text) => text === "" || (/^https?:[^?#@]*$/.test(text) && URL.canParse(text)),
    "must be a URL such as https://api.example/v1, without query, fragment and user",
  )
  .transform((text) => text.replace(/\/+$/, ""))

/** Secrets, separated by commas. There are two while a secret is rotated. */
const Secrets = (form: RegExp, message: string) =>
  z
    .string()
    .transform((text) => text.split(",").map((secret) => secret.trim()))
    .transform((secrets) => secrets.filter((secret) => secret !== ""))
    .refine((secrets) => secrets.every((secret) => form.test(secret)), message)
    .default([])

/** The variables that each engine requires. */
const NEEDED = {
  "workers-ai": ["WORKERS_AI_MODEL"],
  openai: ["OPENAI_BASE_URL", "OPENAI_MODEL"],
  apertium: ["APERTIUM_URL"],
  pseudo: [],
} as const

// Each comment is a sentence of docs/reference/variables.md, which `npm run reference` writes.
const Variables = z
  .object({
    /** The origin of all absolute URLs, such as `https://blog.example`. If empty, the service answers on loopback only. */
    PUBLIC_ORIGIN: z.union([z.literal(""), Origin]).default(""),
    /** An origin on another host for readers' pages, which contain authors' HTML. If empty, they are on `PUBLIC_ORIGIN`. */
    READER_ORIGIN: z.union([z.literal(""), Origin]).default(""),
    /** The username of the only blog on `READER_ORIGIN`, which is then at its root. If empty, each blog is at `/@<username>/`. */
    READER_BLOG: z.string().default(""),
    /** Seconds in which an uploaded image must be used in a post, at most 86400. */
    IMAGE_ID_TTL_SECONDS: Count(86_400).default(DEFAULT_IMAGE_ID_TTL_SECONDS),
    /** Uploads of one account in any 60 seconds, at most 1000. */
    UPLOADS_PER_MINUTE: Count(1000).default(DEFAULT_UPLOADS_PER_MINUTE),
    /** UTF-8 bytes of all posts of an account: what the author fills, in all languages, their HTML, and a flat number for each row. */
    MAX_STORED_TEXT_BYTES: Count(10 ** 10).default(DEFAULT_MAX_STORED_TEXT_BYTES),
    /** The translation engine: `workers-ai`, `openai`, `apertium` or `pseudo`. `npm start` uses `pseudo`. */
    TRANSLATOR: z.enum(["workers-ai", "openai", "apertium", "pseudo"]),
    /** For `workers-ai`: a model that generates text. */
    WORKERS_AI_MODEL: z
      .string()
      .regex(/^(?:@[\w./-]+)?$/, "must be the id of a model such as @cf/google/gemma-4-26b-a4b-it")
      .optional(),
    /** For `openai`: the URL of the API with its version, such as `https://api.openai.com/v1`. */
    OPENAI_BASE_URL: Endpoint.optional(),
    /** For `openai`: the name of the model. */
    OPENAI_MODEL: z.string().optional(),
    /** For `openai`: the API's key. Leave it out if the API needs none. */
    OPENAI_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]*$/, "must be of printable ASCII")
      .optional(),
    /** For `apertium`: the URL of the apertium-apy service. */
    APERTIUM_URL: Endpoint.optional(),
    /** Characters that are translated for one account on one day (UTC). Further translations wait for the next day. */
    TRANSLATED_CHARACTERS_PER_DAY: Count(1_000_000_000).default(DEFAULT_TRANSLATED_CHARACTERS_PER_DAY),
    /** Seconds that a saved post waits for further saves before its translation starts, at most 3600. */
    TRANSLATION_DEBOUNCE_SECONDS: z
      .string()
      .regex(/^\d+$/, "must be a whole number")
      .transform(Number)
      .pipe(z.int().max(3600))
      .default(DEFAULT_TRANSLATION_DEBOUNCE_SECONDS),
    /** The operator's token, at least 32 characters. Without it, every path under `/operator/` answers 404. */
    OPERATOR_TOKEN: z.string().optional(),
    /** `on`: authors can have addresses of theirs told of what happens to their posts. */
    WEBHOOKS: z.enum(["", "on"], "must be on or empty").default(""),
    /** Encrypts the secrets of these addresses, at least 32 characters; during a rotation two, separated by a comma, of which the first encrypts. Without it no address is added and no secret changed. */
    WEBHOOK_SECRET: Secrets(/^.{32,}$/, "must have at least 32 characters"),
    /** The signing secret of the Stripe webhook, `whsec_…`; during a rotation two, separated by a comma. Without it there is no webhook. */
    STRIPE_WEBHOOK_SECRET: Secrets(
      /^whsec_[\x21-\x7e]{10,}$/,
      "must be signing secrets of a webhook (whsec_…), separated by commas",
    ),
    /** The Stripe Payment Link where accounts subscribe, such as `https://buy.stripe.com/abc`. */
    STRIPE_PAYMENT_LINK: z
      .string()
      .refine(
        (text) => text === "" || (text.startsWith("https://") && URL.canParse(text)),
        "must be a URL such as https://buy.stripe.com/abc",
      )
      .optional(),
  })
  .superRefine((vars, ctx) => {
    for (const name of NEEDED[vars.TRANSLATOR])
      if (!vars[name])
        ctx.addIssue({ code: "custom", path: [name], message: `must be set for TRANSLATOR ${vars.TRANSLATOR}` })
  })
  .refine(({ READER_ORIGIN, PUBLIC_ORIGIN }) => !READER_ORIGIN || isOtherHost(READER_ORIGIN, PUBLIC_ORIGIN), {
    path: ["READER_ORIGIN"],
    error: "needs a PUBLIC_ORIGIN of another host",
  })
  .refine(({ READER_BLOG, READER_ORIGIN }) => !READER_BLOG || READER_ORIGIN, {
    path: ["READER_BLOG"],
    error: "needs a READER_ORIGIN, since the root of PUBLIC_ORIGIN is that of the service",
  })
  .refine(({ TRANSLATOR, PUBLIC_ORIGIN }) => TRANSLATOR !== "pseudo" || !PUBLIC_ORIGIN || isLoopback(PUBLIC_ORIGIN), {
    path: ["TRANSLATOR"],
    error: "pseudo only marks words; it is refused when PUBLIC_ORIGIN is not loopback",
  })

type Translator =
  | { name: "workers-ai"; model: string }
  | { name: "openai"; baseUrl: string; model: string; key: string | null }
  | { name: "apertium"; url: string }
  | { name: "pseudo" }

export interface Config {
  /** null: the origin of each request, on loopback only. */
  publicOrigin: string | null
  /** null: readers' pages are on the public origin. */
  readerOrigin: string | null
  /** null: each blog is at `/@<username>/` of `readerOrigin`. */
  readerBlog: string | null
  imageIdTtlSeconds: number
  uploadsPerMinute: number
  maxStoredTextBytes: number
  translator: Translator
  translatedCharactersPerDay: number
  translationDebounceSeconds: number
  /** null: the operator API does not exist. */
  operatorToken: string | null
  hasWebhooks: boolean
  /** The first one encrypts the secrets of endpoints, all decrypt. Empty: there are no new ones. */
  webhookSecrets: string[]
  /** Empty: there is no webhook of Stripe. */
  stripeWebhookSecrets: string[]
  /** null: authors cannot subscribe by themselves. */
  stripePaymentLink: string | null
}

const readTranslator = (vars: z.output<typeof Variables>): Translator => {
  const { TRANSLATOR: name, WORKERS_AI_MODEL = "", OPENAI_BASE_URL = "", OPENAI_MODEL = "", APERTIUM_URL = "" } = vars
  if (name === "workers-ai") return { name, model: WORKERS_AI_MODEL }
  if (name === "apertium") return { name, url: APERTIUM_URL }
  if (name === "pseudo") return { name }
  return { name, baseUrl: OPENAI_BASE_URL, model: OPENAI_MODEL, key: vars.OPENAI_API_KEY || null }
}

const read = (env: Env): Config => {
  const parsed = Variables.safeParse(env)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`)
    throw new ApiError("misconfigured", `Bad variables: ${faults.join("; ")}.`)
  }
  const vars = parsed.data
  if (vars.TRANSLATOR === "workers-ai" && !env.AI)
    throw new ApiError("misconfigured", "Bad variables: TRANSLATOR workers-ai needs the binding AI.")
  const token = vars.OPERATOR_TOKEN ?? ""
  return {
    publicOrigin: vars.PUBLIC_ORIGIN || null,
    readerOrigin: vars.READER_ORIGIN || null,
    readerBlog: vars.READER_BLOG || null,
    imageIdTtlSeconds: vars.IMAGE_ID_TTL_SECONDS,
    uploadsPerMinute: vars.UPLOADS_PER_MINUTE,
    maxStoredTextBytes: vars.MAX_STORED_TEXT_BYTES,
    translator: readTranslator(vars),
    translatedCharactersPerDay: vars.TRANSLATED_CHARACTERS_PER_DAY,
    translationDebounceSeconds: vars.TRANSLATION_DEBOUNCE_SECONDS,
    operatorToken: token.length >= MIN_SECRET_CHARS ? token : null,
    hasWebhooks: vars.WEBHOOKS === "on" && token.length >= MIN_SECRET_CHARS,
    webhookSecrets: vars.WEBHOOK_SECRET,
    stripeWebhookSecrets: vars.STRIPE_WEBHOOK_SECRET,
    stripePaymentLink: vars.STRIPE_PAYMENT_LINK || null,
  }
}

const known = new WeakMap<Env, Config>()

/** Reads and validates the deployment's variables, once for each isolate. @throws ApiError 500 `misconfigured`, naming the bad ones */
export const readConfig = (env: Env): Config => {
  const config = known.get(env) ?? read(env)
  known.set(env, config)
  return config
}

/**
 * Returns the origin of absolute URLs: the configured one, or else that of the request, which is accepted on loopback only.
 * So a Host header cannot change the origin.
 * @throws ApiError 503 `not_set_up` if none is configured and the request is not on loopback
 */
export const publicOrigin = (config: Config, requestUrl: string): string => {
  if (config.publicOrigin) return config.publicOrigin
  const { origin } = new URL(requestUrl)
  if (isLoopback(origin)) return origin
  throw new ApiError("not_set_up", "PUBLIC_ORIGIN is empty. Set it to the address of the service; its page / says how.")
}

/** Returns the origins of the service. @param origin that of the API */
export const placesOf = ({ readerOrigin, readerBlog }: Config, origin: string): Places => ({
  origin,
  readerOrigin: readerOrigin ?? origin,
  readerBlog,
})
