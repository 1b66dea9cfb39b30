import { describe, expect, it } from "vitest"

import { FORM, isPagePost, type Operation } from "../../src/http/operation.ts"
import { routes } from "../../src/routes.ts"
import { Browser, newLink } from "../author-pages/browser.ts"
import { formTo } from "../author-pages/forms.ts"
import { beforeCall } from "../faults.ts"
import { again, withPasskey } from "../faults/pages.ts"
import { signInOperator } from "../operator/operator.ts"
import { dumpStorage, wipeStorage } from "../storage.ts"
import { newPost, rows } from "../support.ts"

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
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const ACCOUNT = "/operator/accounts/:username/"

/** The form of each page. A new form fails the first test until it has a row. */
const ROWS: Record<string, Row> = {
  "/settings/keys/": { page: "/settings/keys/", typed: { name: "typed" }, hidden: { replaced: "" } },
  "/settings/keys/revoke/": { page: "/settings/keys/", typed: { name: "default" } },
  "/settings/languages/": { page: "/settings/", typed: { primary_language: "fr", translation_languages: "de, it" } },
  "/settings/blog/": { page: "/settings/", typed: { blog_title: "Typed title", author_name: "Typed name" } },
  "/settings/sessions/end/": { page: "/settings/" },
  "/settings/sessions/end-all/": { page: "/settings/sessions/end-all/", form: "undefined", hidden: { key: "default" } },
  "/settings/passkeys/remove/": { page: "/settings/" },
  "/settings/erase/": { page: "/settings/erase/", typed: { username: ":username" } },
  [POST]: { page: POST, typed: { title: "Typed title", body: "Typed *body*" } },
  [`${POST}preview/`]: { page: POST, form: POST, typed: { title: "Typed title", body: "Typed *body*" } },
  [`${POST}schedule/`]: { page: `${POST}schedule/`, typed: { published_at: `${TOMORROW}T10:00` } },
  [`${POST}delete/`]: { page: `${POST}delete/` },
  [`${POST}translations/:lang_code/`]: { page: "/settings/posts/" },
  "/operator/accounts/": { page: "/operator/", typed: { username: "typed", paid_until: "2098-12-31" } },
  [`${ACCOUNT}sign-in-links/`]: { page: ACCOUNT },
  [`${ACCOUNT}keys/`]: { page: ACCOUNT, typed: { name: "typed" }, hidden: { replaced: "" } },
  [`${ACCOUNT}keys/revoke/`]: { page: ACCOUNT, typed: { name: "default" } },
  [`${ACCOUNT}paid-until/`]: { page: ACCOUNT, typed: { paid_until: "2098-12-31" } },
  [`${ACCOUNT}restricted/`]: { page: ACCOUNT },
  [`${ACCOUNT}hidden/`]: { page: ACCOUNT },
  [`${ACCOUNT}unpublish/`]: { page: ACCOUNT, typed: { slug: ":published" } },
  [`${ACCOUNT}posts/unpublish/`]: { page: `${ACCOUNT}posts/`, typed: { slug: ":published" } },
}

const forms = routes
  .map(({ operation }) => operation)
  .filter((operation) => isPagePost(operation) && operation.contentType === FORM && operation.access !== "page")

/** Opens a page with a form, for an author with a draft, a published post, a passkey and two sessions. */
const open = async ({ path, access }: Operation) => {
  const { page, form = path, typed = {}, hidden = {} } = ROWS[path] ?? { page: "" }
  await wipeStorage()
  const author = await withPasskey()
  await new Browser().post(await newLink(author.username))
  const { slug } = await newPost(author, { status: "DF", translation_languages: ["fr"] })
  const { slug: published } = await newPost(author)
  await rows("update texts set status = 'failed' where lang_code = 'fr'")
  const values: Fields = { username: author.username, slug, published, lang_code: "fr" }
  const fill = (text: string) => text.replaceAll(/:([a-z]\w*)/g, (_, name: string) => values[name] ?? "")
  const browser = access === "operator-page" ? await signInOperator() : author.browser
  const filled = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, fill(value)]))
  const { html } = await browser.get(fill(page))
  const fields = { ...formTo(html, fill(form)), ...hidden, ...filled }
  const send = (DB: D1Database) => again(browser, { DB }).post(fill(path), fields)
  return { address: fill(path), typed: filled, send }
}

/** Sends a form. Right before its first write, `meanwhile` happens. @returns what the form has written after that */
const race = async (operation: Operation, meanwhile: string) => {
  const { address, typed, send } = await open(operation)
  let before: unknown
  const DB = beforeCall(/^\s*(?:insert|update|delete)/i, async () => {
    await rows(meanwhile)
    before = await dumpStorage()
  })
  const page = await send(DB)
  expect(before, "the form writes").toBeDefined()
  expect(await dumpStorage()).toEqual(before)
  const kept = Object.keys(typed).length > 0 ? formTo(page.html, address) : {}
  expect(kept).toMatchObject(typed)
  return [page.status, page.headers.get("Location")]
}

const named = (operations: Operation[]) => operations.map((operation) => [operation.path, operation] as const)

describe.each(named(forms))("the form to %s", (path, operation) => {
  it("writes nothing once its session has ended, and keeps what was typed", async () => {
    const signIn = path.startsWith("/operator/") ? "/operator/sign-in/" : "/sign-in/"
    const expected = ROWS[path]?.typed ? [401, null] : [303, signIn]
    expect(await race(operation, "delete from sessions")).toEqual(expected)
  })
})

const ofPosts = forms.filter(({ path }) => path.startsWith("/settings/posts/"))

it.each(named(ofPosts))("the form to %s writes nothing once its account is restricted", async (_, operation) => {
  expect(await race(operation, "update accounts set restricted = 1")).toEqual([403, null])
})
