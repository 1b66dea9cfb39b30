import { expect, it } from "vitest"

import { MAX_TONE_CHARS, MAX_TRANSLATION_LANGUAGES } from "../../src/limits.ts"
import { setAccount } from "../calls.ts"
import { API, call, newAuthor } from "../support.ts"
import { signIn, whereTo } from "./browser.ts"
import { formTo } from "./forms.ts"

// The page /settings/translations/, and its settings in the API.

const PAGE = "/settings/translations/"
const TONES = `${PAGE}tones/`
const NOTE = `${PAGE}note/`
const REVIEW = `${PAGE}review/`
const SAVED = [303, `${PAGE}?saved=1`]

const newScene = async (changes: Record<string, unknown> = {}) => {
  const { browser, key, username } = await signIn(changes)
  /** Fills in the form that the page shows, and sends it. */
  const send = async (action: string, changed: Record<string, string>) =>
    browser.post(action, { ...formTo((await browser.get(PAGE)).html, action), ...changed })
  const saved = async () => (await call("GET", `${API}/account/`, { key })).json.account
  return { browser, username, send, saved }
}

it("the translation settings have a line for each language that is listed or has a tone, and save them by code", async () => {
  const { browser, send, saved } = await newScene({
    translation_languages: ["ja", "de"],
    translation_tones: { ja: "です・ます", fr: "Tutoie", de: "Du" },
  })
  const { html } = await browser.get(PAGE)
  const labels = [...html.matchAll(/<label for="tone-([^"]*)">([^<]*)</g)].map(([, code, label]) => [code, label])
  expect(labels).toEqual([
    ["ja", "Japanese (ja)"],
    ["de", "German (de)"],
    ["fr", "French (fr)"],
  ])
  const changed = { "translation_tones.fr": " ", "translation_tones.de": "Sie, formal" }
  expect(whereTo(await send(TONES, changed))).toEqual(SAVED)
  const { translation_tones } = await saved()
  expect(JSON.stringify(translation_tones)).toBe('{"de":"Sie, formal","ja":"です・ます"}')
  expect((await browser.get(`${PAGE}?saved=1`)).html).toContain("<strong>Saved.</strong></output>")
  expect(whereTo(await send(TONES, { "translation_tones.ja": "" }))).toEqual(SAVED)
  expect((await saved()).translation_tones).toEqual({ de: "Sie, formal" })
})

it("the translation settings link to the languages while the account has none", async () => {
  const { browser } = await newScene()
  const { html } = await browser.get(PAGE)
  expect(html).toContain('<a href="/settings/#languages-section">')
  expect(html).not.toContain(`action="${TONES}"`)
  expect((await browser.get("/settings/")).html).toContain(`<a href="${PAGE}">`)
})

it("the translation settings mark a tone that is too long and keep everything that was typed", async () => {
  const { send, saved } = await newScene({ translation_languages: ["de", "fr"] })
  const long = "x".repeat(MAX_TONE_CHARS + 1)
  const { status, html } = await send(TONES, { "translation_tones.de": long, "translation_tones.fr": "Tutoie" })
  expect(status).toBe(400)
  expect(html).toContain(`<strong>German (de)</strong>: At most ${MAX_TONE_CHARS} characters`)
  expect(html).toMatch(/<input id="tone-de"[^>]*value="x{201}"[^>]*aria-invalid="true"/)
  expect(html).toMatch(/<input id="tone-fr"[^>]*value="Tutoie"/)
  expect(html).not.toContain('id="tone-fr-error"')
  expect((await saved()).translation_tones).toEqual({})
})

it("the form of tones without what it has shown changes nothing", async () => {
  const { browser, saved } = await newScene({ translation_tones: { de: "Sie" } })
  expect((await browser.post(TONES, { "translation_tones.fr": "Tutoie" })).status).toBe(400)
  expect((await browser.post(NOTE)).status).toBe(400)
  expect(await saved()).toMatchObject({ translation_tones: { de: "Sie" }, shows_translation_note: true })
})

it("the translation settings turn the note for readers off and on", async () => {
  const { browser, send, saved } = await newScene()
  const isChecked = async () => /name="shows_translation_note"[^>]* checked/.test((await browser.get(PAGE)).html)
  expect([await isChecked(), (await saved()).shows_translation_note]).toEqual([true, true])
  expect(whereTo(await send(NOTE, { shows_translation_note: "" }))).toEqual(SAVED)
  expect([await isChecked(), (await saved()).shows_translation_note]).toEqual([false, false])
  expect(whereTo(await send(NOTE, { shows_translation_note: "on" }))).toEqual(SAVED)
  expect([await isChecked(), (await saved()).shows_translation_note]).toEqual([true, true])
})

const many = Object.fromEntries(
  Array.from({ length: MAX_TRANSLATION_LANGUAGES + 1 }, (_, i) => [`de-${100 + i}`, "Sie"]),
)

it.each<[string, unknown, string, string]>([
  ["that are a list", ["Sie"], "translation_tones", "invalid"],
  ["of a code that is no code", { "de!": "Sie" }, "translation_tones.de!", "invalid_language"],
  ["of an undetermined language", { und: "Sie" }, "translation_tones.und", "unknown_language"],
  ["of a code that is no language", { klingon: "Sie" }, "translation_tones.klingon", "unknown_language"],
  ["with a line break", { de: "Sie\nformal" }, "translation_tones.de", "invalid"],
  ["that are blank", { de: " " }, "translation_tones.de", "blank"],
  ["that are null", { de: null }, "translation_tones.de", "invalid"],
  ["of too many languages", many, "translation_tones", "too_many"],
])("the operator's API refuses tones %s and names the field", async (_, translation_tones, field, code) => {
  const { status, json } = await setAccount(await newAuthor(), { translation_tones })
  expect([status, json.errors?.map((error: Record<string, string>) => [error["field"], error["code"]])]).toEqual([
    400,
    [[field, code]],
  ])
})

it("the operator's API makes the codes of tones canonical and replaces all tones", async () => {
  const author = await newAuthor({ translation_tones: { fr: "Tutoie" } })
  const { json } = await setAccount(author, { translation_tones: { "PT-br": "Você", DE: "Sie" } })
  expect(json.account.translation_tones).toEqual({ de: "Sie", "pt-BR": "Você" })
})

it("the translation settings hold translations until their author approves them, and show them at once again", async () => {
  const { browser, send, saved } = await newScene()
  expect((await browser.get(PAGE)).html).toMatch(
    /<input type="radio" name="translation_review" value="none" checked=""\/>/,
  )
  for (const translation_review of ["hold", "none"]) {
    expect(whereTo(await send(REVIEW, { translation_review }))).toEqual(SAVED)
    expect(await saved()).toMatchObject({ translation_review })
  }
  expect((await send(REVIEW, { translation_review: "later" })).status).toBe(400)
})
