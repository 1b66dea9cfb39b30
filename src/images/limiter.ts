import { DurableObject } from "cloudflare:workers"

export interface Verdict {
  allowed: boolean
  /** Calls left in the window after this one. */
  remaining: number
  /** Seconds until the window has room for another call; when it has room now, until its oldest call leaves it. */
  resetSeconds: number
}

/** Returns the accepted calls of the last `windowSeconds`. Times are milliseconds, oldest first. */
const recent = (accepted: number[], windowSeconds: number, now: number): number[] =>
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

/** Counts the uploads of one account: exact under parallel calls, kept over evictions. */
export class UploadLimiter extends DurableObject<Env> {
  /** Counts an upload or refuses it. The object's own clock decides, so that callers' clocks need not agree. */
  take(limit: number, windowSeconds: number): Verdict {
    const before = this.ctx.storage.kv.get<number[]>("accepted") ?? []
    const { verdict, accepted } = take(before, { limit, windowSeconds }, Date.now())
    if (verdict.allowed) this.ctx.storage.kv.put("accepted", accepted)
    return verdict
  }

  /** Returns the number of uploads of the last `windowSeconds`. */
  count(windowSeconds: number): number {
    const accepted = this.ctx.storage.kv.get<number[]>("accepted") ?? []
    return recent(accepted, windowSeconds, Date.now()).length
  }

  /** Forgets the account. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
