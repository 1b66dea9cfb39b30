import type { Context } from "hono"

import type { Settings } from "../settings.ts"
import type { Account } from "../tables.ts"

export interface AppEnv {
  Bindings: Env
  Variables: {
    /** The one clock reading of this request. */
    now: Date
    requestId: string
    settings: Settings
    /** What absolute URLs begin with. */
    origin: string
    /** Set by `authenticate` on every route whose access is `key`. */
    account: Account
  }
}

export type AppContext = Context<AppEnv>
