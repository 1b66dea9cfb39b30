import { describe, expect, test } from "vitest"

import type { LocalPost } from "../../src/folder/post.ts"
import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { brief, readFront, readOne } from "./folder.ts"

type Wanted = Partial<LocalPost> & { meta_description?: string | null; title?: string; changed_at?: string | null }

/** Returns title, slug, status, date, categories, tags, description, cover, author, canonical address and languages. */
const fieldsOf = (post: LocalPost): string => {
  const { source, slug, status, published_at, categories, tags, cover, author_name, canonical_url } = post
  const languages = [post.primary_language, ...(post.translation_languages ?? [])].join()
  const labels = [categories.join(), tags.join(), source.meta_description]
  const fields = [source.title, slug, status, published_at, ...labels, cover, author_name, canonical_url, languages]
  return fields.map(String).join(" | ")
}

describe("the whole front matter of each dialect is understood", () => {
  test.each<[dialect: string, file: string, text: string, fields: string]>([
    [
      "edgepost",
      "posts/a.md",
      "---\ntitle: A\nslug: own\nstatus: PB\ncategories: [Sea]\ntags: [b, C]\nmeta_description: D\npublished_at: 2024-01-02T03:04:05Z\ncanonical_url: https://x.example/a\nauthor_name: Ann\ncover: c.png\nlang: pt-br\ntranslation_languages: [fr, de]\n---\n",
      "A | own | PB | 2024-01-02T03:04:05.000Z | Sea | b,c | D | c.png | Ann | https://x.example/a | pt-BR,fr,de",
    ],
    [
      "Hugo",
      "content/posts/mending/index.md",
      '+++\ntitle = "A"\ndate = 2024-01-01\npublishDate = 2024-01-02T03:04:05+01:00\nsummary = "S"\ncategories = ["Work"]\ntags = ["x"]\naliases = ["/2023/old/"]\n[params]\nauthor = "Rui"\n[cover]\nimage = "c.png"\n+++\n',
      "A | mending | PB | 2024-01-02T02:04:05.000Z | Work | x | S | c.png | Rui | null | ",
    ],
    [
      "Hugo, in JSON and with names in lower case",
      "content/posts/a.md",
      '{\n"title": "A",\n"publishdate": "2024-01-02",\n"draft": true,\n"images": ["c.png", "d.png"]\n}\n',
      "A | a | DF | 2024-01-02T00:00:00.000Z | Blog |  | null | c.png | null | null | ",
    ],
    [
      "Jekyll",
      "_posts/2021-03-14-morse-code.markdown",
      "---\nlayout: post\ntitle: A\ncategories: signals history\ntags: morse code\nexcerpt: E\nheader:\n  teaser: c.png\nredirect_from: /old/\n---\n",
      "A | morse-code | PB | 2021-03-14T00:00:00.000Z | signals,history | morse,code | E | c.png | null | null | ",
    ],
    [
      "Astro",
      "src/content/blog/first-apples.mdx",
      '---\ntitle: A\ndescription: D\npubDate: "Jul 08 2022"\nheroImage: { src: "../a.png", alt: x }\ndraft: false\ncanonicalURL: https://x.example/a\n---\n',
      "A | first-apples | PB | 2022-07-08T00:00:00.000Z | Blog |  | D | ../a.png | null | https://x.example/a | ",
    ],
    [
      "Hexo",
      "source/_posts/綠茶.md",
      "---\ndate: 2020-03-01 09:30:00 +0800\ncategories:\n  - [茶, 綠]\n  - [飲]\ntags:\n  - 綠 茶\ntitle: 綠茶\n---\n",
      "綠茶 | lu-cha | PB | 2020-03-01T01:30:00.000Z | 茶,綠,飲 | 綠 茶 | null | null | null | null | ",
    ],
    [
      "Eleventy",
      "content/blog/Crossing_the_fjord.md",
      '---json\n{ "title": "A", "date": "Last Modified", "tags": ["posts", "fjord"], "permalink": "/{{ page.fileSlug }}/" }\n---\n',
      "A | crossing-the-fjord | PB | null | Blog | fjord | null | null | null | null | ",
    ],
    [
      "Docusaurus",
      "blog/2022-02-02-first-firing/index.mdx",
      "---\ntitle: A\nauthors:\n  - name: Mia Ton\n    url: https://x.example\n  - jo\ntags: [kiln, { label: Clay, permalink: /clay }]\nimage: ./kiln.png\nslug: /2022/first\n---\n",
      "A | first | PB | 2022-02-02T00:00:00.000Z | Blog | kiln,clay | null | ./kiln.png | Mia Ton, jo | null | ",
    ],
    [
      "dev.to",
      "posts/queues.md",
      "---\ntitle: A\npublished: false\ntags: sql, queues\ncover_image: https://x.example/c.png\ncanonical_url: https://x.example/queues\n---\n",
      "A | queues | DF | null | Blog | sql,queues | null | https://x.example/c.png | null | https://x.example/queues | ",
    ],
    [
      "Hashnode",
      "night-trains.md",
      "---\ntitle: A\nseoDescription: D\ndatePublished: Tue Mar 05 2024 18:30:00 GMT+0000 (Coordinated Universal Time)\nslug: trains\nsaveAsDraft: true\ntags: trains, europe\n---\n",
      "A | trains | DF | 2024-03-05T18:30:00.000Z | Blog | trains,europe | D | null | null | null | ",
    ],
    [
      "Obsidian",
      "Cooking/Über das Brot.md",
      '---\ncreated: 2024-05-05\nlang: de\ntags:\n  - brot\ncover: "[[Laib 1.png|300]]"\naliases: [Brot]\n---\n\n# Über Brot\n',
      "Über Brot | ueber-das-brot | PB | 2024-05-05T00:00:00.000Z | Cooking | brot | null | Laib 1.png | null | null | de",
    ],
  ])("%s", async (_, file, text, fields) => {
    const post = await readOne({ [file]: `${text}\nText.\n` })
    expect(post.findings).toEqual([])
    expect(fieldsOf(post)).toBe(fields)
  })
})

