/** Milliseconds for each test and each hook. A busy machine is no failure: only what hangs is stopped. */
const patience = (ms: number) => ({ testTimeout: ms, hookTimeout: ms })

export const SUITE = patience(5 * 60_000)
export const FULL_SUITE = patience(60 * 60_000)
