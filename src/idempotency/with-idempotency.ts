import { secondsUntil } from "../days.ts"
import { openDb } from "../db/client.ts"
import type { AppContext, OwnAttempt } from "../http/context.ts"
import { ApiError, invalidKey } from "../http/errors.ts"
import { IDEMPOTENCY_KEY_HOURS, IDEMPOTENCY_LOCK_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashSecret } from "../tokens.ts"
import { beginAttempt, unlockAttempt, endAttempt, findAttempt, isSuperseded, type IdempotencyRecord } from "./store.ts"

// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a request with the same key takes effect once.

const HEADER = "Idempotency-Key"
/** The headers that a replayed answer repeats. Its ETag is that of the post as it is now. */
const KEPT_HEADERS = ["Location", "Link", "Retry-After"]

/** Returns the time `IDEMPOTENCY_KEY_HOURS` before `now`. Idempotency-Keys created until then are forgotten. */
export const keyExpiryCutoff = (now: Date): Date => new Date(now.getTime() - IDEMPOTENCY_KEY_HOURS * 60 * 60 * 1000)

const inProgress = (now: Date, lockedUntil = now): ApiError =>
  new ApiError("idempotency_in_progress", undefined, {
    headers: { "Retry-After": String(Math.max(1, secondsUntil(lockedUntil, now))) },
  })

/** Records this request, or returns what an earlier request with its key came to. @throws ApiError 401, 409, 422 */
const begin = async (c: AppContext, mine: OwnAttempt): Promise<IdempotencyRecord> => {
  const { now } = c.var
  const db = openDb(c.env.DB)
  const begun = await beginAttempt(db, mine, { forgotten: keyExpiryCutoff(now), now })
  if (begun === "no_account") throw invalidKey()
  const known = begun ?? (await findAttempt(db, mine))
  // The earlier request failed between the two statements.
  if (!known) throw inProgress(now)
  if (known.fingerprint !== mine.fingerprint) throw new ApiError("idempotency_key_reused")
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

const asBefore = (answer: Response, { status, headers }: IdempotencyRecord): Response => {
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
 * Lets a request take effect once for each Idempotency-Key of the account; without that header it only calls `work`. A
 * repeated request gets the same status and headers, with the post or image as it is now.
 * @param content the request beside its method and path; null to record nothing: the work will refuse it anyway, or is a dry run
 * @param work answers the request; if `c.var.attempt.resultId` is set, it only shows what exists
 * @param key by default that of the header
 * @throws ApiError 409 while the first request runs, 422 if it was another request, 401 if the account is erased
 */
export const withIdempotency = async (
  c: AppContext,
  content: string | null,
  work: () => Promise<{ answer: Response; resultId: string | null }>,
  key = c.req.header(HEADER),
): Promise<Response> => {
  if (key === undefined || content === null) return (await work()).answer
  const db = openDb(c.env.DB)
  const fingerprint = await hashSecret(`${c.req.method} ${c.req.path}\n${content}`)
  const locked_until = new Date(c.var.now.getTime() + IDEMPOTENCY_LOCK_SECONDS * 1000)
  const mine: OwnAttempt = {
    account_id: c.var.account.id,
    key,
    fingerprint,
    attempt_id: crypto.randomUUID(),
    locked_until,
  }
  const known = await begin(c, mine)
  const isAnswered = known.status !== null
  c.set("attempt", { resultId: known.result_id, isAnswered, row: mine })
  try {
    const { answer, resultId } = await work()
    const asKept = { resultId, status: answer.status, headers: headersOf(answer) }
    if (!isAnswered && !(await endAttempt(db, mine, asKept))) throw inProgress(c.var.now)
    // If the result of an earlier request could not be completed, this request created another.
    const isReplay = isAnswered || (known.result_id !== null && known.result_id === resultId)
    return isReplay ? asBefore(answer, known) : answer
  } catch (error) {
    // A later request has taken over, and answers.
    if (isSuperseded(error)) throw inProgress(c.var.now)
    if (!isAnswered)
      // If this fails too, the lock expires.
      await unlockAttempt(db, mine).catch((cause: unknown) =>
        log("warn", { message: "idempotency.unlock_failed", error: trace(cause) }),
      )
    throw error
  }
}
