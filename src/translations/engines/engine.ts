/**
 * The reason why an engine did not answer.
 * - `retry`: an outage. The same call may succeed soon.
 * - `later`: a limit, or settings that the operator must correct. Wait `afterSeconds`, or the longest delay.
 * - `final`: the engine cannot translate between these languages.
 */
export interface Failure {
  kind: "retry" | "later" | "final"
  code: string
  /** The explanation for the author. */
  message: string
  afterSeconds?: number
  /** The engine's own message without the key, for the log only. */
  detail?: string
}

/** One text per segment, in order; null where the engine left one out. */
export type Answer = { texts: (string | null)[] } | { failure: Failure }

/** The heading above a segment and the sentence before it, in the source language; null for none. */
export interface Context {
  heading: string | null
  before: string | null
}

/** Helps a model to choose words. An engine never translates it, and may ignore it. */
export interface Reference {
  /** The title of the post, in the source language. */
  title: string
  /** How the author wants translations to sound; null for no wish. */
  tone: string | null
  /** One for each segment, in order. */
  contexts: Context[]
}

/** A term of the glossary; `note` is the author's explanation. */
export interface WantedTerm {
  term: string
  translation: string
  note: string | null
}

/** Tagged text (`document/tags.ts`) to translate from one BCP 47 language to another. */
export interface EngineRequest {
  segments: string[]
  from: string
  to: string
  reference?: Reference
  /** The terms in the segments that the author wants translated so; without it there are none. */
  terms?: WantedTerm[]
  /** For each segment, in order, the translations of terms that an earlier answer lacks. */
  missing?: string[][]
}

/** A translation service. A new engine is one file that creates an `Engine`, a line in `registry.ts`, and its variables in `config.ts`. */
export interface Engine {
  /** The name shown to authors, with the model if the engine has one. */
  name: string
  /** The limits of one call. `chars` are UTF-16 units of segments. */
  batch: { segments: number; chars: number }
  /** True if it follows `terms`. Then it is asked once more for a segment whose answer lacks some. */
  followsTerms: boolean
  /** Translates the segments of a request. @param signal aborts the call with all its requests */
  translate: (request: EngineRequest, signal: AbortSignal) => Promise<Answer>
}

/** Creates the failure of an engine that is down; the text is retried, after `afterSeconds` if given. Only the log gets `detail`. */
export const outage = (message: string, more: Pick<Failure, "afterSeconds" | "detail"> = {}): Failure => ({
  kind: "retry",
  code: "engine_unavailable",
  message,
  ...more,
})

const MAX_DETAIL_CHARS = 300

/** Shortens an engine's message for the log, to 300 UTF-16 units. @param secret is replaced by `[key]`; null if there is none */
export const detailOf = (reported: unknown, secret?: string | null): string => {
  const text = String(reported)
  return (secret ? text.replaceAll(secret, "[key]") : text).slice(0, MAX_DETAIL_CHARS)
}
