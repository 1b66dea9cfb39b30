import { Browser, fieldOf, newLink, signIn } from "../author-pages/browser.ts"
import { pathOf, signInOperator } from "../operator/operator.ts"
import { Authenticator } from "../sessions/authenticator.ts"
import { env as bindings, newAuthor, rows } from "../support.ts"
import { again, auditLogOf, countOf, operating, posting, withPasskey } from "./pages.ts"
import type { Operation, Reply } from "./search.ts"

/** Checks that the session is valid. */
const verifySession =
  (path: string) =>
  async ({ headers }: Reply): Promise<string[]> => {
    const browser = new Browser()
    const [, name = "", secret = ""] = /^([^=]+)=([^;]+)/.exec(headers.get("Set-Cookie") ?? "") ?? []
    browser.cookies.set(name, secret)
    const { status } = await browser.get(path)
    return status === 200 ? [] : [`signed in, and ${path} answers ${status}`]
  }

const lookAtSessions = async () => ({ sessions: await countOf("sessions") })
const lookAtPasskeys = async () => ({ passkeys: await countOf("passkeys") })

/** Without an answer the browser signs in again with a new challenge; the first session stays unused. */
const hasMore = async (table: string, before: number) => (await countOf(table)) > before

type Options = Parameters<Authenticator["register"]>[0]
/** Answers a challenge by a passkey. @param path that the two calls begin with */
const answering = async (browser: Browser, path: string, answer: (options: Options) => Promise<unknown>) => {
  const options = await browser.postJson(`${path}options/`)
  if (options.status !== 200) return { ...options, text: "" }
  const response = await answer(options.json)
  return { ...(await browser.postJson(`${path}verify/`, { response })), text: "" }
}

const LINKS = "sign_in_links"

/** Checks that the link signs in. */
const verifyLink = async (url: string): Promise<string[]> => {
  const { headers } = await new Browser().post(new URL(url).pathname)
  return headers.get("Location") === "/settings/" ? [] : ["a link was made that lets nobody in"]
}

export const signInOperations: Operation[] = [
  {
    name: "sign-in by link",
    open: async () => {
      const { username } = await newAuthor()
      const run = posting(new Browser(), await newLink(username))
      // Expired links are deleted by the cleanup.
      return { run, look: lookAtSessions, verify: verifySession("/settings/") }
    },
  },
  {
    name: "sign-in by passkey",
    isStepwise: true,
    open: async () => {
      const { passkey } = await withPasskey()
      const before = await countOf("sessions")
      return {
        run: (env) => answering(new Browser(env), "/sign-in/passkey/", (options) => passkey.signIn(options)),
        look: () => hasMore("sessions", before),
        verify: verifySession("/settings/"),
      }
    },
  },
  {
    name: "passkey that is added",
    // The challenge works once even if the attempt fails, so the browser requests another.
    isStepwise: true,
    open: async () => {
      const { browser } = await signIn()
      const passkey = new Authenticator()
      const register = (options: Options) => passkey.register(options)
      return { run: (env) => answering(again(browser, env), "/settings/passkeys/", register), look: lookAtPasskeys }
    },
  },
  {
    name: "passkey that is removed",
    open: async () => {
      const { browser, passkey } = await withPasskey()
      return { run: posting(browser, "/settings/passkeys/remove/", { passkey: passkey.id }), look: lookAtPasskeys }
    },
  },
  {
    name: "sign out",
    open: async () => ({ run: posting((await signIn()).browser, "/sign-out/"), look: lookAtSessions }),
  },
  {
    name: "a session that is ended, in the settings",
    open: async () => {
      const { browser, username } = await signIn()
      await new Browser().post(await newLink(username))
      const session = fieldOf((await browser.get("/settings/")).html, "session") ?? ""
      return {
        run: posting(browser, "/settings/sessions/end/", { session }),
        look: () => rows("select count(*) as sessions, sum(hash = ?) as ended_ones from sessions", session),
      }
    },
  },
  {
    name: "sign out everywhere",
    open: async () => {
      const { browser, username } = await signIn()
      await new Browser().post(await newLink(username))
      await newLink(username)
      return { run: posting(browser, "/settings/sessions/end-all/"), look: lookAtSessions }
    },
  },
  {
    name: "sign-in of the operator",
    open: async () => {
      await signInOperator()
      const before = await countOf("sessions")
      const entries = await auditLogOf("sign_in")
      return {
        run: posting(new Browser(), "/operator/sign-in/", { token: bindings.OPERATOR_TOKEN ?? "" }),
        look: async () => [await hasMore("sessions", before), (await auditLogOf("sign_in")) > entries],
        verify: verifySession("/operator/"),
      }
    },
  },
  {
    name: "sign out of the operator",
    open: async () => ({ run: posting(await signInOperator(), "/operator/sign-out/"), look: lookAtSessions }),
  },
  {
    name: "sign-in link, by the API",
    open: async () => ({
      run: operating("POST", `${(await newAuthor()).username}/sign-in-links/`),
      // A repeated request makes another link.
      look: async () => [(await auditLogOf("make_sign_in_link")) > 0, (await countOf(LINKS)) > 0],
      verify: ({ json }) => verifyLink(json.sign_in_url),
    }),
  },
  {
    name: "sign-in link that the operator makes on a page",
    open: async () => {
      const { username } = await newAuthor()
      const browser = await signInOperator()
      const { html } = await browser.get(pathOf(username))
      const seen = fieldOf(html.split("sign-in-links/")[1] ?? "", "seen") ?? ""
      return {
        run: posting(browser, `${pathOf(username)}sign-in-links/`, { seen }),
        look: async () => [await auditLogOf("make_sign_in_link"), await countOf(LINKS)],
        // A repeated form makes no second link, so the first one stays unseen.
        verify: ({ status, text }) => {
          const [link] = /http[^"]*\/sign-in\/[0-9A-Za-z]+\//.exec(text) ?? []
          if (link) return verifyLink(link)
          return Promise.resolve(status === 200 ? ["a link was made that nobody sees"] : [])
        },
      }
    },
  },
]
