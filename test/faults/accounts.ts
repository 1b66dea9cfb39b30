import { type Browser, fieldOf, signIn } from "../author-pages/browser.ts"
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
import { statusOf } from "../calls.ts"
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
import { accountPath, auditLogOf, countOf, operating, posting, withPasskey } from "./pages.ts"
import type { Operation, Reply } from "./search.ts"

type Open = Operation["open"]
type Form = Record<string, string>

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

/** Sends the form on a page that replaces the key. */
const replacing = async (browser: Browser, key: string, page: string, path = page) => {
  const replaced = fieldOf((await browser.get(page)).html, "replaced") ?? ""
  const form = { name: "default", scope: "publish", replaced }
  return { run: posting(browser, path, form), look: lookAtKeys(key), verify: verifyKey }
}

/** Sends a form of the settings, and looks at the account. */
const saving =
  (path: string, form: Form): Open =>
  async () => {
    const { browser, username } = await signIn()
    return { run: posting(browser, path, form), look: () => viewOf(username) }
  }

/** Sends a form of the operator's page of an account, and looks at the account, its posts and the audit log. */
const operatingOnPage =
  (path: string, action: string, formOf: (author: Author, browser: Browser) => Promise<Form>): Open =>
  async () => {
    const author = await newAuthor()
    const browser = await signInOperator()
    const look = async () => [
      await viewOf(author.username),
      await rows("select status, version from posts"),
      await auditLogOf(action),
    ]
    return { run: posting(browser, `${pathOf(author.username)}${path}`, await formOf(author, browser)), look }
  }

/** Lets Stripe send an event. @param prepare makes the account and the event */
const handling =
  (prepare: () => Promise<[username: string, Event]>): Open =>
  async () => {
    stopClock(NOW)
    const [username, event] = await prepare()
    const body = JSON.stringify(event)
    const signature = await sign(body)
    return {
      run: (env) => send(body, signature, env),
      look: async () => [await viewOf(username), await countOf("stripe_events")],
    }
  }

const handlingLater = (eventOf: (sub: string) => Event): Open =>
  handling(async () => {
    const { username, sub } = await subscriber()
    await deliverAll(snapshot(sub, { end: day(20) }))
    return [username, eventOf(sub)]
  })

/** Makes an account with one of everything. */
const wealthy = async () => {
  const author = await withPasskey()
  const { image_id, image_url } = await upload(author)
  const { slug } = await newPost(author, { image_ids: [image_id], translation_languages: ["fr"] })
  await upload(author)
  return { ...author, paths: [`/@${author.username}/`, `/@${author.username}/${slug}/`, image_url] }
}

/** Returns what readers and the key of the account are answered. Invariants check that an erased account leaves nothing. */
const lookAtAll =
  ({ key, paths }: Awaited<ReturnType<typeof wealthy>>) =>
  async () => [await accountStatus(key), ...(await Promise.all(paths.map((path) => statusOf(call("GET", path)))))]

const OPERATIONS: Record<string, Open> = {
  "rotate key, by the operator": async () => {
    const { username, key } = await newAuthor()
    return { run: operating("POST", `${username}/keys/`), look: lookAtKeys(key), verify: verifyKey }
  },
  "rotate key, in the settings": async () => {
    const { browser, key } = await signIn()
    return replacing(browser, key, "/settings/keys/")
  },
  "rotate key, on the operator's page": async () => {
    const { username, key } = await newAuthor()
    return replacing(await signInOperator(), key, pathOf(username), `${pathOf(username)}keys/`)
  },
  "revoke key, by the operator": async () => {
    const { username, key } = await newAuthor()
    return { run: operating("DELETE", `${username}/keys/default/`), look: lookAtKeys(key) }
  },
  "revoke key, in the settings": async () => {
    const { browser, key } = await signIn()
    return { run: posting(browser, "/settings/keys/revoke/", { name: "default" }), look: lookAtKeys(key) }
  },
  "revoke key, on the operator's page": async () => {
    const { username, key } = await newAuthor()
    const run = posting(await signInOperator(), `${pathOf(username)}keys/revoke/`, { name: "default" })
    return { run, look: async () => [await lookAtKeys(key)(), await auditLogOf("revoke_key")] }
  },
  "a failed translation that is tried again, in the settings": async ({ env, wakeUps }) => {
    const author = await signIn()
    const { slug, id } = await newPost(author, { translation_languages: ["fr"] })
    await deliver({ post_id: id }, { env, queue: DEAD_LETTER_QUEUE })
    wakeUps.sent.length = 0
    return {
      run: posting(author.browser, `/settings/posts/${slug}/translations/fr/`),
      look: () => rows("select lang_code, status, title, error from texts order by 1"),
    }
  },
  "languages, in the settings": saving("/settings/languages/", {
    primary_language: "de",
    translation_languages: "fr, it",
  }),
  "tones of translations, in the settings": saving("/settings/translations/tones/", {
    seen: "{}",
    "translation_tones.de": "Sie, formal",
  }),
  "title, description and author of a blog, in the settings": saving("/settings/blog/", {
    blog_title: "The bay",
    blog_description: "Letters from the coast.",
    author_name: "Ann",
  }),
  "account that the operator makes": async () => ({
    run: operating("PATCH", "made/", { paid_until: "2099-01-01T00:00:00Z" }),
    look: () => viewOf("made"),
  }),
  "account that the operator makes on a page": async () => ({
    run: posting(await signInOperator(), "/operator/accounts/", { username: "made", paid_until: "2099-01-01" }),
    look: async () => [await viewOf("made"), await auditLogOf("make_account")],
  }),
  "account that the operator changes": async () => {
    const { username } = await newAuthor()
    const before = await auditLogOf("set_account")
    return {
      run: operating("PATCH", `${username}/`, { restricted: true, paid_until: "2098-01-01T00:00:00Z" }),
      look: async () => [await viewOf(username), (await auditLogOf("set_account")) > before],
    }
  },
  "paid time that the operator extends on a page": operatingOnPage(
    "paid-until/",
    "set_paid_until",
    async ({ username }, browser) => ({ seen: await seenOf(browser, username), months: "1" }),
  ),
  ...Object.fromEntries(
    ["restricted", "hidden"].map((flag) => [
      `account whose ${flag} the operator sets on a page`,
      operatingOnPage(`${flag}/`, `set_${flag}`, async () => ({ value: "true" })),
    ]),
  ),
  "post that the operator unpublishes": operatingOnPage("unpublish/", "unpublish_post", async (author) => ({
    slug: (await newPost(author)).slug,
  })),
  "Stripe's checkout": handling(async () => {
    const username = await newAccount({ paid_until: iso(day(3)) })
    await deliverAll(snapshot("sub_new"))
    return [username, checkout("sub_new", username)]
  }),
  "Stripe's renewal": handlingLater((sub) => snapshot(sub, { end: day(60), created: day(1) })),
  "Stripe's end of a subscription": handlingLater((sub) =>
    snapshot(sub, { verb: "deleted", status: "canceled", created: day(1) }),
  ),
  "erase account, by the operator": async () => {
    const author = await wealthy()
    return { run: operating("DELETE", `${author.username}/`), look: lookAtAll(author) }
  },
  "erase account, in the settings": async () => {
    const author = await wealthy()
    const { browser, username } = author
    return { run: posting(browser, "/settings/erase/", { username }), look: lookAtAll(author) }
  },
}

export const accountOperations: Operation[] = Object.entries(OPERATIONS).map(([name, open]) => ({ name, open }))
