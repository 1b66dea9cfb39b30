import { expect } from "vitest"

import { Browser, fieldOf } from "../author-pages/browser.ts"
import { env, rows } from "../support.ts"

/** The operator's browser, signed in. */
export const signInOperator = async (changes: Partial<Env> = {}): Promise<Browser> => {
  const browser = new Browser(changes)
  const token = changes.OPERATOR_TOKEN ?? env.OPERATOR_TOKEN
  const { status, headers } = await browser.post("/operator/sign-in/", { token })
  expect([status, headers.get("Location")]).toEqual([303, "/operator/"])
  return browser
}

export const pathOf = (username: string): string => `/operator/accounts/${username}/`

/** What the form of an account's paid time was shown with. */
export const seenOf = async (browser: Browser, username: string): Promise<string> =>
  fieldOf((await browser.get(pathOf(username))).html.split("paid-until/")[1] ?? "", "seen") ?? "none"

/** What the trail has about an account, the oldest first. */
export const trailOf = async (username: string): Promise<string[]> => {
  const entries = await rows("select * from operator_actions where username = ? order by at, rowid", username)
  return entries.map(({ action, via, detail }) => `${String(via)} ${String(action)} ${String(detail)}`.trim())
}

/** A limiter as the platform's, by the clock of the test; it records what it was asked. */
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
