import { expect, it } from "vitest"

import { FORM, isPagePost, type Operation } from "../../src/http/operation.ts"
import { routes } from "../../src/routes.ts"
import { Browser, newLink, signIn, whereTo } from "../author-pages/browser.ts"
import { formTo } from "../author-pages/forms.ts"
import { beforeCall } from "../faults.ts"
import { again, withPasskey } from "../faults/pages.ts"
import { signInOperator } from "../operator/operator.ts"
import { dumpStorage, wipeStorage } from "../storage.ts"
import { API, type Author, call, newPost, rows } from "../support.ts"

type Fields = Record<string, string>

interface Row {
  /** The page that shows the form. */
  page: string
  /** The address of the form whose fields it sends, if it is another one. */
  form?: string
  /** The values that a person types. */
  typed?: Fields
  /** Fields that are not typed, of a form that is not the first one to its address. */
  hidden?: Fields
}

const POST = "/settings/posts/:slug/"
const NEW = "/settings/posts/new/"
const APPROVE_ALL = "/settings/translations/approve/"
const HOOKS = "/settings/webhooks/"
const TRANSLATIONS = "/settings/translations/"
const GLOSSARY = "/settings/glossary/"
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const ACCOUNT = "/operator/accounts/:username/"

/** The form of each page. A new form fails the first test until it has a row. */
const ROWS: Record<string, Row> = {
  "/settings/keys/": { page: "/settings/keys/", typed: { name: "typed" }, hidden: { replaced: "" } },
  "/settings/keys/revoke/": { page: "/settings/keys/", typed: { name: "default" } },
  "/settings/languages/": { page: "/settings/", typed: { primary_language: "fr", translation_languages: "de, it" } },
  "/settings/blog/": { page: "/settings/", typed: { blog_title: "Typed title", author_name: "Typed name" } },
  "/settings/translations/tones/": { page: TRANSLATIONS, typed: { "translation_tones.fr": "Typed" } },
  "/settings/translations/review/": { page: TRANSLATIONS, hidden: { translation_review: "hold" } },
  "/settings/translations/note/": { page: TRANSLATIONS, hidden: { shows_translation_note: "" } },
  [GLOSSARY]: {
    page: GLOSSARY,
    typed: { term: "typed", translations: "fr: tapé", note: "Typed note" },
    hidden: { keep: "" },
  },
  [`${GLOSSARY}retranslate/`]: { page: `${GLOSSARY}?term=words&find=on` },
  "/settings/webhooks/": { page: HOOKS, typed: { url: "https://typed.example/" } },
  "/settings/webhooks/delete/": { page: HOOKS },
  "/settings/webhooks/rotate/": { page: HOOKS },
  "/settings/webhooks/test/": { page: HOOKS },
  "/settings/webhooks/send-again/": { page: HOOKS },
  "/settings/sessions/end/": { page: "/settings/" },
  "/settings/sessions/end-all/": { page: "/settings/sessions/end-all/", form: "undefined", hidden: { key: "default" } },
  "/settings/passkeys/remove/": { page: "/settings/" },
  "/settings/erase/": { page: "/settings/erase/", typed: { username: ":username" } },
  [NEW]: { page: NEW, typed: { title: "Typed title", body: "Typed *body*" } },
  [`${NEW}preview/`]: { page: NEW, form: NEW, typed: { title: "Typed title", body: "Typed *body*" } },
  [POST]: { page: POST, typed: { title: "Typed title", body: "Typed *body*" } },
  [`${POST}preview/`]: { page: POST, form: POST, typed: { title: "Typed title", body: "Typed *body*" } },
  [`${POST}schedule/`]: { page: `${POST}schedule/`, typed: { published_at: `${TOMORROW}T10:00` } },
  [`${POST}delete/`]: { page: `${POST}delete/` },
  [`${POST}translations/:lang_code/`]: { page: "/settings/posts/" },
  [`${POST}translations/:lang_code/approve/`]: { page: `${POST}?lang=fr` },
  [APPROVE_ALL]: { page: "/settings/posts/" },
  "/operator/accounts/": { page: "/operator/", typed: { username: "typed", paid_until: "2098-12-31" } },
  [`${ACCOUNT}sign-in-links/`]: { page: ACCOUNT },
  [`${ACCOUNT}keys/`]: { page: ACCOUNT, typed: { name: "typed" }, hidden: { replaced: "" } },
  [`${ACCOUNT}keys/revoke/`]: { page: ACCOUNT, typed: { name: "default" } },
  [`${ACCOUNT}paid-until/`]: { page: ACCOUNT, typed: { paid_until: "2098-12-31" } },
  [`${ACCOUNT}blog-host/`]: { page: ACCOUNT, typed: { blog_host: "typed.example" } },
  [`${ACCOUNT}restricted/`]: { page: ACCOUNT },
  [`${ACCOUNT}hidden/`]: { page: ACCOUNT },
  [`${ACCOUNT}unpublish/`]: { page: ACCOUNT, typed: { slug: ":published" } },
  [`${ACCOUNT}posts/unpublish/`]: { page: `${ACCOUNT}posts/`, typed: { slug: ":published" } },
}

