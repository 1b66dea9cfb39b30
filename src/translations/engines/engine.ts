/**
 * Why an engine did not answer.
 * - `retry`: an outage; the same call may succeed soon.
 * - `later`: a limit; it cannot succeed before `afterSeconds`.
 * - `final`: it never will, for this pair of languages or these settings.
 */
export interface Failure {
  kind: "retry" | "later" | "final"
  code: string
  /** In plain words, for the author. */
  message: string
  afterSeconds?: number
  /** For the log alone: what the engine said. Never a key. */
  detail?: string
}

/** One text for each segment, in order; null where the engine left one out. */
export type Answer = { texts: (string | null)[] } | { failure: Failure }

/** What makes a text of another language. A new engine is one file that makes one of these. */
export interface Engine {
  /** With its model, if it has one. */
  name: string
  /** What fits one call. */
  batch: { segments: number; chars: number }
  /**
   * Translates tagged text (`document/tags.ts`) from one BCP 47 language to another.
   * @param signal ends the call, of however many requests it consists
   */
  translate: (segments: string[], from: string, to: string, signal: AbortSignal) => Promise<Answer>
}

/** A failure that is over by itself. */
export const outage = (message: string, more: Pick<Failure, "afterSeconds" | "detail"> = {}): Failure => ({
  kind: "retry",
  code: "engine_unavailable",
  message,
  ...more,
})

const MAX_DETAIL_CHARS = 300

/** What an engine said, for the log. @param secret must not be in it */
export const detailOf = (said: unknown, secret?: string | null): string => {
  const text = String(said)
  return (secret ? text.replaceAll(secret, "[key]") : text).slice(0, MAX_DETAIL_CHARS)
}
