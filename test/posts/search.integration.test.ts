import { beforeAll, expect, it } from "vitest"

import { Browser, newLink, signIn } from "../author-pages/browser.ts"
import { patch } from "../calls.ts"
import { beforeCall } from "../faults.ts"
import { checkInvariants } from "../faults/invariants.ts"
import { pathOf, signInOperator } from "../operator/operator.ts"
import { newPost, rows, runCron, stopClock, unique } from "../support.ts"
import { newDesk, newQueued } from "../translations/author.ts"

/** Titles in 13 scripts, and what their readers type to find them. */
const TITLES: [title: string, ...typed: string[]][] = [
  ["Über die Straße", "uber strasse", "ÜBER STRASSE", "straße über"],
  ["Ein Café am Fluß", "cafe\u0301 am FLUSS", "CAFE"],
  ["Une crème brûlée, s’il vous plaît", "creme brulee", "s'il vous plait"],
  ["Ann’s “quick” guide", "ann's guide", 'ANN´S "quick"', "anns"],
  ["İstanbul’da ağır ışık", "istanbul isik", "ISTANBUL IŞIK", "istanbul'da"],
  ["Łódź i Gdańsk", "lodz gdansk", "ŁÓDŹ"],
  ["Đà Nẵng về đêm", "da nang ve dem", "ĐÀ NẴNG"],
  ["Ærø og Þingvellir", "aero thingvellir", "ÆRØ"],
  ["Re\u00ADsumé of an e\u2011mail", "resume e-mail", "E-MAIL"],
  ["Η Αθήνα της άνοιξης", "ΑΘΗΝΑ ΆΝΟΙΞΗΣ", "αθηνα ανοιξησ", "ανοιξη"],
  ["Ὀδυσσεύς", "οδυσσευς", "ΟΔΥΣΣΕΥΣ"],
  ["ПРИВЕТ мир", "привет", "МИР привет"],
  ["Ёлка в снегу", "елка снегу", "ЁЛКА"],
  ["Київ і його їжаки", "іжаки киів", "КИЇВ"],
  ["مَرْحَبًا بالعالم", "مرحبا بالعالم"],
  ["أخبار إيران", "اخبار ايران", "إيران أخبار"],
  ["می\u200Cخواهم بروم", "میخواهم"],
  ["שָׁלוֹם עולם", "שלום"],
  ["צה״ל בירושלים", 'צה"ל', "בירושלים צהל"],
  ["हिन्दी में ज़रूरी बातें", "जरूरी हिन्दी", "ज़रूरी"],
  ["தமிழ் வலைப்பதிவு", "வலைப்பதிவு தமிழ்"],
  ["กำลังใจที่ดี", "กำลังใจ", "ที่ดี"],
  ["北京的春天", "春天 北京", "北京"],
  ["ＡＰＩ入門", "api 入門", "ＡＰＩ"],
  ["パンとコーヒー", "ﾊﾟﾝ", "コーヒー パン", "\u30CF\u309A\u30F3"],
  ["がっこうへいく", "か\u3099っこう", "がっこう"],
  ["한국어 블로그", "블로그 한국어", "한국어".normalize("NFD"), "한국"],
  ["Բարեւ Հայաստան", "ԲԱՐԵՒ", "հայաստան"],
  ["ქართული ბლოგი", "ᲥᲐᲠᲗᲣᲚᲘ", "ბლოგი"],
  ["100% of C++ & .NET – part Ⅳ", "c++ 100%", ".net iv", "part iv"],
]

/** Returns forms of a title that find it as well: other cases, decomposed, without marks, in another order. */
const formsOf = (title: string): string[] => [
  title,
  title.toUpperCase(),
  title.toLowerCase(),
  title.normalize("NFD"),
  title.normalize("NFKD").replaceAll(/\p{M}/gu, ""),
  title.split(" ").toReversed().join(" "),
]

type Signed = Awaited<ReturnType<typeof signIn>>

/** Returns the slugs of an author's list of posts, the newest first. */
const find = async (text: string, browser: Browser, path = "/settings/posts/"): Promise<string[]> => {
  const { status, html } = await browser.get(`${path}?limit=100&q=${encodeURIComponent(text)}`)
  expect(status).toBe(200)
  return [...html.matchAll(/<code>([a-z0-9-]+)<\/code>/g)].map(([, slug = ""]) => slug)
}

const write = async (author: Signed): Promise<[title: string, slug: string][]> => {
  const written: [string, string][] = []
  for (const [title] of TITLES) written.push([title, (await newPost(author, { title, slug: unique("text") })).slug])
  return written
}

let author: Signed
let operator: Browser
let slugs: Map<string, string>
beforeAll(async () => {
  author = await signIn()
  operator = await signInOperator()
  slugs = new Map(await write(author))
})