const forms = routes
  .map(({ operation }) => operation)
  .filter((operation) => isPagePost(operation) && operation.contentType === FORM && operation.access !== "page")

/** Makes a webhook that was told of something. */
const addWebhook = async ({ key }: Author): Promise<void> => {
  await call("POST", `${API}/webhooks/`, { key, json: { url: "https://hooks.example/" } })
  await rows(`insert into webhook_deliveries (event_id, endpoint_id, type, data, starts_at, finished_at)
    select 'evt_told', id, 'test', '{}', 0, 0 from webhook_endpoints`)
}

/** Opens a page with a form, for an author with a draft, a published post, a webhook, a passkey and two sessions. */
const open = async ({ path, access }: Operation) => {
  const { page, form = path, typed = {}, hidden = {} } = ROWS[path] ?? { page: "" }
  await wipeStorage()
  const author = await withPasskey()
  await new Browser().post(await newLink(author.username))
  const { slug } = await newPost(author, { status: "DF", translation_languages: ["fr"] })
  const { slug: published } = await newPost(author)
  await rows("update accounts set translation_languages = '[\"fr\"]'")
  await rows(`update texts set status = 'failed', versions = '{"meta_description":1}', pending_versions = '{"title":1}',
    pending_fields = '{"title":"Un titre"}' where lang_code = 'fr'`)
  await rows("update posts set has_pending = 1 where translation_languages = '[\"fr\"]'")
  await addWebhook(author)
  const values: Fields = { username: author.username, slug, published, lang_code: "fr" }
  const fill = (text: string) => text.replaceAll(/:([a-z]\w*)/g, (_, name: string) => values[name] ?? "")
  const browser = access === "operator-page" ? await signInOperator() : author.browser
  const filled = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, fill(value)]))
  const { html } = await browser.get(fill(page))
  const fields = { ...formTo(html, fill(form)), ...hidden, ...filled }
  const send = (sent: Fields, env: Partial<Env> = {}) => again(browser, env).post(fill(path), sent)
  return { address: fill(path), typed: filled, fields, send }
}

/** Sends a form. Right before its first write, `meanwhile` happens. Checks that the form then writes nothing. */
const race = async (operation: Operation, meanwhile: string) => {
  const { fields, send, ...form } = await open(operation)
  let before: unknown
  const DB = beforeCall(/^\s*(?:insert|update|delete)/i, async () => {
    await rows(meanwhile)
    before = await dumpStorage()
  })
  const { status, headers, html } = await send(fields, { DB })
  expect(before, "the form writes").toBeDefined()
  expect(await dumpStorage()).toEqual(before)
  const isTyped = Object.keys(form.typed).length > 0
  const kept = isTyped && status >= 400 ? formTo(html, form.address) : {}
  return { ...form, send, outcome: whereTo({ status, headers }), html, isTyped, kept }
}

const named = (operations: Operation[]) => operations.map((operation) => [operation.path, operation] as const)

it.each(named(forms))(
  "the form to %s writes nothing once its session has ended, and keeps what was typed",
  async (path, operation) => {
    const { outcome, typed, isTyped, kept } = await race(operation, "delete from sessions")
    const home = path.startsWith("/operator/") ? "/operator/sign-in/" : "/sign-in/"
    expect(outcome).toEqual(isTyped ? [401, null] : [303, home])
    expect(kept).toMatchObject(typed)
  },
)

/** By form: what somebody else saves meanwhile, as SQL, and what the page then shows of it. */
const OTHERS: Record<string, [meanwhile: string, shown: string]> = {
  "/settings/languages/": ["update accounts set primary_language = 'nl'", "Saved meanwhile: nl."],
  "/settings/blog/": ["update accounts set blog_title = 'Theirs'", "Saved meanwhile: Theirs."],
  "/settings/translations/tones/": [
    `update accounts set translation_tones = '{"fr":"Theirs"}'`,
    "Saved meanwhile: fr: Theirs.",
  ],
  [POST]: ["update posts set version = version + 1, revision = revision + 1", "Saved meanwhile"],
  [`${POST}schedule/`]: ["update posts set version = version + 1, revision = revision + 1", "was saved meanwhile"],
  [`${ACCOUNT}paid-until/`]: ["update accounts set paid_until = 4102444800000", "Saved meanwhile: 2100-01-01T"],
  [`${ACCOUNT}blog-host/`]: ["update accounts set blog_host = 'theirs'", "Saved meanwhile: theirs"],
}

