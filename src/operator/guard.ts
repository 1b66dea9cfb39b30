import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { countAttempt } from "../http/rate-limit.ts"
import { digest } from "../tokens.ts"

const requireToken = (c: AppContext): string => {
  const { operatorToken } = c.var.config
  if (!operatorToken) throw new ApiError("not_found")
  return operatorToken
}

/** Middleware that lets operator calls pass only if an operator token is configured. @throws ApiError 404 if not */
export const operatorExists = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  requireToken(c)
  await next()
}

/** Tells whether `sent` is the operator's token, in constant time. @throws ApiError 404 if no token is configured */
export const isOperatorToken = async (c: AppContext, sent: string): Promise<boolean> =>
  // timingSafeEqual needs equal lengths, which hashes have.
  crypto.subtle.timingSafeEqual(await digest(sent), await digest(requireToken(c)))

export const NOT_THE_TOKEN = "This is not the operator's token."

/** Returns, but does not throw, the ApiError 401 of a request without the operator's token. */
export const notTheOperator = (detail: string): ApiError =>
  new ApiError("unauthorized", detail, { headers: { "WWW-Authenticate": 'Bearer realm="edgepost operator"' } })

/** Middleware that requires the operator's token. @throws ApiError 401 without it, 429 after many wrong ones, 404 if none is configured */
export const operatorOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  // Matches `Bearer abc`. Does not match `Api-Key abc`.
  const sent = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization")?.trim() ?? "")?.[1] ?? ""
  if (!(await isOperatorToken(c, sent))) {
    await countAttempt(c, "operator")
    throw notTheOperator(sent ? NOT_THE_TOKEN : "Send `Authorization: Bearer <OPERATOR_TOKEN>`.")
  }
  await next()
}
