import { type Answer, API, type Author, call, newPost, postInput } from "../support.ts"

type Fields = Record<string, unknown>

/** Sends a create with these fields changed; undefined leaves one out. */
export const create = ({ key }: Author, changes: Fields = {}): Promise<Answer> =>
  call("POST", `${API}/posts/`, { key, json: postInput(changes) })

/** Sends a PATCH of the English text with these fields beside the three required ones. */
export const patch = (
  { key }: Author,
  slug: string,
  changes: Fields = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  call("PATCH", `${API}/posts/${slug}/`, {
    key,
    headers,
    json: { lang_code: "en", primary_language: "en", translation_languages: [], ...changes },
  })

export const read = ({ key }: Author, slug: string, query = "", headers: Record<string, string> = {}) =>
  call("GET", `${API}/posts/${slug}/${query}`, { key, headers })

type Send = (author: Author, changes: Fields) => Promise<Answer>
/** The two ways to send the fields of a post. */
export const WRITES: { verb: string; send: Send }[] = [
  { verb: "create", send: create },
  { verb: "PATCH", send: async (author, changes) => patch(author, (await newPost(author)).slug, changes) },
]

/** Returns the names of the refused fields, without array indexes. */
export const refusedFields = ({ json }: Answer): string[] => [
  ...new Set<string>(json.errors.map(({ field }: { field: string }) => field.replace(/\.\d+$/, ""))),
]

/** A 400 and the fields it names. */
export const refusal = (answer: Answer) => [answer.status, answer.json.code, ...refusedFields(answer)]
