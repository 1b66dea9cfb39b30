/** Lists the codes in which something for a language is looked for, the most specific first: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export const fallbacksOf = (code: string): string[] => {
  const subtags = code.split("-")
  return subtags.map((_, i) => subtags.slice(0, subtags.length - i).join("-"))
}
