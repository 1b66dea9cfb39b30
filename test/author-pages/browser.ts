import { expect } from "vitest"

import { type Author, call, fetchWorker, newAuthor, OPERATOR, ORIGIN } from "../support.ts"

export interface Page {
  status: number
  headers: Headers
  html: string
}

/** The fields of a form; a list may have a name twice. */
type Form = Record<string, string> | [string, string][]

interface Sent {
  form?: Form
  files?: FormData
  json?: unknown
  headers?: Record<string, string>
}

/** Calls the service like a browser: with cookies and from a page of the service, without following redirects. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #env: Partial<Env>

  constructor(env: Partial<Env> = {}) {
    this.#env = env
  }

  async #send(method: string, path: string, { form, files, json, headers = {} }: Sent): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetchWorker(
      new Request(`${this.#env.PUBLIC_ORIGIN ?? ORIGIN}${path}`, {
        method,
        redirect: "manual",
        headers: {
          Accept: "text/html",
          "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
          ...(cookie && { Cookie: cookie }),
          ...(method === "POST" && { Origin: this.#env.PUBLIC_ORIGIN ?? ORIGIN, "Sec-Fetch-Site": "same-origin" }),
          ...(json !== undefined && { Accept: "*/*", "Content-Type": "application/json" }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(form && { body: new URLSearchParams(form) }),
        ...(files && { body: files }),
      }),
      this.#env,
    )
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    // workerd warns when an archive is read as text.
    const html = new TextDecoder().decode(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, html }
  }

  get(path: string, headers?: Record<string, string>): Promise<Page> {
    return this.#send("GET", path, headers ? { headers } : {})
  }

  post(path: string, form: Form = {}, headers?: Record<string, string>): Promise<Page> {
    return this.#send("POST", path, { form, ...(headers && { headers }) })
  }

  /** Sends files by a form. */
  upload(path: string, files: FormData, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send("POST", path, { files, headers })
  }

  /** Calls the service like a script of a page. */
  async postJson(path: string, json: unknown = {}, headers: Record<string, string> = {}) {
    const { html, ...answer } = await this.#send("POST", path, { json, headers })
    return { ...answer, json: JSON.parse(html) }
  }
}

/** Returns the status of an answer and where it leads. */
export const whereTo = ({ status, headers }: Pick<Page, "status" | "headers">): [number, string | null] => [
  status,
  headers.get("Location"),
]

/** Makes a sign-in link and returns its path. */
export const newLink = async (username: string): Promise<string> => {
  const { status, json } = await call("POST", `/operator/api/accounts/${username}/sign-in-links/`, {
    headers: OPERATOR,
  })
  expect(status).toBe(201)
  return new URL(json.sign_in_url).pathname
}

/** Makes an author who is signed in. */
export const signIn = async (
  changes: Record<string, unknown> = {},
  env: Partial<Env> = {},
): Promise<Author & { browser: Browser }> => {
  const author = await newAuthor(changes)
  const browser = new Browser(env)
  expect(whereTo(await browser.post(await newLink(author.username)))).toEqual([303, "/settings/"])
  return { ...author, browser }
}

/** Returns the value of a form field. */
export const fieldOf = (html: string, name: string): string | undefined =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1]
