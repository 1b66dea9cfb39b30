import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { LARGE_STEPS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { incrementRefusals } from "./store.ts"

const KINDS = new Set(["rate_limited", "file_too_large", "unsupported_format"])

/** Returns the kind under which an error is counted; null if it is not counted. */
const kindOf = ({ error, req }: AppContext): string | null => {
  if (!(error instanceof ApiError)) return null
  // Another limit than that of uploads is counted by the platform alone: its refusals must not cost a write each.
  if (error.code === "rate_limited" && !req.path.includes("/image-upload")) return null
  return error.extra.isTooLong ? "json_too_large" : KINDS.has(error.code) ? error.code : null
}

/** Adds to a count of the account, after the answer. A failure is only logged. */
const addCount = (c: AppContext, kind: string, number: number): void => {
  const { account, now } = c.var
  const counting = incrementRefusals(openDb(c.env.DB), account.id, kind, now, number).catch((error: unknown) =>
    log("warn", { message: "refusal.count_failed", kind, error: trace(error) }),
  )
  c.executionCtx.waitUntil(counting)
}

/** Middleware that counts refused uploads and bodies by account, day and kind. */
export const countRefusals = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  await next()
  const kind = kindOf(c)
  if (kind) addCount(c, kind, 1)
}

/** Middleware that sums the steps of requests that take many, by account and day. */
export const sumSteps = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  await next()
  const { steps = 0 } = c.var.usage
  if (steps >= LARGE_STEPS) addCount(c, "steps", steps)
}
