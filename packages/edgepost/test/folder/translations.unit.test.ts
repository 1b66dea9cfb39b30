import { describe, expect, test } from "vitest"

import { readTool } from "../../src/tools/index.ts"
import { brief, folderOf, read, readOne } from "./folder.ts"

const POST = "---\ntitle: A\n---\n\nText.\n"

describe("translations made by hand belong to their post", () => {
  test.each<
    [layout: string, files: string[], source: string, primary: string | null, translations: Record<string, string>]
  >([
    [
      "suffixes",
      ["post.md", "post.fr.md", "post.pt-br.md"],
      "post.md",
      null,
      { fr: "post.fr.md", "pt-BR": "post.pt-br.md" },
    ],
    ["suffixes for all", ["post.en.md", "post.fr.md"], "post.en.md", "en", { fr: "post.fr.md" }],
    ["a bundle", ["p/a/index.md", "p/a/index.fr.md"], "p/a/index.md", null, { fr: "p/a/index.fr.md" }],
    ["a folder beside", ["posts/a.md", "posts/fr/a.md"], "posts/a.md", null, { fr: "posts/fr/a.md" }],
    ["folders", ["en/a.md", "fr/a.md"], "en/a.md", "en", { fr: "fr/a.md" }],
    ["folders without the primary one", ["de/a.md", "fr/a.md"], "de/a.md", "de", { fr: "fr/a.md" }],
    ["folders of a region", ["en-US/a.md", "de/a.md"], "en-US/a.md", "en-US", { de: "de/a.md" }],
    [
      "Hugo",
      ["content/en/posts/a.md", "content/fr/posts/a.md"],
      "content/en/posts/a.md",
      "en",
      { fr: "content/fr/posts/a.md" },
    ],
    [
      "Docusaurus",
      ["blog/2022-03-03-a.md", "i18n/fr/docusaurus-plugin-content-blog/2022-03-03-a.md"],
      "blog/2022-03-03-a.md",
      null,
      { fr: "i18n/fr/docusaurus-plugin-content-blog/2022-03-03-a.md" },
    ],
    ["other extensions", ["a.md", "a.fr.mdx"], "a.md", null, { fr: "a.fr.mdx" }],
    ["NFC and NFD", ["caf\u00e9.md", "cafe\u0301.fr.md"], "caf\u00e9.md", null, { fr: "cafe\u0301.fr.md" }],
  ])("%s", async (_, files, source, primary, translations) => {
    const post = await readOne(Object.fromEntries(files.map((file) => [file, POST])))
    expect(brief(post)).toEqual([])
    expect(post.source.file).toBe(source)
    expect(post.primary_language).toBe(primary)
    const found = Object.entries(post.translations).map(([lang, { file }]) => [lang, file])
    expect(Object.fromEntries(found)).toEqual(translations)
  })

  test.each<[what: string, files: string[]]>([
    ["an ending that is no language", ["post.md", "post.draft.md"]],
    ["a code without a language", ["post.md", "post.mul.md"]],
    ["a code without a name", ["post.md", "post.net.md"]],
    ["folders that are no languages", ["sea/a1.md", "land/a2.md"]],
    ["a folder without a counterpart", ["posts/it/a.md", "posts/b.md"]],
  ])("not with %s", async (_, files) => {
    const { posts } = await read(Object.fromEntries(files.map((file) => [file, POST])))
    expect(posts.map((post) => [post.source.file, post.primary_language])).toEqual(
      files.toSorted().map((file) => [file, null]),
    )
  })

  test("a post in one language only is in that language, if other posts have texts in it", async () => {
    const { posts } = await read({ "en/a.md": POST, "fr/a.md": POST, "fr/b.md": POST, "ml/c.md": POST })
    expect(posts.map(({ slug, primary_language }) => [slug, primary_language])).toEqual([
      ["a", "en"],
      ["b", "fr"],
      ["c", null],
    ])
  })

  test("a bundle in one language only is in that language", async () => {
    const post = await readOne({ "posts/a/index.fr.md": POST })
    expect([post.slug, post.primary_language]).toEqual(["a", "fr"])
  })

  test("the primary language wins over another one of its regions", async () => {
    const post = await readOne({ "en-GB/a.md": POST, "en/a.md": POST })
    expect([post.source.file, Object.keys(post.translations)]).toEqual(["en/a.md", ["en-GB"]])
  })

  test("two files of the same name are two posts with the same slug", async () => {
    const { posts } = await read({ "a.md": POST, "a.mdx": POST })
    expect(posts.map(({ slug }) => slug)).toEqual(["a", "a"])
  })

  test("the folder of a language is no category", async () => {
    const { posts } = await read({ "content/fr/a.md": POST, "content/en/a.md": POST, "content/fr/sea/b.md": POST })
    expect(posts.map(({ categories }) => categories)).toEqual([["Blog"], ["sea"]])
  })

  test.each<[what: string, files: Record<string, string>, left: string[]]>([
    [
      "hides its translations",
      { "a.md": "---\ntitle: A\nprivate: true\n---\nText.", "a.fr.md": POST },
      ["a.fr.md: private: true in a.md", "a.md: private: true"],
    ],
    [
      "hides those of folders",
      { "en/a.md": "---\ntitle: A\npassword: x\n---\nText.", "fr/a.md": POST, "de/a.md": POST },
      ["de/a.md: password in en/a.md", "en/a.md: password", "fr/a.md: password in en/a.md"],
    ],
    [
      "is left out alone as a translation",
      { "a.md": POST, "a.fr.md": "---\ntitle: A\nhidden: true\n---\nText." },
      ["a.fr.md: hidden: true"],
    ],
    ["says nothing where it has no text", { "a.md": "---\ntitle: A\n---\n", "a.fr.md": POST }, ["a.md: no text"]],
  ])("a text that %s", async (_, files, left) => {
    const { posts, leftOut } = await read(files)
    expect(leftOut.map(({ file, reason }) => `${file}: ${reason}`).toSorted()).toEqual(left)
    expect(posts).toHaveLength(Object.keys(files).length > left.length ? 1 : 0)
  })

  test.each<[tool: string, files: Record<string, string>]>([
    [
      "Hugo",
      {
        "hugo.toml": 'baseURL = "https://e.x"\ndefaultContentLanguage = "en"\n[languages.en]\n[languages.fr]\n',
        "content/posts/a.md": "---\ntitle: A\ntranslationKey: k\n---\nText.",
        "content/drafts/b.fr.md": "---\ntitle: B\ntranslationKey: k\n---\nTexte.",
      },
    ],
    [
      "Pelican",
      {
        "pelicanconf.py": "PATH = 'content'\nDEFAULT_LANG = 'en'\n",
        "content/a.md": "Title: A\nDate: 2024-01-02\nSlug: k\nLang: en\n\nText.",
        "content/drafts/a-fr.md": "Title: B\nDate: 2024-01-02\nSlug: k\nLang: fr\n\nTexte.",
      },
    ],
  ])("a translation in a folder of drafts waits, in %s", async (_, files) => {
    const settings = await readTool(folderOf(files))
    const { posts } = await read(files, { settings })
    expect(posts.flatMap(({ status, translations }) => [status, ...Object.keys(translations)])).toEqual(["PB"])
    const shown = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.replace("drafts", "more"), text]),
    )
    const done = await read(shown, { settings })
    expect(done.posts.map(({ translations }) => Object.keys(translations))).toEqual([["fr"]])
  })

  test("a draft of a translation waits", async () => {
    const post = await readOne({ "a.md": POST, "a.fr.md": "---\ntitle: B\ndraft: true\n---\n" })
    expect(post.translations).toEqual({})
  })

  test.each<[source: string, translation: string, languages: string[], found: string[]]>([
    ["2024-01-02", "date: 2026-12-24", [], ["warning waiting_translation 1"]],
    ["2024-01-02", "publishDate: 2026-12-24", [], ["warning waiting_translation 1"]],
    ["2024-01-02", "date: 2026-11-25", ["fr"], []],
    ["2026-12-24", "date: 2026-12-24", ["fr"], []],
    ["2026-12-24", "date: 2026-12-25", [], ["warning waiting_translation 1"]],
  ])("a post of %s with a translation of %s has %j", async (date, field, languages, found) => {
    const files = {
      "a.md": `---\ntitle: A\ndate: ${date}\n---\nText.`,
      "a.fr.md": `---\ntitle: B\n${field}\n---\nText.`,
    }
    const { posts, leftOut } = await read(files, { timezone: "UTC" })
    expect(posts.map(({ translations }) => Object.keys(translations))).toEqual([languages])
    expect([posts.flatMap(brief), leftOut]).toEqual([found, []])
  })

  test("a text in the language of its source is an error", async () => {
    const english = { "a.md": POST, "a.en.md": POST }
    expect(brief(await readOne(english))).toEqual(["error duplicate_language 1"])
    expect(brief(await readOne(english, { primaryLanguage: "de" }))).toEqual([])
    expect(brief(await readOne({ "a.md": "---\ntitle: A\nlang: fr\n---\nText.", "a.fr.md": POST }))).toEqual([
      "error duplicate_language 1",
    ])
  })

  test("a translation with a broken front matter blocks its post", async () => {
    const post = await readOne({ "a.md": POST, "a.fr.md": "---\ntitle: [\n---\n" })
    expect(post.findings).toEqual([expect.objectContaining({ code: "front_matter", file: "a.fr.md" })])
  })

  test("translations that edgepost pull wrote belong to their post, whatever its slug", async () => {
    const translation = "---\nedgepost: stored translation\ntitle: B\n---\nText."
    const files = {
      "readme.md": "---\nslug: readme\ntitle: A\n---\nText.",
      "readme.fr.md": translation,
      "b.fr.md": translation,
    }
    const { posts } = await read(files)
    expect(posts.map(({ slug, translations }) => [slug, Object.keys(translations)])).toEqual([["readme", ["fr"]]])
  })

  test("a post is read as a whole if its translation is given by name", async () => {
    const { posts, leftOut } = await read({ "a.md": POST, "a.fr.md": POST, "b.md": POST }, { paths: ["a.fr.md"] })
    expect(posts.map(({ source }) => source.file)).toEqual(["a.md"])
    expect(leftOut).toEqual([])
  })
})