describe("a draft is never published by mistake", () => {
  test.each<[yaml: string, status: string, findings: string[]]>([
    ["draft: true", "DF", []],
    ["draft: yes", "DF", []],
    ['draft: "true"', "DF", []],
    ["draft: 1", "DF", []],
    ["Draft: true", "DF", []],
    ["draft: false", "PB", []],
    ["draft: no", "PB", []],
    ["draft:", "PB", []],
    ["draft: perhaps", "PB", ["error wrong_type 3"]],
    ["draft: []", "PB", ["error wrong_type 3"]],
    ["published: false", "DF", []],
    ["published: no", "DF", []],
    ["published: true", "PB", []],
    ["publish: false", "DF", []],
    ["stauts: DF", "PB", ["error unknown_field 3"]],
    ["published: 2024-01-01", "PB", []],
    ["saveAsDraft: true", "DF", []],
    ["ignorePost: true", "DF", []],
    ["isDraft: true", "DF", []],
    ["dg-publish: false", "DF", []],
    ["share: false", "DF", []],
    ["state: draft", "DF", []],
    ["state: Texas", "PB", []],
    ["draft: false\nisDraft: true", "DF", []],
    ["published: true\npublish: false", "DF", []],
    ["unlisted: true", "DF", ["warning unlisted 3"]],
    ["eleventyExcludeFromCollections: true", "DF", ["warning unlisted 3"]],
    ["build: { list: never }", "DF", ["warning unlisted 3"]],
    ["_build:\n  list: false", "DF", ["warning unlisted 3"]],
    ["build: { list: local }", "PB", []],
    ["status: draft", "DF", []],
    ["status: DF", "DF", []],
    ["status: private", "DF", []],
    ["status: published", "PB", []],
    ["status: pending", "DF", []],
    ["status: Unpublished", "DF", []],
    ["status: hidden", "DF", []],
    ["status: seedling\ndraft: true", "DF", []],
    ["state: pending", "DF", []],
    ["published:", "DF", []],
    ["published: ~", "DF", []],
    ['published: ""', "DF", []],
    ["publish:", "DF", []],
    ["dg-publish:", "DF", []],
    ["published:\nstatus: PB", "PB", []],
    ["status: PB\ndraft: true", "PB", []],
    ["status: DF\npublished: true", "DF", []],
    ["expiryDate: 2026-11-26", "DF", ["warning expired 3"]],
    ["expiryDate: 2026-11-27", "PB", []],
    ["params:\n  draft: true", "DF", []],
  ])("%j", async (yaml, status, findings) => {
    const post = await readFront(`title: A\n${yaml}`)
    expect(brief(post)).toEqual(findings)
    expect(post.status).toBe(status)
  })

  test.each(["seedling", "Finished", "[PB]"])(
    "a word in `status` that says neither, %s, is left to the plan",
    async (word) => {
      const post = await readFront(`title: A\nstatus: ${word}`)
      expect([post.status, post.unknownStatus?.line, brief(post)]).toEqual(["PB", 3, []])
    },
  )

  test("a translation whose `status` is such a word waits", async () => {
    const french = "---\ntitle: B\nstatus: in review\n---\nTexte."
    expect((await readOne({ "a.md": "---\ntitle: A\n---\nText.", "a.fr.md": french })).translations).toEqual({})
  })

  test("a post in a folder of drafts is a draft", async () => {
    for (const file of ["_drafts/a.md", "drafts/a.md", "notes/Drafts/a.md"])
      expect((await readFront("title: A", {}, file)).status, file).toBe("DF")
    expect((await readFront("title: A", {}, "my-drafts/a.md")).status).toBe("PB")
  })
})

