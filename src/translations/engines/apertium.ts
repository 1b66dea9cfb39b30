import * as z from "zod"

import type { Answer, Engine } from "./engine.ts"
import { ask } from "./http.ts"

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
    message: "What answers at the address of the translation engine is not apertium-apy. It will be asked again.",
  },
}

/** Apertium knows languages, not where they are spoken. */
const languageOf = (code: string): string => new Intl.Locale(code).language

// `*` and `#` before a word say that Apertium does not know it or cannot inflect it; those of the text pass as tags.
const hideSigns = (text: string): string => text.replaceAll(/[*#]/g, (sign) => `<sign${sign.codePointAt(0)}/>`)
/** Removes these signs, and the gaps where a word has gone. */
const tidy = (text: string): string => text.replaceAll(/(?<!&)[*#]/g, "").replaceAll(/ {2,}/g, " ")
const showSigns = (text: string): string =>
  text.replaceAll(/<sign(\d+)\/>/g, (_, code) => String.fromCodePoint(Number(code)))

/** Translates with apertium-apy; languages that no pair connects are reached over others. @param url of the service */
export const apertium = (url: string): Engine => {
  const post = (path: string, fields: Record<string, string>, signal: AbortSignal) =>
    ask(`${url}/${path}`, { method: "POST", body: new URLSearchParams(fields), signal })

  /** Pair by pair: `/translateChain` takes the signs of one pair for words of the next. */
  const translate = async (segment: string, path: string[], signal: AbortSignal): Promise<Answer> => {
    let text = hideSigns(segment)
    for (const [i, to] of path.slice(1).entries()) {
      const answer = await post("translate", { langpair: `${path[i]}|${to}`, q: text, format: "html" }, signal)
      if ("failure" in answer) return answer
      const translated = Translated.safeParse(answer.json).data
      if (!translated) return { texts: [null] }
      text = tidy(translated.responseData.translatedText)
    }
    return { texts: [showSigns(text)] }
  }

  return {
    name: "apertium",
    batch: { segments: 10, chars: 3000 },
    translate: async (segments, from, to, signal) => {
      const known = await post("translateChain", { langpairs: `${languageOf(from)}|${languageOf(to)}` }, signal)
      if ("failure" in known) return known
      if (known.status === 400) return UNKNOWN_PAIR
      const path = Path.safeParse(known.json).data?.responseData.translationChain
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
