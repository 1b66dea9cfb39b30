import { expect } from "vitest"

import { Browser, fieldOf } from "../author-pages/browser.ts"
import { setAccount } from "../calls.ts"
import { type Author, env, rotateKey, rows, unique } from "../support.ts"

/** Signs the operator in and returns the browser. */
export const signInOperator = async (changes: Partial<Env> = {}): Promise<Browser> => {
  const browser = new Browser(changes)
  const token = changes.OPERATOR_TOKEN ?? env.OPERATOR_TOKEN
  const { status, headers } = await browser.post("/operator/sign-in/", { token })
  expect([status, headers.get("Location")]).toEqual([303, "/operator/"])
  return browser
}

export const pathOf = (username: string): string => `/operator/accounts/${username}/`

/** Returns the hidden value of the paid-time form. */
export const seenOf = async (browser: Browser, username: string): Promise<string> =>
  fieldOf((await browser.get(pathOf(username))).html.split("paid-until/")[1] ?? "", "seen") ?? "none"

/** Returns the audit log of an account, oldest first. */
export const auditLogOf = async (username: string): Promise<string[]> => {
  const entries = await rows("select * from operator_actions where username = ? order by at, rowid", username)
  return entries.map(({ action, via, detail }) => `${String(via)} ${String(action)} ${String(detail)}`.trim())
}

/** Returns a rate limiter like the platform's that uses the test's clock and records its calls. */
export const newLimiter = (limit = 10, periodSeconds = 60): { binding: RateLimit; keys: string[] } => {
  const keys: string[] = []
  const times = new Map<string, number[]>()
  const binding: RateLimit = {
    limit: ({ key }) => {
      keys.push(key)
      const recent = (times.get(key) ?? []).filter((time) => time > Date.now() - periodSeconds * 1000)
      const success = recent.length < limit
      times.set(key, success ? [...recent, Date.now()] : recent)
      return Promise.resolve({ success })
    },
  }
  return { binding, keys }
}

/** Makes a paid account with a key by the operator API. */
export const registerAuthor = async (changes: Record<string, unknown> = {}): Promise<Author> => {
  const username = unique("author")
  await setAccount({ username }, { paid_until: "2099-01-01T00:00:00Z", ...changes })
  return { username, key: await rotateKey(username) }
}