describe("a date outside of what the service takes, or that is none, is reported at its line", () => {
  test.each<[yaml: string, published_at: string | null, findings: string[]]>([
    ["date: 2024-02-30", null, ["error invalid_date 3"]],
    ["date: tomorrow", null, ["error invalid_date 3"]],
    ["date: 20240102", null, ["error invalid_date 3"]],
    ["date: true", null, ["error invalid_date 3"]],
    ["date: [2024-01-02]", null, ["error invalid_date 3"]],
    ["date: { year: 2024 }", null, ["error invalid_date 3"]],
    ["date: {{ date }}", null, ["error invalid_date 3"]],
    ["date: { created: 2024-03-10, updated: 2024-04-10 }", "2024-03-10T00:00:00.000Z", []],
    ["date: '[[2024-03-10]]'", "2024-03-10T00:00:00.000Z", []],
    ["date: [[2024-03-10]]", "2024-03-10T00:00:00.000Z", []],
    ["published: 2024-03-10", "2024-03-10T00:00:00.000Z", []],
    ["published: 2027-03-10", "2027-03-10T00:00:00.000Z", []],
    ["published: 2024-03-10\ndate: 2023-01-01", "2023-01-01T00:00:00.000Z", []],
    ["published: 2027-03-10\ndate: 2023-01-01", "2027-03-10T00:00:00.000Z", []],
    ["published: true\ndate: 2023-01-01", "2023-01-01T00:00:00.000Z", []],
    ["date: 2024-01-02 03:04", null, ["error date_without_timezone 3"]],
    ["date: 1969-12-31", null, ["error date_out_of_range 3"]],
    ["date: 1970-01-01", "1970-01-01T00:00:00.000Z", []],
    ["date: 2027-11-27T12:00:00Z", "2027-11-27T12:00:00.000Z", []],
    ["date: 2027-11-27T12:00:01Z", null, ["error date_out_of_range 3"]],
    ["date: 2099-01-01\ndraft: true", null, ["warning date_out_of_range 3"]],
    ["published_at: 2024-01-01\ndate: 2023-01-01", "2024-01-01T00:00:00.000Z", []],
    ["publishDate: 2024-01-01\ndate: 2023-01-01", "2024-01-01T00:00:00.000Z", []],
    ["expiryDate: never", null, ["error invalid_date 3"]],
  ])("%j", async (yaml, published_at, findings) => {
    const post = await readFront(`title: A\n${yaml}`)
    expect(brief(post)).toEqual(findings)
    expect(post.published_at).toBe(published_at)
  })

  test("the date of the front matter wins over that of the file's name", async () => {
    const file = "_posts/2020-01-02-a.md"
    expect((await readFront("title: A\ndate: 2021-01-01", {}, file)).published_at).toBe("2021-01-01T00:00:00.000Z")
    expect((await readFront("title: A", {}, file)).published_at).toBe("2020-01-02T00:00:00.000Z")
    const other = await readFront("title: A", {}, "_posts/2018-23-09-a.md")
    expect([other.published_at, other.slug, brief(other)]).toEqual([null, "2018-23-09-a", []])
  })

  test.each<[date: string, tool: keyof typeof TOOLS, hour: string]>([
    ["2024-07-02 12:00", "folder", "10"],
    ["2024-07-02 12:00:00", "hexo", "10"],
    // To Jekyll's reader of YAML a time with seconds is one in UTC, and another date is a text.
    ["2024-07-02 12:00:00", "jekyll", "12"],
    ["2024-07-02T12:00:00.0", "jekyll", "12"],
    ["2024-07-02 12:00", "jekyll", "10"],
    ["July 2, 2024 12:00:00", "jekyll", "10"],
  ])("%s without an offset, of the tool %s, is %s h in UTC where the zone is Paris", async (date, tool, hour) => {
    const options = { timezone: "Europe/Paris", settings: { ...NO_TOOL, tool: TOOLS[tool] } }
    const post = await readFront(`title: A\ndate: ${date}`, options, "_posts/2024-07-02-a.md")
    expect(post.published_at).toBe(`2024-07-02T${hour}:00:00.000Z`)
  })
})

