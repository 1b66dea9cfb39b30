import type { Root } from "hast"

/** highlight.js with the languages that code is coloured in. */
export declare const lowlight: {
  /** Whether a language, or a name that it also goes by, is known. */
  registered: (language: string) => boolean
  /** @returns the code as elements `span` with classes that begin with `hljs-` */
  highlight: (language: string, code: string) => Root
}
