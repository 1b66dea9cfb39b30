/**
 * Finds what a language has by BCP 47 code, else what a less specific code has: of `zh-Hant-TW` also that of `zh-Hant` or `zh`;
 * undefined for nothing.
 */
export const valueFor = <T>(byCode: Record<string, T>, code: string): T | undefined => {
  const subtags = code.split("-")
  const codes = subtags.map((_, i) => subtags.slice(0, subtags.length - i).join("-"))
  return codes.map((known) => byCode[known]).find((value) => value !== undefined)
}
