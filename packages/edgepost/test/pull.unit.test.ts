import * as fc from "fast-check"
import { describe, expect, test } from "vitest"

import { searchProperty } from "../../../test/search.ts"
import { type Account, type Client, EdgepostError, type ListedPost, type Post } from "../src/client/index.ts"
import { planFolder } from "../src/commands/plan.ts"
import { filesOf } from "../src/commands/pull.ts"
import { EMPTY_CONFIG } from "../src/config.ts"
import { sha256 } from "../src/hash.ts"
import { keepLabels, type SentLabels } from "../src/labels.ts"
import { folderOf, OPTIONS } from "./folder/folder.ts"
import { DEFAULTS } from "./markdown/plan.ts"
import { CreatePost } from "./markdown/service.ts"

const { now } = OPTIONS
/** A text that the service has. An incomplete one lacks its body; that of one that waits is not approved. */
interface Text {
  title: string
  meta_description: string
  body: string
  isEdited?: boolean
  isIncomplete?: boolean
  isWaiting?: boolean
}

type Stored = Post & { translated: Record<string, Text> }

const textIn = ({ title, meta_description, body }: Pick<Post, "title" | "meta_description" | "body">): Text => ({
  title: title ?? "",
  meta_description: meta_description ?? "",
  body: body ?? "",
})

const translationsOf = ({ translated, translation_languages }: Stored) =>
  Object.entries(translated).map(([lang_code, { isEdited }]) => ({
    lang_code,
    edited: isEdited ? ["title"] : [],
    listed: translation_languages.includes(lang_code),
    stale: [],
    warnings: [],
  })) as unknown as Post["translations"]

const listed = (stored: Stored): ListedPost => {
  const { translated, ...post } = stored
  const texts: Record<string, Text> = { [post.primary_language]: textIn(post), ...translated }
  const summaries = Object.entries(texts).map(([lang, { title, meta_description, body, isEdited, isIncomplete }]) => {
    const body_sha256 = isIncomplete ? null : sha256(body)
    const { changed_at } = post
    return [lang, { title, meta_description, body_sha256, edited: isEdited ? ["title"] : [], changed_at }]
  })
  const { body: _body, ...shown } = post
  return { ...shown, image_ids: [], translations: translationsOf(stored), texts: Object.fromEntries(summaries) }
}

/** Makes a client of a service that has these posts. */
const clientOf = (there: Stored[]): Client => {
  const account = { username: "ann", primary_language: "en", translation_languages: ["ja"], limits: {} }
  const client: Pick<Client, "getAccount" | "paginatePosts" | "getPost" | "findImages"> = {
    getAccount: async () => account as unknown as Account,
    paginatePosts: async function* () {
      yield* there.map(listed)
    },
    getPost: async (slug, { lang_code } = {}) => {
      const post = there.find((one) => one.slug === slug)
      const text = lang_code === undefined ? {} : post?.translated[lang_code]
      if (!post || !text || ("isIncomplete" in text && text.isIncomplete))
        throw new EdgepostError({ code: "not_found", detail: "There is no such text.", status: 404 })
      const waiting = "isWaiting" in text && text.isWaiting ? { body: null } : {}
      const shown = { lang_code: lang_code ?? post.primary_language, translations: translationsOf(post) }
      return { post: { ...post, ...shown, ...text, ...waiting }, etag: '"1.1"' }
    },
    findImages: async () => [],
  }
  return client as Client
}

/** Makes a post as the service stores it. @returns null if the service would refuse it */
const stored = (fields: Partial<Stored>): Stored | null => {
  const all = {
    title: "A title",
    slug: "a",
    status: "PB",
    categories: ["Sea"],
    tags: [],
    images: [],
    meta_description: "A description.",
    body: "A text.",
    primary_language: "en",
    translation_languages: [],
    published_at: "2024-01-02T03:04:05.000Z",
    changed_at: "2024-02-03T04:05:06.789Z",
    listed: true,
    cover_image_id: null,
    cover_alt: null,
    cover_caption: null,
    canonical_url: null,
    author_name: null,
    source: null,
    author: "ann",
    ...fields,
  }
  const data = CreatePost.safeParse(all).data as { categories: SentLabels; tags?: SentLabels } | undefined
  if (!data) return null
  const labels = { categories: keepLabels(data.categories, []), tags: data.tags ? keepLabels(data.tags, []) : [] }
  // A category of blanks alone is none, and the service asks for one.
  if (labels.categories.length === 0) return null
  const { published_at, changed_at } = all
  return { translated: {}, translations: [], ...all, ...data, ...labels, published_at, changed_at } as unknown as Stored
}

