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
}

/** One text for each segment, in order; null where the engine left one out. */
export type Answer = { texts: (string | null)[] } | { failure: Failure }

/** What makes a text of another language. A new engine is one file that makes one of these. */
export interface Engine {
  /** With its model, if it has one. */
  name: string
  /** What fits one call. */
  batch: { segments: number; chars: number }
  /** Translates tagged text (`tags.ts`) from one BCP 47 language to another. */
  translate: (segments: string[], from: string, to: string) => Promise<Answer>
}

/** The engine's name of a failure that is over by itself. */
export const outage = (code: string, message: string, afterSeconds?: number): { failure: Failure } => ({
  failure: { kind: "retry", code, message, ...(afterSeconds !== undefined && { afterSeconds }) },
})
