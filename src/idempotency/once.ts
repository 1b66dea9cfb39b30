import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, invalidKey } from "../http/errors.ts"
import { IDEMPOTENCY_KEY_HOURS, IDEMPOTENCY_LOCK_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashSecret } from "../tokens.ts"
import { beginTry, dropTry, endTry, findTry, isSuperseded, noteMade, type Remembered, type Try } from "./store.ts"

// Idempotency-Key, as the IETF draft has it (draft-ietf-httpapi-idempotency-key-header): what a key was sent with is done once.

const HEADER = "Idempotency-Key"
/** Of the answer; its ETag is that of the post that is shown. */
const KEPT_HEADERS = ["Location", "Link", "Retry-After"]

/** Keys from before then count no more. */
export const forgottenBefore = (now: Date): Date => new Date(now.getTime() - IDEMPOTENCY_KEY_HOURS * 60 * 60 * 1000)

const secondsUntil = (time: Date, now: Date): number => Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000))

const inProgress = (now: Date, lockedUntil = now): ApiError =>
  new ApiError("idempotency_in_progress", undefined, {
    headers: { "Retry-After": String(secondsUntil(lockedUntil, now)) },
  })

/** The try that this request is, or what an earlier one came to. @throws ApiError 401, 409, 422 */
const begin = async (c: AppContext, asked: Try): Promise<Remembered> => {
  const { now } = c.var
  const db = openDb(c.env.DB)
  const begun = await beginTry(db, asked, { forgotten: forgottenBefore(now), now })
  if (begun === "no_account") throw invalidKey()
  const known = begun ?? (await findTry(db, asked))
  // It was running when it was looked for, and has failed since.
  if (!known) throw inProgress(now)
  if (known.fingerprint !== asked.fingerprint) throw new ApiError("idempotency_key_reused")
  if (!begun && known.status === null) throw inProgress(now, known.locked_until)
  return known
}

const headersOf = (answer: Response): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

const asBefore = (answer: Response, { status, headers }: Remembered): Response => {
  const replayed = new Response(answer.body, { status: status ?? answer.status, headers: answer.headers })
  for (const name of KEPT_HEADERS) {
    const value = headers?.[name]
    if (value !== undefined) replayed.headers.set(name, value)
    else if (headers) replayed.headers.delete(name)
  }
  replayed.headers.set("Idempotent-Replayed", "true")
  return replayed
}

/**
 * Answers a request once for each Idempotency-Key of the account: the same request again gets the same status and headers,
 * with the post or picture as it is by then.
 * @param content what is asked, beside method and path; null where the work will refuse it, once or more often
 * @param work makes the answer; with `c.var.attempt.made` it makes nothing, and shows what stands
 * @throws ApiError 401, 409, 422
 */
export const once = async (
  c: AppContext,
  content: string | null,
  work: () => Promise<{ answer: Response; made: string | null }>,
): Promise<Response> => {
  const key = c.req.header(HEADER)
  if (key === undefined || content === null) return (await work()).answer
  const db = openDb(c.env.DB)
  const fingerprint = await hashSecret(`${c.req.method} ${c.req.path}\n${content}`)
  const locked_until = new Date(c.var.now.getTime() + IDEMPOTENCY_LOCK_SECONDS * 1000)
  const asked: Try = { account_id: c.var.account.id, key, fingerprint, try_id: crypto.randomUUID(), locked_until }
  const known = await begin(c, asked)
  const isAnswered = known.status !== null
  c.set("attempt", { made: known.made, isAnswered, receipt: (made) => noteMade(db, asked, made) })
  try {
    const { answer, made } = await work()
    const asKept = { made, status: answer.status, headers: headersOf(answer) }
    if (!isAnswered && !(await endTry(db, asked, asKept))) throw inProgress(c.var.now)
    // What an earlier try has left may have been past saving: then this one has made another.
    const isReplay = isAnswered || (known.made !== null && known.made === made)
    return isReplay ? asBefore(answer, known) : answer
  } catch (error) {
    // The one that has taken this one's place makes the answer.
    if (isSuperseded(error)) throw inProgress(c.var.now)
    if (!isAnswered)
      // Where even that fails, the lock runs out.
      await dropTry(db, asked).catch((cause: unknown) =>
        log("warn", { message: "try not dropped", error: trace(cause) }),
      )
    throw error
  }
}
