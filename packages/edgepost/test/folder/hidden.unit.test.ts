import { describe, expect, test } from "vitest"

import { readPosts, type ReadOptions } from "../../src/folder/posts.ts"
import { readTool } from "../../src/tools/index.ts"
import { brief, folderOf, OPTIONS, read } from "./folder.ts"

const POST = "---\ntitle: A\ndate: 2024-01-02\n---\nText.\n"
const front = (yaml: string, text = "Text.") => `---\ntitle: A\ndate: 2024-01-02\n${yaml}\n---\n${text}\n`

/** Reads a folder with its configuration, in which an empty file of Markdown is a post. @returns the paths of posts, and of files left out with the reason */
const judge = async (files: Record<string, string>, options: Partial<ReadOptions> = {}): Promise<string[]> => {
  const texts = Object.entries(files).map(([file, text]) => [file, text === "" && file.endsWith("md") ? POST : text])
  const folder = folderOf(Object.fromEntries(texts) as Record<string, string>)
  const settings = await readTool(folder, null, options.publishBy)
  const { posts, leftOut } = await readPosts(folder, { ...OPTIONS, settings, timezone: "UTC", ...options })
  return [
    ...posts.flatMap(({ status, source, translations }) =>
      [source, ...Object.values(translations)].map(({ file }) => (status === "DF" ? `draft ${file}` : file)),
    ),
    ...leftOut.map(({ file, reason }) => `${file}: ${reason}`),
  ].toSorted()
}

const JEKYLL = "title: T\nurl: https://e.x\n"
const ZOLA = 'base_url = "https://e.x"\n'
const HUGO = 'baseURL = "https://e.x"\n'
const ASTRO = "export default {}"
const VENDOR = "vendor/bundle/ruby/gems/a/_posts/2024-01-02-a.md"

