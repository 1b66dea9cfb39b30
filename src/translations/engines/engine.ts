/** What makes a text of another language. A new engine is one file that exports one of these. */
export interface Engine {
  name: string
  /** Translates each segment, plain text without markup, from one BCP 47 language to another. Throws when it cannot now. */
  translate: (segments: string[], from: string, to: string) => Promise<string[]>
}
