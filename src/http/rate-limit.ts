import { dayOf } from "../days.ts"
import {
  LARGE_WRITE_BYTES,
  MAX_LARGE_WRITES,
  MAX_READS,
  MAX_EXPENSIVE_CALLS,
  MAX_WRITES,
  RATE_WINDOW_SECONDS,
} from "../limits.ts"
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
export const networkHash = async (c: AppContext, kind: string): Promise<string> => {
  const { now, config } = c.var
  const salt = await hashSecret(`${config.operatorToken ?? ""} ${dayOf(now)}`)
  return hashSecret(`${salt} ${kind} ${networkOf(c.req.header("CF-Connecting-IP") ?? "")}`)
}

/** Counts a call at a binding of the platform, by Cloudflare location. @returns false over its limit; true if the count fails */
export const takeCall = async (limiter: RateLimit, key: string): Promise<boolean> => {
  try {
    return (await limiter.limit({ key })).success
  } catch (error) {
    log("warn", { message: "rate_limit.check_failed", error: trace(error) })
    return true
  }
}

/** Returns the ApiError 429 of a client that has called too often. The limits of the platform count for `RATE_WINDOW_SECONDS`. */
export const tooMany = (what: string, seconds = RATE_WINDOW_SECONDS): ApiError =>
  new ApiError("rate_limited", `${what} Try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  })

/**
 * Counts an attempt to authenticate by the client's network: an IPv4 address or 64 bits of an IPv6 address. Each `kind` and
 * Cloudflare location counts alone. If the count fails, the attempt is allowed: secrets have 256 bits.
 * @throws ApiError 429 `rate_limited` after `MAX_ATTEMPTS` in `RATE_WINDOW_SECONDS`
 */
export const countAttempt = async (c: AppContext, kind: "sign-in" | "operator"): Promise<void> => {
  if (!(await takeCall(c.env.ATTEMPT_LIMITER, await networkHash(c, kind)))) throw tooMany("Too many attempts.")
}

/** Middleware that counts a call of an account, except uploads. @throws ApiError 429 after `MAX_READS` or `MAX_WRITES` in `RATE_WINDOW_SECONDS` */
export const limitCalls = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  const isRead = ["GET", "HEAD"].includes(c.req.method)
  if (!(await takeCall(isRead ? c.env.READ_LIMITER : c.env.WRITE_LIMITER, c.var.account.id)))
    throw tooMany(`At most ${isRead ? `${MAX_READS} reads` : `${MAX_WRITES} writes`} a minute.`)
  await next()
}

/** Counts a call that reads or writes thousands of rows of an account. @param what names such calls @throws ApiError 429 after `MAX_EXPENSIVE_CALLS` in `RATE_WINDOW_SECONDS` */
export const countExpensive = async (c: AppContext, what: string): Promise<void> => {
  if (!(await takeCall(c.env.EXPENSIVE_CALL_LIMITER, `${c.var.account.id} ${what}`)))
    throw tooMany(`At most ${MAX_EXPENSIVE_CALLS} ${what} a minute.`)
}

/** Counts a write whose body has so many bytes, if it is large. @throws ApiError 429 after `MAX_LARGE_WRITES` in `RATE_WINDOW_SECONDS` */
export const countLargeWrite = async (c: AppContext, bytes: number): Promise<void> => {
  const account = c.get("account")
  if (bytes <= LARGE_WRITE_BYTES || !account) return
  if (!(await takeCall(c.env.LARGE_WRITE_LIMITER, account.id)))
    throw tooMany(`At most ${MAX_LARGE_WRITES} writes a minute may have a body over ${LARGE_WRITE_BYTES} bytes.`)
}
