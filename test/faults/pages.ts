import type { Method } from "../../src/http/operation.ts"
import { Browser, type Page, signIn } from "../author-pages/browser.ts"
import { Authenticator } from "../sessions/authenticator.ts"
import { call, OPERATOR, rows } from "../support.ts"
import type { Reply, Scene } from "./search.ts"

const replyOf = ({ html, ...answer }: Page): Reply => ({ ...answer, text: html })

/** Returns the same browser with other bindings; without an answer it keeps its cookies. */
export const again = ({ cookies }: Browser, env: Partial<Env>): Browser => {
  const browser = new Browser(env)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

export const posting =
  (browser: Browser, path: string, form: Record<string, string> = {}): Scene["run"] =>
  async (env) =>
    replyOf(await again(browser, env).post(path, form))

export const accountPath = (username: string) => `/operator/api/accounts/${username}/`

/** Calls the operator's API. @param path below `accounts/` */
export const operating =
  (method: Method, path: string, json?: unknown): Scene["run"] =>
  (env) =>
    call(method, `/operator/api/accounts/${path}`, { headers: OPERATOR, env, json })

export const countOf = async (table: string): Promise<number> => {
  const [row] = await rows(`select count(*) as n from ${table}`)
  return Number(row?.["n"])
}

/** Counts an action's audit log entries, which are written together with the action. */
export const auditLogOf = async (action: string) =>
  (await rows("select id from operator_actions where action = ?", action)).length

/** Makes a signed-in author with a passkey. */
export const withPasskey = async () => {
  const author = await signIn()
  const passkey = new Authenticator()
  const { json: options } = await author.browser.postJson("/settings/passkeys/options/")
  await author.browser.postJson("/settings/passkeys/verify/", { response: await passkey.register(options) })
  return { ...author, passkey }
}
