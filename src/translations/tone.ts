import type { Account } from "../db/schema.ts"

/** Finds the tone of the most specific code for a target language: for `de-AT` its own, else that of `de`; null for none. */
export const toneFor = (tones: Account["translation_tones"], code: string): string | null => {
  const subtags = code.split("-")
  const codes = subtags.map((_, i) => subtags.slice(0, subtags.length - i).join("-"))
  return codes.map((known) => tones[known]).find((tone) => tone !== undefined) ?? null
}
