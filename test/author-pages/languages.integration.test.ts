import { describe, expect, it } from "vitest"

import { env, rows } from "../support.ts"
import { signIn } from "./browser.ts"
import { formTo } from "./forms.ts"

/** Returns the tag of the element with an id. */
const tagOf = (html: string, id: string): string => new RegExp(`<[a-z]+ id="${id}"[^>]*>`).exec(html)?.[0] ?? ""

describe("the form of the languages", () => {
  it("the settings mark an invalid language by its field and keep everything the author typed", async () => {
    const { browser, username } = await signIn()
    const typed = { primary_language: "pt-BR", translation_languages: "fr, de!" }
    const { status, html } = await browser.post("/settings/languages/", typed)
    expect(status).toBe(400)
    expect(html).toContain('role="alert"')
    expect(tagOf(html, "primary-language")).toContain('value="pt-BR"')
    expect(tagOf(html, "primary-language")).not.toContain("aria-invalid")
    const wrong = tagOf(html, "translation-languages")
    expect(wrong).toContain('value="fr, de!"')
    expect(wrong).toContain('aria-invalid="true"')
    expect(wrong).toContain('aria-describedby="translation-languages-hint translation-languages-error"')
    expect(html).toMatch(
      /id="translation-languages-error"[^>]*><strong>Translation languages<\/strong>: Not a BCP 47 .*&quot;de!&quot;/,
    )
    expect(await rows("select primary_language from accounts where username = ?", username)).toEqual([
      { primary_language: "en" },
    ])
  })

  it("the settings add a language that is chosen by its name, once", async () => {
    const { browser, username } = await signIn({ translation_languages: ["fr"] })
    const { html } = await browser.get("/settings/")
    expect(html).toContain('<option value="pt-BR">Brazilian Portuguese</option>')
    expect(html).toContain('<option value="he">Hebrew</option>')
    expect(html).not.toContain('<option value="iw">')
    const languages = async (added_language: string) => {
      const form = formTo((await browser.get("/settings/")).html, "/settings/languages/")
      expect(form["added_language"]).toBe("")
      const { status } = await browser.post("/settings/languages/", { ...form, added_language })
      const [saved] = await rows("select translation_languages from accounts where username = ?", username)
      return [status, saved?.["translation_languages"]]
    }
    expect(await languages("pt-br")).toEqual([303, '["fr","pt-BR"]'])
    expect(await languages("fr")).toEqual([303, '["fr","pt-BR"]'])
    expect(await languages("!")).toEqual([400, '["fr","pt-BR"]'])
  })

  it("the settings say which codes of a form are no languages and keep everything the author typed", async () => {
    const { browser, username } = await signIn()
    const typed = { primary_language: "English", translation_languages: "fr, Klingon pt-br,mul" }
    const { status, html } = await browser.post("/settings/languages/", typed)
    expect(status).toBe(400)
    expect(tagOf(html, "primary-language")).toContain('value="English"')
    expect(tagOf(html, "translation-languages")).toContain('value="fr, Klingon pt-br,mul"')
    const errors = [...html.matchAll(/class="error"><strong>([^<]*)<\/strong>: ([^<]*)</g)]
    expect(
      errors.map(([, label, text = ""]) => [label, ...text.matchAll(/Not a single language: &quot;([^&]*)&quot;/g)]),
    ).toEqual([
      ["Primary language", expect.arrayContaining(["english"])],
      ["Translation languages", expect.arrayContaining(["klingon"]), expect.arrayContaining(["mul"])],
    ])
    const saved = await rows(
      "select primary_language, translation_languages from accounts where username = ?",
      username,
    )
    expect(saved).toEqual([{ primary_language: "en", translation_languages: "[]" }])
  })

  it("the settings accept codes that are no languages if the account has them already", async () => {
    const { browser, username } = await signIn()
    await env.DB.prepare("update accounts set translation_languages = '[\"mul\"]' where username = ?")
      .bind(username)
      .run()
    const send = (translation_languages: string) =>
      browser.post("/settings/languages/", { primary_language: "en", translation_languages })
    expect((await send("fr, mul, FR")).status).toBe(303)
    const saved = await rows("select translation_languages from accounts where username = ?", username)
    expect(saved).toEqual([{ translation_languages: '["fr","mul"]' }])
    expect((await send("fr")).status).toBe(303)
    expect((await send("fr, mul")).status).toBe(400)
  })

  it("the settings page confirms that the languages were saved", async () => {
    const { browser } = await signIn()
    const { status, headers } = await browser.post("/settings/languages/", {
      primary_language: "pt-BR",
      translation_languages: "fr",
    })
    expect([status, headers.get("Location")]).toEqual([303, "/settings/?saved=1"])
    const { html } = await browser.get("/settings/?saved=1")
    expect(html).toContain('<output class="notice"><strong>Saved.</strong></output>')
    expect(tagOf(html, "primary-language")).toContain('value="pt-BR"')
    expect((await browser.get("/settings/")).html).not.toContain("Saved.")
  })

  it("the settings accept a code whose language has no name, and say so", async () => {
    const { browser } = await signIn()
    const codes = { primary_language: "en", translation_languages: "fr, xx" }
    expect((await browser.post("/settings/languages/", codes)).status).toBe(303)
    const { html } = await browser.get("/settings/")
    expect(html).toContain("This service knows no name for the language of xx.")
    expect(html).not.toContain("no name for the language of fr")
  })

  it("the settings answer an invalid language with problem details if the client does not ask for HTML", async () => {
    const { browser } = await signIn()
    const { status, html } = await browser.post("/settings/languages/", { primary_language: "?" }, { Accept: "*/*" })
    expect(status).toBe(400)
    expect(JSON.parse(html)).toMatchObject({ code: "validation_error", success: false })
    const unknown = { primary_language: "en", translation_languages: "fr klingon" }
    const answer = await browser.post("/settings/languages/", unknown, { Accept: "*/*" })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.html)).toMatchObject({
      code: "unknown_language",
      errors: [{ field: "translation_languages.1", code: "unknown_language" }],
    })
  })
})

it("a wrong username in the form that erases an account stays in the form and is marked as wrong", async () => {
  const { browser, username } = await signIn()
  const { status, html } = await browser.post("/settings/erase/", { username: "somebody" })
  expect(status).toBe(400)
  expect(tagOf(html, "username")).toContain('value="somebody"')
  expect(html).toMatch(new RegExp(`id="username-error"[^>]*>.*Type ${username}`))
})
