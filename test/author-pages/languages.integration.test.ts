import { expect, it } from "vitest"

import { rows } from "../support.ts"
import { signIn, whereTo } from "./browser.ts"
import { formTo } from "./forms.ts"

const PATH = "/settings/languages/"

/** Returns the tag of the element with an id. */
const tagOf = (html: string, id: string): string => new RegExp(`<[a-z]+ id="${id}"[^>]*>`).exec(html)?.[0] ?? ""

/** Makes a signed-in author. @returns functions that send the form of the languages and read the stored ones */
const newScene = async (changes: Record<string, unknown> = {}) => {
  const { browser, username } = await signIn(changes)
  const send = (primary_language: string, translation_languages: string, headers?: Record<string, string>) =>
    browser.post(PATH, { primary_language, translation_languages }, headers)
  const saved = async () => {
    const [account] = await rows("select * from accounts where username = ?", username)
    return [account?.["primary_language"], account?.["translation_languages"]]
  }
  return { browser, username, send, saved }
}

const code = "unknown_language"

it("the settings mark an invalid language by its field and keep everything the author typed", async () => {
  const { send, saved } = await newScene()
  const { status, html } = await send("pt-BR", "fr, de!")
  expect(status).toBe(400)
  expect(html).toContain('role="alert"')
  expect(tagOf(html, "primary-language")).toContain('value="pt-BR"')
  expect(tagOf(html, "primary-language")).not.toContain("aria-invalid")
  const describedBy = 'aria-describedby="translation-languages-hint translation-languages-error"'
  for (const attribute of ['value="fr, de!"', 'aria-invalid="true"', describedBy])
    expect(tagOf(html, "translation-languages")).toContain(attribute)
  expect(html).toMatch(
    /id="translation-languages-error"[^>]*><strong>Translation languages<\/strong>: Not a BCP 47 .*&quot;de!&quot;/,
  )
  expect(await saved()).toEqual(["en", "[]"])
})

it("the settings add a language that is chosen by its name, once", async () => {
  const { browser, saved } = await newScene({ translation_languages: ["fr"] })
  const { html } = await browser.get("/settings/")
  expect(html).toContain('<option value="pt-BR">Brazilian Portuguese</option>')
  expect(html).toContain('<option value="he">Hebrew</option>')
  expect(html).not.toContain('<option value="iw">')
  for (const [added_language, expected] of [
    ["pt-br", 303],
    ["fr", 303],
    ["!", 400],
  ] as const) {
    const form = formTo((await browser.get("/settings/")).html, PATH)
    expect(form["added_language"]).toBe("")
    expect((await browser.post(PATH, { ...form, added_language })).status).toBe(expected)
    expect(await saved()).toEqual(["en", '["fr","pt-BR"]'])
  }
})

it("the settings say which codes of a form are no languages and keep everything the author typed", async () => {
  const { send, saved } = await newScene()
  const { status, html } = await send("Anglish", "fr, Klingon pt-br,mul")
  expect(status).toBe(400)
  expect(tagOf(html, "primary-language")).toContain('value="Anglish"')
  expect(tagOf(html, "translation-languages")).toContain('value="fr, Klingon pt-br,mul"')
  const NO_LANGUAGE = /Not a single language: &quot;([^&]*)&quot;/g
  const errors = [...html.matchAll(/class="error"><strong>([^<]*)<\/strong>: ([^<]*)</g)].map(
    ([, label, text = ""]) => [label, ...[...text.matchAll(NO_LANGUAGE)].map(([, sent]) => sent)],
  )
  expect(errors).toEqual([
    ["Primary language", "anglish"],
    ["Translation languages", "klingon", "mul"],
  ])
  expect(await saved()).toEqual(["en", "[]"])
})

it("the settings accept codes that are no languages if the account has them already", async () => {
  const { username, send, saved } = await newScene()
  await rows("update accounts set translation_languages = '[\"mul\"]' where username = ?", username)
  expect((await send("en", "fr, mul, FR")).status).toBe(303)
  expect(await saved()).toEqual(["en", '["fr","mul"]'])
  expect((await send("en", "fr")).status).toBe(303)
  expect((await send("en", "fr, mul")).status).toBe(400)
})

it("the settings page confirms that the languages were saved, and says which language has no name", async () => {
  const { browser, send } = await newScene()
  expect(whereTo(await send("pt-BR", "fr, xx"))).toEqual([303, "/settings/?saved=1"])
  const { html } = await browser.get("/settings/?saved=1")
  expect(html).toContain("<strong>Saved.</strong></output>")
  expect(tagOf(html, "primary-language")).toContain('value="pt-BR"')
  expect(html).toContain("This service knows no name for the language of xx.")
  expect(html).not.toContain("no name for the language of fr")
  expect((await browser.get("/settings/")).html).not.toContain("Saved.")
})

it.each([
  ["?", "", { code: "validation_error", success: false }],
  ["en", "fr klingon", { code, errors: [{ field: "translation_languages.1", code }] }],
])("the settings answer the languages %j and %j with problem details to a program", async (own, others, problem) => {
  const { send } = await newScene()
  const { status, html } = await send(own, others, { Accept: "*/*" })
  expect({ status, ...JSON.parse(html) }).toMatchObject({ status: 400, ...problem })
})
