import { dayOf } from "../days.ts"
import { ATTEMPT_WINDOW_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashSecret } from "../tokens.ts"
import type { AppContext } from "./context.ts"
import { ApiError } from "./errors.ts"

/** The network that one caller has: of IPv6 the first 64 bits, as providers hand them out. */
const networkOf = (address: string): string => {
  const [head = "", tail] = address.split("::")
  if (!address.includes(":") || address.includes(".")) return address
  const groups = head === "" ? [] : head.split(":")
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length)
  return [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":")].slice(0, 4).join(":")
}

/** What stands for an address today: without the operator's token nobody can tell which one. */
const keyOf = async (c: AppContext, kind: string): Promise<string> => {
  const { now, config } = c.var
  const salt = await hashSecret(`${config.operatorToken ?? ""} ${dayOf(now)}`)
  return hashSecret(`${salt} ${kind} ${networkOf(c.req.header("CF-Connecting-IP") ?? "")}`)
}

/**
 * Counts an attempt to show who one is, by address. The platform counts: it is quick, knows one place at a time and keeps
 * nothing. Where it fails, attempts go on: what they guess at has 256 bits.
 * @throws ApiError 429 after too many
 */
export const countAttempt = async (c: AppContext, kind: "sign-in" | "operator"): Promise<void> => {
  const { success } = await c.env.ATTEMPT_LIMITER.limit({ key: await keyOf(c, kind) }).catch((error: unknown) => {
    log("warn", { message: "attempts are not counted", error: trace(error) })
    return { success: true }
  })
  if (success) return
  throw new ApiError("rate_limited", `Too many attempts. Try again in ${ATTEMPT_WINDOW_SECONDS} seconds.`, {
    headers: { "Retry-After": String(ATTEMPT_WINDOW_SECONDS) },
  })
}
