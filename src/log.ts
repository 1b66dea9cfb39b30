/** Writes one JSON object on a line to the console: the level and the fields, which Workers Logs indexes. */
export const log = (level: "info" | "warn" | "error", fields: Record<string, unknown>): void =>
  console[level](JSON.stringify({ level, ...fields }))

/** Returns the message of an error without the values of SQL statements, which drizzle's errors quote: texts of authors, and hashes. */
const messageOf = (error: Error): string =>
  "query" in error && "params" in error ? `Failed query: ${String(error.query)}` : error.message

/** Formats an error for the log, with its stack and its causes, without the values of SQL statements, which may be secret. */
export const trace = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack?.replace(error.message, () => messageOf(error)) ?? messageOf(error)
  return `${stack}${error.cause ? `\ncaused by ${trace(error.cause)}` : ""}`
}
