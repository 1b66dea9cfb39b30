import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { countAttempt } from "../http/rate-limit.ts"
import { digest } from "../tokens.ts"

const requireToken = (c: AppContext): string => {
  const { operatorToken } = c.var.config
  if (!operatorToken) throw new ApiError("not_found")
  return operatorToken
}

/** Without a token in the config there is no operator API: not even its 405s. */
export const operatorExists = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  requireToken(c)
  await next()
}

/** Tells whether this is the operator's token, in the same time whatever was sent. */
export const isOperatorToken = async (c: AppContext, sent: string): Promise<boolean> =>
  // Hashes have one length, so that the comparison takes one time.
  crypto.subtle.timingSafeEqual(await digest(sent), await digest(requireToken(c)))

export const NOT_THE_TOKEN = "This is not the operator's token."

export const notTheOperator = (detail: string): ApiError =>
  new ApiError("unauthorized", detail, { headers: { "WWW-Authenticate": 'Bearer realm="edgepost operator"' } })

/** Lets the operator through. Who has a wrong token is slowed down; who has the right one may call at any rate. */
export const operatorOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  const sent = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization")?.trim() ?? "")?.[1] ?? ""
  if (!(await isOperatorToken(c, sent))) {
    await countAttempt(c, "operator")
    throw notTheOperator(sent ? NOT_THE_TOKEN : "Send `Authorization: Bearer <OPERATOR_TOKEN>`.")
  }
  await next()
}
