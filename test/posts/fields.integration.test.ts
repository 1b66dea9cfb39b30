import { describe, expect, it } from "vitest"

import { create, patch } from "../calls.ts"
import { newAuthor, newPost, rows, upload } from "../support.ts"
import { refusal, WRITES } from "./requests.ts"

const invalid = (field: string) => [400, "validation_error", field]
const many = (count: number) => Array.from({ length: count }, (_, i) => String(i))
const FISH = "🐟"
/** Two code points that NFC composes, and two that it does not. */
const E_ACUTE = "e\u0301"
const Q_ACUTE = "q\u0301"
const MALFORMED = ["a\0b", "a\ud83db", "a\udc1fb"]
const EXACT = `  # A\u00a0title \r\n\r\n\ttab  \n${E_ACUTE} é \ufeff\u200b ${FISH}\n\n\n`
const TWENTY = Array.from({ length: 20 }, (_, i) => `a${String.fromCharCode(97 + i)}`)

const KEPT: [field: string, what: string, ...values: unknown[]][] = [
  ["title", "1 or 255 characters", "x", "x".repeat(255), FISH.repeat(255), Q_ACUTE.repeat(127)],
  ["title", "markup", "<b>&amp;</b>"],
  ["meta_description", "1 or 300 characters", "x", "x".repeat(300), FISH.repeat(300)],
  ["body", "262 144 bytes", "x".repeat(262_144), "é".repeat(131_072)],
  ["body", "blanks and letters that NFC changes", EXACT],
  ["categories", "10 names of up to 64 characters", many(10), ["x".repeat(64)], [FISH.repeat(64)]],
  ["tags", "20 names of up to 64 characters", many(20), ["x".repeat(64)], [FISH.repeat(64)]],
  ["tags", "no names", []],
  ["status", "DF or PB", "DF", "PB"],
  ["translation_languages", "20 codes", TWENTY],
]

const NORMALIZED: [field: string, what: string, sent: unknown, kept: unknown][] = [
  ["title", "255 code points after NFC", E_ACUTE.repeat(255), "é".repeat(255)],
  ["meta_description", "300 code points after NFC", E_ACUTE.repeat(300), "é".repeat(300)],
  ["categories", "a comma-separated string", "news, More News ,x", ["news", "More News", "x"]],
  ["categories", "an array", ["news", " More News "], ["news", "More News"]],
  ["categories", "a string of 10 names", many(10).join(), many(10)],
  ["categories", "11 names of which two are equal", [...many(10), "0"], many(10)],
  ["categories", "11 names of which one is empty", `${many(10).join()},`, many(10)],
  ["categories", "64 characters and blanks around", ` ${"x".repeat(64)} `, ["x".repeat(64)]],
  ["categories", "64 code points after NFC", [E_ACUTE.repeat(64)], ["é".repeat(64)]],
  ["categories", "two spellings of one name in NFC", ["é", E_ACUTE], ["é"]],
  ["tags", "a comma-separated string in upper case", "News, ÄRGER ,x", ["news", "ärger", "x"]],
  ["tags", "an array in upper case", ["News", " B "], ["news", "b"]],
  ["tags", "names equal in lower case", "News,NEWS,news", ["news"]],
  ["tags", "a string of 20 names", many(20).join(), many(20)],
  ["tags", "21 names of which two are equal", [...many(20), "0"], many(20)],
  ["tags", "64 code points of two UTF-16 units", FISH.repeat(64), [FISH.repeat(64)]],
  ["tags", "an empty string", "", []],
  ["tags", "commas and blanks", " ,, ", []],
  ["translation_languages", "lower case and old codes", ["pt-br", "iw", "es-419"], ["pt-BR", "he", "es-419"]],
  ["translation_languages", "other cases", ["FR", "ZH-hant-tw", "sr-latn"], ["fr", "zh-Hant-TW", "sr-Latn"]],
  ["translation_languages", "two spellings of one code", ["pt-br", "fr", "pt-BR", "FR"], ["pt-BR", "fr"]],
  ["translation_languages", "the primary language", ["fr", "EN"], ["fr"]],
]

