import { API, call, newAuthor, postInput, recordWakeUps, runTranslations } from "../support.ts"

export interface Translation {
  lang_code: string
  status: string
  listed: boolean
  edited: string[]
  stale: string[]
  title: string | null
  url: string | null
  error: { code: string; message: string } | null
  warnings: { code: string; message: string; field: string }[]
  segments: { done: number; total: number }
  engine: string | null
}

/** Creates a paid author with helpers to write posts. Records the wake-ups. Needs a stopped clock. */
export const newDesk = async (changes: Record<string, unknown> = {}) => {
  const author = await newAuthor(changes)
  const wakeUps = recordWakeUps()
  const env = { TRANSLATIONS: wakeUps.queue }
  const send = (method: "POST" | "PATCH" | "DELETE", path: string, json?: unknown) =>
    call(method, `${API}/posts/${path}`, { key: author.key, env, json })
  const create = async (input: Record<string, unknown> = {}) => {
    const answer = await send("POST", "", postInput(input))
    return answer.json.post
  }
  const patch = (slug: string, changed: Record<string, unknown>) =>
    send("PATCH", `${slug}/`, { lang_code: "en", primary_language: "en", translation_languages: [], ...changed })
  const get = (slug: string, lang?: string) =>
    call("GET", `${API}/posts/${slug}/${lang ? `?lang_code=${lang}` : ""}`, { key: author.key })
  const translations = async (slug: string): Promise<Record<string, Translation>> => {
    const { json } = await call("GET", `${API}/posts/${slug}/translations/`, { key: author.key })
    return Object.fromEntries(json.translations.map((text: Translation) => [text.lang_code, text]))
  }
  const page = (slug: string, lang?: string) => call("GET", `/@${author.username}/${slug}/${lang ? `${lang}/` : ""}`)
  const run = () => runTranslations(wakeUps)
  return { ...author, wakeUps, env, send, create, patch, get, translations, page, run }
}

export type Desk = Awaited<ReturnType<typeof newDesk>>