const isStored = (post: Stored | null): post is Stored => post !== null

/** Reads from an empty folder. */
const nothing = async () => null

/** Returns the files that `pull` writes. */
const pull = async (posts: Stored[], path = ""): Promise<Record<string, string>> => {
  const files: Record<string, string> = {}
  for await (const { file, content } of filesOf(clientOf(posts), [], nothing))
    if (content !== null) files[`${path}${file}`] = content
  return files
}

/** Pulls posts into a folder. @returns what `plan` says about the folder, such as `unchanged a` */
const pullAndPlan = async (posts: Stored[], path = "", others: Record<string, string> = {}): Promise<string[]> => {
  const folder = folderOf({ ...others, ...(await pull(posts, path)) })
  const options = { ...DEFAULTS, now }
  const { entries } = await planFolder(clientOf(posts), folder, EMPTY_CONFIG, options)
  return entries.map(({ action, slug, changes, findings }) => {
    const translated = Object.entries(changes.translations).map(([lang, names]) => `${lang}: ${names.join(" ")}`)
    const errors = findings.filter(({ level }) => level === "error").map(({ message }) => message)
    return [action, slug, ...changes.post, ...translated, ...errors].join(" ")
  })
}

const TEXT = { title: "T", meta_description: "D", body: "B" }
const FRENCH = { primary_language: "fr", translation_languages: ["en", "de"] }
const AUTHORS = { "authors.yml": "A:\n  name: Ann\n" }

describe("a post that is pulled is unchanged, with", () => {
  test.each<[what: string, fields: Partial<Stored>]>([
    ["a title like a number, and milliseconds", { title: "2024", published_at: "2024-01-02T03:04:05.678Z" }],
    ["a title like a date, and a slug like an invalid one", { title: "2024-01-02", slug: "2024-13-45-a" }],
    ["a title like a truth value, and a slug of digits", { title: "true", slug: "007" }],
    ["spaces in the title and the author's name", { title: "  A \u00A0 title\t", author_name: "  Ann \u00A0 Lee " }],
    ["texts of several lines", { title: "A\n---\nb: c\r\n", meta_description: "One.\n\n  Two.\n" }],
    ["line separators in the title, and a byte order mark", { title: "A\u2028---\u2028b", body: "\uFEFFA\n\n\n" }],
    ["control characters", { title: "A\u0001\u0085\u202E\uFEFF", canonical_url: "https://a.example/\u0001" }],
    ["names of collections as tags", { tags: ["posts", "all"] }],
    ["odd names of tags", { tags: ["a  b", "#c", "d: e", "null", "1.0", "line\nbreak", "x\u2028y"] }],
    // The yaml package writes such a text in several lines, and reads another.
    ["a tag of several lines", { tags: ["2024\n\n \n2024:::note\u00072024\u0007"] }],
    ["a category that is a path, and the slug readme", { categories: ["a/b", "../c"], slug: "readme" }],
    ["an author whose name is a key of another, and the slug changelog", { author_name: "A", slug: "changelog" }],
    ["a cover, and the slug index", { cover_image_id: "01J5AAAAAAAAAAAAAAAAAAAAAA", slug: "index" }],
    ["words of a cover, and a page", { cover_alt: "A  boat: *red*", cover_caption: "#1", listed: false }],
    ["a change before its date", { changed_at: "2020-01-02T03:04:05.678Z" }],
    ["a date ahead, and another language", { published_at: "2027-01-02T03:04:05.678Z", ...FRENCH }],
    ["no date, as a draft", { status: "DF", published_at: null }],
    ["no date and a slug with a date, as a draft", { status: "DF", published_at: null, slug: "2024-01-02-a" }],
    ["languages without a name", { primary_language: "xx", translation_languages: ["aaa", "en"] }],
    ["foreign syntax", { body: "{{< x >}} {% y %} [[wiki]] ==mark== {: .lead}\n\n:::note\na\n:::\n\n%%c%%" }],
    ["links that look like files", { body: "[b](a.md) [](a) [c](/a) [d](#A-Head) <a href='a.md'>\n\n## A head" }],
    ["images that look like files", { body: "![b](a.md) ![c](boat.png) ![](<>) ![d](data:image/png;base64,AA)" }],
    ["a front matter in the body", { body: "---\ntitle: B\n---\n\nText." }],
    ["Windows' line endings", { body: "\r\n\r\nA\r\n\r\nB" }],
    ["paragraphs that are too complex to convert", { body: "*a_ ".repeat(3000) }],
  ])("%s", async (_, fields) => {
    const post = stored(fields)
    expect(post && (await pullAndPlan([post], "", AUTHORS))).toEqual([`unchanged ${fields.slug ?? "a"}`])
  })

  test.each<[what: string, languages: string[], lang: string, translated: Text]>([
    ["a translation made by hand", ["fr"], "fr", { ...TEXT, body: "# T\n\n{{< x >}}", isEdited: true }],
    ["a translation made by the service", ["fr"], "fr", TEXT],
    ["an incomplete translation", ["fr"], "fr", { ...TEXT, body: "", isEdited: true, isIncomplete: true }],
    ["a translation that is not listed", [], "fr", { ...TEXT, isEdited: true }],
    ["a translation into a language without a name", ["xx"], "xx", { ...TEXT, isEdited: true }],
  ])("%s", async (_, translation_languages, lang, translated) => {
    const fields = { translation_languages, translated: { [lang]: translated } }
    const posts = ["a", "readme"].map((slug) => stored({ slug, ...fields })).filter(isStored)
    expect(await pullAndPlan(posts)).toEqual(["unchanged a", "unchanged readme"])
  })
})

