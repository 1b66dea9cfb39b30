/** Returns vitest's timeouts for a number of seconds: they stop a test that hangs, even on a busy machine. */
const timeouts = (seconds: number) => ({ testTimeout: seconds * 1000, hookTimeout: seconds * 1000 })

/** The timeouts of each test and each hook. */
export const TIMEOUTS = timeouts(60)
/** The timeouts of tests in a browser or against `npm start`. */
export const BROWSER_TIMEOUTS = timeouts(600)
/** The timeouts of soak tests, which only compute. */
export const LONG_TIMEOUTS = timeouts(3600)

/** Milliseconds to wait for a service or a page: less than the 60 seconds after which the cron repairs a lost message. */
export const MAX_WAIT_MS = 50_000