const BAD_CODES: [what: string, ...codes: string[]][] = [
  ["no code", "", "e", "en_US", "en-", "-en", "12", "*", "en,fr", "a-b", " en", "en\0", "e\ud800", "abcdefghi"],
  ["a private code", "x-private", "en-x-private", "qaa", "qtz-Latn"],
  ["a code with an extension", "en-u-ca-buddhist", "en-t-fr", "en-a-bbb"],
]
/** Ids of other lengths, cases, letters and times, and no ids. */
const BAD_IDS = [
  ["", "picture", "01234567890123456789012345x", "01J0000000000000000000000", "01J000000000000000000000000"],
  ["01j0000000000000000000000z", "01J0000000000000000000000U", "81J0000000000000000000000Z"],
  ["/media/a/blog_img/01J0000000000000000000000Z.webp", ...MALFORMED],
].flat()

const REFUSED: [field: string, what: string, ...values: unknown[]][] = [
  ["title", "too long", "x".repeat(256), FISH.repeat(256), E_ACUTE.repeat(256), Q_ACUTE.repeat(128)],
  ["title", "empty", "", " \t\n\u00a0\u3000"],
  ["meta_description", "too long", "x".repeat(301), FISH.repeat(301)],
  ["meta_description", "empty", "", "  "],
  ["body", "too long", "x".repeat(262_145), `${"é".repeat(131_072)}x`],
  ["body", "empty", "", "\n \t\n"],
  ["categories", "too long", many(11).join(), many(11), "x".repeat(65), [FISH.repeat(65)]],
  ["categories", "empty", "", [], " , ,, ", ["", " "]],
  ["categories", "an array of something else than names", ["a", "b,c"], ["a", 1, null]],
  ["tags", "too long", many(21).join(), many(21), "x".repeat(65), [FISH.repeat(65)], `a${FISH.repeat(70)}`],
  ["tags", "an array with a comma", ["a,b"], [`a${FISH.repeat(90)},`]],
  ["status", "neither DF nor PB", "", "df", "pb", "PB ", "Draft", "Published", "XX"],
  ["image_ids", "malformed", ...BAD_IDS.map((id) => [id])],
  ["translation_languages", "too long", [...TWENTY, "fr"]],
  ["translation_languages", "malformed", ...MALFORMED.map((text) => [text])],
  ...BAD_CODES.flatMap(([what, ...codes]): typeof REFUSED => [
    ["primary_language", what, ...codes],
    ["translation_languages", what, ...codes.map((code) => ["fr", code])],
  ]),
  ["title", "malformed", ...MALFORMED],
  ["meta_description", "malformed", ...MALFORMED],
  ["body", "malformed", ...MALFORMED],
  ["status", "malformed", ...MALFORMED],
  ["tags", "malformed", ...MALFORMED],
  ["categories", "malformed", ...MALFORMED.map((text) => `news,${text}`), ...MALFORMED.map((text) => ["news", text])],
  ["tags", "malformed in an array", ...MALFORMED.map((text) => ["x", text])],
]

/** Each reference repeats its definition. */
const repeating = (letters: number) => `[a]: /${"x".repeat(2000)}\n\n${"[a] ".repeat(500)}${"y".repeat(letters)}`

