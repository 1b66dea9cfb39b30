import * as z from "zod"

import type { Answer, Engine } from "./engine.ts"
import { fetchJson } from "./http.ts"

/** https://wiki.apertium.org/wiki/Apertium-apy */
const Translated = z.object({ responseData: z.object({ translatedText: z.string() }) })
const Path = z.object({ responseData: z.object({ translationChain: z.array(z.string()).min(2) }) })

const UNKNOWN_PAIR: Answer = {
  failure: {
    kind: "final",
    code: "unsupported_language",
    message: "The translation engine does not translate between these languages.",
  },
}

const NOT_APERTIUM: Answer = {
  failure: {
    kind: "later",
    code: "engine_address",
    message:
      "The server at the address of the translation engine is not apertium-apy; the operator of this service must correct the address. The service retries automatically.",
  },
}

/** Removes script and region, which Apertium does not know: `pt-BR` becomes `pt`. */
const languageOf = (code: string): string => new Intl.Locale(code).language

// Apertium sees no word in a tag: `El <x id="1"/> hoy` becomes `L'aujourd'hui. <x id="1"/>`. So a tag that stands for a word is
// sent as a word that no language has: `qzbcqz` for the tag 12.
const DIGITS = "abcdefghij"
/** Matches the tag of `the <x id="1"/>’s`; not that of `lens<x id="1"/>`, which is a note, or of `<x id="1"/>text`. */
const LONE_TAG = /(?<=^|[\s([{"'“‘«¿¡>/])<x id="(\d+)"\/>(?![\p{L}\p{N}]|<x)/gu
const toUnknown = (text: string): string =>
  text.replaceAll(LONE_TAG, (_, id: string) => `qz${id.replaceAll(/\d/g, (digit) => DIGITS.charAt(Number(digit)))}qz`)
/** `Qzbcqz`; not `quiz`. */
const fromUnknown = (text: string): string =>
  text.replaceAll(/qz([a-j]{1,9})qz/gi, (_, letters: string) => {
    const id = letters.toLowerCase().replaceAll(/./g, (letter) => String(DIGITS.indexOf(letter)))
    return `<x id="${id}"/>`
  })

// Apertium puts `*` before unknown words and `#` before words that it cannot inflect. Tags protect those of the text.
const protectSigns = (text: string): string => text.replaceAll(/[*#]/g, (sign) => `<sign${sign.codePointAt(0)}/>`)
/** Removes Apertium's signs, and the spaces around a word that it dropped. `*word` and `#word` match, `&#38;` does not. */
const removeSigns = (text: string): string => text.replaceAll(/(?<!&)[*#]/g, "").replaceAll(/ {2,}/g, " ")
/** `<sign42/>`; not `<x id="42"/>`. */
const restoreSigns = (text: string): string =>
  text.replaceAll(/<sign(\d+)\/>/g, (_, code) => String.fromCodePoint(Number(code)))

/** Creates an engine for an apertium-apy server at `url`. It translates through other languages where no direct pair exists. */
export const apertium = (url: string): Engine => {
  const post = (path: string, fields: Record<string, string>, signal: AbortSignal) =>
    fetchJson(`${url}/${path}`, { method: "POST", body: new URLSearchParams(fields), signal })

  /** Translates pair by pair: `/translateChain` would pass the signs of one pair to the next as text. */
  const translate = async (segment: string, path: string[], signal: AbortSignal): Promise<Answer> => {
    let text = protectSigns(toUnknown(segment))
    for (const [i, to] of path.slice(1).entries()) {
      const answer = await post("translate", { langpair: `${path[i]}|${to}`, q: text, format: "html" }, signal)
      if ("failure" in answer) return answer
      const translated = Translated.safeParse(answer.json).data
      if (!translated) return { texts: [null] }
      text = removeSigns(translated.responseData.translatedText)
    }
    return { texts: [fromUnknown(restoreSigns(text))] }
  }

  return {
    name: "apertium",
    batch: { segments: 10, chars: 3000 },
    followsTerms: false,
    translate: async ({ segments, from, to }, signal) => {
      const chain = await post("translateChain", { langpairs: `${languageOf(from)}|${languageOf(to)}` }, signal)
      if ("failure" in chain) return chain
      if (chain.status === 400) return UNKNOWN_PAIR
      const path = Path.safeParse(chain.json).data?.responseData.translationChain
      if (!path) return NOT_APERTIUM
      const texts: (string | null)[] = []
      for (const segment of segments) {
        const answer = await translate(segment, path, signal)
        if ("failure" in answer) return answer
        texts.push(...answer.texts)
      }
      return { texts }
    },
  }
}
