import { PhotonImage } from "@cf-wasm/photon"
import { createExecutionContext, createMessageBatch, getQueueResult, waitOnExecutionContext } from "cloudflare:test"
import { env as bindings } from "cloudflare:workers"
import { expect, vi } from "vitest"

import { asOperator, newAccount } from "../src/accounts/account.ts"
import { AccountChanges } from "../src/accounts/input.ts"
import { mintKey } from "../src/accounts/key.ts"
import { routedPath } from "../src/app.ts"
import { openDb } from "../src/db/client.ts"
import { accounts, api_keys } from "../src/db/schema.ts"
import { PROBLEMS, Problem } from "../src/http/errors.ts"
import { type Method, type Operation, problemsOf } from "../src/http/operation.ts"
import { isForPrograms } from "../src/http/route.ts"
import worker, { Reader } from "../src/index.ts"
import type { WakeUp } from "../src/posts/commit.ts"
import { routes } from "../src/routes.ts"
import { hashSecret } from "../src/tokens.ts"

export const ORIGIN = "http://localhost:8787"
export const OPERATOR = { Authorization: "Bearer an-operator-token-of-the-test-suite" }
export const API = "/api/blogcontroller"

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON; undefined for other answers. */
  // Tests read any field that the schema, checked below, allows.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
  text: string
}

interface Options {
  key?: string
  json?: unknown
  body?: BodyInit
  headers?: Record<string, string>
  origin?: string
  /** Bindings and variables that replace the suite's. */
  env?: Partial<Env>
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/:\w+\{([^}]*)\}/g, "$1")
      .replace(/:\w+/g, "[^/]+")
      .replace(/\/$/, "")}/*$`,
  )

/** Matches an escape that routes ignore, `%2E` and `%70`. Does not match `%2F`, which separates nothing. */
const ESCAPED = /%(?:2E|[4-7][0-9A-F])/gi

const OPERATIONS = routes.map(({ operation }) => ({ operation, pattern: patternOf(operation.path) }))

const operationOf = (method: string, path: string): Operation | undefined => {
  const plain = path.replaceAll(ESCAPED, decodeURIComponent)
  const wanted = method === "HEAD" ? "GET" : method
  return OPERATIONS.find(({ operation, pattern }) => operation.method === wanted && pattern.test(plain))?.operation
}

const StrictProblem = Problem.strict()

/**
 * Checks that the OpenAPI document allows this answer of the operation.
 * @param accepted the requested media types
 */
const expectDocumented = (
  { method, path, accepted }: { method: string; path: string; accepted: string },
  { status, headers, json, text }: Answer,
): void => {
  const where = `${method} ${path} → ${status}`
  expect(headers.get("X-Request-Id"), `${where}: X-Request-Id`).toBeTruthy()
  if (method === "HEAD" || method === "OPTIONS") return
  const operation = operationOf(method, path)
  const codes = [
    ...(operation ? problemsOf(operation) : (["not_found", "misconfigured", "not_set_up"] as const)),
    "method_not_allowed",
  ] as const
  if (status >= 400 && accepted.includes("text/html") && !isForPrograms(path)) {
    expect(headers.get("Content-Type"), where).toContain("text/html")
    expect(
      codes.map((code) => PROBLEMS[code].status),
      where,
    ).toContain(status)
    return
  }
  if (status >= 400) {
    expect(headers.get("Content-Type"), where).toBe("application/problem+json")
    const { error, error_description, ...problem } = json
    expect([typeof error, typeof error_description], where).toEqual(
      operation?.isMicropub ? ["string", "string"] : ["undefined", "undefined"],
    )
    expect(StrictProblem.parse(problem), where).toEqual(problem)
    expect(codes, where).toContain(json.code)
    return
  }
  const success = operation?.successes[status]
  expect(success, `${where} is documented`).toBeDefined()
  if (success?.schema) expect(success.schema.parse(json), where).toEqual(json)
  else if (success?.contentType) expect(headers.get("Content-Type"), where).toContain(success.contentType)
  else expect(text, where).toBe("")
}

