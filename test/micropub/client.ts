import { type Answer, type Author, call, fetchWorker } from "../support.ts"

// A client of Micropub.

export const MICROPUB = "/micropub"
const bearer = ({ key }: Pick<Author, "key">) => ({ Authorization: `Bearer ${key}` })

/** Sends a form as apps write it: names and values as they are given. */
export const sendForm = (
  author: Author,
  fields: [string, string][],
  headers: Record<string, string> = bearer(author),
): Promise<Answer> =>
  call("POST", MICROPUB, {
    headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: new URLSearchParams(fields).toString(),
  })

export const sendJson = (author: Author, json: unknown): Promise<Answer> =>
  call("POST", MICROPUB, { headers: { ...bearer(author), "Content-Type": "application/json" }, json })

/** Creates an h-entry by JSON. */
export const sendEntry = (author: Author, properties: Record<string, unknown>): Promise<Answer> =>
  sendJson(author, { type: ["h-entry"], properties })

/** Sends a form with files. */
export const sendParts = (author: Author, parts: [string, string | File][], path = MICROPUB): Promise<Answer> => {
  const body = new FormData()
  for (const [name, value] of parts) body.append(name, value)
  return call("POST", path, { headers: bearer(author), body })
}

export const query = (author: Author, parameters: string): Promise<Answer> =>
  call("GET", `${MICROPUB}?${parameters}`, { headers: bearer(author) })

/** Returns the address of a new post. */
export const addressOf = async (answer: Promise<Answer>): Promise<string> => {
  const { status, headers, text } = await answer
  if (status !== 201) throw new Error(text)
  return headers.get("Location") ?? ""
}

/** Returns the status and the HTML that a reader gets at an address. */
export const readPage = async (url: string): Promise<{ status: number; html: string }> => {
  const answer = await fetchWorker(new Request(url))
  return { status: answer.status, html: await answer.text() }
}

/** Returns the properties of a post. */
export const sourceOf = async (author: Author, url: string): Promise<Record<string, unknown[]>> =>
  (await query(author, `q=source&url=${encodeURIComponent(url)}`)).json.properties
