import { describe, expect, it } from "vitest"

import { signIn } from "../author-pages/browser.ts"
import { setAccount } from "../calls.ts"
import { pathOf, signInOperator, auditLogOf } from "../operator/operator.ts"
import { API, call, newAuthor, OPERATOR } from "../support.ts"

const FISH = "🐟"
const NONE = { blog_title: null, blog_description: null, author_name: null }
const TEXTS = { blog_title: "Ann <b>sails</b>", blog_description: "About the bay & the sea.", author_name: "Ann Ö" }
const LIMITS = [
  ["blog_title", 100],
  ["blog_description", 300],
  ["author_name", 100],
] as const

const ownAccount = async (key: string) => (await call("GET", `${API}/account/`, { key })).json.account

describe("the texts of an account in the operator API", () => {
  it("an account has no title, description and author name until they are set", async () => {
    const { username, key } = await newAuthor()
    expect(await ownAccount(key)).toMatchObject(NONE)
    const { json } = await call("GET", `/operator/api/accounts/${username}/`, { headers: OPERATOR })
    expect(json.account).toMatchObject(NONE)
  })

  it("the operator API sets the texts, keeps those that it does not send, and clears them with null", async () => {
    const { username, key } = await newAuthor()
    const { status, json } = await setAccount({ username }, TEXTS)
    expect([status, json.account]).toEqual([200, expect.objectContaining(TEXTS)])
    await setAccount({ username }, { blog_title: "Another" })
    // The audit log outlives an erased account.
    expect((await auditLogOf(username)).at(-1)).toBe("api set_account blog_title: changed")
    expect(await ownAccount(key)).toMatchObject({ ...TEXTS, blog_title: "Another" })
    await setAccount({ username }, NONE)
    expect(await ownAccount(key)).toMatchObject(NONE)
    expect((await auditLogOf(username)).at(-1)).toBe(
      "api set_account blog_title: null; blog_description: null; author_name: null",
    )
  })

  it.each(LIMITS)("%s of an account has at most %i code points after NFC", async (field, max) => {
    const { username } = await newAuthor()
    for (const text of [FISH.repeat(max), "e\u0301".repeat(max)]) {
      const { status, json } = await setAccount({ username }, { [field]: text })
      expect([status, json.account?.[field]]).toEqual([200, text.normalize("NFC")])
    }
    const { status, json } = await setAccount({ username }, { [field]: FISH.repeat(max + 1) })
    expect([status, json.errors]).toEqual([
      400,
      [{ field, code: "too_long", message: `At most ${max} characters; this has ${max + 1}.` }],
    ])
  })

  it.each([
    ["nothing", "", "blank"],
    ["blanks", " \u3000", "blank"],
    ["a line break", "a\nb", "invalid"],
    ["a character that turns text", "a\u202eb", "invalid"],
    ["NUL", "a\0b", "invalid"],
    ["a lone surrogate", "a\ud800b", "invalid"],
    ["a number", 1, "invalid"],
  ])("texts of an account are refused with %s", async (_, text, code) => {
    const { username } = await newAuthor()
    for (const [field] of LIMITS) {
      const { status, json } = await setAccount({ username }, { [field]: text })
      expect([status, json.errors?.map((error: { field: string; code: string }) => [error.field, error.code])]).toEqual(
        [400, [[field, code]]],
      )
    }
  })
})

describe("the texts of an account in the settings", () => {
  it("the settings link to the blog of the account", async () => {
    const { browser, username } = await signIn()
    expect((await browser.get("/settings/")).html).toContain(`<a href="http://localhost:8787/@${username}/">`)
  })

  it("the settings save the texts, show them in the form, and clear them when the inputs are empty", async () => {
    const { browser, key } = await signIn()
    const saved = await browser.post("/settings/blog/", TEXTS)
    expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/settings/?saved=1"])
    expect(await ownAccount(key)).toMatchObject(TEXTS)
    const { html } = await browser.get("/settings/")
    expect(html).toMatch(/<input id="blog-title"[^>]*value="Ann &lt;b&gt;sails&lt;\/b&gt;"/)
    expect(html).toMatch(/<input id="blog-description"[^>]*value="About the bay &amp; the sea\."/)
    expect(html).toMatch(/<input id="author-name"[^>]*value="Ann Ö"/)
    await browser.post("/settings/blog/", { blog_title: "", blog_description: "", author_name: "" })
    expect(await ownAccount(key)).toMatchObject(NONE)
  })

  it("the settings mark a text that is too long or has control characters, and keep everything that was typed", async () => {
    const { browser, key } = await signIn({ blog_title: "Before" })
    const typed = { blog_title: "x".repeat(101), blog_description: "Fine", author_name: "a\u202eb" }
    const { status, html } = await browser.post("/settings/blog/", typed)
    expect(status).toBe(400)
    expect(html).toContain("<strong>Title</strong>: At most 100 characters; this has 101.")
    expect(html).toMatch(/id="author-name-error"[^>]*><strong>Your name<\/strong>: Holds a line break/)
    expect(html).toMatch(/<input id="blog-title"[^>]*value="x{101}"[^>]*aria-invalid="true"/)
    expect(html).toMatch(/<input id="blog-description"[^>]*value="Fine"/)
    expect(html).not.toContain('id="blog-description-error"')
    // The other form of the page shows what is stored.
    expect(html).toMatch(/<input id="primary-language"[^>]*value="en"/)
    expect(await ownAccount(key)).toMatchObject({ ...NONE, blog_title: "Before" })
  })

  it("the settings refuse a form without a field, so that no text is cleared by mistake", async () => {
    const { browser, key } = await signIn(TEXTS)
    const { status, html } = await browser.post("/settings/blog/", { blog_title: "Another" }, { Accept: "*/*" })
    expect([status, JSON.parse(html).errors.map(({ field, code }: Record<string, string>) => [field, code])]).toEqual([
      400,
      [
        ["blog_description", "required"],
        ["author_name", "required"],
      ],
    ])
    expect(await ownAccount(key)).toMatchObject(TEXTS)
  })

  it("saving the texts keeps the languages, and saving the languages keeps the texts", async () => {
    const { browser, key } = await signIn({ translation_languages: ["fr"] })
    await browser.post("/settings/blog/", TEXTS)
    expect(await ownAccount(key)).toMatchObject({ ...TEXTS, translation_languages: ["fr"] })
    await browser.post("/settings/languages/", { primary_language: "de", translation_languages: "" })
    expect(await ownAccount(key)).toMatchObject({ ...TEXTS, primary_language: "de", translation_languages: [] })
  })
})

it("the operator's page of an account shows its texts, escaped, and nothing for an account without them", async () => {
  const browser = await signInOperator()
  const { html } = await browser.get(pathOf((await newAuthor(TEXTS)).username))
  expect(html).toContain("Blog title: Ann &lt;b&gt;sails&lt;/b&gt;")
  expect(html).toContain("Blog description: About the bay &amp; the sea.")
  expect(html).toContain("Author: Ann Ö")
  expect((await browser.get(pathOf((await newAuthor()).username))).html).not.toMatch(/Blog title|Blog desc|Author:/)
})
