import type { Context } from "hono"

import type { Settings } from "../settings.ts"
import type { Account, Session } from "../tables.ts"

export interface AppEnv {
  Bindings: Env
  Variables: {
    /** The one clock reading of this request. */
    now: Date
    requestId: string
    settings: Settings
    /** What absolute URLs begin with. */
    origin: string
    /** Set on every route whose access is `key` or `author`. */
    account: Account
    /** Set on every route whose access is `author` or `operator-page`. */
    session: Session
  }
}

export type AppContext = Context<AppEnv>
