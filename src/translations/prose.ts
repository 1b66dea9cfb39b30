// What between two dollars reads as words, and not as a formula.

const GROUP = String.raw`\{(?:[^{}]|\{[^{}]*\})*\}`
/** Of TeX, indices too, with what it is of: words in there are no prose. */
const TEX = new RegExp(
  String.raw`\{\\(?:rm|bf|it|sf|tt|sl|sc)\b[^{}]*\}|(?:\\[a-z]+\*?(?:\s*\[[^\][]*\])?|[_^]\p{Lo}?)(?:\s*${GROUP})*`,
  "giu",
)
/** What is no money and no prose by itself. */
const SIGN_OF_TEX = /\\[a-z]|\^|_\{/i
/** Functions, as they are written without TeX. */
const NAME =
  /(?<![\p{L}\p{M}])(?:a?(?:rc)?(?:sin|cos|tan|cot|sec|csc)h?|arg(?:max|min)?|max|min|lim(?:inf|sup)?|inf|sup|log|ln|exp|det|dim|ker|deg|gcd|lcm|mod|div|rank|diag|sgn)(?![\p{L}\p{M}])/giu

/** Of scripts that put no blanks between words. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const LETTERS = String.raw`(?:\p{L}\p{M}*){2,}`
const MARKS = String.raw`.,;:!?()"'’“”„«»…–—\uFFFC`
/** Words side by side. */
const RUN = new RegExp(String.raw`(?<![\p{L}\p{M}])${LETTERS}(?:[${MARKS}]*\s[${MARKS}\s]*${LETTERS})+`, "gu")
/** Names are shorter, or not all in lower case: `dx dy`, `AB, CD`, `NaCl, KCl`. Where there is no case, words may be short. */
const LONG = /(?:\p{Ll}\p{M}*){3}|(?:\p{Lo}\p{M}*){2}/u
const NAMES = String.raw`[\p{L}\p{M}]+(?:,\s*[\p{L}\p{M}]+)*`
/** Names and nothing else. */
const LIST = new RegExp(`^${NAMES}$`, "u")
/** A set, or what a function is of. */
const LIST_IN_BRACKETS = new RegExp(String.raw`(?:(?<=[\p{L}\p{N}^])\(|\{)\s*${NAMES}\s*[\\^]?[)}]`, "gu")

/** A sign of math stands for it. */
const withoutTex = (text: string): string =>
  text.replaceAll(TEX, "^").replaceAll(NAME, "^").replaceAll(LIST_IN_BRACKETS, "^")

const countWords = (run: string): number => run.match(/[\p{L}\p{M}]+/gu)?.length ?? 0

const hasRun = (rest: string, least: number): boolean =>
  UNPARTED.test(rest) ||
  (!LIST.test(rest) && rest.matchAll(RUN).some(([run]) => countWords(run) >= least && LONG.test(run)))

/** Whether lines that stand apart are words: some side by side, or nothing but words. */
export const isProseBlock = (text: string): boolean => {
  const rest = withoutTex(text)
  // A single backslash may be an escape, which a translation has where its source has none.
  return hasRun(rest, 2) || (LONG.test(rest) && !/\\{2}|[\^_=+*<>|{}&\d]/.test(rest))
}

const CLOSING = /^\S*["'“”’»][.,;:]?\s/
const OPENING = /\s["'“‘„«]\S*$/
const SIGN_OF_MATH = /[=+*<>|{}]|\s-\s/
/** A word between others or numbers. */
const BETWEEN = /[\p{L}\d][.,;:]?\s+\p{L}{2,}[.,;:]?\s+[\p{L}\d]/u

/** Whether brackets that began before end in it, or the other way round. */
const isTorn = (text: string): boolean => {
  let depth = 0
  for (const [bracket] of text.matchAll(/[()[\]]/g)) {
    depth += "([".includes(bracket) ? 1 : -1
    if (depth < 0) return true
  }
  return depth > 0
}

/** The end of a parenthesis or quotation and the beginning of the next: `($) or ($)`. */
export const isBetweenTwo = (text: string): boolean => {
  if (SIGN_OF_TEX.test(text)) return false
  const [opening, closing] = [text.indexOf("("), text.indexOf(")")]
  const isBetweenBrackets = closing >= 0 && closing < opening && text.lastIndexOf("(") > text.lastIndexOf(")")
  return isBetweenBrackets || (CLOSING.test(text) && OPENING.test(text))
}

/** Two amounts with words between, as in `$5 or 10$`. */
const isAmounts = (text: string, rest: string): boolean =>
  /^\d/.test(text) && /\d$/.test(text) && !SIGN_OF_MATH.test(text) && (LONG.test(rest) || BETWEEN.test(rest))

/** Whether what stands between two dollars, in inline content, is words. */
export const isProse = (text: string): boolean => {
  const rest = withoutTex(text)
  // TeX is no sign of prose, but three words beside each other are none of TeX.
  if (SIGN_OF_TEX.test(text)) return hasRun(rest, 3)
  return hasRun(rest, 2) || isAmounts(text, rest) || ((LONG.test(rest) || /\s[([]$/.test(text)) && isTorn(rest))
}

/** What equations have, and words between two prices as a rule have not. */
const SIGN_OF_EQUATION = /\\[a-z]|\^|_\{|[{}]|\S\s*=/i

/** Whether what stands between two dollars at each end, in inline content, is words. */
export const isProseOfTwo = (text: string): boolean =>
  SIGN_OF_EQUATION.test(text) ? hasRun(withoutTex(text), 5) : isProseBlock(text) || isProse(text)