describe.each(WRITES)("$verb of a post", ({ send }) => {
  it.each(KEPT)("a post keeps the field %s as it was sent: %s", async (field, _, ...values) => {
    const author = await newAuthor()
    for (const value of values) expect((await send(author, { [field]: value })).json.post?.[field]).toEqual(value)
  })

  it.each(NORMALIZED)("a post keeps the field %s normalized: %s", async (field, _, sent, kept) => {
    expect((await send(await newAuthor(), { [field]: sent })).json.post?.[field]).toEqual(kept)
  })

  it.each(REFUSED)("a post is refused if its field %s is %s", async (field, _, ...values) => {
    const author = await newAuthor()
    for (const value of values)
      expect(refusal(await send(author, { [field]: value })), JSON.stringify(value)).toEqual(invalid(field))
  })

  it("a post whose rendered HTML has 1 MiB is accepted, and one with a byte more is refused", async () => {
    const author = await newAuthor()
    const htmlOf = async (letters: number) => (await send(author, { body: repeating(letters) })).json.post.html
    const letters = 1 + 1_048_576 - (await htmlOf(1)).length
    expect(await htmlOf(letters)).toHaveLength(1_048_576)
    expect(refusal(await send(author, { body: repeating(letters + 1) }))).toEqual([400, "body_too_complex", "body"])
  })

  it("a post takes 8 image_ids and a repeated one once, and is refused with 9, even if all are the same", async () => {
    const author = await newAuthor()
    const images: { image_id: string; image_url: string }[] = []
    for (let i = 0; i < 8; i++) {
      const { image_id, image_url } = await upload(author)
      images.unshift({ image_id, image_url })
    }
    const ids = images.map(({ image_id }) => image_id)
    const sendIds = (image_ids: unknown[]) => send(author, { body: "b", image_ids })
    const same = (count: number) => Array.from({ length: count }, () => ids[0])
    expect(refusal(await sendIds(same(9)))).toEqual(invalid("image_ids"))
    expect(await rows("select * from post_images where image_id = ?", ids[0])).toEqual([])
    expect((await sendIds([])).json.post.image_ids).toEqual([])
    expect((await sendIds(ids)).json.post).toMatchObject({ image_ids: ids, images })
    expect((await sendIds(same(8))).json.post.image_ids).toEqual(same(1))
  })

  it("unknown fields of a post are ignored, and each gets a warning", async () => {
    const odd = ["author", "slug_", "scheduled", "Title", "", "a.b", "名前"]
    const names = [...odd, ...many(30).map((name) => `field_${name}`)]
    const { json } = await send(await newAuthor(), Object.fromEntries(names.map((name) => [name, "x"])))
    expect(json.success).toBe(true)
    expect(json.warnings.map(({ field }: { field: string }) => field)).toEqual(names)
  })

  it("a post with more than 100 errors gets 100, and every wrong field keeps its first one", async () => {
    const tags = Array<string>(200).fill("\0")
    const { json } = await send(await newAuthor(), { tags, categories: tags, title: "", source: "" })
    const fields = json.errors.map(({ field }: { field: string }) => field.split(".")[0])
    expect(fields).toHaveLength(100)
    expect(new Set(fields)).toEqual(new Set(["tags", "categories", "title", "source"]))
  })

  it("a post sent with several wrong fields gets all errors at once", async () => {
    const bad = {
      title: "",
      status: "XX",
      categories: "",
      tags: many(21),
      meta_description: "x".repeat(301),
      body: " ",
      image_ids: ["x"],
      primary_language: "und",
      translation_languages: ["x-y"],
    }
    const [status, code, ...fields] = refusal(await send(await newAuthor(), bad))
    expect([status, code]).toEqual([400, "validation_error"])
    expect(fields).toEqual(expect.arrayContaining(Object.keys(bad)))
  })

  it("a post with a meta_description of less than 120 or more than 160 characters gets a warning", async () => {
    const author = await newAuthor()
    for (const length of [1, 119, 120, 160, 161, 300]) {
      const { json } = await send(author, { meta_description: FISH.repeat(length) })
      const message = `120 to 160 characters are recommended; this has ${length}.`
      const warning = { field: "meta_description", code: "length", message }
      expect(json.warnings, message).toEqual(length === 120 || length === 160 ? [] : [warning])
    }
  })

  it("the author of a post is the account of the API key, even if the request names another", async () => {
    const [ann, bob] = [await newAuthor(), await newAuthor()]
    const { json } = await send(ann, { author: bob.username, account_id: bob.username })
    expect(json.post.author).toBe(ann.username)
  })
})

it("a list that is too long in a PATCH of a post does not hide the errors of other fields", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const bad = { image_ids: many(9), body: "b", slug: "another", lang_code: "fr" }
  const [status, code, ...fields] = refusal(await patch(author, slug, bad))
  expect([status, code]).toEqual([400, "validation_error"])
  expect(new Set(fields)).toEqual(new Set(["image_ids", "lang_code", "slug"]))
})

it("creating a post with an invalid field answers 400 and stores no post", async () => {
  const before = await rows("select count(*) as n from posts")
  expect((await create(await newAuthor(), { title: "" })).status).toBe(400)
  expect(await rows("select count(*) as n from posts")).toEqual(before)
})

it.each([[""], [[]]])("PATCH of a post with the tags %j removes all its tags", async (tags) => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { tags: "a,b" })
  expect((await patch(author, slug, { tags })).json.post.tags).toEqual([])
})
