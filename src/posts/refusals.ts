import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/problem.ts"
import { MAX_REFUSED_BODIES, REFUSED_BODIES_SECONDS } from "../limits.ts"

// A refused body costs as much as the most expensive one that is accepted.

const MAX_ACCOUNTS = 1000
/** When this isolate last refused bodies of an account, in milliseconds. */
const refusals = new Map<string, number[]>()

const recentOf = ({ var: { account, now } }: AppContext): number[] =>
  (refusals.get(account.id) ?? []).filter((time) => time > now.getTime() - REFUSED_BODIES_SECONDS * 1000)

const note = (c: AppContext): void => {
  if (refusals.size >= MAX_ACCOUNTS) refusals.clear()
  refusals.set(c.var.account.id, [...recentOf(c), c.var.now.getTime()])
}

/** A handler that renders a body. It throws 429 to an account whose bodies were too complex again and again. */
export const limitRefusedBodies =
  <I>(handler: (c: AppContext, input: I) => Promise<Response>) =>
  async (c: AppContext, input: I): Promise<Response> => {
    if (recentOf(c).length >= MAX_REFUSED_BODIES)
      throw new ApiError(
        "rate_limited",
        `${MAX_REFUSED_BODIES} bodies were too complex within ${REFUSED_BODIES_SECONDS} seconds. Try again in ${REFUSED_BODIES_SECONDS} seconds.`,
        { headers: { "Retry-After": String(REFUSED_BODIES_SECONDS) } },
      )
    try {
      return await handler(c, input)
    } catch (error) {
      if (error instanceof ApiError && error.code === "body_too_complex") note(c)
      throw error
    }
  }
