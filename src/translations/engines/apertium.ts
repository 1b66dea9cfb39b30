import * as z from "zod"

import type { Answer, Engine } from "./engine.ts"
import { ask } from "./http.ts"

/** https://wiki.apertium.org/wiki/Apertium-apy */
const Translated = z.object({ responseData: z.object({ translatedText: z.string() }) })

const UNKNOWN_PAIR: Answer = {
  failure: {
    kind: "final",
    code: "unsupported_language",
    message: "The translation engine does not translate between these languages.",
  },
}

/** Apertium knows languages, not where they are spoken. */
const languageOf = (code: string): string => new Intl.Locale(code).language

const post = (url: string, fields: Record<string, string>) =>
  ask(url, { method: "POST", body: new URLSearchParams({ ...fields, format: "html", markUnknown: "no" }) })

/** apertium-apy. Languages without a pair of their own are reached over others. @param url of the service */
export const apertium = (url: string): Engine => ({
  name: "apertium",
  batch: { segments: 40, chars: 10_000 },
  translate: async (segments, from, to) => {
    const pair = `${languageOf(from)}|${languageOf(to)}`
    const calls = [
      (q: string) => post(`${url}/translate`, { langpair: pair, q }),
      (q: string) => post(`${url}/translateChain`, { langpairs: pair, q }),
    ]
    const texts: (string | null)[] = []
    for (const segment of segments) {
      let answer = await calls[0]?.(segment)
      if (answer && "status" in answer && answer.status === 400) {
        calls.shift()
        answer = await calls[0]?.(segment)
      }
      if (!answer || ("status" in answer && answer.status === 400)) return UNKNOWN_PAIR
      if ("failure" in answer) return answer
      texts.push(Translated.safeParse(answer.json).data?.responseData.translatedText ?? null)
    }
    return { texts }
  },
})
