// A busy machine is no failure: only what hangs is stopped.

/** For one thing that a test waits for. */
export const MAX_WAIT_MS = 5 * 60_000

/** Milliseconds for each test and each hook. */
const patience = (ms: number) => ({ testTimeout: ms, hookTimeout: ms })

export const SUITE = patience(MAX_WAIT_MS)
export const FULL_SUITE = patience(60 * 60_000)
