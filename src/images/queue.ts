import { ApiError } from "../http/errors.ts"
import {
  BUSY_RETRY_SECONDS,
  MAX_BODIES,
  MAX_CONVERSION_SECONDS,
  MAX_WAITING_OF_ACCOUNT,
  MAX_WAITING_UPLOADS,
  UPLOAD_BODY_SECONDS,
  UPLOAD_WAIT_SECONDS,
} from "../limits.ts"

// The uploads of this isolate: their bodies must fit into its memory, and a conversion occupies its only thread. Requests poll
// for their turn, because a promise of another request never settles once the platform has ended that request.

const POLL_MS = 20
const LINE_POLL_MS = 50
/** An upload that still has its place after so many milliseconds was ended by the platform, as `IDEMPOTENCY_LOCK_SECONDS` assumes. */
const MAX_UPLOAD_MS = (UPLOAD_BODY_SECONDS + 2 * MAX_CONVERSION_SECONDS) * 1000
/** An upload that waits so many milliseconds beyond its time was ended by the platform. */
const ENDED_MS = 1000

/** An upload that waits for a place. Nothing of its body is read. */
interface Waiting {
  accountId: string
  /** The turn in which its account got its last place. A new account has that of the account whose turn is next. */
  lastTurn: number
  /** The time after which it no longer waits, in milliseconds since the epoch. */
  until: number
}

/** The uploads that wait, in the order of their arrival. */
let line: Waiting[] = []
/** The accounts whose upload is being read, converted or stored, with the time at which its place is free at the latest. */
const places = new Map<string, { until: number }>()
/** The last turn of each account, until a time after which it counts as new. */
const lastTurns = new Map<string, { turn: number; until: number }>()
let turns = 0
/** The time at which the running conversion has ended at the latest, in milliseconds since the epoch; 0 if none runs. */
let runningUntil = 0

const busy = (detail: string): ApiError =>
  new ApiError("busy", detail, { headers: { "Retry-After": String(BUSY_RETRY_SECONDS) } })

const waitingOf = (accountId: string): Waiting[] => line.filter((waiting) => waiting.accountId === accountId)

const leave = (waiting: Waiting): void => {
  line = line.filter((other) => other !== waiting)
}

/** Forgets uploads that the platform has ended. */
const forgetEnded = (now: number): void => {
  for (const ended of [places, lastTurns])
    for (const [accountId, { until }] of ended) if (until <= now) ended.delete(accountId)
  line = line.filter(({ until }) => until + ENDED_MS > now)
}

/** Takes the newest upload of the account with the most waiting ones out of a full line, if that has more than `own`. */
const displaceNewest = (own: number): boolean => {
  const [most = []] = [...Map.groupBy(line, ({ accountId }) => accountId).values()].toSorted(
    (a, b) => b.length - a.length,
  )
  const newest = most.at(-1)
  if (!newest || most.length <= own) return false
  leave(newest)
  return true
}

/** Lets an upload stand in line. @throws ApiError 503 `busy` if the line is full */
const join = (accountId: string, now: number): Waiting => {
  forgetEnded(now)
  const own = waitingOf(accountId).length
  // Uploads that arrive together stand in line before one of them has its place.
  if (own + Number(places.has(accountId)) > MAX_WAITING_OF_ACCOUNT)
    throw busy(`${MAX_WAITING_OF_ACCOUNT} uploads of this account wait already.`)
  const isFull = line.length + places.size >= MAX_WAITING_UPLOADS + MAX_BODIES
  if (isFull && !displaceNewest(own)) throw busy("Too many uploads wait.")
  const lastTurn = lastTurns.get(accountId)?.turn ?? Math.min(turns, ...line.map((other) => other.lastTurn))
  const waiting = { accountId, lastTurn, until: now + UPLOAD_WAIT_SECONDS * 1000 }
  line.push(waiting)
  return waiting
}

/** Finds the upload whose turn it is: accounts take turns. @returns undefined while no place is free */
const findNext = (): Waiting | undefined =>
  places.size < MAX_BODIES
    ? line
        .filter(({ accountId }) => !places.has(accountId))
        .reduce<Waiting | undefined>((next, one) => (next && next.lastTurn <= one.lastTurn ? next : one), undefined)
    : undefined

/** Waits for a place. @returns false if the time is over, or another upload took its place in the line */
const takePlace = async (waiting: Waiting): Promise<boolean> => {
  for (;;) {
    const now = Date.now()
    forgetEnded(now)
    if (!line.includes(waiting) || waiting.until <= now) return false
    if (findNext() === waiting) {
      leave(waiting)
      turns += 1
      places.set(waiting.accountId, { until: now + MAX_UPLOAD_MS })
      lastTurns.set(waiting.accountId, { turn: turns, until: now + MAX_UPLOAD_MS + UPLOAD_WAIT_SECONDS * 1000 })
      for (const own of waitingOf(waiting.accountId)) own.lastTurn = turns
      return true
    }
    await scheduler.wait(LINE_POLL_MS)
  }
}

/** The count of an account's uploads. */
export interface UploadCount {
  /** @returns the time of the count @throws ApiError 429 if there are too many */
  count: () => Promise<number>
  giveBack: (time: number) => Promise<void>
}

/**
 * Runs an upload when its turn comes: one of an account at a time, `MAX_BODIES` in all.
 * @param work reads the body, converts and stores it
 * @throws ApiError 503 `busy`, not counted, if the line is full or it has waited for `UPLOAD_WAIT_SECONDS`
 */
export const withPlace = async <T>(
  accountId: string,
  { count, giveBack }: UploadCount,
  work: () => Promise<T>,
): Promise<T> => {
  const time = await count()
  let waiting: Waiting | undefined
  try {
    waiting = join(accountId, Date.now())
    if (!(await takePlace(waiting))) throw busy("Too many uploads are being converted.")
  } catch (error) {
    await giveBack(time)
    throw error
  } finally {
    if (waiting) leave(waiting)
  }
  const place = places.get(accountId)
  try {
    return await work()
  } finally {
    if (places.get(accountId) === place) places.delete(accountId)
  }
}

/**
 * Runs one conversion at a time, because two would not fit into the isolate's memory.
 * @param pauseMs milliseconds before it begins, in which other requests go on
 */
export const runExclusive = async <T>(pauseMs: number, convert: () => Promise<T>): Promise<T> => {
  while (Date.now() < runningUntil) await scheduler.wait(POLL_MS)
  const until = Date.now() + MAX_CONVERSION_SECONDS * 1000
  runningUntil = until
  try {
    await scheduler.wait(pauseMs)
    return await convert()
  } finally {
    if (runningUntil === until) runningUntil = 0
  }
}
