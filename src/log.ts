/** Writes one JSON object on a line to the console: the level and the fields, which Workers Logs indexes. */
export const log = (level: "info" | "warn" | "error", fields: Record<string, unknown>): void =>
  console[level](JSON.stringify({ level, ...fields }))

/** drizzle's errors quote the values of a failed statement: texts of authors, and hashes. */
const PARAMS = /^params: [^]*?(?=^ {4}at |$(?![^]))/m

/** Formats an error for the log, with its stack and its causes, without the values of SQL statements, which may be secret. */
export const trace = (error: unknown): string =>
  error instanceof Error
    ? `${(error.stack ?? error.message).replace(PARAMS, "")}${error.cause ? `\ncaused by ${trace(error.cause)}` : ""}`
    : String(error)