it.each(named(forms.filter(({ path }) => OTHERS[path])))(
  "the form to %s writes nothing over a value that was saved meanwhile, shows both, and replaces it when it is sent again",
  async (path, operation) => {
    const [meanwhile, shown] = OTHERS[path] ?? ["", ""]
    const { outcome, html, typed, kept, send } = await race(operation, meanwhile)
    expect([outcome, html, kept]).toEqual([[412, null], expect.stringContaining(shown), expect.objectContaining(typed)])
    const saved = await send(kept)
    expect(whereTo(saved)).toEqual([303, expect.stringMatching(/[?](saved|done=saved|done=scheduled)/)])
  },
)

const REPLACED = "update api_keys set created_at = created_at + 1"
it.each<[path: string, meanwhile: string, told: string]>([
  ["/settings/keys/revoke/", REPLACED, "/settings/keys/?unchanged=1"],
  [`${ACCOUNT}keys/revoke/`, REPLACED, "?unchanged=1"],
  [`${ACCOUNT}restricted/`, "update accounts set restricted = 1", "?unchanged=1"],
  [`${ACCOUNT}hidden/`, "update accounts set hidden = 1", "?unchanged=1"],
  [`${POST}delete/`, "update posts set version = version + 1, revision = revision + 1", "?done=outdated"],
])(
  "the form to %s writes nothing if what it shows was changed meanwhile, and says so",
  async (path, meanwhile, told) => {
    const operation = forms.find((form) => form.path === path)
    if (!operation) throw new Error(`There is no form to ${path}.`)
    expect((await race(operation, meanwhile)).outcome).toEqual([303, expect.stringContaining(told)])
  },
)

const SETTINGS = new Set([
  APPROVE_ALL,
  "/settings/blog/",
  "/settings/languages/",
  "/settings/keys/",
  HOOKS,
  GLOSSARY,
  `${GLOSSARY}retranslate/`,
])
for (const form of ["tones", "review", "note"]) SETTINGS.add(`${TRANSLATIONS}${form}/`)
/** The forms that write what readers or clients see. Others, such as those that sign out or revoke, stay open. */
const writing = forms.filter(({ path }) => path.startsWith("/settings/posts/") || SETTINGS.has(path))

it.each(named(writing))("the form to %s writes nothing once its account is restricted", async (_, operation) => {
  const { outcome, typed, kept } = await race(operation, "update accounts set restricted = 1")
  expect(outcome).toEqual([403, null])
  expect(kept).toMatchObject(typed)
})

/** Opens the form of the blog's texts, and stores other texts meanwhile. */
const openBlog = async (shown = {}, meanwhile = {}) => {
  const { browser, username } = await signIn()
  const store = async (texts: Fields) => {
    for (const [column, text] of Object.entries(texts))
      await rows(`update accounts set ${column} = ? where username = ?`, text, username)
  }
  await store(shown)
  const fields = formTo((await browser.get("/settings/")).html, "/settings/blog/")
  await store(meanwhile)
  const send = (changes: Fields) => browser.post("/settings/blog/", { ...fields, ...changes })
  const saved = async () =>
    (await rows("select blog_title, blog_description, author_name from accounts where username = ?", username))[0]
  return { send, saved }
}

it("two forms of a page both save if they change different fields, and one sent twice saves once", async () => {
  const { send, saved } = await openBlog()
  const statuses = []
  const changes: Fields[] = [{ blog_title: "One" }, { author_name: "Two" }, { author_name: "Two" }]
  for (const change of [...changes, { blog_title: "Four", author_name: "Three" }])
    statuses.push((await send(change)).status)
  expect(statuses).toEqual([303, 303, 303, 412])
  expect(await saved()).toMatchObject({ blog_title: "One", author_name: "Two" })
})

it("a form sent again after a conflict in one field keeps another field as it was saved meanwhile", async () => {
  const [one, two] = ["One", "Two"].map((text) => ({ blog_title: text, author_name: text }))
  const { send, saved } = await openBlog(one, two)
  const typed = { blog_title: "Mine", blog_description: "Mine" }
  const refused = await send(typed)
  const kept = formTo(refused.html, "/settings/blog/")
  expect([refused.status, kept]).toEqual([412, expect.objectContaining({ ...typed, author_name: "Two" })])
  expect(refused.html.match(/Saved meanwhile: \w+/g)).toEqual(["Saved meanwhile: Two"])
  expect((await send(kept)).status).toBe(303)
  expect(await saved()).toEqual({ ...typed, author_name: "Two" })
})

it("a form is saved if somebody else has saved the same in one of its fields meanwhile", async () => {
  const { send, saved } = await openBlog({}, { blog_title: "Same" })
  expect((await send({ blog_title: "Same", author_name: "Mine" })).status).toBe(303)
  expect(await saved()).toMatchObject({ blog_title: "Same", author_name: "Mine" })
})
