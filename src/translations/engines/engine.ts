/**
 * Why an engine did not answer.
 * - `retry`: an outage; the same call may succeed soon.
 * - `later`: a limit; it cannot succeed before `afterSeconds`.
 * - `final`: it never succeeds, for this pair of languages or these settings.
 */
export interface Failure {
  kind: "retry" | "later" | "final"
  code: string
  /** Says it to the author, in plain words. */
  message: string
  afterSeconds?: number
  /** What the engine said, without a key; for the log alone. */
  detail?: string
}

/** One text for each segment, in order; null where the engine left one out. */
export type Answer = { texts: (string | null)[] } | { failure: Failure }

/** Translates segments. A new engine is one file that makes one of these, and a line in `open.ts`. */
export interface Engine {
  /** Includes its model, if it has one. */
  name: string
  /** What fits one call. */
  batch: { segments: number; chars: number }
  /**
   * Translates tagged text (`document/tags.ts`) from one BCP 47 language to another.
   * @param signal ends the call, of however many requests it consists
   */
  translate: (segments: string[], from: string, to: string, signal: AbortSignal) => Promise<Answer>
}

/** Makes a failure that ends by itself. */
export const outage = (message: string, more: Pick<Failure, "afterSeconds" | "detail"> = {}): Failure => ({
  kind: "retry",
  code: "engine_unavailable",
  message,
  ...more,
})

const MAX_DETAIL_CHARS = 300

/** Shortens what an engine said, for the log. @param secret is removed from it */
export const detailOf = (said: unknown, secret?: string | null): string => {
  const text = String(said)
  return (secret ? text.replaceAll(secret, "[key]") : text).slice(0, MAX_DETAIL_CHARS)
}