/** A cache before the entrypoint `Reader`: it answers a request itself, or lets the entrypoint answer. */
export type AtEdge = (reader: Pick<Reader, "fetch" | "purge">, origin: string) => Pick<Reader, "fetch" | "purge">
const withoutEdge: AtEdge = (reader) => reader

/** Creates the context of a request, whose entrypoint `Reader` has the same bindings. */
const newContext = (env: Env, atEdge: AtEdge): ExecutionContext => {
  const context = createExecutionContext()
  const loopback = ({ props }: { props?: { origin: string } }) => {
    const reader = new Reader(context, env)
    return atEdge(reader, props?.origin ?? "")
  }
  return Object.defineProperty(context, "exports", { value: { Reader: loopback } })
}

// The Worker reads the variables once for each object that has them.
const suiteEnv: Env = { ...bindings }
const envWith = (env: Partial<Env> | undefined): Env => (env ? { ...suiteEnv, ...env } : suiteEnv)

const sendTo = async (env: Env, request: Request, atEdge: AtEdge): Promise<Response> => {
  const context = newContext(env, atEdge)
  // Each call has its own client address unless the test sets one, because attempts are counted by address.
  if (!request.headers.has("CF-Connecting-IP")) request.headers.set("CF-Connecting-IP", unique("address"))
  const response = await worker.fetch(request, env, context)
  const bytes = await response.arrayBuffer()
  await waitOnExecutionContext(context)
  return new Response(bytes.byteLength > 0 ? bytes : null, response)
}

/** Sends a raw request to the Worker and waits for its background work. */
export const fetchWorker = (request: Request, env?: Partial<Env>, atEdge: AtEdge = withoutEdge): Promise<Response> =>
  sendTo(envWith(env), request, atEdge)

/** Calls the Worker and checks the answer against the OpenAPI document. */
export const call = async (
  method: Method | "HEAD" | "OPTIONS" | "PROPFIND",
  path: string,
  options: Options = {},
): Promise<Answer> => {
  const { key, json, headers = {}, origin = ORIGIN } = options
  const env = envWith(options.env)
  const body = json === undefined ? options.body : JSON.stringify(json)
  const request = new Request(`${origin}${path}`, {
    method,
    headers: { ...(key && { "X-API-KEY": key }), ...headers },
    ...(body !== undefined && { body }),
  })
  const response = await sendTo(env, request, withoutEdge)
  // workerd warns when an image is read as text.
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const isJson = /json/.test(response.headers.get("Content-Type") ?? "") && text !== ""
  const answer: Answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
  // A lone surrogate is written as an escape, which no Unicode reader accepts. Most answers have no escape at all.
  if (text.includes("\\u"))
    expect(text, "every string of the answer is Unicode").not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i)
  const accepted = request.headers.get("Accept") ?? ""
  expectDocumented({ method, path: routedPath(request, env), accepted }, answer)
  return answer
}

let names = 0
/** Returns a name that no other test uses, because tests share storage. */
export const unique = (prefix = "x"): string => `${prefix}-${(names += 1)}`

export interface Author {
  username: string
  key: string
}

/** Makes a paid account with a key by its rows; an account that is not paid gets an empty one. @param changes as an operator sends them */
export const newAuthor = async (changes: Record<string, unknown> = {}): Promise<Author> => {
  const [db, now, key] = [openDb(bindings.DB), new Date(), mintKey()]
  const sent = AccountChanges.parse({ paid_until: "2099-01-01T00:00:00Z", ...changes })
  const account = { ...newAccount(unique("author"), now), ...asOperator(sent) }
  const { id: account_id, username } = account
  const identity = { hash: await hashSecret(key), last_four: key.slice(-4), name: "default", scope: "publish" } as const
  const times = { created_at: now, expires_at: null, last_used_at: null, revoked_at: null }
  const row = { account_id, ...identity, ...times }
  const keys = account.paid_until ? [db.insert(api_keys).values(row)] : []
  await db.batch([db.insert(accounts).values(account), ...keys])
  return { username, key: account.paid_until ? key : "" }
}

