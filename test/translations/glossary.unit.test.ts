import { readFileSync } from "node:fs"
import { join } from "node:path"

import { expect, it } from "vitest"

import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { endingsOf, needlesOf } from "../../src/translations/endings.ts"
import { type GlossaryEntry, openGlossary } from "../../src/translations/glossary.ts"

const kept = (term: string): GlossaryEntry => ({ term, keep: true, translations: {}, note: null })
const translated = (term: string, translation: string, to = "de"): GlossaryEntry => ({
  term,
  keep: false,
  translations: { [to]: translation },
  note: null,
})

/** Finds terms in an English text. */
const find = (text: string, entries: GlossaryEntry[], from = "en"): string[] =>
  openGlossary(entries, from, "de")
    .find(text)
    .map(({ start, end }) => text.slice(start, end))

/** Finds terms that have a translation. */
const findTranslated = (text: string, terms: string[], from?: string): string[] =>
  find(
    text,
    terms.map((term) => translated(term, "x")),
    from,
  )

it.each<[name: string, text: string, terms: string[], found: string[], from?: string]>([
  ["words, not parts of words", "a cloud, cloudy, subcloud, cloud_a", ["cloud"], ["cloud"]],
  ["a term in lower case in any case", "Cloud CLOUD cloud", ["cloud"], ["Cloud", "CLOUD", "cloud"]],
  ["a term with a capital letter as it is written", "Go go GO", ["Go"], ["Go"]],
  ["the longest term first", "an edge cloud, a cloud", ["cloud", "edge cloud"], ["edge cloud", "cloud"]],
  ["terms that begin alike", "edgy edge ed", ["ed", "edge", "edgy"], ["edgy", "edge", "ed"]],
  ["English endings", "posts, boxes, post's, poster", ["post", "box"], ["posts", "boxes", "post"]],
  ["endings of each word", "in großen Wolken", ["großer Wolke", "groß Wolke"], ["großen Wolken"], "de"],
  ["Russian cases, whose last letter gives way", "с книгой и книг, книжный", ["книга"], ["книгой", "книг"], "ru"],
  ["no ending of a word with two letters", "uis ui", ["ui"], ["ui"]],
  ["terms over a line ending and several blanks", "Big\nEdge, Big  Edge", ["Big Edge"], ["Big\nEdge", "Big  Edge"]],
  ["both apostrophes", "l'eau l’eau", ["l’eau"], ["l'eau", "l’eau"], "fr"],
  ["terms with signs at their edges", "C++ C+ .NET ASP.NET x++", ["C++", ".NET"], ["C++", ".NET"]],
  [
    "signs that have a meaning in patterns",
    "a.b axb [x] (y)* $z^",
    ["a.b", "[x]", "(y)*", "$z^"],
    ["a.b", "[x]", "(y)*", "$z^"],
  ],
  ["words without blanks beside each other", "新東京駅で", ["東京"], ["東京"], "ja"],
  ["Latin words between Chinese ones", "使用Edgepost发布", ["Edgepost"], ["Edgepost"], "zh"],
  ["Korean words with a particle", "Edgepost는 한국어를", ["Edgepost", "한국어"], ["Edgepost", "한국어"], "ko"],
  ["Thai words", "ในกรุงเทพมหานครวันนี้", ["กรุงเทพมหานคร"], ["กรุงเทพมหานคร"], "th"],
  ["Arabic words", "في السحابة اليوم", ["السحابة"], ["السحابة"], "ar"],
  [
    "Turkish words with a dotted capital letter",
    "İstanbul ve İzmir",
    ["İstanbul", "İzmir"],
    ["İstanbul", "İzmir"],
    "tr",
  ],
  [
    "German words in capitals, with ß or ẞ",
    "STRAẞE GRÖẞE Straße",
    ["straße", "größe"],
    ["STRAẞE", "GRÖẞE", "Straße"],
    "de",
  ],
  ["Greek words in capitals", "Ο ΛΟΓΟΣ του", ["λόγος", "λογος"], ["ΛΟΓΟΣ"], "el"],
  ["words that are written decomposed", "a U\u0308ni\u0308code name", ["Ünïcode"], ["U\u0308ni\u0308code"]],
  ["letters outside of the BMP", "the 𝔘nix 𠮷野家", ["𝔘nix", "𠮷野"], ["𝔘nix", "𠮷野"], "ja"],
])("a glossary finds %s", (_name, text, terms, found, from) => {
  expect(find(text, terms.map(kept), from)).toEqual(found)
})

it.each<[name: string, text: string, terms: string[], found: string[], from?: string]>([
  ["at its start and end", "an add-on, to re-add and wp-content; add content", ["add", "content"], ["add", "content"]],
  ["in the middle", "state-of-the-art art", ["art", "of"], ["art"]],
  ["with an ending", "posts-only, only-posts, posts", ["post"], ["posts"]],
  ["before a number", "invoice-2026, an invoice 2026", ["invoice"], ["invoice"]],
  ["with other hyphens", "add‐on add‑on add－on add\u00ADon", ["add"], []],
  ["in Cyrillic", "онлайн-курс и курс", ["курс"], ["курс"], "ru"],
  ["in Hebrew", "בית־ספר וגם ספר", ["ספר"], ["ספר"], "he"],
  ["in Armenian", "ա֊գիր և գիր", ["գիր"], ["գիր"], "hy"],
  ["in Korean", "인터넷-뱅킹과 뱅킹", ["뱅킹"], ["뱅킹"], "ko"],
  ["with a longer term that is the word", "an add-on, add-on-manager", ["add", "add-on"], ["add-on"]],
])("a term with a translation is no part of a hyphenated word: %s", (_name, text, terms, found, from) => {
  expect(findTranslated(text, terms, from)).toEqual(found)
})