test("a post that is pulled and then deleted is planned as it was", async () => {
  const words = { cover_alt: "A boat", cover_caption: "By Bo", cover_image_id: "01J5AAAAAAAAAAAAAAAAAAAAAA" }
  const fields = { ...words, listed: false, canonical_url: "https://a.example/b", author_name: "Ann", tags: ["a"] }
  const translated = { fr: { ...TEXT, isEdited: true } }
  const posts = [stored({ ...fields, translation_languages: ["fr"], translated })].filter(isStored)
  const folder = folderOf(await pull(posts))
  const options = { ...DEFAULTS, now }
  const { wanted } = await planFolder(clientOf([]), folder, EMPTY_CONFIG, options)
  const changed_at = "2024-02-03T04:05:06.789Z"
  expect(wanted.get("a")).toMatchObject({ fields, source: { changed_at }, translations: { fr: { changed_at } } })
})

test("pull writes no file of a translation whose body waits for approval", async () => {
  const posts = [stored({ translated: { fr: { ...TEXT, isEdited: true, isWaiting: true } } })].filter(isStored)
  const files: [string, boolean][] = []
  for await (const { file, content } of filesOf(clientOf(posts), [], nothing)) files.push([file, content === null])
  expect(files).toEqual([
    ["a.md", false],
    ["a.fr.md", true],
  ])
})

describe("pull into a folder that has been pulled into", () => {
  const translated = { fr: { ...TEXT, isEdited: true }, de: TEXT }
  const before = ["a", "b"].map((slug) => stored({ slug, translated })).filter(isStored)

  /** Pulls again. @returns the texts that are asked for, and the files */
  const pullAgain = async (posts: Stored[], slugs: string[] = []) => {
    const files = await pull(before)
    const client = clientOf(posts)
    const asked: string[] = []
    const getPost: Client["getPost"] = (slug, query) => {
      asked.push([slug, query?.lang_code].filter(Boolean).join(" "))
      return client.getPost(slug, query)
    }
    const again: Record<string, string | null> = {}
    const read = async (file: string) => files[file] ?? null
    for await (const { file, content } of filesOf({ ...client, getPost }, slugs, read)) again[file] = content
    return { asked, again, files }
  }

  test("asks for no text that the list of posts tells to be there", async () => {
    const { asked, again, files } = await pullAgain(before)
    expect([asked, Object.keys(files)]).toEqual([[], ["a.md", "a.fr.md", "b.md", "b.fr.md"]])
    expect(again).toEqual(files)
  })

  test.each<[what: string, change: Partial<Stored>, asked: string[]]>([
    ["another title", { title: "Another" }, ["b"]],
    ["another body", { body: "Another." }, ["b"]],
    ["another translation", { translated: { fr: { ...TEXT, isEdited: true, body: "Un autre." } } }, ["b fr"]],
  ])("asks for a text with %s", async (_, change, wanted) => {
    const { asked, again } = await pullAgain(before.map((post) => (post.slug === "b" ? { ...post, ...change } : post)))
    expect(asked).toEqual(wanted)
    expect(again).toEqual(await pull(before.map((post) => (post.slug === "b" ? { ...post, ...change } : post))))
  })

  test("asks once for a post by its slug, and once for each translation by hand", async () => {
    expect((await pullAgain(before, ["b", "c"])).asked).toEqual(["b", "b fr", "c"])
  })
})

