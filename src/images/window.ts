// A sliding window over the times of accepted calls. Pure: times are milliseconds, oldest first.

export interface Verdict {
  allowed: boolean
  /** Calls left in the window after this one. */
  remaining: number
  /** Seconds until the window has room for another call; when it has room now, until its oldest call leaves it. */
  resetSeconds: number
}

/** Counts a call at `now` if fewer than `limit` were accepted in the last `windowSeconds`. */
export const take = (
  accepted: number[],
  { limit, windowSeconds }: { limit: number; windowSeconds: number },
  now: number,
): { verdict: Verdict; accepted: number[] } => {
  const windowMs = windowSeconds * 1000
  const recent = accepted.filter((time) => time > now - windowMs)
  const allowed = recent.length < limit
  if (allowed) recent.push(now)
  // The limit may have been lowered since: room comes when all but limit - 1 have left.
  const leaving = recent[Math.max(0, recent.length - limit)] ?? now
  return {
    accepted: recent,
    verdict: {
      allowed,
      remaining: Math.max(0, limit - recent.length),
      resetSeconds: Math.max(1, Math.ceil((leaving + windowMs - now) / 1000)),
    },
  }
}
