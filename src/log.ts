/** Writes one JSON object a line, which Workers Logs indexes by its fields. */
export const log = (level: "info" | "warn" | "error", fields: Record<string, unknown>): void =>
  console[level](JSON.stringify({ level, ...fields }))

/** drizzle says what a failed statement was given: texts of authors, and hashes. */
const PARAMS = /^params: [^]*?(?=^ {4}at |$(?![^]))/m

/** An error and what caused it, without the values of statements. */
export const trace = (error: unknown): string =>
  error instanceof Error
    ? `${(error.stack ?? error.message).replace(PARAMS, "")}${error.cause ? `\ncaused by ${trace(error.cause)}` : ""}`
    : String(error)
