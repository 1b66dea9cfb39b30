import { type Answer, API, type Author, call, env, OPERATOR, postInput, rows } from "./support.ts"

type Changes = Record<string, unknown>

export const create = ({ key }: Author, changes: Changes = {}, faults: Partial<Env> = {}): Promise<Answer> =>
  call("POST", `${API}/posts/`, { key, json: postInput(changes), env: faults })

interface PatchOptions {
  ifMatch?: string
  env?: Partial<Env>
}

/** Sends a PATCH of the English text of a post without translations, with `changes`. */
export const patch = (
  { key }: Author,
  slug: string,
  changes: Changes = {},
  { ifMatch, env: faults = {} }: PatchOptions = {},
): Promise<Answer> =>
  call("PATCH", `${API}/posts/${slug}/`, {
    key,
    json: { lang_code: "en", primary_language: "en", translation_languages: [], ...changes },
    headers: ifMatch === undefined ? {} : { "If-Match": ifMatch },
    env: faults,
  })

interface PutOptions extends PatchOptions {
  ifNoneMatch?: string
}

/** Sends a PUT of a whole post, with `changes` to the smallest valid payload, whose slug it leaves out. */
export const put = (
  { key }: Author,
  slug: string,
  changes: Changes = {},
  { ifMatch, ifNoneMatch, env: faults = {} }: PutOptions = {},
): Promise<Answer> =>
  call("PUT", `${API}/posts/${slug}/`, {
    key,
    json: { ...postInput(), slug: undefined, ...changes },
    headers: {
      ...(ifMatch !== undefined && { "If-Match": ifMatch }),
      ...(ifNoneMatch !== undefined && { "If-None-Match": ifNoneMatch }),
    },
    env: faults,
  })

export const get = ({ key }: Author, slug: string, query = "", headers: Record<string, string> = {}): Promise<Answer> =>
  call("GET", `${API}/posts/${slug}/${query}`, { key, headers })

export const remove = ({ key }: Author, slug: string, { ifMatch, env: faults = {} }: PatchOptions = {}) =>
  call("DELETE", `${API}/posts/${slug}/`, {
    key,
    headers: ifMatch === undefined ? {} : { "If-Match": ifMatch },
    env: faults,
  })

/** Creates or changes an account as the operator. */
export const setAccount = ({ username }: Pick<Author, "username">, json: Changes): Promise<Answer> =>
  call("PATCH", `/operator/api/accounts/${username}/`, { headers: OPERATOR, json })

/** Erases an account as the operator. */
export const eraseAccount = ({ username }: Pick<Author, "username">): Promise<Answer> =>
  call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR })

export const statusOf = async (answer: Promise<Answer>): Promise<number> => (await answer).status

/** Returns the ids of a post's images in order. */
export const idsOf = ({ images }: { images: { image_id: string }[] }): string[] =>
  images.map(({ image_id }) => image_id)

export const accountId = async ({ username }: Author): Promise<string> => {
  const [account] = await rows("select id from accounts where username = ?", username)
  return String(account?.["id"])
}

/** Returns the rows, files and counted bytes of an account's images. */
export const stored = async (account: string): Promise<{ rows: string[]; files: string[]; bytes: unknown }> => {
  const images = await rows("select id from images where account_id = ? order by id", account)
  const { objects } = await env.MEDIA.list({ prefix: `${account}/` })
  const [owner] = await rows("select stored_bytes from accounts where id = ?", account)
  return {
    rows: images.map(({ id }) => String(id)),
    files: objects.map(({ key }) => key.slice(account.length + 1).replace(".webp", "")),
    bytes: owner?.["stored_bytes"],
  }
}
