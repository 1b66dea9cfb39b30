import { Browser, fieldOf, newLink, signIn } from "../author-pages/browser.ts"
import { pathOf, signInOperator } from "../operator/operator.ts"
import { Authenticator } from "../sessions/authenticator.ts"
import { call, env as bindings, newAuthor, OPERATOR, rows } from "../support.ts"
import { accountPath, again, countOf, posting, auditLogOf, withPasskey } from "./pages.ts"
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

const signingIn: Operation = {
  name: "sign-in by link",
  open: async () => {
    const { username } = await newAuthor()
    const path = await newLink(username)
    const opened = new Browser()
    return {
      run: posting(opened, path),
      // Expired links are deleted by the cleanup.
      look: async () => ({ sessions: await countOf("sessions") }),
      verify: verifySession("/settings/"),
    }
  },
}

/** The challenge works once even if the attempt fails, so the browser requests another. */
const registeringPasskey: Operation = {
  name: "passkey that is added",
  isStepwise: true,
  open: async () => {
    const { browser } = await signIn()
    const passkey = new Authenticator()
    return {
      run: async (env) => {
        const page = again(browser, env)
        const options = await page.postJson("/settings/passkeys/options/")
        if (options.status !== 200) return { ...options, text: "" }
        const response = await passkey.register(options.json)
        return { ...(await page.postJson("/settings/passkeys/verify/", { response })), text: "" }
      },
      look: async () => ({ passkeys: await countOf("passkeys") }),
    }
  },
}

const removingPasskey: Operation = {
  name: "passkey that is removed",
  open: async () => {
    const { browser, passkey } = await withPasskey()
    return {
      run: posting(browser, "/settings/passkeys/remove/", { passkey: passkey.id }),
      look: async () => ({ passkeys: await countOf("passkeys") }),
    }
  },
}

/** Without an answer the browser signs in again with a new challenge; the first session stays unused. */
const hasMore = async (table: string, before: number) => (await countOf(table)) > before

const signingInByPasskey: Operation = {
  name: "sign-in by passkey",
  isStepwise: true,
  open: async () => {
    const { passkey } = await withPasskey()
    const before = await countOf("sessions")
    return {
      run: async (env) => {
        const page = new Browser(env)
        const options = await page.postJson("/sign-in/passkey/options/")
        if (options.status !== 200) return { ...options, text: "" }
        const response = await passkey.signIn(options.json)
        return { ...(await page.postJson("/sign-in/passkey/verify/", { response })), text: "" }
      },
      look: () => hasMore("sessions", before),
      verify: verifySession("/settings/"),
    }
  },
}

const signingOut: Operation = {
  name: "sign out",
  open: async () => {
    const { browser } = await signIn()
    return { run: posting(browser, "/sign-out/"), look: async () => ({ sessions: await countOf("sessions") }) }
  },
}

const endingSession: Operation = {
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
}

const signingOutEverywhere: Operation = {
  name: "sign out everywhere",
  open: async () => {
    const { browser, username } = await signIn()
    await new Browser().post(await newLink(username))
    await newLink(username)
    return {
      run: posting(browser, "/settings/sessions/end-all/"),
      look: async () => ({ sessions: await countOf("sessions") }),
    }
  },
}

const operatorSigningIn: Operation = {
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
}

const operatorSigningOut: Operation = {
  name: "sign out of the operator",
  open: async () => {
    const browser = await signInOperator()
    return { run: posting(browser, "/operator/sign-out/"), look: async () => ({ sessions: await countOf("sessions") }) }
  },
}

const LINKS = "sign_in_links"

/** Checks that the link signs in. */
const verifyLink = async (url: string): Promise<string[]> => {
  const { headers } = await new Browser().post(new URL(url).pathname)
  return headers.get("Location") === "/settings/" ? [] : ["a link was made that lets nobody in"]
}

const invitingByApi: Operation = {
  name: "sign-in link, by the API",
  open: async () => {
    const { username } = await newAuthor()
    return {
      run: (env) => call("POST", `${accountPath(username)}sign-in-links/`, { headers: OPERATOR, env }),
      // A repeated request makes another link.
      look: async () => [(await auditLogOf("make_sign_in_link")) > 0, (await countOf(LINKS)) > 0],
      verify: ({ json }) => verifyLink(json.sign_in_url),
    }
  },
}

const invitingByPage: Operation = {
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
}

export const signInOperations: Operation[] = [
  signingIn,
  signingInByPasskey,
  registeringPasskey,
  removingPasskey,
  signingOut,
  endingSession,
  signingOutEverywhere,
  operatorSigningIn,
  operatorSigningOut,
  invitingByApi,
  invitingByPage,
]
