import { deliverAll, sign, snapshot } from "../billing/stripe.ts"
import { faulty, type Statement, tapD1 } from "../faults.ts"
import { Authenticator } from "../sessions/authenticator.ts"
import {
  call,
  deliver,
  env,
  fetchWorker,
  newAuthor,
  newPng,
  OPERATOR,
  ORIGIN,
  rows,
  runCron,
  stopClock,
  upload,
} from "../support.ts"
import { receive } from "../webhooks/receiver.ts"
import { fillStatements, type Holdings } from "./fill.ts"
import { initOf, placed, type PricedRequest, type Scene, type Send } from "./requests.ts"

/** The cost of a request. */
export interface Spent {
  status: number
  /** Calls of D1. */
  trips: number
  read: number
  written: number
  /** The most rows of one call of D1. */
  step: { read: number; written: number }
  /** Bytes of the answer. */
  bytes: number
  /** The statement that has read or written the most rows, with its values. */
  dearest: Statement & { rows: number }
  /** The limiters that were asked. */
  limiters: string[]
  /** The text of an error. */
  refusal?: string
}

const LIMITERS = Object.keys(env).filter((name) => name.endsWith("_LIMITER") && name !== "UPLOAD_LIMITER")

/** Returns the bindings of a request that count what it costs. */
const tapped = () => {
  const cost: Spent = {
    status: 0,
    trips: 0,
    read: 0,
    written: 0,
    step: { read: 0, written: 0 },
    bytes: 0,
    dearest: { sql: "", values: [], rows: 0 },
    limiters: [],
  }
  const DB = tapD1({
    around: async (ask, statements) => {
      const answer = await ask()
      cost.trips += 1
      const step = { read: 0, written: 0 }
      for (const [i, { meta }] of ([answer].flat() as D1Result[]).entries()) {
        step.read += meta.rows_read
        step.written += meta.rows_written
        const most = Math.max(meta.rows_read, meta.rows_written)
        const statement = statements[i]
        if (statement && most > cost.dearest.rows) cost.dearest = { ...statement, rows: most }
      }
      cost.read += step.read
      cost.written += step.written
      cost.step = { read: Math.max(cost.step.read, step.read), written: Math.max(cost.step.written, step.written) }
      return answer
    },
  })
  const limiters = LIMITERS.map((name) => {
    const real = Reflect.get(env, name) as RateLimit
    const limit = (options: RateLimitOptions) => {
      cost.limiters.push(name)
      return real.limit(options)
    }
    return [name, faulty(real, { limit })]
  })
  return { cost, env: { DB, ...Object.fromEntries(limiters) } as Partial<Env> }
}

const send =
  (vars?: Partial<Env>): Send =>
  (path, init) =>
    fetchWorker(new Request(new URL(path, ORIGIN), { redirect: "manual", ...init }), vars)

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")

const FORM = { method: "POST", headers: { Origin: ORIGIN, "Sec-Fetch-Site": "same-origin", Accept: "text/html" } }

const linkOf = async ({ username }: Scene): Promise<string> => {
  const { json } = await call("POST", `/operator/api/accounts/${username}/sign-in-links/`, { headers: OPERATOR })
  return new URL(json.sign_in_url).pathname
}

const signIn = async (scene: Scene): Promise<void> => {
  scene.cookies.author = cookieOf(await send()(await linkOf(scene), { ...FORM, body: new URLSearchParams() }))
}

const OPERATOR_TOKEN = new URLSearchParams({ token: OPERATOR.Authorization.slice("Bearer ".length) })

const signInOperator = async (scene: Scene): Promise<void> => {
  scene.cookies.operator = cookieOf(await send()("/operator/sign-in/", { ...FORM, body: OPERATOR_TOKEN }))
}

/** Calls the service like a script of a page. */
const script = (path: string, Cookie: string, json: unknown = {}): [string, RequestInit] => [
  path,
  {
    method: "POST",
    headers: { ...FORM.headers, Accept: "*/*", "Content-Type": "application/json", Cookie },
    body: JSON.stringify(json),
  },
]

const withPasskey = async (scene: Scene) => {
  const passkey = new Authenticator()
  const options = await send()(...script("/settings/passkeys/options/", scene.cookies.author))
  const { challenge, user } = await options.json<Parameters<typeof passkey.register>[0]>()
  return { passkey, response: await passkey.register({ challenge, user }) }
}

/** A run of the queue or of the scheduled job, or the request, which is prepared first. */
type Special = (scene: Scene) => Promise<[string, RequestInit] | ((vars: Partial<Env>) => Promise<number>)>

const runAt =
  (time: (now: number) => Date): Special =>
  async () =>
  async (vars) => {
    stopClock(time(Date.now()))
    await runCron(vars)
    return 0
  }

const previewOf = async (scene: Scene): Promise<string> => {
  const { json } = await call("POST", placed("/api/blogcontroller/posts/{d3}/preview/", scene), { key: scene.key })
  return new URL(json.preview_url).pathname
}

