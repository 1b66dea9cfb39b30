// A sliding window over the times of accepted calls. Pure: times are milliseconds, oldest first.

export interface Verdict {
  allowed: boolean
  /** Calls left in the window after this one. */
  remaining: number
  /** Seconds until the window has room for another call; when it has room now, until its oldest call leaves it. */
  resetSeconds: number
}

/** Those of the last `windowSeconds`. */
export const recent = (accepted: number[], windowSeconds: number, now: number): number[] =>
  accepted.filter((time) => time > now - windowSeconds * 1000)

/** Counts a call at `now` if fewer than `limit` were accepted in the last `windowSeconds`. */
export const take = (
  accepted: number[],
  { limit, windowSeconds }: { limit: number; windowSeconds: number },
  now: number,
): { verdict: Verdict; accepted: number[] } => {
  const counted = recent(accepted, windowSeconds, now)
  const allowed = counted.length < limit
  if (allowed) counted.push(now)
  // The limit may have been lowered since: room comes when all but limit - 1 have left.
  const leaving = counted[Math.max(0, counted.length - limit)] ?? now
  return {
    accepted: counted,
    verdict: {
      allowed,
      remaining: Math.max(0, limit - counted.length),
      resetSeconds: Math.max(1, Math.ceil((leaving - now) / 1000 + windowSeconds)),
    },
  }
}