/** Makes a new key for an account and revokes the old one. */
export const rotateKey = async (username: string): Promise<string> => {
  const { json } = await call("POST", `/operator/api/accounts/${username}/keys/`, { headers: OPERATOR })
  return json.api_key
}

/** A description of the recommended length. */
export const META_DESCRIPTION =
  "What it is about, in as many words as a search engine shows below a title, so that no test gets a warning of its length here."

/** Returns the smallest valid create payload, with changes. */
export const postInput = (changes: Record<string, unknown> = {}) => ({
  title: "A title",
  slug: unique("slug"),
  status: "PB",
  categories: "news",
  meta_description: META_DESCRIPTION,
  body: "Some *words*.",
  ...changes,
})

/** Creates a post and returns it. */
export const newPost = async ({ key }: Author, changes: Record<string, unknown> = {}) => {
  const { status, json } = await call("POST", `${API}/posts/`, { key, json: postInput(changes) })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.post
}

/** Returns a PNG of one colour. */
export const png = async (width = 2, height = 2, [r, g, b] = [200, 30, 60]): Promise<Uint8Array<ArrayBuffer>> => {
  const pixels = new Uint8Array(width * height * 4)
  for (let i = 0; i < pixels.length; i += 4) pixels.set([r ?? 0, g ?? 0, b ?? 0, 255], i)
  return encode(pixels, width, height, "png")
}

/** Draws waves of colour as a JPEG, of which a smaller width has fewer bytes. */
export const photo = (width: number, height: number): Uint8Array<ArrayBuffer> => {
  const pixels = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    const waves = [x / 7, y / 5, (x + y) / 9].map((each) => 128 + 100 * Math.sin(each))
    pixels.set([...waves, 255], i * 4)
  }
  return encode(pixels, width, height, "jpeg")
}

/** Encodes raw RGBA pixels. */
export const encode = (
  rgba: Uint8Array,
  width: number,
  height: number,
  format: "png" | "jpeg" | "webp",
): Uint8Array<ArrayBuffer> => {
  const image = new PhotonImage(rgba, width, height)
  try {
    const bytes = {
      png: () => image.get_bytes(),
      jpeg: () => image.get_bytes_jpeg(90),
      webp: () => image.get_bytes_webp(),
    }[format]()
    return Uint8Array.from(bytes)
  } finally {
    image.free()
  }
}

/** Returns a multipart body with one file part. */
export const fileForm = (bytes: Uint8Array<ArrayBuffer>, name = "image.png"): FormData => {
  const form = new FormData()
  form.append("file", new File([bytes], name))
  return form
}

let colours = 0
/** Returns a PNG that no other test has uploaded: the same bytes are one image of an account. */
export const newPng = (): Promise<Uint8Array<ArrayBuffer>> => {
  colours += 1
  return png(2, 2, [colours >> 16, (colours >> 8) & 255, colours & 255])
}

/** Uploads an image, by default a new one, and returns the service's answer. */
export const upload = async ({ key }: Author, bytes?: Uint8Array<ArrayBuffer>) => {
  const body = fileForm(bytes ?? (await newPng()))
  const { status, json } = await call("POST", `${API}/image-upload/`, { key, body })
  expect(status, JSON.stringify(json)).toBe(201)
  return json as {
    image_id: string
    image_url: string
    expires_at: string
    width: number
    height: number
    source_sha256: string
  }
}

/** Stops the clock now, or at `time`, until the test ends. Only Date is faked. */
export const stopClock = (time: Date = new Date()): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: time })
}

