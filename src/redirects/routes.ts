import { toOldPath } from "../../packages/edgepost/src/old-path.ts"
import { keyChecks } from "../accounts/authenticate.ts"
import { openDb } from "../db/client.ts"
import { fieldError } from "../http/errors.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { MAX_OLD_PATH_CHARS, MAX_REDIRECTS, MAX_STORED_REDIRECTS_CHARS } from "../limits.ts"
import { listRedirectsOperation, putRedirectsOperation } from "./operations.ts"
import { listRedirects, type Redirect, replaceRedirects } from "./store.ts"

/** Brings redirects into the form in which they are found. @throws ApiError 400 if two lead from one address to different places */
const toStored = (sent: Redirect[]): Redirect[] => {
  const targets = new Map<string, string>()
  for (const [i, { from, to }] of sent.entries()) {
    const { whole } = toOldPath(from)
    if (whole.length > MAX_OLD_PATH_CHARS)
      throw fieldError(
        `redirects.${i}.from`,
        "validation_error",
        `At most ${MAX_OLD_PATH_CHARS} characters, percent-encoded.`,
      )
    const before = targets.get(whole)
    if (before !== undefined && before !== to)
      throw fieldError(`redirects.${i}.from`, "validation_error", `This address leads to ${before} already: ${from}`)
    targets.set(whole, to)
  }
  return [...targets].map(([from, to]) => ({ from, to }))
}

export const redirectRoutes = [
  route(putRedirectsOperation, async (c, { query: { source }, body }) => {
    const { account, now } = c.var
    await countExpensive(c, "replacements of redirects")
    const redirects = toStored(body.redirects)
    if (JSON.stringify(redirects).length > MAX_STORED_REDIRECTS_CHARS)
      throw fieldError(
        "redirects",
        "validation_error",
        `At most ${MAX_STORED_REDIRECTS_CHARS} characters in all, percent-encoded. Send fewer, or several with another source.`,
      )
    const change = { accountId: account.id, source, redirects }
    if (!(await replaceRedirects(openDb(c.env.DB), change, keyChecks(c.var, now))))
      throw fieldError(
        "redirects",
        "validation_error",
        `An account has at most ${MAX_REDIRECTS} redirects, with all sources.`,
      )
    return c.json({ success: true, redirects: redirects.length })
  }),

  route(listRedirectsOperation, async (c, { query: { source } }) => {
    await countExpensive(c, "lists of redirects")
    const redirects = await listRedirects(openDb(c.env.DB), c.var.account.id, source)
    return c.json({ success: true, redirects })
  }),
]