test.each<[what: string, slug: string]>([
  ["leads out of the folder", "../../x"],
  ["is an absolute path", "/etc/x"],
  ["has a backslash", String.raw`..\x`],
  ["ends like another file", "a\u0000"],
  ["is empty", ""],
  ["is that of a translation", "a.fr"],
])("pull writes no post whose slug %s, and names it", async (_, slug) => {
  const posts = [stored({})].filter(isStored).map((post) => ({ ...post, slug }))
  await expect(pull(posts)).rejects.toThrow(`names a post ${JSON.stringify(slug)}`)
})

test.each(["../../x", "fr/../../x", "", "f\u0000r"])(
  "pull writes no text in the language %j, and names it",
  async (lang) => {
    const posts = [stored({ translated: { [lang]: { ...TEXT, isEdited: true } } })].filter(isStored)
    await expect(pull(posts)).rejects.toThrow(`in the language ${JSON.stringify(lang)}`)
  },
)

const words = fc.constantFrom(
  ..."2024|null|posts|# A|a: b|- a|---|+++|{{< x >}}|{% raw %}|[[wiki]]|![a](readme.md)|[](readme)|[a](#B)".split("|"),
  ..."==mark==|:::note|> [!info] a|{: .a}|\"'`\\|\t| |\n|\r\n|\n\n|\u2028|\uFEFF|\u00A0|\u202E|\u0007|é".split("|"),
)
/** Texts of up to about as many characters as the service takes. */
const texts = (max: number) =>
  fc.oneof(
    fc.array(words, { minLength: 1, maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", minLength: 1, maxLength: max }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: max }),
  )
const languages = fc.constantFrom("en", "fr", "pt-BR", "zh-Hant", "sr-Latn-RS", "xx", "aaa")
const sentText = { title: texts(255), meta_description: texts(300) }
const flags = { isEdited: fc.boolean(), isIncomplete: fc.boolean() }
const translations = fc.record({ ...sentText, ...flags, body: texts(1000) })
const slugs = fc.oneof(
  fc.constantFrom("readme", "security", "changelog", "license", "contributing", "index", "2024-01-02-a", "404", "fr"),
  fc.stringMatching(/^[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,3}$/),
)
const posts = fc.record({
  ...sentText,
  slug: slugs,
  status: fc.constantFrom("DF" as const, "PB" as const),
  categories: fc.array(texts(64), { minLength: 1, maxLength: 5 }),
  tags: fc.array(texts(64), { maxLength: 5 }),
  body: texts(2000),
  primary_language: languages,
  translation_languages: fc.uniqueArray(languages, { maxLength: 4 }),
  published_at: fc
    .date({ min: new Date(0), max: new Date(now.getTime() + 366 * 86_400_000), noInvalidDate: true })
    .map((time) => time.toISOString()),
  changed_at: fc.date({ min: new Date(0), max: now, noInvalidDate: true }).map((time) => time.toISOString()),
  listed: fc.boolean(),
  cover_alt: fc.option(texts(500)),
  cover_caption: fc.option(texts(300)),
  canonical_url: fc.option(texts(99).map((path) => `https://a.example/${path}`)),
  author_name: fc.option(texts(99)),
  translated: fc.dictionary(languages, translations, { maxKeys: 3 }),
})
test("any posts that the service stores are unchanged after pull", async () => {
  await searchProperty(
    200,
    fc.asyncProperty(
      fc.uniqueArray(posts, { selector: ({ slug }) => slug, minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "_posts/", "_drafts/", "fr/", "content/2024-01-02/"),
      async (sent, path) => {
        const there = sent
          .map((post) => {
            const translation_languages = post.translation_languages.filter((lang) => lang !== post.primary_language)
            const translated = Object.fromEntries(
              Object.entries(post.translated)
                .filter(([lang, text]) => lang !== post.primary_language && stored(textIn(text)))
                .map(([lang, text]) => [lang, { ...text, ...textIn(stored(textIn(text)) ?? text) }]),
            )
            const time = post.status === "DF" ? { published_at: null } : {}
            return stored({ ...post, translated, translation_languages, ...time })
          })
          .filter(isStored)
        fc.pre(there.length > 0)
        const planned = await pullAndPlan(there, path, AUTHORS)
        expect(planned.toSorted()).toEqual(there.map(({ slug }) => `unchanged ${slug}`).toSorted())
      },
    ),
  )
})
