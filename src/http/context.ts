import type { Context } from "hono"
import { matchedRoutes } from "hono/route"

import type { Config } from "../config.ts"
import type { Statement, Usage } from "../db/client.ts"
import type { Account, Session } from "../db/schema.ts"

/** A request with an Idempotency-Key. */
export interface Attempt {
  /** What an earlier try has made: it is shown again, and nothing is written. */
  made: string | null
  /** An earlier try was answered; else it may have died with its work half done. */
  isAnswered: boolean
  /** Goes into the batch that makes it. */
  receipt: (made: string) => Statement
}

export interface AppEnv {
  Bindings: Env
  Variables: {
    /** The time of this request: when its headers have arrived, then when its body has, if that is JSON or a picture. */
    now: Date
    requestId: string
    /** Of D1, by this request so far. */
    usage: Usage
    config: Config
    /** What absolute URLs begin with. */
    origin: string
    /** What the addresses of readers' pages begin with. */
    readerOrigin: string
    /** Set on every route whose access is `key` or `author`. */
    account: Account
    /** Set on every route whose access is `author` or `operator-page`. */
    session: Session
    /** Set while a request with an Idempotency-Key is under way. */
    attempt: Attempt | undefined
  }
}

export type AppContext = Context<AppEnv>

/** The request is of now: a body may have taken minutes. */
export const noteArrival = (c: AppContext): void => c.set("now", new Date())

/** The address of the route that runs, the first that matches, in Hono's words: a path itself may hold a secret. */
export const routeOf = (c: AppContext): string | null =>
  matchedRoutes(c).find(({ path }) => !path.includes("*"))?.path ?? null
