/** Milliseconds for each test and each hook. A busy machine is no failure: only what hangs is stopped. */
const patience = (minutes: number) => ({ testTimeout: minutes * 60_000, hookTimeout: minutes * 60_000 })

export const PATIENCE = patience(10)
/** For nothing but processor time. */
export const LONG_PATIENCE = patience(60)

/** For what a service or a page is to do: less than the 60 seconds after which the sweep mends a lost message. */
export const MAX_WAIT_MS = 50_000