it.each<[name: string, text: string, terms: string[], found: string[], from?: string]>([
  ["a dash", "add--content – add—content", ["add", "content"], ["add", "content", "add", "content"]],
  ["a hyphen at an edge of a word", "-add add- content", ["add"], ["add", "add"]],
  ["a script without blanks", "東京-大阪、東京-Label", ["東京"], ["東京", "東京"], "ja"],
  ["an apostrophe", "l’add, add’s", ["add"], ["add", "add"], "fr"],
])("a term with a translation is found beside %s", (_name, text, terms, found, from) => {
  expect(findTranslated(text, terms, from)).toEqual(found)
})

it("a term that is kept is found in a hyphenated word as well, since an engine must not translate the name", () => {
  expect(find("Edgepost-based, an un-Edgepost", [kept("Edgepost")])).toEqual(["Edgepost", "Edgepost"])
})

it("a translation that has the term in a hyphenated word does not lack it", () => {
  const { hasTranslation } = openGlossary([translated("invoice", "Rechnung")], "en", "de")
  const [term] = openGlossary([translated("invoice", "Rechnung")], "en", "de").find("invoice")
  expect(term && hasTranslation("Die Rechnungs-PDF", term.term)).toBe(true)
})

it.each<[translation: string, text: string, has: boolean, to?: string]>([
  ["Rechnung", "Die RECHNUNGEN liegen bereit.", true],
  ["Rechnung", "Die Rechnungsnummer fehlt.", false],
  ["Rechnung", "Die Berechnung fehlt.", false],
  ["große Wolke", "in den großen Wolken", true],
  ["große Wolke", "die Wolke, die große", false],
  ["facture", "les factures", true, "fr"],
  ["счёт", "со счётами", true, "ru"],
  ["фактура", "по фактурам", true, "ru"],
  ["請求書", "この請求書を送る", true, "ja"],
  ["請求書", "この請求を送る", false, "ja"],
  ["송장", "송장을 보낸다", true, "ko"],
  ["فاتورة", "هذه فاتورة جديدة", true, "ar"],
  ["İstanbul", "Bugün İSTANBUL’da", true, "tr"],
  ["istanbul", "Bugün İSTANBUL’da", true, "tr"],
  ["go go", "xgo go go", true, "en"],
  ["Café", "Im Cafe\u0301.", true],
])("of the translation “%s”, “%s” has it: %s", (translation, text, has, to = "de") => {
  const { find: seek, hasTranslation } = openGlossary([translated("invoice", translation, to)], "en", to)
  const term = seek("an invoice")[0]?.term
  expect(term && hasTranslation(text, term)).toBe(has)
})

it("an entry counts for a language with its translation, or for the language without a region, or if it is kept", () => {
  const entries = [translated("one", "um", "pt"), translated("two", "dois", "pt-BR"), kept("three")]
  const into = (to: string) =>
    openGlossary(entries, "en", to)
      .find("one two three")
      .map(({ term }) => term.translation)
  expect(into("pt-BR")).toEqual(["um", "dois", null])
  expect(into("pt")).toEqual(["um", null])
  expect(into("fr")).toEqual([null])
})

it("a translation that Chinese of Taiwan lacks is that of traditional Chinese, then of any", () => {
  const translations = { zh: "云", "zh-Hant": "雲" }
  const entries = [{ term: "cloud", keep: false, translations, note: null }]
  const into = (to: string) => openGlossary(entries, "en", to).find("cloud")[0]?.term.translation
  expect([into("zh-Hant-TW"), into("zh-CN"), into("zh-Hant")]).toEqual(["雲", "云", "雲"])
})

it("terms that all begin alike are refused where they would be compared too often", () => {
  const entries = Array.from({ length: 500 }, (_, i) => kept(`${"a ".repeat(40)}${i}`))
  expect(() => openGlossary(entries, "en", "de").find("a ".repeat(100_000))).toThrow(TooComplex)
})

it.each([
  ["C++ R&D", ["C++", "C\\+\\+"]],
  ["'", ["'", "\\'"]],
  ["of R&D", ["R&D", "R\\&D", "R&amp;D"]],
  ["книга", ["книг", "Книг", "КНИГ"]],
])("posts with the term %s are found by its longest word as Markdown writes it", (term, needles) => {
  expect(needlesOf(term)).toEqual(needles)
})

it.each([
  ["English", "en"],
  ["German", "de"],
  ["Dutch", "nl"],
  ["Danish, Norwegian, Swedish", "nb"],
  ["French", "fr-CA"],
  ["Spanish, Portuguese, Catalan", "pt-BR"],
  ["Italian", "it"],
  ["Polish, Czech, Slovak, Slovenian, Croatian", "sl"],
  ["Russian, Ukrainian, Bulgarian", "uk"],
])("docs/translations.md lists the endings of %s words", (name, code) => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/translations.md"), "utf8")
  const row = docs.split("\n").find((line) => line.startsWith(`| ${name} `)) ?? ""
  expect(row.match(/`[^`]+`/g)?.map((ending) => ending.slice(1, -1))).toEqual(endingsOf("www", code).endings)
})
