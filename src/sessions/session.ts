import type { Session } from "../db/schema.ts"
import { OPERATOR_SESSION_SECONDS, SESSION_SECONDS, SESSION_SEEN_SECONDS } from "../limits.ts"

/** Whose session a cookie bears. */
export type Role = "author" | "operator"

const NAMES = { author: "session", operator: "operator_session" } as const

/**
 * The cookie of a session: browsers disagree on `Secure` over http on loopback.
 * @returns its name without the prefix `__Host-`, which it has when `isSecure`
 */
export const cookieOf = (role: Role, origin: string): { name: string; isSecure: boolean } => ({
  name: NAMES[role],
  isSecure: origin.startsWith("https:"),
})

export const lifetimeSeconds = (role: Role): number => (role === "author" ? SESSION_SECONDS : OPERATOR_SESSION_SECONDS)

export const expiryOf = (role: Role, now: Date): Date => new Date(now.getTime() + lifetimeSeconds(role) * 1000)

/** Whether the use of a session is to be noted: seldom, each is a write. */
export const isStale = ({ last_seen_at }: Session, now: Date): boolean =>
  last_seen_at.getTime() < now.getTime() - SESSION_SEEN_SECONDS * 1000

const BROWSERS: [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
]
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
]

/** What a User-Agent header stands for, in words; all that is kept of it. */
export const describeUserAgent = (header: string): string => {
  const find = (names: [string, RegExp][]) => names.find(([, pattern]) => pattern.test(header))?.[0]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? "Another program")
}