/** Moves the stopped clock. */
export const passSeconds = (seconds: number): void => {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

/** Records the messages that the Worker sends to the translation queue. They also reach the real queue, which has no consumer. */
export const recordWakeUps = (): { queue: Queue; sent: { body: WakeUp; delaySeconds: number }[] } => {
  const sent: { body: WakeUp; delaySeconds: number }[] = []
  const real = bindings.TRANSLATIONS
  const queue: Queue = {
    send: (body, options) => {
      sent.push({ body: body as WakeUp, delaySeconds: options?.delaySeconds ?? 0 })
      return real.send(body, options)
    },
    sendBatch: (messages, options) => {
      const all = [...messages]
      sent.push(
        ...all.map(({ body, delaySeconds }) => ({
          body: body as WakeUp,
          delaySeconds: delaySeconds ?? options?.delaySeconds ?? 0,
        })),
      )
      return real.sendBatch(all, options)
    },
    metrics: () => real.metrics(),
  }
  return { queue, sent }
}

export const TRANSLATION_QUEUE = "edgepost-translations"
export const DEAD_LETTER_QUEUE = "edgepost-translations-dead"

/** Delivers one message to the consumer and returns whether it was acknowledged or retried. */
export const deliver = async (
  body: unknown,
  { queue = TRANSLATION_QUEUE, attempts = 1, env = {} }: { queue?: string; attempts?: number; env?: Partial<Env> } = {},
): Promise<"ack" | { retryAfter: number | undefined }> => {
  const batch = createMessageBatch(queue, [{ id: crypto.randomUUID(), timestamp: new Date(), attempts, body }])
  // getQueueResult does not return the delay of a retry.
  const [retry] = batch.messages.map((message) => vi.spyOn(message, "retry"))
  await worker.queue(batch, { ...bindings, ...env })
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext())
  expect(explicitAcks.length + (retry?.mock.calls.length ?? 0), "the message is acknowledged or retried").toBe(1)
  return explicitAcks.length > 0 ? "ack" : { retryAfter: retry?.mock.lastCall?.[0]?.delaySeconds }
}

/** Delivers recorded wake-ups, each after its delay, until none are left. Requires a stopped clock. */
export const runTranslations = async (
  { queue, sent }: ReturnType<typeof recordWakeUps>,
  env: Partial<Env> = {},
): Promise<void> => {
  for (let message = sent.shift(); message; message = sent.shift()) {
    passSeconds(message.delaySeconds)
    const outcome = await deliver(message.body, { env: { ...env, TRANSLATIONS: queue } })
    if (outcome !== "ack") sent.push({ body: message.body, delaySeconds: outcome.retryAfter ?? 0 })
  }
}

/** Runs the cron once. */
export const runCron = async (env: Partial<Env> = {}, atEdge: AtEdge = withoutEdge): Promise<void> => {
  const all = { ...bindings, ...env }
  await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, all, newContext(all, atEdge))
}

/** Returns the rows of a query. */
export const rows = async (sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> => {
  const { results } = await bindings.DB.prepare(sql)
    .bind(...values)
    .all()
  return results
}

/** Returns a D1 binding that counts its calls. */
export const countingD1 = (): { DB: D1Database; calls: () => number } => {
  let calls = 0
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (object, property) => {
        const value: unknown = Reflect.get(object, property)
        if (typeof value !== "function") return value
        return (...args: unknown[]) => {
          if (["run", "all", "first", "raw", "batch", "exec"].includes(String(property))) calls += 1
          const plain = property === "batch" ? [(args[0] as object[]).map((item) => originals.get(item) ?? item)] : args
          const result: unknown = Reflect.apply(value, object, plain)
          if (!["prepare", "bind", "withSession"].includes(String(property))) return result
          const wrapped = counted(result as object)
          originals.set(wrapped, result as object)
          return wrapped
        }
      },
    })
  const originals = new WeakMap<object, object>()
  return { DB: counted(bindings.DB), calls: () => calls }
}

export { bindings as env }
