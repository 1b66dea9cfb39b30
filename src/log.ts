/** Writes one JSON object a line, which Workers Logs indexes by its fields. */
export const log = (level: "info" | "warn" | "error", fields: Record<string, unknown>): void =>
  console[level](JSON.stringify({ level, ...fields }))

/** An error and what caused it. */
export const trace = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack ?? error.message}${error.cause ? `\ncaused by ${trace(error.cause)}` : ""}`
    : String(error)
