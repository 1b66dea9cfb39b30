import { DurableObject } from "cloudflare:workers"

/** The result of a call to the limiter, as the `RateLimit` header states it. */
export interface RateLimitResult {
  allowed: boolean
  /** Calls left in the window after this one. */
  remaining: number
  /** Seconds until the window has room for another call; when it has room now, until its oldest call leaves it. */
  resetSeconds: number
}

/** Returns the accepted calls of the last `windowSeconds`. Times are in milliseconds, oldest first. */
const recent = (accepted: number[], windowSeconds: number, now: number): number[] =>
  accepted.filter((time) => time > now - windowSeconds * 1000)

/**
 * Counts a call at `now` (milliseconds) if fewer than `limit` calls were accepted in the last `windowSeconds`.
 * @param accepted the times of accepted calls in milliseconds, oldest first; it stays unchanged
 * @returns whether the call is allowed, and the times to keep for the next call
 */
export const countCall = (
  accepted: number[],
  { limit, windowSeconds }: { limit: number; windowSeconds: number },
  now: number,
): { result: RateLimitResult; accepted: number[] } => {
  const counted = recent(accepted, windowSeconds, now)
  const allowed = counted.length < limit
  if (allowed) counted.push(now)
  // If the limit was lowered, there is room when all but limit - 1 calls have left the window.
  const leaving = counted[Math.max(0, counted.length - limit)] ?? now
  return {
    accepted: counted,
    result: {
      allowed,
      remaining: Math.max(0, limit - counted.length),
      resetSeconds: Math.max(1, Math.ceil((leaving - now) / 1000 + windowSeconds)),
    },
  }
}

/** Counts the uploads of one account. The count is exact under parallel calls and survives evictions. */
export class UploadLimiter extends DurableObject<Env> {
  /** Counts an upload, or refuses it if the window is full. Uses the object's clock, because callers' clocks may differ. */
  take(limit: number, windowSeconds: number): RateLimitResult & { time: number } {
    const time = Date.now()
    const before = this.ctx.storage.kv.get<number[]>("accepted") ?? []
    const { result, accepted } = countCall(before, { limit, windowSeconds }, time)
    if (result.allowed) this.ctx.storage.kv.put("accepted", accepted)
    return { ...result, time }
  }

  /** Takes an upload that was counted at `time`, but had no turn, back out of the count. */
  giveBack(time: number): void {
    const accepted = this.ctx.storage.kv.get<number[]>("accepted") ?? []
    const at = accepted.indexOf(time)
    if (at >= 0) this.ctx.storage.kv.put("accepted", accepted.toSpliced(at, 1))
  }

  /** Returns the number of uploads that were counted in the last `windowSeconds`. */
  count(windowSeconds: number): number {
    const accepted = this.ctx.storage.kv.get<number[]>("accepted") ?? []
    return recent(accepted, windowSeconds, Date.now()).length
  }

  /** Deletes everything that is stored about the account. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
