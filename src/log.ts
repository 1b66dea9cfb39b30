/** Writes one JSON object on a line. Workers Logs indexes its fields. */
export const log = (level: "info" | "warn" | "error", fields: Record<string, unknown>): void =>
  console[level](JSON.stringify({ level, ...fields }))

/** drizzle's errors quote the values of a failed statement: texts of authors, and hashes. */
const PARAMS = /^params: [^]*?(?=^ {4}at |$(?![^]))/m

/** Formats an error with its stack and its causes, without the values of SQL statements. */
export const trace = (error: unknown): string =>
  error instanceof Error
    ? `${(error.stack ?? error.message).replace(PARAMS, "")}${error.cause ? `\ncaused by ${trace(error.cause)}` : ""}`
    : String(error)
