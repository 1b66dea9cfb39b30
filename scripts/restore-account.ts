// Makes again what an author has made beside posts, through the public API alone. Its tests run in workerd, so nothing here needs Node.
import type { Archive, AccountData } from "./archive.ts"
import { Refusal, settingsToCopy } from "./restore-plan.ts"
import { API, type Options, type Request, requireStatus, withRetries } from "./restore.ts"

/** So that a call is within the limit of its body. */
const TERMS_A_CALL = 100

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Adds the terms that the account lacks. @returns what was not done */
const restoreGlossary = async (call: Request, { glossary = [] }: AccountData): Promise<string[]> => {
  if (glossary.length === 0) return []
  const path = `${API}/account/glossary/`
  const found = await call("GET", path)
  requireStatus(found, 200)
  const there = new Map(found.json?.entries?.map((entry) => [entry.term, entry]))
  const entries = glossary.filter(({ term }) => !there.has(term))
  for (let at = 0; at < entries.length; at += TERMS_A_CALL)
    requireStatus(await call("PATCH", path, { entries: entries.slice(at, at + TERMS_A_CALL) }), 200)
  const others = glossary.filter((entry) => there.has(entry.term) && !isSame(entry, there.get(entry.term)))
  return others.map(({ term }) => `The glossary has another entry for ${term}, which stays.`)
}

/** Sets the redirects of each source of which the account has none. @returns what was not done */
const restoreRedirects = async (call: Request, { redirects = [] }: AccountData): Promise<string[]> => {
  if (redirects.length === 0) return []
  const path = `${API}/account/redirects/`
  const found = await call("GET", path)
  requireStatus(found, 200)
  const there = Map.groupBy(found.json?.redirects ?? [], ({ source }) => source)
  const others = []
  for (const [source, wanted] of Map.groupBy(redirects, (redirect) => redirect.source)) {
    if (!there.has(source)) {
      const sent = { redirects: wanted.map(({ from, to }) => ({ from, to })) }
      requireStatus(await call("PUT", `${path}?source=${encodeURIComponent(source)}`, sent), 200)
    } else if (!isSame(there.get(source), wanted)) others.push(`There are other redirects of ${source}, which stay.`)
  }
  return others
}

/** Names the endpoints that the account lacks. A new one would have another secret. */
const findLostWebhooks = async (call: Request, { webhooks = [] }: AccountData): Promise<string[]> => {
  if (webhooks.length === 0) return []
  const { json } = await call("GET", `${API}/webhooks/`)
  const there = json?.webhooks?.map(({ url }) => url) ?? []
  return webhooks
    .filter((url) => !there.includes(url))
    .map((url) => `The webhook is not imported. Add it at /settings/webhooks/, with its new secret: ${url}`)
}

const PARTS = { glossary: restoreGlossary, redirects: restoreRedirects, webhooks: findLostWebhooks }

/**
 * Brings back what an author has made beside posts, as far as a key may: the glossary and the redirects. Safe to repeat.
 * Reports what it leaves to the author.
 * @param account as the API shows it
 * @returns the names of parts that failed
 */
export const restoreAccount = async (
  { manifest }: Pick<Archive, "manifest">,
  account: AccountData,
  options: Pick<Options, "request" | "wait" | "report">,
): Promise<string[]> => {
  const failed: string[] = []
  const call = withRetries(options)
  for (const line of settingsToCopy(manifest, account)) options.report("warning", line)
  for (const [name, restorePart] of Object.entries(PARTS))
    try {
      for (const line of await restorePart(call, manifest)) options.report("warning", line)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failed.push(name)
      options.report("failed", `${name}: ${error.message}`)
    }
  return failed
}
