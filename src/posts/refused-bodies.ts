import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { tooMany } from "../http/rate-limit.ts"
import { MAX_REFUSED_BODIES, REFUSED_BODIES_SECONDS } from "../limits.ts"

// A refused body costs as much as the most expensive accepted one.

const MAX_ACCOUNTS = 1000
/** The times at which this isolate refused bodies, in milliseconds, by account. */
const refusals = new Map<string, number[]>()

const recentOf = ({ var: { account, now } }: AppContext): number[] =>
  (refusals.get(account.id) ?? []).filter((time) => time > now.getTime() - REFUSED_BODIES_SECONDS * 1000)

const note = (c: AppContext): void => {
  if (refusals.size >= MAX_ACCOUNTS) refusals.clear()
  refusals.set(c.var.account.id, [...recentOf(c), c.var.now.getTime()])
}

/** Wraps a handler that renders a body. @throws ApiError 429 if too many bodies of the account were refused */
export const limitRefusedBodies =
  <I extends unknown[]>(handler: (c: AppContext, ...input: I) => Promise<Response>) =>
  async (c: AppContext, ...input: I): Promise<Response> => {
    if (recentOf(c).length >= MAX_REFUSED_BODIES)
      throw tooMany(
        `${MAX_REFUSED_BODIES} bodies were too complex within ${REFUSED_BODIES_SECONDS} seconds.`,
        REFUSED_BODIES_SECONDS,
      )
    try {
      return await handler(c, ...input)
    } catch (error) {
      if (error instanceof ApiError && error.code === "body_too_complex") note(c)
      throw error
    }
  }