it.each(TITLES)(
  "the title %s is found in any case, with and without marks, its words in any order",
  async (...texts) => {
    const [title, ...typed] = texts
    for (const text of [...formsOf(title), ...typed])
      expect.soft([text, await find(text, author.browser)]).toEqual([text, [slugs.get(title)]])
    expect(await find(title, operator, `${pathOf(author.username)}posts/`)).toEqual([slugs.get(title)])
  },
)

it.each([
  ["words of a title and of the slug", () => `uber ${slugs.get("Über die Straße")}`, 1],
  ["words of two titles", () => "uber cafe", 0],
  [
    "a hundred different words",
    () => Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(" "),
    0,
  ],
  ["marks and apostrophes alone", () => "’ \u0301", 0],
])("a search for %s finds posts that have all words", async (_, text, count) => {
  expect(await find(text(), author.browser)).toHaveLength(count)
})

const BYTES = "select username, text_bytes from accounts union all select slug, text_bytes from posts order by 1"
const UNFOLDED = "select count(*) as count from posts where has_unfolded = 1"

/** Makes the posts of an author those of a version without folded titles. */
const unfold = async ({ username }: Signed): Promise<void> => {
  const isIts = "account_id = (select id from accounts where username = ?)"
  await rows(
    `update accounts set text_bytes = text_bytes - (select sum(octet_length(folded_titles)) from posts where account_id = accounts.id)
      where username = ?`,
    username,
  )
  await rows(
    `update posts set text_bytes = text_bytes - octet_length(folded_titles), folded_titles = '', has_unfolded = 1 where ${isIts}`,
    username,
  )
}

it("posts of before are found by A to Z and by their slugs, and by all letters once the scheduled job has folded their titles", async () => {
  const before = await rows(BYTES)
  await unfold(author)
  const find1 = (text: string) => find(text, author.browser)
  expect(await find1("CREME")).toEqual([])
  expect(await find1("EIN CAF am")).toEqual([slugs.get("Ein Café am Fluß")])
  expect(await find1(slugs.get("がっこうへいく") ?? "")).toEqual([slugs.get("がっこうへいく")])
  await runCron()
  expect(await rows(UNFOLDED)).toEqual([{ count: 0 }])
  expect(await rows(BYTES)).toEqual(before)
  for (const [title, slug] of slugs) expect(await find1(title)).toEqual([slug])
})

it("a title that changes while the job folds is found by its new words after the next run, and no byte is counted twice", async () => {
  const [title = "", slug = ""] = [...slugs][1] ?? []
  await unfold(author)
  const DB = beforeCall(/^update "accounts" set "text_bytes".* growth/s, () =>
    patch(author, slug, { title: "Fünf Äpfel" }),
  )
  await runCron({ DB })
  expect(await find("aepfel", author.browser)).toEqual([])
  expect(await find("funf apfel", author.browser)).toEqual([slug])
  await patch(author, slug, { title })
  await runCron()
  expect(await find(title, author.browser)).toEqual([slug])
  expect(await checkInvariants(false)).toEqual([])
})

it("titles that take much more room when they are folded are cut, also by the scheduled job", async () => {
  const long = await signIn()
  // One letter of these becomes a blessing of 18.
  const { slug } = await newPost(long, { title: "ﷺ".repeat(255) })
  for (const lang_code of ["fr", "de"])
    await patch(long, slug, { lang_code, translation_languages: ["fr", "de"], title: "ﷺ".repeat(255) })
  const LENGTH = "select length(folded_titles) as length from posts where slug = ?"
  expect(await rows(LENGTH, slug)).toEqual([{ length: 10_000 }])
  await unfold(long)
  await runCron()
  expect(await rows(LENGTH, slug)).toEqual([{ length: 10_000 }])
  expect(await checkInvariants(false)).toEqual([])
})

it.each(["none", "hold"])(
  "with the review %s, the title that an engine has made is found in any case when readers have it and the job has run",
  async (translation_review) => {
    stopClock()
    const desk = await newDesk({ translation_review })
    const { slug, run } = await newQueued({ title: "Größe" }, desk)
    const browser = new Browser(desk.env)
    await browser.post(await newLink(desk.username))
    await run()
    await runCron()
    expect(await find("GROSSE·FR", browser)).toEqual(translation_review === "none" ? [slug] : [])
    await desk.send("POST", `${slug}/translations/fr/approve/`)
    // The source title is found all the time.
    expect(await find("GROSSE", browser)).toEqual([slug])
    await runCron()
    expect(await find("GROSSE·FR", browser)).toEqual([slug])
    expect(await checkInvariants(false)).toEqual([])
  },
)
