import { expect, it } from "vitest"

import { setAccount } from "../calls.ts"
import { call, ORIGIN } from "../support.ts"
import { newDesk, newQueued, setUpTranslations } from "../translations/author.ts"

setUpTranslations()

const NOTE = /<p class="byline">\s*<bdi\s*>([^<]*?)\s*<a ([^>]*)><bdi>([^<]*)<\/bdi><\/a>/

/** Returns the words of a page's note, the attributes of its link and the name of the source language; null without a note. */
const noteIn = (html: string) => {
  const found = NOTE.exec(html)
  return found && found.slice(1)
}

/** Makes a post that an engine has translated into each language. */
const newTranslated = async (languages: string[], input: Record<string, unknown> = {}) => {
  const post = await newQueued({ translation_languages: languages, ...input })
  await post.run()
  const see = async (lang?: string) => {
    const { status, text } = await post.desk.page(post.slug, lang)
    expect(status).toBe(200)
    return text
  }
  return { ...post, see, base: `${ORIGIN}/@${post.desk.username}/${post.slug}/` }
}

it.each([
  ["de", "en", "Maschinell übersetzt. Original:", "English"],
  ["pt-BR", "en", "Tradução automática. Original:", "English"],
  ["zh-TW", "en", "機器翻譯。原文：", "English"],
  ["en", "fr", "Translated by machine. Original:", "français"],
  ["ar", "he", "ترجمة آلية. الأصل:", "עברית"],
  ["he", "en", "תרגום מכונה. מקור:", "English"],
  ["fa", "en", "Translated by machine. Original:", "English"],
])(
  "the page in %s of a post in %s says that a machine translated it, and links to the original",
  async (to, from, words, name) => {
    const { see, base } = await newTranslated([to], { primary_language: from })
    const link = `href="${base}" hreflang="${from}" lang="${from}"`
    expect(noteIn(await see(to))).toEqual([words, link, name])
    expect(noteIn(await see())).toBeNull()
  },
)

it("feeds, lists and what programs read have no note of a translation", async () => {
  const { desk, slug } = await newTranslated(["de"])
  for (const path of ["", "feed.atom", "feed.rss", "feed.json"]) {
    const { text } = await call("GET", `/@${desk.username}/${path}?lang=de`)
    expect(text).toContain("world·de")
    expect(text).not.toContain("Maschinell")
  }
  expect((await desk.get(slug, "de")).text).not.toContain("Maschinell")
})

it("a translation has a note until its body is edited by hand", async () => {
  const { patch, see, slug, desk } = await newTranslated(["de"])
  await patch({ lang_code: "de", title: "Titel", meta_description: "Worum es geht." })
  expect(await see("de")).toContain("Titel")
  expect(noteIn(await see("de"))).not.toBeNull()
  await patch({ lang_code: "de", body: "Einige Worte." })
  expect(noteIn(await see("de"))).toBeNull()
  await desk.send("POST", `${slug}/translations/de/`, { discard_edits: ["body"] })
  await desk.run()
  expect(noteIn(await see("de"))).not.toBeNull()
})

it("an account turns the note of its translations off and on", async () => {
  const { desk, see } = await newTranslated(["de"])
  const seen = []
  for (const shows_translation_note of [false, true]) {
    expect((await setAccount(desk, { shows_translation_note })).json.account).toMatchObject({ shows_translation_note })
    seen.push(noteIn(await see("de")) !== null)
  }
  expect(seen).toEqual([false, true])
})

it("the preview of a draft's translation has a note that links to the preview of the original", async () => {
  const desk = await newDesk()
  const { preview_url } = await desk.create({ status: "DF", translation_languages: ["de"] })
  await desk.run()
  const { pathname } = new URL(preview_url)
  expect(noteIn((await call("GET", `${pathname}de/`)).text)?.[1]).toBe(`href="${preview_url}" hreflang="en" lang="en"`)
  expect(noteIn((await call("GET", pathname)).text)).toBeNull()
})
