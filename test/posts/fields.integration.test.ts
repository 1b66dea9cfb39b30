import { describe, expect, it } from "vitest"

import { newAuthor, newPost, rows, upload } from "../support.ts"
import { create, patch, read, refusal, WRITES } from "./requests.ts"

const invalid = (field: string) => [400, "validation_error", field]
const many = (count: number, chars = 1) =>
  Array.from({ length: count }, (_, i) =>
    String(i)
      .padStart(chars, "x")
      .slice(-Math.max(chars, String(i).length)),
  )
const FISH = "🐟"
/** Two code points that NFC composes, and two that it does not. */
const E_ACUTE = "e\u0301"
const Q_ACUTE = "q\u0301"

/** Each reference repeats its definition. */
const repeating = (letters: number) => `[a]: /${"x".repeat(2000)}\n\n${"[a] ".repeat(500)}${"y".repeat(letters)}`

describe.each(WRITES)("$verb of a post", ({ send }) => {
  const accepted = async (changes: Record<string, unknown>) => {
    const { status, json } = await send(await newAuthor(), changes)
    expect([200, 201], JSON.stringify(json).slice(0, 500)).toContain(status)
    return json.post
  }
  const refused = async (changes: Record<string, unknown>) => refusal(await send(await newAuthor(), changes))

  describe("title", () => {
    it.each([
      ["1 character", "x", "x"],
      ["255 characters", "x".repeat(255), "x".repeat(255)],
      ["255 code points of two UTF-16 units", FISH.repeat(255), FISH.repeat(255)],
      ["255 code points after NFC", E_ACUTE.repeat(255), "é".repeat(255)],
      ["254 code points that stay combined of two", Q_ACUTE.repeat(127), Q_ACUTE.repeat(127)],
      ["markup, as it is", "<b>&amp;</b>", "<b>&amp;</b>"],
    ])("a post is accepted with a title of %s", async (_, title, kept) => {
      expect((await accepted({ title })).title).toBe(kept)
    })

    it.each([
      ["256 characters", "x".repeat(256)],
      ["256 code points of two UTF-16 units", FISH.repeat(256)],
      ["256 code points after NFC", E_ACUTE.repeat(256)],
      ["256 code points that stay combined of two", Q_ACUTE.repeat(128)],
      ["nothing", ""],
      ["blanks", " \t\n\u00a0\u3000"],
    ])("a post is refused with a title of %s", async (_, title) => {
      expect(await refused({ title })).toEqual(invalid("title"))
    })
  })

  describe("meta_description", () => {
    it.each([
      ["1 character", "x", "x"],
      ["300 characters", "x".repeat(300), "x".repeat(300)],
      ["300 code points of two UTF-16 units", FISH.repeat(300), FISH.repeat(300)],
      ["300 code points after NFC", E_ACUTE.repeat(300), "é".repeat(300)],
    ])("a post is accepted with a meta_description of %s", async (_, meta_description, kept) => {
      expect((await accepted({ meta_description })).meta_description).toBe(kept)
    })

    it.each([
      ["301 characters", "x".repeat(301)],
      ["301 code points of two UTF-16 units", FISH.repeat(301)],
      ["nothing", ""],
      ["blanks", "  "],
    ])("a post is refused with a meta_description of %s", async (_, meta_description) => {
      expect(await refused({ meta_description })).toEqual(invalid("meta_description"))
    })
  })

  describe("body", () => {
    it.each([
      ["262 144 bytes", "x".repeat(262_144)],
      ["262 144 bytes of UTF-8 in fewer characters", "é".repeat(131_072)],
    ])("a post is accepted with a body of %s", async (_, body) => {
      expect((await accepted({ body })).body).toBe(body)
    })

    it.each([
      ["262 145 bytes", "x".repeat(262_145)],
      ["262 145 bytes of UTF-8 in fewer characters", `${"é".repeat(131_072)}x`],
      ["nothing", ""],
      ["blanks", "\n \t\n"],
    ])("a post is refused with a body of %s", async (_, body) => {
      expect(await refused({ body })).toEqual(invalid("body"))
    })

    it("a post whose rendered HTML has 1 MiB is accepted, and one with a byte more is refused", async () => {
      const letters = 1 + 1_048_576 - (await accepted({ body: repeating(1) })).html.length
      const { html } = await accepted({ body: repeating(letters) })
      expect(html).toHaveLength(1_048_576)
      expect(await refused({ body: repeating(letters + 1) })).toEqual([400, "body_too_complex", "body"])
    })

    it("creating or changing a post stores its body byte for byte", async () => {
      const body = `  # A\u00a0title \r\n\r\n\ttab  \n${E_ACUTE} é \ufeff\u200b ${FISH}\n\n\n`
      expect((await accepted({ body })).body).toBe(body)
    })

    it("creating or changing a post answers with the body rendered to HTML", async () => {
      expect((await accepted({ body: "# A\n\n*b*" })).html).toBe('<h1 id="a">A</h1>\n<p><em>b</em></p>')
    })
  })

  describe("categories", () => {
    it.each([
      ["a comma-separated string", "news, More News ,x", ["news", "More News", "x"]],
      ["an array", ["news", " More News "], ["news", "More News"]],
      ["10 names in a string", many(10).join(), many(10)],
      ["10 names in an array", many(10), many(10)],
      ["11 names of which two are equal", [...many(10), "0"], many(10)],
      ["11 names of which one is empty", `${many(10).join()},`, many(10)],
      ["64 characters", "x".repeat(64), ["x".repeat(64)]],
      ["64 characters and blanks around", ` ${"x".repeat(64)} `, ["x".repeat(64)]],
      ["64 code points of two UTF-16 units", [FISH.repeat(64)], [FISH.repeat(64)]],
      ["64 code points after NFC", [E_ACUTE.repeat(64)], ["é".repeat(64)]],
      ["two spellings of one name in NFC", ["é", E_ACUTE], ["é"]],
    ])("a post is accepted with categories as %s", async (_, categories, kept) => {
      expect((await accepted({ categories })).categories).toEqual(kept)
    })

    it.each([
      ["11 names in a string", many(11).join()],
      ["11 names in an array", many(11)],
      ["65 characters", "x".repeat(65)],
      ["65 code points of two UTF-16 units", [FISH.repeat(65)]],
      ["nothing", ""],
      ["an empty array", []],
      ["nothing but commas and blanks", " , ,, "],
      ["an array of blanks", ["", " "]],
      ["a comma in an item of an array", ["a", "b,c"]],
      ["an array with a number and null", ["a", 1, null]],
    ])("a post is refused with categories: %s", async (_, categories) => {
      expect(await refused({ categories })).toEqual(invalid("categories"))
    })
  })

  describe("tags", () => {
    it.each([
      ["a comma-separated string, in lower case", "News, ÄRGER ,x", ["news", "ärger", "x"]],
      ["an array, in lower case", ["News", " B "], ["news", "b"]],
      ["names equal in lower case", "News,NEWS,news", ["news"]],
      ["20 names in a string", many(20).join(), many(20)],
      ["20 names in an array", many(20), many(20)],
      ["21 names of which two are equal", [...many(20), "0"], many(20)],
      ["64 characters", ["x".repeat(64)], ["x".repeat(64)]],
      ["64 code points of two UTF-16 units", FISH.repeat(64), [FISH.repeat(64)]],
      ["an empty string", "", []],
      ["an empty array", [], []],
      ["commas and blanks", " ,, ", []],
    ])("a post is accepted with tags as %s", async (_, tags, kept) => {
      expect((await accepted({ tags })).tags).toEqual(kept)
    })

    it.each([
      ["21 names in a string", many(21).join()],
      ["21 names in an array", many(21)],
      ["65 characters", "x".repeat(65)],
      ["65 code points of two UTF-16 units", [FISH.repeat(65)]],
      ["a comma in an item of an array", ["a,b"]],
      ["a long name of characters of two UTF-16 units", `a${FISH.repeat(70)}`],
      ["a long name of such characters with a comma", [`a${FISH.repeat(90)},`]],
    ])("a post is refused with tags: %s", async (_, tags) => {
      expect(await refused({ tags })).toEqual(invalid("tags"))
    })
  })

  describe("status", () => {
    it.each(["DF", "PB"])("a post is accepted with the status %s", async (status) => {
      expect((await accepted({ status })).status).toBe(status)
    })

    it.each(["", "df", "pb", "PB ", "Draft", "Published", "XX"])(
      "a post is refused with the status %j",
      async (status) => {
        expect(await refused({ status })).toEqual(invalid("status"))
      },
    )
  })

  describe("image_ids", () => {
    it("a post is accepted with 8 image_ids", async () => {
      const author = await newAuthor()
      const image_ids: string[] = []
      for (let i = 0; i < 8; i++) image_ids.push((await upload(author)).image_id)
      const { json } = await send(author, { body: "b", image_ids })
      expect(json.post.images.map((image: { image_id: string }) => image.image_id)).toEqual(image_ids)
    })

    it("an image is attached to a post once if image_ids repeats its id 8 times", async () => {
      const author = await newAuthor()
      const { image_id } = await upload(author)
      const { json } = await send(author, { body: "b", image_ids: Array.from({ length: 8 }, () => image_id) })
      expect(json.post.images).toEqual([expect.objectContaining({ image_id })])
    })

    it("a post is refused with 9 image_ids, even if all are the same", async () => {
      const author = await newAuthor()
      const { image_id } = await upload(author)
      const image_ids = Array.from({ length: 9 }, () => image_id)
      expect(refusal(await send(author, { body: "b", image_ids }))).toEqual(invalid("image_ids"))
      expect(await rows("select * from post_images where image_id = ?", image_id)).toEqual([])
    })

    it("a post is accepted with an empty image_ids", async () => {
      expect((await accepted({ body: "b", image_ids: [] })).images).toEqual([])
    })

    it.each([
      ["nothing", ""],
      ["a word", "picture"],
      ["a number of 26 digits", "01234567890123456789012345x"],
      ["25 characters", "01J0000000000000000000000"],
      ["27 characters", "01J000000000000000000000000"],
      ["lower case", "01j0000000000000000000000z"],
      ["letters that Crockford leaves out", "01J0000000000000000000000U"],
      ["a time beyond 48 bits", "81J0000000000000000000000Z"],
      ["an address", "/media/a/blog_img/01J0000000000000000000000Z.webp"],
    ])("a post is refused with %s as an image id", async (_, id) => {
      expect(await refused({ body: "b", image_ids: [id] })).toEqual(invalid("image_ids"))
    })
  })

  describe("primary_language and translation_languages", () => {
    const TWENTY = Array.from({ length: 20 }, (_, i) => `a${String.fromCharCode(97 + i)}`)

    it.each([
      ["pt-br", "pt-BR"],
      ["iw", "he"],
      ["ZH-hant-tw", "zh-Hant-TW"],
      ["FR", "fr"],
      ["sr-latn", "sr-Latn"],
      ["es-419", "es-419"],
    ])("the translation language %s of a post is stored in its canonical form %s", async (code, canonical) => {
      const author = await newAuthor()
      const { json } = await send(author, { lang_code: "en", primary_language: "en", translation_languages: [code] })
      expect(json.post.translation_languages).toEqual([canonical])
    })

    it("two spellings of one translation language of a post are stored as one language", async () => {
      const { json } = await send(await newAuthor(), { translation_languages: ["pt-br", "fr", "pt-BR", "FR"] })
      expect(json.post.translation_languages).toEqual(["pt-BR", "fr"])
    })

    it("the primary language of a post is removed from its translation_languages", async () => {
      const { json } = await send(await newAuthor(), { primary_language: "en", translation_languages: ["fr", "EN"] })
      expect(json.post.translation_languages).toEqual(["fr"])
    })

    it("a post is accepted with 20 translation languages", async () => {
      const { json } = await send(await newAuthor(), { translation_languages: TWENTY })
      expect(json.post.translation_languages).toEqual(TWENTY)
    })

    it("a post is refused with 21 translation languages", async () => {
      expect(await refused({ translation_languages: [...TWENTY, "fr"] })).toEqual(invalid("translation_languages"))
    })

    const BAD = [
      "",
      "e",
      "x-private",
      "en-x-private",
      "en-u-ca-buddhist",
      "qaa",
      "qtz-Latn",
      "en-t-fr",
      "en-a-bbb",
      "en_US",
      "en-",
      "-en",
      "12",
      "*",
      "en,fr",
      "a-b",
      " en",
      "en\0",
      "e\ud800",
      "abcdefghi",
    ]
    it.each(BAD)("a post is refused with %j as a translation language", async (code) => {
      expect(await refused({ translation_languages: ["fr", code] })).toEqual(invalid("translation_languages"))
    })

    it.each(BAD)("a post is refused with %j as a primary language", async (code) => {
      const languages = { primary_language: code, translation_languages: ["en"] }
      expect(await refused(languages)).toEqual(invalid("primary_language"))
    })
  })

  describe.each([
    ["NUL", "a\0b"],
    ["a lone high surrogate", "a\ud83db"],
    ["a lone low surrogate", "a\udc1fb"],
  ])("text with %s is refused", (_, text) => {
    it.each([
      ["title", text],
      ["meta_description", text],
      ["body", text],
      ["status", text],
      ["categories", `news,${text}`],
      ["categories", ["news", text]],
      ["tags", text],
      ["tags", ["x", text]],
      ["translation_languages", [text]],
    ])("malformed text in the field %s of a post answers 400: %j", async (field, value) => {
      expect(await refused({ [field]: value })).toEqual(invalid(field))
    })

    it("malformed text in the image_ids of a post answers 400", async () => {
      expect(await refused({ body: "b", image_ids: [text] })).toEqual(invalid("image_ids"))
    })
  })

  it("unknown fields of a post are ignored, and each gets a warning", async () => {
    const names = ["author", "slug_", "scheduled", "Title", "", "a.b", "名前"]
    const { json } = await send(await newAuthor(), Object.fromEntries(names.map((name) => [name, "x"])))
    expect(json.success).toBe(true)
    expect(json.warnings.map(({ field }: { field: string }) => field)).toEqual(names)
  })

  it("a post sent with 30 unknown fields gets a warning for each of them", async () => {
    const names = many(30).map((name) => `field_${name}`)
    const { json } = await send(await newAuthor(), Object.fromEntries(names.map((name) => [name, 1])))
    expect(json.warnings.map(({ field }: { field: string }) => field)).toEqual(names)
  })

  it("creating or changing a post with correct fields gives no warning", async () => {
    const { json } = await send(await newAuthor(), { meta_description: "x".repeat(140), tags: "a" })
    expect(json.warnings).toEqual([])
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
    const [status, code, ...fields] = await refused(bad)
    expect([status, code]).toEqual([400, "validation_error"])
    expect(fields).toEqual(expect.arrayContaining(Object.keys(bad)))
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

describe("a refused request writes nothing", () => {
  it("creating a post with an invalid field answers 400 and stores no post", async () => {
    const before = await rows("select count(*) as n from posts")
    expect((await create(await newAuthor(), { title: "" })).status).toBe(400)
    expect(await rows("select count(*) as n from posts")).toEqual(before)
  })

  it("a PATCH of a post with one invalid and one valid field answers 400 and changes neither", async () => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    const before = await read(author, slug)
    expect((await patch(author, slug, { title: "new", status: "XX" })).status).toBe(400)
    expect((await read(author, slug)).json).toEqual(before.json)
  })
})

describe("PATCH with an empty field", () => {
  it.each([[""], [[]]])("PATCH of a post with the tags %j removes all its tags", async (tags) => {
    const author = await newAuthor()
    const { slug } = await newPost(author, { tags: "a,b" })
    expect((await patch(author, slug, { tags })).json.post.tags).toEqual([])
  })

  it.each(["title", "meta_description", "body", "categories", "status"])(
    "PATCH of a post with an empty %s answers 400 and does not change the field",
    async (field) => {
      const author = await newAuthor()
      const { slug } = await newPost(author)
      const before = await read(author, slug)
      expect(refusal(await patch(author, slug, { [field]: "" }))).toEqual(invalid(field))
      expect((await read(author, slug)).json.post[field]).toEqual(before.json.post[field])
    },
  )
})