describe("what the configuration of a blog leaves out is left out, and named", () => {
  test.each<[what: string, files: Record<string, string>, judged: string[]]>([
    [
      "names with an underscore, `include` and `exclude` of Hexo",
      {
        "_config.yml": 'source_dir: source\ninclude: ["_shown/**"]\nexclude: ["_posts/old/**", "about/old/**"]\n',
        ...Object.fromEntries(
          [
            "_posts/a",
            "_drafts/b",
            "_private/c",
            "about/_d",
            "_shown/e",
            "_posts/old/f",
            "_posts/g/_h/i",
            "about/old/j",
          ].map((one) => [`source/${one}.md`, ""]),
        ),
      },
      [
        "draft source/_drafts/b.md",
        "source/_posts/a.md",
        "source/_posts/g/_h/i.md: name with _",
        "source/_posts/old/f.md",
        "source/_private/c.md: name with _",
        "source/_shown/e.md",
        "source/about/_d.md: name with _",
        "source/about/old/j.md: `exclude` of the configuration",
      ],
    ],
    [
      "`defaults` of Jekyll for a collection",
      {
        "_config.yml": `${JEKYLL}collections: {docs: {output: true}, news: {output: true}}
defaults:
  - {scope: {path: "_docs/open", type: docs}, values: {published: true}}
  - {scope: {path: "", type: docs}, values: {published: false}}
  - {scope: {path: "", type: posts}, values: {draft: true}}
`,
        "_docs/a.md": "",
        "_docs/open/b.md": "",
        "_news/c.md": "",
        "x/_posts/2024-01-02-d.md": "",
      },
      ["_docs/open/b.md", "_news/c.md", "draft _docs/a.md", "draft x/_posts/2024-01-02-d.md"],
    ],
    [
      "`ignores` of Nuxt Content 2",
      {
        "nuxt.config.ts":
          'export default { modules: ["@nuxt/content"], content: { ignores: ["private", "\\\\.wip$"] } }',
        "content/a.md": "",
        "content/private/b.md": "",
        "content/c/private-d.md": "",
      },
      [
        "content/a.md",
        "content/c/private-d.md: `ignores` of the configuration",
        "content/private/b.md: `ignores` of the configuration",
      ],
    ],
    [
      "`is_hidden` of Nanoc, whatever says yes",
      {
        "nanoc.yaml": "",
        ...Object.fromEntries(
          ["true", "yes", "'true'", "1", "no", "false", ""].map((value, i) => [
            `content/${i}.md`,
            front(`is_hidden: ${value}`),
          ]),
        ),
      },
      [
        "content/0.md: is_hidden: true",
        "content/1.md: is_hidden: yes",
        "content/2.md: is_hidden: true",
        "content/3.md: is_hidden: 1",
        "content/4.md",
        "content/5.md",
        "content/6.md",
      ],
    ],
    [
      "a folder that Hugo mounts or a language has, with a slash at its end",
      {
        "hugo.toml": `${HUGO}
[languages.en]
contentDir = "en/"
[languages.fr]
contentDir = "./fr/"
disabled = true
[[module.mounts]]
source = "./en/"
target = "content"
`,
        "en/a.md": "",
        "fr/b.md": "",
        "drop/c.md": "",
      },
      ["drop/c.md: outside of en", "en/a.md", "fr/b.md: outside of en"],
    ],
    [
      "`contentDir` of Hugo's languages with a slash at its end",
      {
        "hugo.toml": `${HUGO}[languages.en]\ncontentDir = "./en/"\n[languages.fr]\ncontentDir = "fr/"\ndisabled = true\n`,
        "en/a.md": "",
        "fr/b.md": "",
        "c.md": "",
      },
      ["c.md: outside of en", "en/a.md", "fr/b.md: a language that is switched off"],
    ],
    [
      "`ignoreFiles` of Hugo, regular expressions for the whole path",
      {
        "hugo.toml": `${HUGO}ignoreFiles = ["\\\\.wip\\\\.md$", "content/inbox/.*", "(?i)SECRET"]\n`,
        "content/posts/a.md": "",
        "content/posts/b.wip.md": "",
        "content/posts/my-secret.md": "",
        "content/inbox/c.md": "",
      },
      [
        "content/inbox/c.md: `ignoreFiles` of the configuration",
        "content/posts/a.md",
        "content/posts/b.wip.md: `ignoreFiles` of the configuration",
        "content/posts/my-secret.md: `ignoreFiles` of the configuration",
      ],
    ],
    [
      "languages of Hugo that are switched off",
      {
        "hugo.toml": `${HUGO}disableLanguages = ["fr"]\n[languages.en]\n[languages.fr]\n[languages.de]\ndisabled = true\n[languages.nl]\ncontentDir = "teksten"\ndisabled = true\n`,
        "content/a.md": "",
        "content/a.fr.md": "",
        "content/b.de.md": "",
        "content/node.js.md": "",
        "teksten/c.md": "",
      },
      [
        "content/a.fr.md: a language that is switched off",
        "content/a.md",
        "content/b.de.md: a language that is switched off",
        "content/node.js.md",
        "teksten/c.md: a language that is switched off",
      ],
    ],
    [
      "mounts of Hugo: other folders, and what a mount excludes",
      {
        "hugo.toml": `${HUGO}[[module.mounts]]\nsource = "texts"\ntarget = "content"\nexcludeFiles = ["inbox/**", "*.wip.md"]\n[[module.mounts]]\nsource = "more"\ntarget = "content/more"\nfiles = ["! b/**", "**"]\n[[module.mounts]]\nsource = "pics"\ntarget = "static"\n`,
        "content/a.md": "",
        "texts/a.md": "",
        "texts/b.wip.md": "",
        "texts/inbox/x/c.md": "",
        "more/d.md": "",
        "more/b/e.md": "",
        "pics/f.md": "",
      },
      [
        "content/a.md: outside of texts, more",
        "more/b/e.md: `module.mounts` of the configuration",
        "more/d.md",
        "pics/f.md: outside of texts, more",
        "texts/a.md",
        "texts/b.wip.md: `module.mounts` of the configuration",
        "texts/inbox/x/c.md: `module.mounts` of the configuration",
      ],
    ],
    [
      "gems of Jekyll, also when `exclude` names others",
      { "_config.yml": `${JEKYLL}exclude: [scripts]\n`, "_posts/2024-01-02-a.md": "", [VENDOR]: "" },
      ["_posts/2024-01-02-a.md", `${VENDOR}: a folder of packages`],
    ],
    [
      "gems of Jekyll that `include` names",
      { "_config.yml": `${JEKYLL}include: [vendor/bundle]\n`, [VENDOR]: "" },
      [VENDOR],
    ],
    [
      "collections of Jekyll without output, and templates in others",
      {
        "_config.yml": `${JEKYLL}collections:\n  crew: {output: false}\n  logbook:\n  boats: {output: true}\n  posts: {output: false}\n`,
        "_posts/2024-01-02-a.md": "",
        "_crew/ann.md": "",
        "_logbook/entry.md": "",
        "_boats/tern.md": "",
        "_boats/_template.md": "",
        "_boats/#old.md": "",
      },
      [
        "_boats/#old.md: name with _, # or ~",
        "_boats/_template.md: name with _, # or ~",
        "_boats/tern.md",
        "_crew/ann.md: collection without `output: true`",
        "_logbook/entry.md: collection without `output: true`",
        "_posts/2024-01-02-a.md",
      ],
    ],
    [
      "collections of Jekyll in a list, none of which has output",
      { "_config.yml": `${JEKYLL}collections: [crew]\n`, "_posts/2024-01-02-a.md": "", "_crew/ann.md": "" },
      ["_crew/ann.md: collection without `output: true`", "_posts/2024-01-02-a.md"],
    ],
    [
      "`ignore` and `skip_render` of Hexo",
      {
        "_config.yml":
          'title: T\nignore: ["**/*.skip.md", "**/secret-*.md", "**/inbox/**"]\nskip_render: _posts/raw/**\n',
        "source/_posts/a.md": "",
        "source/_posts/b.skip.md": "",
        "source/_posts/secret-c.md": "",
        "source/_posts/inbox/d.md": "",
        "source/_posts/raw/e.md": "",
      },
      [
        "source/_posts/a.md",
        "source/_posts/b.skip.md: `ignore` of the configuration",
        "source/_posts/inbox/d.md: `ignore` of the configuration",
        "source/_posts/raw/e.md: `skip_render` of the configuration",
        "source/_posts/secret-c.md: `ignore` of the configuration",
      ],
    ],
    [
      "`ignored_content` of Zola, draft sections and pages that are not rendered",
      {
        "config.toml": `${ZOLA}ignored_content = ["*.wip.md", "shed/*"]\n`,
        "content/_index.md": '+++\ntitle = "T"\n+++\n',
        "content/posts/a.md": "",
        "content/posts/b.wip.md": "",
        "content/shed/c.md": "",
        "content/inbox/_index.md": "+++\ndraft = true\n+++\n",
        "content/inbox/d.md": front("draft: false"),
        "content/inbox/deep/e.md": "",
        "content/broken/_index.md": "+++\n[\n+++\n",
        "content/broken/f.md": "",
        "content/posts/g.md": front("render: false"),
      },
      [
        "content/broken/f.md: a section with `draft = true`",
        "content/inbox/d.md: a section with `draft = true`",
        "content/inbox/deep/e.md: a section with `draft = true`",
        "content/posts/a.md",
        "content/posts/b.wip.md: `ignored_content` of the configuration",
        "content/posts/g.md: render = false",
        "content/shed/c.md: `ignored_content` of the configuration",
      ],
    ],
    [
      "files and texts in code by which Eleventy ignores",
      {
        "eleventy.config.js":
          'export default (c) => { c.ignores.add("src/notes/**"); c.ignores.add(PATH); return { dir: { input: "src" } } }',
        ".gitignore": "node_modules/\n# a comment\nsrc/wip/\n*.local.md\n!src/wip/d.md\n",
        ".eleventyignore": "src/shed\n",
        "src/.eleventyignore": "own/*.md",
        "notes.md": "",
        "src/a.md": "",
        "src/b.local.md": "",
        "src/wip/c.md": "",
        "src/shed/d.md": "",
        "src/notes/e.md": "",
        "src/own/f.md": "",
      },
      [
        "notes.md: outside of src",
        "src/a.md",
        // Eleventy takes the pattern for the root alone, and Git for all folders.
        "src/b.local.md",
        "src/notes/e.md: `ignores` of the configuration",
        "src/own/f.md: `.eleventyignore`",
        "src/shed/d.md: `.eleventyignore`",
        "src/wip/c.md: `.gitignore`",
      ],
    ],
    [
      "nothing of `.gitignore` if the configuration of Eleventy leaves it aside",
      { ".eleventy.js": "module.exports = (c) => { c.setUseGitIgnore(false) }", ".gitignore": "a.md", "a.md": "" },
      ["a.md"],
    ],
    [
      "data and names of Eleventy 4",
      {
        "buildawesome.config.js": "",
        "hidden/hidden.data.json": '{"permalink": false}',
        "hidden/a.md": "",
        "posts/b.data.json": '{"permalink": false}',
        "posts/b.md": "",
        "posts/c.md": front("buildawesomeExcludeFromCollections: true"),
      },
      ["draft posts/c.md", "hidden/a.md: permalink: false", "posts/b.md: permalink: false"],
    ],
    [
      "`exclude` of Docusaurus, as far as it is texts",
      {
        "docusaurus.config.js":
          'module.exports = { presets: [["classic", { docs: { exclude: [...all] }, blog: { exclude: ["**/inbox/**", "*.wip.md"] } }]] }',
        "blog/2024-01-02-a.md": "",
        "blog/inbox/2024-01-02-b.md": "",
        "blog/c.wip.md": "",
      },
      [
        "blog/2024-01-02-a.md",
        "blog/c.wip.md: `exclude` of the configuration",
        "blog/inbox/2024-01-02-b.md: `exclude` of the configuration",
      ],
    ],
    [
      "what is of no pattern of Astro's content",
      {
        "astro.config.mjs": ASTRO,
        "src/config.ts": 'export const BLOG = "src/data/blog"',
        "src/content.config.ts":
          'export const collections = { blog: defineCollection({ loader: glob({ pattern: "**/[^_]*.{md,mdx}", base: `./${BLOG}` }) }), notes: defineCollection({ loader: glob({ base: "src/notes", pattern: ["*.md", "!b.md"] }) }) }',
        "src/data/blog/a.md": "",
        "src/data/blog/_b.md": "",
        "src/data/blog/x/_c.mdx": POST,
        "src/data/blog/d.markdown": POST,
        "src/notes/a.md": "",
        "src/notes/b.md": "",
        "src/notes/x/c.md": "",
      },
      [
        "src/data/blog/_b.md: no `pattern` of the content",
        "src/data/blog/a.md",
        "src/data/blog/d.markdown: no `pattern` of the content",
        "src/data/blog/x/_c.mdx: no `pattern` of the content",
        "src/notes/a.md",
        "src/notes/b.md: no `pattern` of the content",
        "src/notes/x/c.md: no `pattern` of the content",
      ],
    ],
    [
      "nothing below a folder of Astro's content that only code knows",
      {
        "astro.config.mjs": ASTRO,
        "src/content.config.ts": 'glob({ pattern: "[^_]*.md", base: path.join(root, "blog") })',
        "blog/x/a.md": "",
      },
      ["blog/x/a.md"],
    ],
  ])("%s", async (_, files, judged) => {
    expect(await judge(files)).toEqual(judged)
  })

  test("a path in which a pattern of `ignoreFiles` takes long to search for is left out", async () => {
    const long = `content/${"a".repeat(230)}.md`
    const files = { "hugo.toml": `${HUGO}ignoreFiles = [".*-.*_.*="]\n`, "content/a.md": "", [long]: "" }
    expect(await judge(files)).toEqual(["content/a.md", `${long}: \`ignoreFiles\` of the configuration`].toSorted())
  })

  test.each<[config: string, text: string, shown: string]>([
    ["hugo.toml", HUGO, "code/site/content/a.md"],
    ["docusaurus.config.js", "export default {}", "code/site/blog/a.md"],
    ["astro.config.mjs", ASTRO, "code/site/src/content/blog/a.md"],
    ["nuxt.config.ts", "export default { modules: ['@nuxt/content'] }", "code/site/content/a.md"],
    ["gatsby-config.js", "module.exports = {}", "code/site/posts/a.md"],
    ["config.toml", ZOLA, "code/site/content/a.md"],
    ["pelicanconf.py", "SITENAME = 'A'\n", "code/site/content/a.md"],
    ["nanoc.yaml", "text_extensions: [md]\n", "code/site/content/a.md"],
    ["eleventy.config.js", "", "code/site/a.md"],
  ])("what lies beside the site of code/site/%s, with and without its folder of posts", async (config, text, shown) => {
    const files = { [`code/site/${config}`]: text, "secret.md": "", "code/b.md": "" }
    const outside = ["code/b.md", "secret.md"]
    const asked = { paths: ["code/b.md", "secret.md"] }
    for (const more of [{}, { [shown]: "" }]) {
      const judged = await judge({ ...files, ...more })
      expect(judged.filter((one) => one !== shown)).toEqual(
        outside.map((file) => expect.stringMatching(new RegExp(`^${file}: outside of code/site`)) as string),
      )
      expect(judged).toHaveLength(outside.length + Object.keys(more).length)
    }
    const { length } = (await judge(files, asked)).filter((one) => one.includes("where the configuration is"))
    expect(length).toBe(0)
  })

  test("the folder of posts may lie beside that of the configuration", async () => {
    const files = { "site/hugo.toml": `${HUGO}contentDir = "../posts"\n`, "posts/a.md": "", "b.md": "" }
    expect(await judge(files)).toEqual([expect.stringMatching(/^b\.md: outside of posts/), "posts/a.md"])
  })

  test("a pattern of `ignoreFiles` that cannot be read stops, and is named with its file", async () => {
    const files = { "hugo.toml": `${HUGO}ignoreFiles = ["(?P<a>b"]\n`, "content/a.md": "" }
    await expect(judge(files)).rejects.toThrow(/hugo\.toml: the pattern \(\?P<a>b in `ignoreFiles`/)
  })
})

const YES = front("publish: true")
const SAID = "publish that says yes"

describe("where notes have to say that they are public, others are left out", () => {
  test.each<[what: string, files: Record<string, string>, judged: string[], options?: Partial<ReadOptions>]>([
    [
      "a vault of Obsidian with the field in one note",
      {
        ".obsidian/app.json": "{}",
        "a.md": YES,
        "b.md": "",
        "empty.md": front("publish:"),
        "no.md": front("publish: false"),
        "note.md": "---\npublish: yes\n---\nText.",
      },
      ["a.md", `b.md: no ${SAID}`, `empty.md: no ${SAID}`, `no.md: no ${SAID}`, "note.md"],
    ],
    [
      "notes with links between them, and two fields",
      { "a.md": front("dg-publish: true"), "b.md": front("share: true", "[[a]]"), "c.md": "" },
      ["a.md", "b.md", "c.md: no dg-publish, share that says yes"],
    ],
    ["notes with links between them, and no field", { "a.md": front("x: y", "[[b]]"), "b.md": "" }, ["a.md", "b.md"]],
    ["a folder without such links", { "a.md": YES, "b.md": "" }, ["a.md", `b.md: no ${SAID}`]],
    ["posts of dev.to", { "a.md": front("published: true"), "b.md": front("share: true") }, ["a.md", "b.md"]],
    [
      "the blog of a tool",
      { "hugo.toml": HUGO, "content/a.md": front("publish: true", "[[b]]"), "content/b.md": "" },
      ["content/a.md", "content/b.md"],
    ],
    [
      "the field of the configuration, with any tool",
      { "hugo.toml": HUGO, "content/a.md": front("Ready: true"), "content/b.md": YES },
      ["content/a.md", "content/b.md: no ready that says yes"],
      { publishBy: "ready" },
    ],
    [
      "all, as the configuration says",
      { "a.md": front("publish: true", "[[b]]"), "b.md": "" },
      ["a.md", "b.md"],
      { publishBy: "all" },
    ],
    [
      "a note that is given by name",
      { "a.md": YES, "b.md": "[[a]]" },
      ["a.md", `b.md: no ${SAID}`],
      { paths: ["a.md", "b.md"] },
    ],
    [
      "pages of Logseq with a property, and no journals",
      {
        "logseq/config.edn": "",
        "logseq/bak/a.md": front("public: true"),
        "pages/a.md": "title:: A\npublic:: true\n\n- Text",
        "pages/b.md": "- public:: true \t \n- Text",
        "pages/c.md": front("x: y", "- Text\n- public:: true"),
        "journals/2024_01_02.md": front("x: y"),
      },
      [
        "journals/2024_01_02.md: no public that says yes",
        "logseq/bak/a.md: a file of Logseq",
        "pages/a.md",
        "pages/b.md",
        "pages/c.md: no public that says yes",
      ],
      { publishBy: "public" },
    ],
    [
      "files of `pull`, which stay",
      { "a.md": front("publish: true", "[[b]]"), "b.md": front("edgepost: stored post") },
      ["a.md", "b.md"],
    ],
  ])("%s", async (_, files, judged, options) => {
    expect(await judge(files, options)).toEqual(judged)
  })
})

test.each<[app: string, files: Record<string, string>]>([
  ["Obsidian", { ".obsidian/app.json": "{}", "a.md": YES }],
  ["Logseq", { "logseq/config.edn": "", "pages/a.md": "" }],
  ["Dendron", { "dendron.yml": "", "root.md": "" }],
  ["Foam", { ".foam/templates/a.md": "", "a.md": "" }],
  ["Notion", { "Plan 0123456789abcdef0123456789abcdef.md": "# Plan" }],
  [
    "Joplin",
    {
      "a.md":
        "---\ntitle: A\nupdated: 2024-01-02 03:04:05Z\ncreated: 2024-01-02 03:04:05Z\nlatitude: 0.0\n---\n\nText.",
    },
  ],
])("a folder of %s asks which notes are public, until the configuration says it", async (app, files) => {
  const { question } = await readTool(folderOf(files), null)
  expect(question).toContain(`The folder is one of ${app}`)
  expect((await readTool(folderOf(files), null, "all")).question).toBeNull()
  expect((await readTool(folderOf({ ...files, "hugo.toml": HUGO }), null)).question).toBeNull()
  const withSite = folderOf({ ...files, "code/site/hugo.toml": HUGO, "code/site/content/b.md": POST })
  expect((await readTool(withSite, null)).question).toBe(question)
})

test.each<Record<string, string>>([
  { "a.md": POST },
  { "a.md": "[[b]]" },
  { "Plan 0123.md": POST },
  { "a.md": front("updated: 2024-01-02 03:04:05Z\ncreated: 2024-01-02 03:04:05Z"), "b.md": POST },
  { "a.md": front("updated: 2024-01-02\ncreated: 2024-01-02") },
])("a folder of no app asks nothing: %j", async (files) => {
  expect((await readTool(folderOf(files), null)).question).toBeNull()
})

describe("a copy beside its post is left out, and named", () => {
  test.each([
    "a 2.md",
    "a (1).md",
    "a copy.md",
    "a copy 3.md",
    "a - Copy.md",
    "a - Copy (2).md",
    "a (conflicted copy).md",
    "a (Ann's conflicted copy 2024-05-02).md",
    "a (Case Conflict).md",
    "a.sync-conflict-20240502-120000-ABCDEF1.md",
    "a_conflict-20240502-120000.md",
    "a.conflicted.1.md",
  ])("%s", async (copy) => {
    expect(await judge({ "x/a.md": "", [`x/${copy}`]: "" })).toEqual(
      [`x/${copy}: a copy of x/a.md`, "x/a.md"].toSorted(),
    )
    expect(await judge({ "a.md": "", [`x/${copy}`]: "" })).toEqual(["a.md", `x/${copy}`])
    expect(await judge({ "x/a.md": "", [`x/${copy}`]: front("title: B") })).toHaveLength(2)
    expect((await judge({ "x/a.md": "", [`x/${copy}`]: front("date: 2024-01-03") })).join()).not.toContain(": a copy")
  })

  test("also where the tool dates a post by the last date of its name", async () => {
    const [post, copy] = ["blog/2024-05-01-a.md", "blog/2024-05-01-a (Ann's conflicted copy 2024-06-02).md"]
    const text = "---\ntitle: A\n---\nText."
    const judged = await judge({ "docusaurus.config.js": "export default {}", [post]: text, [copy]: text })
    expect(judged).toEqual([`${copy}: a copy of ${post}`, post])
  })

  test.each(["a-2.md", "a 2024.md", "a conflict.md", "copy.md"])("%s is none", async (file) => {
    expect(await judge({ "a.md": "", [file]: "" })).toEqual([file, "a.md"].toSorted())
  })
})

const FIELDS = "title: A\ndate: 2024-01-02\ndraft: true\npassword: x"

describe("what looks like a front matter and is read as none blocks its post, at its line", () => {
  test.each<[what: string, text: string, line: number]>([
    ["after a blank line", `\n---\n${FIELDS}\n---\nText.`, 2],
    ["after a blank", ` ---\n${FIELDS}\n ---\nText.`, 1],
    ["with five hyphens", `-----\n${FIELDS}\n-----\nText.`, 1],
    ["with two hyphens", `--\n${FIELDS}\n--\nText.`, 1],
    ["with a dash that an editor made", `—-\n${FIELDS}\n—-\nText.`, 1],
    ["after a comment", `<!-- a\nb -->\n---\n${FIELDS}\n---\nText.`, 3],
    ["after a zero-width sign", `\n\u200B---\n${FIELDS}\n---\nText.`, 2],
    ["in TOML after a byte order mark and a blank line", `\uFEFF\n+++\ntitle = "A"\ndraft = true\n+++\nText.`, 2],
    ["with a comment first and a blank before the end", `---\n# a\n${FIELDS}\n ---\nText.`, 1],
    ["without an opening line", `${FIELDS}\n---\nText.`, 1],
    ["with a name of two words", `\n---\n${FIELDS}\ndate created: 2024-01-02\n---\nText.`, 2],
    ["with names of two words alone", "\n---\ndate created: 2024-01-02\n---\nText.", 2],
    ["with a name in another script", `\n---\n密码: x\n${FIELDS}\n---\nText.`, 2],
    ["with a list over lines", `\n---\n${FIELDS}\ntags: [a,\nb]\n---\nText.`, 2],
    ["with a line that is no field", `\n---\n密码：x\n${FIELDS}\n---\nText.`, 2],
    ["with blanks before all lines", ` ---\n ${FIELDS.replaceAll("\n", "\n ")}\n ---\nText.`, 1],
    ["without an opening line, with a list over lines", `${FIELDS}\ntags: [a,\nb]\n---\nText.`, 1],
    ["without an end, with a name in another script", "---\n密码: x\n\nText.", 1],
  ])("%s", async (_, text, line) => {
    for (const file of ["2024-01-02-a.md", "note.md", "content/posts/a.md"]) {
      const { posts } = await read({ [file]: text })
      expect(posts.map(brief)).toEqual([[`error front_matter ${line}`]])
    }
  })

  test.each([
    "-----\n\nNote: a text after a rule.\n\nMore.\n\n-----\n",
    "Note: a heading\n---\n\nText.",
    "---\nShe said it: no.\n\nText.",
    "-----\n\nImage: by me\n\nSome text.\n\n-----\n",
    "title: what this text is about\nand more of it\n\n---\n\nText.",
    "<!-- a comment -->\n\n# A\n\n---\n\ntitle: a\n\n---\n",
    "- a\n- b\n\n---\n",
    "title: is what this text is about.\n\nMore of it.\n",
  ])("%j is a text", async (text) => {
    expect((await read({ "_posts/2024-01-02-a.md": text })).posts.map(brief)).toEqual([[]])
  })

  test("Jekyll makes no page of such a file, and so it is left out", async () => {
    expect(await judge({ "_config.yml": JEKYLL, "_posts/2024-01-02-a.md": `\n---\n${FIELDS}\n---\nText.` })).toEqual([
      "_posts/2024-01-02-a.md: no front matter",
    ])
  })
})

describe("a field that the blog's tool does not know hides a post, which is said", () => {
  const files = {
    "hugo.toml": HUGO,
    "content/a.md": front("private: true"),
    "content/b.md": front("unlisted: true"),
    "content/c.md": front("draft: true"),
    "content/d.md": front("private: true\ndraft: true"),
    "content/e.md": front("status: draft"),
  }
  test("unless the configuration says otherwise", async () => {
    const settings = await readTool(folderOf(files), null)
    const { posts, leftOut, remarks } = await read(files, { settings })
    expect(posts.map(({ status }) => status)).toEqual(["DF", "DF", "DF"])
    expect(leftOut.map(({ file }) => file)).toEqual(["content/a.md", "content/d.md"])
    expect(remarks).toEqual([
      "Hugo shows 2 of the files that `private`, `unlisted` hides here: content/a.md, content/b.md. To publish them, set `show_hidden_fields: true` in edgepost.config.yaml.",
    ])
  })

  test("and none with `show_hidden_fields`, but those that the tool or edgepost knows", async () => {
    const settings = await readTool(folderOf(files), null)
    const { posts, leftOut, remarks } = await read(files, { settings, showHidden: true })
    expect(posts.map(({ status, source }) => `${status} ${source.file}`)).toEqual([
      "PB content/a.md",
      "PB content/b.md",
      "DF content/c.md",
      "DF content/d.md",
      "DF content/e.md",
    ])
    expect([leftOut, remarks]).toEqual([[], []])
  })

  test("and where the theme decides nothing is said", async () => {
    const { posts, remarks } = await read({ "a.md": front("unlisted: true") }, { showHidden: true })
    expect([posts.map(({ status }) => status), remarks]).toEqual([["DF"], []])
  })
})
