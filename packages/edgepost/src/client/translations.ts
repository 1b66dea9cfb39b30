import { EdgepostError } from "./errors.ts"
import type { components } from "./openapi.ts"
import type { Timing } from "./retry.ts"

export type Translation = components["schemas"]["Translation"]

export interface WaitOptions {
  /** Milliseconds after which to give up; 10 minutes if omitted. The service goes on translating. */
  timeoutMs?: number
  /** Called with the translations at first, and whenever the state or progress of one has changed. */
  onChange?: (translations: Translation[]) => void
}

const DEFAULT_TIMEOUT_MS = 600_000
/** Seconds between two reads, unless the answer says otherwise. */
const POLL_SECONDS = 5

const isOutstanding = ({ listed, status }: Translation): boolean =>
  listed && (status === "queued" || status === "running")

const stateOf = (translations: Translation[]): string =>
  translations.map(({ lang_code, status, segments }) => `${lang_code} ${status} ${segments.done}`).join()

/** Reads translations until each listed one is ready or failed. @throws EdgepostError `timeout` */
export const waitUntilDone = async (
  read: () => Promise<{ translations: Translation[]; retryAfter: number | null }>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, onChange }: WaitOptions,
  { now, sleep }: Timing,
  signal?: AbortSignal,
): Promise<Translation[]> => {
  const end = now() + timeoutMs
  let state: string | null = null
  for (;;) {
    const { translations, retryAfter } = await read()
    if (stateOf(translations) !== state) onChange?.(translations)
    state = stateOf(translations)
    const outstanding = translations.filter(isOutstanding)
    if (outstanding.length === 0) return translations
    const left = end - now()
    if (left <= 0) {
      const languages = outstanding.map(({ lang_code, status }) => `${lang_code} is ${status}`).join(", ")
      const detail = `After ${timeoutMs / 1000} s, ${languages}. The service goes on; ask again later.`
      throw new EdgepostError({ code: "timeout", title: "Timeout", detail })
    }
    await sleep(Math.min(left, (retryAfter ?? POLL_SECONDS) * 1000), signal)
  }
}
