import { fieldOf, signIn } from "../author-pages/browser.ts"
import {
  checkout,
  day,
  deliverAll,
  type Event,
  iso,
  newAccount,
  NOW,
  send,
  sign,
  snapshot,
  subscriber,
} from "../billing/stripe.ts"
import { pathOf, seenOf, signInOperator } from "../operator/operator.ts"
import {
  API,
  type Author,
  call,
  DEAD_LETTER_QUEUE,
  deliver,
  newAuthor,
  newPost,
  OPERATOR,
  rows,
  stopClock,
  upload,
} from "../support.ts"
import { accountPath, countOf, posting, auditLogOf, withPasskey } from "./pages.ts"
import type { Operation, Reply } from "./search.ts"

const accountStatus = async (key: string): Promise<number> => (await call("GET", `${API}/account/`, { key })).status

/** Returns the account's answer without values that differ between runs. */
const viewOf = async (username: string): Promise<unknown> => {
  const { status, json } = await call("GET", accountPath(username), { headers: OPERATOR })
  if (status !== 200) return status
  const { api_key: _key, keys, ...account } = json.account
  const names = keys.map(({ name, scope }: Record<string, string>) => `${name} ${scope}`)
  // As a number it is not masked like other times, so a wrong paid time is found.
  return { ...account, keys: names, paid_until: Date.parse(account.paid_until) }
}

const lookAtKeys = (before: string) => async () => ({
  before: await accountStatus(before),
  live: (await rows("select hash from api_keys where revoked_at is null")).length,
})

const verifyKey = async ({ json, text }: Reply): Promise<string[]> => {
  const shown = json?.api_key ?? /bpa_[0-9A-Za-z]+/.exec(text)?.[0]
  if (!shown) return []
  const status = await accountStatus(shown)
  return status === 200 ? [] : [`a key was shown, and is answered ${status}`]
}

const rotatingByOperator: Operation = {
  name: "rotate key, by the operator",
  open: async () => {
    const { username, key } = await newAuthor()
    return {
      run: (env) => call("POST", `${accountPath(username)}keys/`, { headers: OPERATOR, env }),
      look: lookAtKeys(key),
      verify: verifyKey,
    }
  },
}

const rotatingByPage: Operation = {
  name: "rotate key, in the settings",
  open: async () => {
    const { browser, key } = await signIn()
    const replaced = fieldOf((await browser.get("/settings/keys/")).html, "replaced") ?? ""
    const form = { name: "default", scope: "publish", replaced }
    return { run: posting(browser, "/settings/keys/", form), look: lookAtKeys(key), verify: verifyKey }
  },
}

const rotatingByOperatorPage: Operation = {
  name: "rotate key, on the operator's page",
  open: async () => {
    const { username, key } = await newAuthor()
    const browser = await signInOperator()
    const replaced = fieldOf((await browser.get(pathOf(username))).html, "replaced") ?? ""
    const form = { name: "default", scope: "publish", replaced }
    return { run: posting(browser, `${pathOf(username)}keys/`, form), look: lookAtKeys(key), verify: verifyKey }
  },
}

const revokingByOperator: Operation = {
  name: "revoke key, by the operator",
  open: async () => {
    const { username, key } = await newAuthor()
    return {
      run: (env) => call("DELETE", `${accountPath(username)}keys/default/`, { headers: OPERATOR, env }),
      look: lookAtKeys(key),
    }
  },
}

const revokingByPage: Operation = {
  name: "revoke key, in the settings",
  open: async () => {
    const { browser, key } = await signIn()
    return { run: posting(browser, "/settings/keys/revoke/", { name: "default" }), look: lookAtKeys(key) }
  },
}

const revokingByOperatorPage: Operation = {
  name: "revoke key, on the operator's page",
  open: async () => {
    const { username, key } = await newAuthor()
    const browser = await signInOperator()
    const run = posting(browser, `${pathOf(username)}keys/revoke/`, { name: "default" })
    return { run, look: async () => [await lookAtKeys(key)(), await auditLogOf("revoke_key")] }
  },
}

const tryingAgain: Operation = {
  name: "a failed translation that is tried again, in the settings",
  open: async ({ env, wakeUps }) => {
    const author = await signIn()
    const { slug, id } = await newPost(author, { translation_languages: ["fr"] })
    await deliver({ post_id: id }, { env, queue: DEAD_LETTER_QUEUE })
    wakeUps.sent.length = 0
    return {
      run: posting(author.browser, `/settings/posts/${slug}/translations/fr/`),
      look: () => rows("select lang_code, status, title, error from texts order by 1"),
    }
  },
}

const settingLanguages: Operation = {
  name: "languages, in the settings",
  open: async () => {
    const { browser, username } = await signIn()
    const form = { primary_language: "de", translation_languages: "fr, it" }
    return { run: posting(browser, "/settings/languages/", form), look: () => viewOf(username) }
  },
}

const settingBlogTexts: Operation = {
  name: "title, description and author of a blog, in the settings",
  open: async () => {
    const { browser, username } = await signIn()
    const form = { blog_title: "The bay", blog_description: "Letters from the coast.", author_name: "Ann" }
    return { run: posting(browser, "/settings/blog/", form), look: () => viewOf(username) }
  },
}

