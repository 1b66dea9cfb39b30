import { DurableObject } from "cloudflare:workers"

import { recent, take, type Verdict } from "./window.ts"

/** One object an account: its uploads of the last minute, exact under parallel calls, kept over evictions. */
export class UploadLimiter extends DurableObject<Env> {
  /** Counts an upload or refuses it. The object's own clock decides, so that callers' clocks need not agree. */
  take(limit: number, windowSeconds: number): Verdict {
    const before = this.ctx.storage.kv.get<number[]>("accepted") ?? []
    const { verdict, accepted } = take(before, { limit, windowSeconds }, Date.now())
    if (verdict.allowed) this.ctx.storage.kv.put("accepted", accepted)
    return verdict
  }

  /** Uploads of the last `windowSeconds`. */
  count(windowSeconds: number): number {
    const accepted = this.ctx.storage.kv.get<number[]>("accepted") ?? []
    return recent(accepted, windowSeconds, Date.now()).length
  }

  /** Forgets the account. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