const SPECIAL: Record<string, Special> = {
  preview: async (scene) => [await previewOf(scene), {}],
  "preview in another language": async (scene) => [`${await previewOf(scene)}fr/`, {}],
  image: async (scene) => [(await upload(scene, await newPng())).image_url, {}],
  "sign-in link": async (scene) => [await linkOf(scene), {}],
  "sign-in": async (scene) => [await linkOf(scene), { ...FORM, body: new URLSearchParams() }],
  "operator's sign-in": async () => ["/operator/sign-in/", { ...FORM, body: OPERATOR_TOKEN }],
  "options of a sign-in": async () => script("/sign-in/passkey/options/", ""),
  "sign-in by a passkey": async (scene) => {
    const { passkey, response } = await withPasskey(scene)
    await send()(...script("/settings/passkeys/verify/", scene.cookies.author, { response }))
    const options = await send()(...script("/sign-in/passkey/options/", ""))
    return script("/sign-in/passkey/verify/", "", { response: await passkey.signIn(await options.json()) })
  },
  "options of a passkey": async ({ cookies }) => script("/settings/passkeys/options/", cookies.author),
  "new passkey": async (scene) =>
    script("/settings/passkeys/verify/", scene.cookies.author, { response: (await withPasskey(scene)).response }),
  stripe: async ({ username }) => {
    await deliverAll(snapshot(`sub_${username}`))
    const body = JSON.stringify(snapshot(`sub_${username}`, { end: Date.now() / 1000 + 10_000 }))
    return ["/webhooks/stripe/", { method: "POST", headers: { "Stripe-Signature": await sign(body) }, body }]
  },
  cron: runAt((now) => new Date(now)),
  "daily cron": runAt((now) => new Date(`${new Date(now).toISOString().slice(0, 10)}T03:00:00Z`)),
  "a translation": async (scene) => async (vars) => {
    await deliver({ post_id: placed("{id17}", scene), request_id: "r" }, { env: vars })
    return 0
  },
  webhooks: async ({ username }) => {
    const [account] = await rows("select id from accounts where username = ?", username)
    receive(() => 500)
    return async (vars) => {
      await deliver({ account_id: account?.["id"] }, { queue: "edgepost-webhooks", env: vars })
      return 0
    }
  },
}

/** Makes an account with so many rows. @param account tells its rows from those of others: 0 to 999 */
export const newScene = async (username: string, account: number, has: Holdings): Promise<Scene> => {
  // What isolates remember of the account before is over.
  const start = new Date(`2026-03-${String(account + 1).padStart(2, "0")}T12:00:00Z`)
  seconds = 0
  stopClock(start)
  const now = start.getTime()
  const { username: made, key } = await newAuthor()
  // Its length is part of what answers have.
  await rows("update accounts set username = ? where username = ?", username, made)
  const { json } = await call("POST", `/operator/api/accounts/${username}/keys/`, {
    headers: OPERATOR,
    json: { name: "read", scope: "read" },
  })
  await env.DB.batch(fillStatements({ username, account, now }, has).map((sql) => env.DB.prepare(sql)))
  const cookies = { author: "", operator: "" }
  // The use of a key is written once in a while.
  for (const used of [key, json.api_key]) await call("GET", "/api/blogcontroller/posts/", { key: used })
  return {
    origin: ORIGIN,
    username,
    account,
    has,
    now,
    key,
    readKey: json.api_key,
    operator: OPERATOR,
    cookies,
    image: await newPng(),
  }
}

const accountRow = async ({ username }: Scene) =>
  (await rows("select * from accounts where username = ?", username))[0] ?? {}

/** Puts back what a request has changed of the account's row. */
const restore = async (before: Record<string, unknown>): Promise<void> => {
  const columns = Object.keys(before).filter((name) => !["id", "text_bytes", "stored_bytes"].includes(name))
  const set = columns.map((name) => `"${name}" = ?`).join(", ")
  await rows(`update accounts set ${set} where id = ?`, ...columns.map((name) => before[name]), before["id"])
}

let seconds = 0

/** Sends a request and counts what it costs. */
export const measure = async (request: PricedRequest, scene: Scene): Promise<Spent> => {
  // Each has a time of its own, so that ids of the same millisecond are in no random order.
  seconds += 1
  stopClock(new Date(scene.now + seconds * 1000))
  const before = await accountRow(scene)
  for (const sql of request.prepare ?? []) await rows(placed(sql, scene))
  const isOfAuthor =
    request.as === "author" || (request.special !== undefined && !/cron|webhooks/.test(request.special))
  if (isOfAuthor) await signIn(scene)
  if (request.as === "operator's session") await signInOperator(scene)
  const ready =
    request.special === undefined ? await initOf(request, scene, send()) : await SPECIAL[request.special]?.(scene)
  if (!ready) throw new Error(`There is no ${request.special}.`)
  const { cost, env: vars } = tapped()
  if (typeof ready === "function") cost.status = await ready(vars)
  else {
    const answer = await send(vars)(...ready)
    cost.status = answer.status
    const bytes = await answer.arrayBuffer()
    cost.bytes = bytes.byteLength
    if (answer.status >= 400)
      cost.refusal = new TextDecoder()
        .decode(bytes)
        .replaceAll(/<[^>]*>|\s+/g, " ")
        .slice(0, 1000)
  }
  for (const sql of request.tidy ?? []) await rows(placed(sql, scene))
  if (before["id"] !== undefined) await restore(before)
  return cost
}