const makingAccount: Operation = {
  name: "account that the operator makes",
  open: async () => {
    const username = "made"
    const json = { paid_until: "2099-01-01T00:00:00Z" }
    return {
      run: (env) => call("PATCH", accountPath(username), { headers: OPERATOR, json, env }),
      look: () => viewOf(username),
    }
  },
}

const makingAccountByPage: Operation = {
  name: "account that the operator makes on a page",
  open: async () => {
    const username = "made"
    const browser = await signInOperator()
    return {
      run: posting(browser, "/operator/accounts/", { username, paid_until: "2099-01-01" }),
      look: async () => [await viewOf(username), await auditLogOf("make_account")],
    }
  },
}

const changingAccount: Operation = {
  name: "account that the operator changes",
  open: async () => {
    const { username } = await newAuthor()
    const json = { restricted: true, paid_until: "2098-01-01T00:00:00Z" }
    const before = await auditLogOf("set_account")
    return {
      run: (env) => call("PATCH", accountPath(username), { headers: OPERATOR, json, env }),
      look: async () => [await viewOf(username), (await auditLogOf("set_account")) > before],
    }
  },
}

const extendingByPage: Operation = {
  name: "paid time that the operator extends on a page",
  open: async () => {
    const { username } = await newAuthor()
    const browser = await signInOperator()
    const seen = await seenOf(browser, username)
    return {
      run: posting(browser, `${pathOf(username)}paid-until/`, { seen, months: "1" }),
      look: async () => [await viewOf(username), await auditLogOf("set_paid_until")],
    }
  },
}

const flaggingByPage = (flag: string): Operation => ({
  name: `account whose ${flag} the operator sets on a page`,
  open: async () => {
    const { username } = await newAuthor()
    const browser = await signInOperator()
    return {
      run: posting(browser, `${pathOf(username)}${flag}/`, { value: "true" }),
      look: async () => [await viewOf(username), await auditLogOf(`set_${flag}`)],
    }
  },
})

const unpublishing: Operation = {
  name: "post that the operator unpublishes",
  open: async () => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    const browser = await signInOperator()
    return {
      run: posting(browser, `${pathOf(author.username)}unpublish/`, { slug }),
      look: async () => [await rows("select status, version from posts"), await auditLogOf("unpublish_post")],
    }
  },
}

const handling = (name: string, eventOf: (sub: string, username: string) => Event): Operation => ({
  name: `Stripe's ${name}`,
  open: async () => {
    stopClock(NOW)
    const { username, sub } = await subscriber()
    await deliverAll(snapshot(sub, { end: day(20) }))
    const body = JSON.stringify(eventOf(sub, username))
    const signature = await sign(body)
    return {
      run: (env) => send(body, signature, env),
      look: async () => [await viewOf(username), await countOf("stripe_events")],
    }
  },
})

const subscribing: Operation = {
  name: "Stripe's checkout",
  open: async () => {
    stopClock(NOW)
    const username = await newAccount({ paid_until: iso(day(3)) })
    const sub = "sub_new"
    await deliverAll(snapshot(sub))
    const body = JSON.stringify(checkout(sub, username))
    const signature = await sign(body)
    return {
      run: (env) => send(body, signature, env),
      look: async () => [await viewOf(username), await countOf("stripe_events")],
    }
  },
}

/** Makes an account with one of everything. */
const wealthy = async () => {
  const author = await withPasskey()
  const { image_id } = await upload(author)
  await newPost(author, { image_ids: [image_id], translation_languages: ["fr"] })
  await upload(author)
  return author
}

/** Counts what is left of the account. An invariant checks that an erased account leaves nothing. */
const lookAtAll = (author: Author) => async () => {
  const posts = await rows("select slug from posts")
  const tables = ["accounts", "api_keys", "sessions", "passkeys", "texts", "post_images", "idempotency_keys"]
  return [await accountStatus(author.key), posts.length, ...(await Promise.all(tables.map(countOf)))]
}

const erasingByOperator: Operation = {
  name: "erase account, by the operator",
  open: async () => {
    const author = await wealthy()
    return {
      run: (env) => call("DELETE", accountPath(author.username), { headers: OPERATOR, env }),
      look: lookAtAll(author),
    }
  },
}

const erasingByPage: Operation = {
  name: "erase account, in the settings",
  open: async () => {
    const author = await wealthy()
    const { browser, username } = author
    return { run: posting(browser, "/settings/erase/", { username }), look: lookAtAll(author) }
  },
}

export const accountOperations: Operation[] = [
  rotatingByOperator,
  rotatingByPage,
  rotatingByOperatorPage,
  revokingByOperator,
  revokingByPage,
  revokingByOperatorPage,
  tryingAgain,
  settingLanguages,
  settingBlogTexts,
  makingAccount,
  makingAccountByPage,
  changingAccount,
  extendingByPage,
  flaggingByPage("restricted"),
  flaggingByPage("hidden"),
  unpublishing,
  subscribing,
  handling("renewal", (sub) => snapshot(sub, { end: day(60), created: day(1) })),
  handling("end of a subscription", (sub) => snapshot(sub, { verb: "deleted", status: "canceled", created: day(1) })),
  erasingByOperator,
  erasingByPage,
]
