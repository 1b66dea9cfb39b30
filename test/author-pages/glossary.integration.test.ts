import { expect, it } from "vitest"

import { MAX_SOUGHT_BYTES } from "../../src/limits.ts"
import { setAccount } from "../calls.ts"
import { API, call, newPost, rows } from "../support.ts"
import { signIn, whereTo } from "./browser.ts"
import { formTo } from "./forms.ts"

// The page /settings/glossary/.

const PAGE = "/settings/glossary/"
const AGAIN = `${PAGE}retranslate/`

const newScene = async () => {
  const author = await signIn({ translation_languages: ["de", "fr"] })
  const { browser, key } = author
  /** Fills in the form of a term, and sends it. */
  const send = async (changed: Record<string, string>, term = "") => {
    const page = term === "" ? PAGE : `${PAGE}?term=${encodeURIComponent(term)}`
    return browser.post(PAGE, { ...formTo((await browser.get(page)).html, PAGE), keep: "", ...changed })
  }
  const entries = async () => (await call("GET", `${API}/account/glossary/`, { key })).json.entries
  return { ...author, send, entries }
}

const doneAt = (term: string, done: string) => [303, `${PAGE}?term=${encodeURIComponent(term)}&done=${done}`]

it("the page of the glossary adds, changes, renames and deletes terms", async () => {
  const { browser, send, entries } = await newScene()
  expect((await browser.get(PAGE)).html).toContain(">\nde:\nfr:</textarea>")
  expect(whereTo(await send({ term: "C++ & co", keep: "on" }))).toEqual(doneAt("C++ & co", "saved"))
  const typed = { term: "invoice", translations: "German: Rechnung\nfr:\r\n\npt-BR : fatura", note: "A bill" }
  expect(whereTo(await send(typed))).toEqual(doneAt("invoice", "saved"))
  const invoice = { term: "invoice", keep: false, translations: { de: "Rechnung", "pt-BR": "fatura" }, note: "A bill" }
  const kept = { term: "C++ & co", keep: true, translations: {}, note: null }
  expect(await entries()).toEqual([kept, invoice])
  const { html } = await browser.get(`${PAGE}?term=invoice`)
  expect(formTo(html, PAGE)).toMatchObject({
    replaced: "invoice",
    translations: "de: Rechnung\r\nfr:\r\npt-BR: fatura",
  })
  expect(html).toContain("German (de): Rechnung, Brazilian Portuguese (pt-BR): fatura")
  await send({ term: "bill", note: "" }, "invoice")
  expect(await entries()).toEqual([kept, { ...invoice, term: "bill", note: null }])
  expect(whereTo(await send({ action: "delete" }, "bill"))).toEqual(doneAt("bill", "deleted"))
  expect(whereTo(await send({ action: "delete", replaced: "bill", term: "bill" }))).toEqual(doneAt("bill", "deleted"))
  expect(await entries()).toEqual([kept])
})

it.each<[name: string, typed: Record<string, string>, message: string]>([
  ["without a translation", { term: "b" }, "Needs a translation, or to be kept."],
  ["with both", { term: "b", keep: "on", translations: "de: c" }, "A term that is kept has no translations."],
  ["in an unknown language", { term: "b", translations: "klingonish: c" }, "language"],
  ["with a line without a language", { term: "b", translations: "Rechnung" }, "Needs a language and a colon"],
  ["with a long term", { term: "x".repeat(101), keep: "on" }, "At most 100 characters"],
  ["that is there already", { term: "a", keep: "on" }, "The glossary has this term already."],
])("the page of the glossary refuses a term %s, and keeps what was typed", async (_name, typed, message) => {
  const { send, entries } = await newScene()
  await send({ term: "a", keep: "on" })
  const { status, html } = await send({ note: "Mine", ...typed })
  expect([status, html]).toEqual([400, expect.stringContaining(message)])
  expect(formTo(html, PAGE)).toMatchObject({ note: "Mine", ...typed, keep: "on" })
  expect(html.includes('name="keep" value="on" checked=""')).toBe(typed["keep"] === "on")
  expect(await entries()).toHaveLength(1)
})

it("the page of a term finds posts with it once it is asked to, and translates them again", async () => {
  const author = await newScene()
  const { browser, send } = author
  await send({ term: "words", keep: "on" })
  const page = `${PAGE}?term=words`
  expect((await browser.get(page)).html).toContain("Find posts with this term")
  expect((await browser.get(`${page}&find=on`)).html).toContain("No translated post has this term.")
  await newPost(author, { translation_languages: ["de", "fr"] })
  await rows("update texts set status = 'ready', versions = '{\"title\":1}' where lang_code in ('de', 'fr')")
  const { html } = await browser.get(`${page}&find=on`)
  expect(html).toContain("1 post with 2 translations has it, or its longest word.")
  expect(whereTo(await browser.post(AGAIN, formTo(html, AGAIN)))).toEqual(doneAt("words", "queued"))
  expect(await rows("select status, versions from texts where lang_code in ('de', 'fr')")).toEqual(
    Array.from({ length: 2 }, () => ({ status: "queued", versions: '{"title":0}' })),
  )
})

it("the page of a term leads from one portion of posts to the next", async () => {
  const author = await newScene()
  const { browser } = author
  for (let i = 0; i < 2; i++) await newPost(author, { translation_languages: ["de"] })
  await rows("update texts set status = 'ready', versions = '{\"title\":1}' where lang_code = 'de'")
  await rows("update posts set text_bytes = ?", MAX_SOUGHT_BYTES / 10)
  const first = await browser.get(`${PAGE}?term=words&find=on`)
  const [status, location] = whereTo(await browser.post(AGAIN, formTo(first.html, AGAIN)))
  expect([status, location]).toEqual([303, expect.stringContaining("&done=part&after=")])
  const next = await browser.get(`${String(location).replace("&done=part", "")}&find=on`)
  expect(whereTo(await browser.post(AGAIN, formTo(next.html, AGAIN)))).toEqual(doneAt("words", "queued"))
  const queued = `select 1 from texts join posts on posts.id = post_id join accounts on accounts.id = account_id
    where texts.status = 'queued' and username = ?`
  expect(await rows(queued, author.username)).toHaveLength(2)
})

it("the page of a term looks into no text of a restricted account", async () => {
  const { browser, ...author } = await newScene()
  await setAccount(author, { restricted: true })
  expect((await browser.get(`${PAGE}?term=words&find=on`)).status).toBe(403)
})
