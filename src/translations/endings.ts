// The endings of words with which a term of the glossary is found. docs/translations.md lists them.

/** Matches the last letter of `cloude`, `книга`, which another ending may replace; not of `cloud`. */
const LAST_VOWEL = /[aeiouyáéíóúýąęěаеёийоуыьэюяії]$/iu
const list = (endings: string): string[] => endings.split(" ")

interface Endings {
  endings: string[]
  /** A pattern of the last letter, which gives way to an ending; without it endings are only added. */
  replaced?: RegExp
}

const SCANDINAVIAN: Endings = {
  endings: list("s en ens et ets er ers erne ernes ar arna arnas or orna e es a n ns r t"),
}
const LATIN_SLAVIC: Endings = {
  endings: list("a ą e ę ě i í o ó u ú ů y ý em ém ej ou ov ów om ám ům ách ech ích ami emi ama ovi owi ie"),
  replaced: LAST_VOWEL,
}
const CYRILLIC: Endings = {
  endings: list(
    "а я е и ы о у ю ь й і ї ой ей ою ею ом ем ам ям ах ях ами ями ов ев ів ый ая ое ые ого ому ым ых ыми та те то ът",
  ),
  replaced: LAST_VOWEL,
}

const BY_LANGUAGE: Record<string, Endings> = {
  en: { endings: list("s es") },
  de: { endings: list("e en em er es n ern nen s se sen") },
  nl: { endings: list("e en s") },
  da: SCANDINAVIAN,
  nb: SCANDINAVIAN,
  nn: SCANDINAVIAN,
  no: SCANDINAVIAN,
  sv: SCANDINAVIAN,
  fr: { endings: list("e s es x") },
  es: { endings: list("s es") },
  pt: { endings: list("s es") },
  ca: { endings: list("s es") },
  it: { endings: list("a e i o he hi"), replaced: /[aeio]$/i },
  pl: LATIN_SLAVIC,
  cs: LATIN_SLAVIC,
  sk: LATIN_SLAVIC,
  sl: LATIN_SLAVIC,
  hr: LATIN_SLAVIC,
  ru: CYRILLIC,
  uk: CYRILLIC,
  bg: CYRILLIC,
  sr: { endings: [...CYRILLIC.endings, ...LATIN_SLAVIC.endings], replaced: LAST_VOWEL },
}

/** Returns the endings of the language `pt` for the code `pt-BR`. */
const endingsIn = (code: string): Endings => BY_LANGUAGE[code.split("-", 1)[0] ?? ""] ?? { endings: [] }

/** Shorter stems would match other words. */
const MIN_STEM_CHARS = 3

/** Returns the stem of a word with the endings that it may have instead of none; a short word or other text has none. */
export const endingsOf = (word: string, language: string): { stem: string; endings: string[] } => {
  // A letter matches, `+` does not.
  if (word.length < MIN_STEM_CHARS || !/\p{L}/u.test(word)) return { stem: word, endings: [] }
  const { endings, replaced } = endingsIn(language)
  const stem = replaced ? word.replace(replaced, "") : word
  if (stem.length < MIN_STEM_CHARS) return { stem: word, endings }
  return { stem, endings: stem === word ? endings : [...endings, word.slice(stem.length)] }
}

/** Tells whether a term is found in any case: a product `Go` is not the verb `go`, but a sentence may begin with `Invoice`. */
export const isAnyCase = (term: string): boolean => term === term.toLowerCase()

/** Returns a word as Markdown may write it: `C++` also as `C\+\+`, `R&D` as `R&amp;D`. */
const spellingsOf = (word: string): string[] => [
  word,
  // Matches ASCII punctuation, which a backslash may precede.
  word.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`),
  word.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
]

/**
 * Returns what to look for in Markdown that may have a term: the letters that all forms of its longest word share. A word in lower
 * case may begin with a capital letter or have only such.
 */
export const needlesOf = (term: string): string[] => {
  // `Big` and `edge’s`; of an apostrophe alone itself.
  const words = term.split(/[\s'’]+/).filter(Boolean)
  const word = words.toSorted((one, other) => other.length - one.length)[0] ?? term
  const shorter = word.replace(LAST_VOWEL, "")
  const stem = shorter.length < MIN_STEM_CHARS ? word : shorter
  const forms = isAnyCase(term) ? [stem, stem.charAt(0).toUpperCase() + stem.slice(1), stem.toUpperCase()] : [stem]
  return [...new Set(forms.flatMap(spellingsOf))]
}
