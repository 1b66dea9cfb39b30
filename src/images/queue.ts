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
/** After so many milliseconds an upload was ended by the platform, which runs no `finally`: it waits for one other conversion. */
const MAX_UPLOAD_MS = (UPLOAD_BODY_SECONDS + 2 * MAX_CONVERSION_SECONDS) * 1000

/** An upload that waits for a place. Nothing of its body is read. */
interface Waiting {
  accountId: string
  /** The turn in which its account got its last place, or that of the account which waits for longest. */
  lastTurn: number
  /** The time after which it no longer waits, in milliseconds since the epoch. */
  until: number
  isCounted: boolean
}

/** The uploads that wait, in the order of their arrival. */
let line: Waiting[] = []
/** The accounts whose upload is being read, converted or stored: its turn, and when its place is free at the latest. */
const places = new Map<string, { turn: number; until: number }>()
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
  for (const [accountId, { until }] of places) if (until <= now) places.delete(accountId)
  line = line.filter(({ until }) => until + LINE_POLL_MS * 20 > now)
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
  const own = waitingOf(accountId)
  // Uploads that arrive together stand in line before one of them has its place.
  if (own.length + Number(places.has(accountId)) > MAX_WAITING_OF_ACCOUNT)
    throw busy(`${MAX_WAITING_OF_ACCOUNT} uploads of this account wait already.`)
  const isFull = line.length + places.size >= MAX_WAITING_UPLOADS + MAX_BODIES
  if (isFull && !displaceNewest(own.length)) throw busy("Too many uploads wait.")
  // An account that has just come is next but one: so nobody waits for ever for those that come.
  const lastTurn =
    places.get(accountId)?.turn ?? own[0]?.lastTurn ?? Math.min(...line.map((other) => other.lastTurn), turns)
  const waiting = { accountId, lastTurn, until: now + UPLOAD_WAIT_SECONDS * 1000, isCounted: false }
  line.push(waiting)
  return waiting
}

/** Finds the upload whose turn it is: accounts take turns. @returns undefined while no place is free */
const findNext = (): Waiting | undefined =>
  places.size < MAX_BODIES
    ? line
        .filter(({ accountId, isCounted }) => isCounted && !places.has(accountId))
        .reduce<Waiting | undefined>((next, one) => (next && next.lastTurn <= one.lastTurn ? next : one), undefined)
    : undefined

/** Waits for a place. @returns false if the time is over, or another upload took its place in the line */
const takePlace = async (waiting: Waiting): Promise<boolean> => {
  for (;;) {
    const now = Date.now()
    forgetEnded(now)
    if (!line.includes(waiting) || waiting.until <= now) return false
    if (findNext() === waiting) {
      turns += 1
      places.set(waiting.accountId, { turn: turns, until: now + MAX_UPLOAD_MS })
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
  const waiting = join(accountId, Date.now())
  try {
    const time = await count()
    waiting.isCounted = true
    if (!(await takePlace(waiting))) {
      await giveBack(time)
      throw busy("Too many uploads are being converted.")
    }
  } finally {
    leave(waiting)
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
