import anyAscii from "any-ascii"

// Folds texts for searches, so that what is on a keyboard finds them in any script.

/**
 * Matches what keyboards leave out or write otherwise: marks, invisible characters, quotation marks and apostrophes. Matches
 * U+0301 of a decomposed `é`, the soft hyphen and `’`; not `-`.
 */
const LEFT_OUT = /[\p{M}\p{Cf}\p{Pi}\p{Pf}"'`‚„′″ʹ-ʿ׳״]/gu
/** Matches Latin letters without a decomposition: `ß` and `ł`; not `l`. */
const OTHER_LATIN = /[^\P{Script=Latin}A-Za-z]/gu

/** Returns a text without marks, case and the compatibility forms of characters: `Über` and `ＵＢＥＲ` become `uber`. */
export const fold = (text: string): string =>
  text
    // The decomposition of `´` begins with a blank.
    .replaceAll("´", "'")
    .normalize("NFKD")
    .replaceAll(LEFT_OUT, "")
    // `–` matches, `_` does not.
    .replaceAll(/\p{Pd}/gu, "-")
    .replaceAll(OTHER_LATIN, (letter) => anyAscii(letter))
    .toLowerCase()
    .replaceAll("ς", "σ")

/** Returns the folded words of a search, each once. A text has them in any order. */
export const searchWords = (text: string): string[] => [...new Set(fold(text).split(/\s+/).filter(Boolean))]