const labels = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`)

describe("values of a wrong type or size are cut or left out, and reported at their line", () => {
  const long = "word ".repeat(100)
  const longUrl = `https://x.example/${"a".repeat(2000)}`
  test.each<[yaml: string, wanted: Wanted, findings: string[]]>([
    ["title: [a]", { title: "a" }, ["warning wrong_type 2"]],
    ["title: { a: b }", { title: "a" }, ["warning wrong_type 2"]],
    ["title: true", { title: "a" }, ["warning wrong_type 2"]],
    ["title: 2024", { title: "2024" }, []],
    ['title: "  a \\n b\\0\\e "', { title: "a b" }, []],
    ['title: "cafe\u0301 \\uD800"', { title: "caf\u00e9 \uFFFD" }, []],
    [`title: "${"a".repeat(255)}"`, { title: "a".repeat(255) }, []],
    [`title: "${"😀".repeat(256)}"`, { title: `${"😀".repeat(254)}…` }, ["warning too_long 2"]],
    ["description: []", { meta_description: null }, ["warning wrong_type 2"]],
    ["title: <b>A</b> &amp; B\ndescription: A *d*", { title: "A & B", meta_description: "A d" }, []],
    ["description: ''\nsummary: S", { meta_description: "S" }, []],
    [`description: ${long}`, { meta_description: `${long.slice(0, 299).trim()}…` }, ["warning too_long 2"]],
    ["categories: []\ncategory: Sea", { categories: ["Sea"] }, []],
    ["categories: Sea, Land", { categories: ["Sea", "Land"] }, []],
    ["categories: Deep Sea", { categories: ["Deep Sea"] }, []],
    ["categories: { a: b }", { categories: ["Blog"] }, ["warning wrong_type 2"]],
    [`categories: [${labels(11).join()}]`, { categories: labels(10) }, ["warning too_many 2"]],
    ["tags:", { tags: [] }, []],
    ["tags: [1, null, ~, x, X, ' ']", { tags: ["1", "null", "x"] }, []],
    ["tags: [3.10, 1e3]", { tags: ["3.10", "1e3"] }, []],
    ["tags: ['Washington, DC', c]", { tags: ["washington dc", "c"] }, ["warning comma_in_label 2"]],
    ["categories: ['Food, Drink']", { categories: ["Food Drink"] }, ["warning comma_in_label 2"]],
    ["tags: ['#foo', parent/child, '#', 'C#']", { tags: ["foo", "parent/child", "#", "c#"] }, []],
    ['tags: ["<!-- SECRET -->", a_b, "C<T>"]', { tags: ["a_b", "c<t>"] }, []],
    ["categories: ['News {# SECRET #}', '%% SECRET %%']", { categories: ["News"] }, []],
    ["tags: |\n  a <!--\n  SECRET, b\n  -->\n  c_d", { tags: ["a", "c_d"] }, []],
    ["tags: '#foo #bar'", { tags: ["foo", "bar"] }, []],
    ["tags: |\n  foo\n  bar", { tags: ["foo", "bar"] }, []],
    ["taxonomies: { tags: [zola] }", { tags: ["zola"] }, []],
    ["title: 1.10", { title: "1.10" }, []],
    ["title: Null", { title: "Null" }, []],
    ["title: 12345678901234567890", { title: "12345678901234567890" }, []],
    ["slug: 007", { slug: "007" }, []],
    ["tags: a\ntags: b", { tags: ["b"] }, ["warning repeated_field 2"]],
    ["preview: This is, on cats and dogs.", { cover: null }, []],
    ["preview: What is and/or\nimage: a.png", { cover: "a.png" }, []],
    ["cover: my photo.png", { cover: "my photo.png" }, []],
    ["robots: noindex, nofollow", {}, ["warning noindex 2"]],
    [`tags: [${"t".repeat(65)}]`, { tags: ["t".repeat(64)] }, ["warning too_long 2"]],
    [`tags: [${labels(21).join()}]`, { tags: labels(20) }, ["warning too_many 2"]],
    ['tags: ["a\\0b\\uD800"]', { tags: ["a b\uFFFD"] }, []],
    ["canonical_url: http://x.example/", { canonical_url: null }, ["warning invalid_canonical_url 2"]],
    ["canonical_url: /a", { canonical_url: null }, ["warning invalid_canonical_url 2"]],
    ["canonical_url: 'https://x y'", { canonical_url: null }, ["warning invalid_canonical_url 2"]],
    ["canonical_url: true", { canonical_url: null }, ["warning invalid_canonical_url 2"]],
    [`canonical_url: ${longUrl}`, { canonical_url: null }, ["warning invalid_canonical_url 2"]],
    ["changed_at: 2024-03-02T01:02:03+01:00", { changed_at: "2024-03-02T00:02:03.000Z" }, []],
    ["changed_at: 2099-01-01", { changed_at: null }, []],
    ["changed_at: soon", { changed_at: null }, ["error invalid_date 2"]],
    ["title: A", { listed: undefined, cover_alt: undefined, cover_caption: undefined, changed_at: null }, []],
    ["listed: false", { listed: false }, []],
    ["listed: yes", { listed: true }, []],
    ["listed: perhaps", {}, ["error wrong_type 2"]],
    ["cover_alt: A *red*\u00A0 boat", { cover_alt: "A red boat" }, []],
    [
      "cover:\n  image: a.png\n  alt: A *red* boat\n  caption: Ann",
      { cover_alt: "A red boat", cover_caption: "Ann" },
      [],
    ],
    ["image:\n  path: a.png\n  alt: A boat", { cover_alt: "A boat", cover_caption: undefined }, []],
    ["cover_alt: B\ncover:\n  image: a.png\n  alt: A", { cover_alt: "B" }, []],
    ["cover: a.png\nimage:\n  path: b.png\n  alt: Of another image", { cover_alt: undefined }, []],
    ["heroImageAlt: A boat\nfeaturedImageCaption: Ann", { cover_alt: "A boat", cover_caption: "Ann" }, []],
    ["featured_image_alt: A boat\nimage_caption: Ann", { cover_alt: "A boat", cover_caption: "Ann" }, []],
    ["cover_alt:\ncover_caption: ''", { cover_alt: null, cover_caption: null }, []],
    [`cover_alt: ${"a".repeat(501)}`, { cover_alt: `${"a".repeat(499)}…` }, ["warning too_long 2"]],
    [`cover_caption: ${"a".repeat(301)}`, { cover_caption: `${"a".repeat(299)}…` }, ["warning too_long 2"]],
    ["author: []", { author_name: null }, ["warning wrong_type 2"]],
    ["author: { name: Ann }", { author_name: "Ann" }, []],
    ["authors: [Ann, { name: Bo }]", { author_name: "Ann, Bo" }, []],
    ['author: "Ann <!-- SECRET -->"', { author_name: "Ann" }, []],
    ["author: { name: 'Ann <i hidden>SECRET</i>' }", { author_name: "Ann" }, []],
    ["author: constructor", { author_name: "constructor" }, []],
    ['author: "A\\u202E\\nB\\u2028"', { author_name: "A B" }, []],
    [`author: ${long}`, { author_name: `${long.slice(0, 99).trim()}…` }, ["warning too_long 2"]],
    ["cover: 5\nimage: []", { cover: null }, []],
    ["image: { path: /a.png }", { cover: "/a.png" }, []],
    ["lang: English", { primary_language: null }, ["warning unknown_language 2"]],
    ["lang: en_US", { primary_language: "en-US" }, []],
    ["language: zh-hant-tw", { primary_language: "zh-Hant-TW" }, []],
    ["translation_languages: fr, de", { translation_languages: ["fr", "de"] }, []],
    ["translation_languages: [fr, 5, FR]", { translation_languages: ["fr"] }, ["warning unknown_language 2"]],
    ["translation_languages: []", { translation_languages: [] }, []],
    ["canonical_ulr: https://x.example/", {}, ["warning unknown_field 2"]],
    ["meta_descripton: x", {}, ["warning unknown_field 2"]],
    ["weight: 5\nkeywords: [a]\nlayout: post\ntoc: true", {}, []],
  ])("%j", async (yaml, wanted, findings) => {
    const post = await readOne({ "posts/2024-01-02-a.md": `---\n${yaml}\ndate: 2024-01-02\n---\nText.\n` })
    expect(brief(post)).toEqual(findings)
    const { title, meta_description } = post.source
    expect({ ...post, title, meta_description, changed_at: post?.source.changed_at }).toMatchObject(wanted)
  })

  test("labels are separated by spaces in Jekyll, and not in Hexo", async () => {
    const jekyll = { settings: { ...NO_TOOL, tool: TOOLS.jekyll } }
    const hexo = { settings: { ...NO_TOOL, tool: TOOLS.hexo } }
    expect((await readFront("title: A\ntags: green tea", jekyll, "_posts/2024-01-01-a.md")).tags).toEqual([
      "green",
      "tea",
    ])
    expect((await readFront("title: A\ntags: green tea", hexo, "source/_posts/a.md")).tags).toEqual(["green tea"])
    expect((await readFront("title: A\ntags: tea, cups", jekyll, "_posts/2024-01-01-a.md")).tags).toEqual([
      "tea",
      "cups",
    ])
  })

  test("names of authors come from Docusaurus' authors.yml", async () => {
    const post = { "blog/a.md": "---\ntitle: A\nauthors: [mia, jo]\n---\nText." }
    const authorOf = async (yaml: string) => (await readOne({ ...post, "blog/authors.yml": yaml })).author_name
    expect([await authorOf("mia:\n  name: Mia Ton\n"), await authorOf("mia: [")]).toEqual(["Mia Ton, jo", "mia, jo"])
  })
})
