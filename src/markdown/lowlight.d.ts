import type { Root } from "hast"

/** highlight.js with the languages that are highlighted. */
export declare const lowlight: {
  /** Tells whether a language or alias is known. */
  registered: (language: string) => boolean
  /** Returns the code as `span` elements with classes that start with `hljs-`. */
  highlight: (language: string, code: string) => Root
}
