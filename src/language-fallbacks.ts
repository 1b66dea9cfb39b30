/**
 * Finds what a language has by BCP 47 code, else what a less specific code has: of `zh-Hant-TW` also that of `zh-Hant` or `zh`;
 * undefined for nothing.
 */
export const valueFor = <T>(byCode: Record<string, T>, code: string): T | undefined => {
  const value = byCode[code]
  const last = code.lastIndexOf("-")
  return value !== undefined || last < 0 ? value : valueFor(byCode, code.slice(0, last))
}
