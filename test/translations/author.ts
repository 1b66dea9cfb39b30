import { afterEach, beforeEach, expect, vi } from "vitest"

import {
  API,
  call,
  deliver,
  env as bindings,
  newAuthor,
  passSeconds,
  postInput,
  recordWakeUps,
  runTranslations,
  stopClock,
} from "../support.ts"

interface Translation {
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

/** Registers the hooks of a file: the clock is stopped, and the cron of the next test finds no posts and segments. */
export const setUpTranslations = (): void => {
  beforeEach(() => stopClock())
  afterEach(async () => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    await bindings.DB.exec("DELETE FROM posts")
    await bindings.DB.exec("DELETE FROM remembered_segments")
  })
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
  /** Delivers the next wake-up when it is due. */
  const deliverNext = async (variables: Partial<Env> = {}): Promise<void> => {
    const wakeUp = wakeUps.sent.shift()
    passSeconds(wakeUp?.delaySeconds ?? 0)
    expect(await deliver(wakeUp?.body, { env: { ...env, ...variables } })).toBe("ack")
  }
  return { ...author, wakeUps, env, send, create, patch, get, translations, page, run, deliverNext }
}

export type Desk = Awaited<ReturnType<typeof newDesk>>

export const TEXT = { title: "Hello world", meta_description: "About things.", body: "Some *words*." }

/** Creates a post of an author, by default a new one. It waits to be translated, by default into French. */
export const newQueued = async (input: Record<string, unknown> = {}, author?: Desk) => {
  const desk = author ?? (await newDesk())
  const sent = { ...TEXT, translation_languages: ["fr"], ...input }
  const slug: string = (await desk.create(sent)).slug
  const { translation_languages } = sent
  const translation = async (lang = "fr") => {
    const text = (await desk.translations(slug))[lang]
    if (!text) throw new Error(`No translation into ${lang}.`)
    return text
  }
  return {
    desk,
    slug,
    body: sent.body,
    run: desk.run,
    deliverNext: desk.deliverNext,
    patch: (changes: Record<string, unknown>) => desk.patch(slug, { translation_languages, ...changes }),
    /** Requests that a translation is made again. */
    repeat: (lang = "fr", json?: unknown) => desk.send("POST", `${slug}/translations/${lang}/`, json),
    translation,
    bodyIn: async (lang = "fr") => (await desk.get(slug, lang)).json.post?.body as string | undefined,
  }
}

export type QueuedPost = Awaited<ReturnType<typeof newQueued>>
