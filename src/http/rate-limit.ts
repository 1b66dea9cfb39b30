import { dayOf } from "../days.ts"
import { ATTEMPT_WINDOW_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashSecret } from "../tokens.ts"
import type { AppContext } from "./context.ts"
import { ApiError } from "./errors.ts"

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address, which providers give to one customer. */
const networkOf = (address: string): string => {
  const [head = "", tail] = address.split("::")
  if (!address.includes(":") || address.includes(".")) return address
  const groups = head === "" ? [] : head.split(":")
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length)
  return [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":")].slice(0, 4).join(":")
}

/** Hashes the client's network with a salt that changes every day, so that no address is stored. */
const keyOf = async (c: AppContext, kind: string): Promise<string> => {
  const { now, config } = c.var
  const salt = await hashSecret(`${config.operatorToken ?? ""} ${dayOf(now)}`)
  return hashSecret(`${salt} ${kind} ${networkOf(c.req.header("CF-Connecting-IP") ?? "")}`)
}

/**
 * Counts an attempt to authenticate by the client's network: an IPv4 address or 64 bits of an IPv6 address. Each `kind` and
 * Cloudflare location counts alone. If the count fails, the attempt is allowed: secrets have 256 bits.
 * @throws ApiError 429 `rate_limited` after `MAX_ATTEMPTS` in `ATTEMPT_WINDOW_SECONDS`
 */
export const countAttempt = async (c: AppContext, kind: "sign-in" | "operator"): Promise<void> => {
  const { success } = await c.env.ATTEMPT_LIMITER.limit({ key: await keyOf(c, kind) }).catch((error: unknown) => {
    log("warn", { message: "rate_limit.check_failed", error: trace(error) })
    return { success: true }
  })
  if (success) return
  throw new ApiError("rate_limited", `Too many attempts. Try again in ${ATTEMPT_WINDOW_SECONDS} seconds.`, {
    headers: { "Retry-After": String(ATTEMPT_WINDOW_SECONDS) },
  })
}
