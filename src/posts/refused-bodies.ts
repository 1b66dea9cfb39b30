import type { AppContext, RequestUsage } from "../http/context.ts"
import { type ApiError, fieldError } from "../http/errors.ts"
import { tooMany } from "../http/rate-limit.ts"
import { LARGE_STEPS, MAX_REFUSED_BODIES, REFUSED_BODIES_SECONDS } from "../limits.ts"

// A body that is converted and then refused costs as much as an accepted one, so an account may send few of them.

/** The account that sends a body, when, and what the request has used. */
export type Sender = Pick<AppContext["var"], "account" | "now" | "usage">

const MAX_ACCOUNTS = 1000
/** The times at which this isolate refused bodies, in milliseconds, by account. */
const refusals = new Map<string, number[]>()

const recentRefusals = ({ account, now }: Sender): number[] =>
  (refusals.get(account.id) ?? []).filter((time) => time > now.getTime() - REFUSED_BODIES_SECONDS * 1000)

/** Requires that few bodies of an account were refused. @throws ApiError 429 */
export const requireFewRefusals = (sender: Sender): void => {
  if (recentRefusals(sender).length >= MAX_REFUSED_BODIES)
    throw tooMany(
      `${MAX_REFUSED_BODIES} bodies were too complex within ${REFUSED_BODIES_SECONDS} seconds.`,
      REFUSED_BODIES_SECONDS,
    )
}

/** The requests of which a refused body is counted. */
const counted = new WeakSet<RequestUsage>()

/** Counts a refused body, once for a request. */
const countRefusal = (sender: Sender): void => {
  if (counted.has(sender.usage)) return
  counted.add(sender.usage)
  if (refusals.size >= MAX_ACCOUNTS) refusals.clear()
  refusals.set(sender.account.id, [...recentRefusals(sender), sender.now.getTime()])
}

/** Returns the error of a body that is too complex, and counts it. @param field that holds the body */
export const refuseBody = (sender: Sender, message: string, field = "body"): ApiError => {
  countRefusal(sender)
  return fieldError(field, "body_too_complex", message)
}

/** Middleware that counts a body that took many steps before its request was refused for anything else. */
export const countRefusedBody = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  await next()
  const { status } = c.res
  if (status >= 400 && status < 500 && (c.var.usage.steps ?? 0) >= LARGE_STEPS) countRefusal(c.var)
}
