import type { Context } from "hono"
import { matchedRoutes } from "hono/route"

import type { BlogKey, Places } from "../addresses.ts"
import type { Config } from "../config.ts"
import type { D1Usage } from "../db/client.ts"
import type { RawRow } from "../db/plain-sql.ts"
import type { Account, ApiKey, Session } from "../db/schema.ts"

/** The account of a request, its Idempotency-Key and its fingerprint. */
export interface KeyedRequest {
  account_id: string
  key: string
  fingerprint: string
}

/** One attempt of a request with an Idempotency-Key, until a later attempt takes over. */
export interface OwnAttempt extends KeyedRequest {
  attempt_id: string
  /** No other attempt begins before this time. */
  locked_until: Date
}

/** The state of a request with an Idempotency-Key. */
export interface Attempt {
  /** The id of what an earlier request created or changed: it is shown again, and nothing is written. */
  resultId: string | null
  /** An earlier request was answered. If not, it may have stopped half-way. */
  isAnswered: boolean
  /** The row of this attempt: the batch of what it creates or changes records the id there. */
  row: OwnAttempt
}

/** The work of a request until now, as fields of the log. */
export interface RequestUsage extends D1Usage {
  /** Steps of converting HTML and Markdown, each about 0.1 µs; undefined if nothing was converted. */
  steps?: number
}

/** Adds to the steps of a request. */
export const countSteps = (usage: RequestUsage, steps: number): void => void (usage.steps = (usage.steps ?? 0) + steps)

export interface AppEnv {
  Bindings: Env
  Variables: {
    /** The time when the headers arrived; after a body is read, the time when it arrived. */
    now: Date
    requestId: string
    /** The work of this request until now. */
    usage: RequestUsage
    config: Config
    /** The origin of absolute URLs. */
    origin: string
    /** The origins of the service, of which absolute URLs are made. */
    places: Places
    /** The blog at the root of the request's host; null on the service's own hosts. */
    rootBlog: BlogKey | null
    /** The page is one of that blog, below the root. */
    isBelowRoot: boolean
    /** The caller's account, on routes with the access `key` or `author`. */
    account: Account
    /** The caller's API key, on routes with the access `key`; `hash` is the SHA-256 of its secret in hex. */
    key: Pick<ApiKey, "hash" | "name" | "scope" | "expires_at"> | undefined
    /** The API key of a request of Micropub, which has other places for it. */
    token: string | undefined
    /** The rows that were read in one batch with the key; undefined if none were asked for. */
    besideKey: RawRow[][] | undefined
    /** The caller's session, on routes with the access `author` or `operator-page`. */
    session: Session
    /** True for an author's form after the check of its Origin: if the form fails, its text is shown again. */
    keepsForm: boolean | undefined
    /** The state of the Idempotency-Key, if the request has one. */
    attempt: Attempt | undefined
  }
}

export type AppContext = Context<AppEnv>

/** Sets the time of the request, `c.var.now`, to now: its body may have taken minutes to arrive. */
export const updateRequestTime = (c: AppContext): void => c.set("now", new Date())

/** Returns the matched route's pattern for logs, such as `/sign-in/:secret`, since the path may contain a secret; null without a route. */
export const routeOf = (c: AppContext): string | null =>
  matchedRoutes(c).find(({ path }) => !path.includes("*"))?.path ?? null