/** Reads a folder with its configuration, as `slug language: file; language: file` of each post. */
const readBlog = async (files: Record<string, string>): Promise<string[]> => {
  const settings = await readTool(folderOf(files), null)
  const { posts } = await read(files, { settings, primaryLanguage: settings.languages[0] ?? null })
  return posts.map(({ slug, primary_language, source, translations }) =>
    [
      `${slug} ${primary_language}: ${source.file}`,
      ...Object.entries(translations).map(([lang, { file }]) => `${lang}: ${file}`),
    ].join("; "),
  )
}

const TOWER = "---\ntitle: A\ntranslationKey: tower\n---\n\nText.\n"
const KEYS = "[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n"
const FOLDERS = '[languages.en]\ncontentDir = "content/english"\n[languages.fr]\ncontentDir = "content/french"\n'

describe("languages and pairs are those of the blog's tool", () => {
  test.each<[what: string, files: Record<string, string>, expected: string[]]>([
    [
      "Hugo with a folder for each language",
      {
        "hugo.toml": FOLDERS,
        "content/english/posts/lighthouse.md": POST,
        "content/french/posts/lighthouse.md": POST,
        "content/french/posts/seul.md": POST,
      },
      [
        "lighthouse en: content/english/posts/lighthouse.md; fr: content/french/posts/lighthouse.md",
        "seul fr: content/french/posts/seul.md",
      ],
    ],
    [
      "Hugo with a key of the translation",
      { "hugo.toml": KEYS, "content/posts/lighthouse.en.md": TOWER, "content/posts/phare.fr.md": TOWER },
      ["lighthouse en: content/posts/lighthouse.en.md; fr: content/posts/phare.fr.md"],
    ],
    [
      "Hugo with a key of the translation in bundles",
      {
        "hugo.toml": KEYS,
        "content/posts/lighthouse/index.md": TOWER,
        "content/posts/phare/index.fr.md": TOWER,
        "content/posts/tour/index.fr.md": POST,
      },
      [
        "lighthouse null: content/posts/lighthouse/index.md; fr: content/posts/phare/index.fr.md",
        "tour fr: content/posts/tour/index.fr.md",
      ],
    ],
    [
      "Hugo with two texts of one language and one key",
      { "hugo.toml": KEYS, "content/posts/a.md": TOWER, "content/posts/b.md": TOWER },
      ["a null: content/posts/a.md", "b null: content/posts/b.md"],
    ],
    [
      "Hugo with mounts",
      {
        "hugo.toml": `${KEYS}[[module.mounts]]\nsource = "content"\ntarget = "content"\n[[module.mounts]]\nsource = "text/fr"\ntarget = "content"\nlang = "fr"\n`,
        "text/fr/posts/a.md": POST,
        "content/posts/a.md": POST,
      },
      ["a null: content/posts/a.md; fr: text/fr/posts/a.md"],
    ],
    [
      "Hugo with a text in one language alone",
      { "hugo.toml": KEYS, "content/posts/phare.fr.md": POST, "content/posts/a.it.md": POST },
      ["a-it null: content/posts/a.it.md", "phare fr: content/posts/phare.fr.md"],
    ],
    [
      "Hugo with a key that is no code",
      {
        "hugo.toml": `${KEYS}[languages.jp]\nlanguageCode = "ja"\n`,
        "content/posts/a.md": POST,
        "content/posts/a.jp.md": POST,
      },
      ["a null: content/posts/a.md; ja: content/posts/a.jp.md"],
    ],
    [
      "Hugo, whose default language is English",
      {
        "hugo.toml": "[languages.fr]\n[languages.en]\n",
        "content/posts/peat.md": POST,
        "content/posts/peat.fr.md": POST,
      },
      ["peat null: content/posts/peat.md; fr: content/posts/peat.fr.md"],
    ],
    [
      "Zola, whose default language is English",
      {
        "config.toml": 'base_url = "https://e.x"\n[languages.fr]\n',
        "content/posts/peat.md": POST,
        "content/posts/peat.fr.md": POST,
        "content/posts/lande/index.fr.md": POST,
      },
      ["lande fr: content/posts/lande/index.fr.md", "peat null: content/posts/peat.md; fr: content/posts/peat.fr.md"],
    ],
    [
      "Docusaurus with a second blog and a folder of another name, but no translation alone",
      {
        "docusaurus.config.js":
          'export default { i18n: { localeConfigs: { "de": { path: "deutsch" } } }, plugins: [["@docusaurus/plugin-content-blog", { id: "news", path: "./news", routeBasePath: "n" }]] }',
        "news/a.md": POST,
        "i18n/de/docusaurus-plugin-content-blog-news/a.md": POST,
        "i18n/deutsch/docusaurus-plugin-content-blog-news/a.md": POST,
        "i18n/fr/docusaurus-plugin-content-blog-news/a.md": POST,
        "i18n/fr/docusaurus-plugin-content-blog/seul.md": POST,
      },
      [
        "a null: news/a.md; de: i18n/deutsch/docusaurus-plugin-content-blog-news/a.md; fr: i18n/fr/docusaurus-plugin-content-blog-news/a.md",
      ],
    ],
  ])("%s", async (_, files, expected) => {
    expect(await readBlog(files)).toEqual(expected)
  })
})
