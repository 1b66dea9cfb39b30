import { describe, expect, test } from "vitest"

import { NOTE } from "../../src/folder/posts.ts"
import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { brief, read, readFront, readOne } from "./folder.ts"

const POST = "---\ntitle: A\n---\n\nText.\n"
const SLUGGED = "---\ntitle: A\nslug: a\n---\n\nText.\n"

describe("which Markdown files are posts", () => {
  test.each<[what: string, file: string, text: string, isPost: boolean]>([
    ["a file with a title", "a.md", POST, true],
    ["a file with a date", "a.md", "---\ndate: 2024-01-02\n---\nText.", true],
    ["a file with a wrong date", "a.md", "---\ndate: 2024-02-30\n---\nText.", true],
    ["a note of a day", "Daily/2024-01-02.md", "Text.", false],
    ["a note of a day with tags", "Daily/2024-01-02.md", "---\ntags: [a]\n---\nText.", false],
    ["a note of a meeting", "2024-01-02 Pay.md", "# Pay", false],
    ["a file with a title whose name has a date", "2024-01-02-a.md", POST, true],
    ["a file of `_posts` whose name has a date", "_posts/2024-01-02-a.md", "Text.", true],
    ["a bundle of `_posts` whose folder has a date", "_posts/2024-01-02-a/index.md", "Text.", true],
    ["MDX", "a.mdx", POST, true],
    ["Markdown by its long name", "a.markdown", POST, true],
    ["a file with a front matter that is broken", "a.md", "---\ntitle: [\n---\n", true],
    ["a file without front matter", "a.md", "# A\n\nText.", false],
    ["a file with other fields", "a.md", "---\nweight: 5\n---\n\n# A\n", false],
    ["a page of Jekyll", "about.md", "---\nlayout: page\ntitle: A\n---\n", false],
    ["README.md", "README.md", POST, false],
    ["a translated README", "docs/readme.fr.md", POST, false],
    ["LICENSE.md", "LICENSE.md", POST, false],
    ["CHANGELOG.md", "packages/a/CHANGELOG.md", POST, false],
    ["a file for agents", "docs/CLAUDE.md", POST, false],
    ["a post about Claude", "posts/claude.md", POST, true],
    ["a file called README with a slug and a title", "README.md", SLUGGED, true],
    ["a file called changelog with a slug only", "changelog.md", "---\nslug: a\n---\n", false],
    ["a file called license with a broken front matter", "license.md", "---\ntitle: [\n---\n", false],
    [
      "a file called license with a broken front matter and a slug",
      "license.md",
      "---\nslug: a\ntitle: [\n---\n",
      true,
    ],
    ["a list of Hugo with a slug and a title", "content/posts/_index.md", SLUGGED, false],
    ["a list of Hugo", "content/posts/_index.md", POST, false],
    ["a list of Hugo in French", "content/posts/_index.fr.md", POST, false],
    ["an archetype", "archetypes/default.md", POST, false],
    ["a theme", "themes/a/b/c.md", POST, false],
    ["an include", "src/_includes/a.md", POST, false],
    ["a layout", "_layouts/a.md", POST, false],
    ["a template of Obsidian", "Notes/Templates/a.md", POST, false],
    ["settings of Foam", ".foam/templates/a.md", POST, false],
    ["a text file", "a.txt", POST, false],
    ["a file that only begins like another", "readme-first.md", POST, true],
    ["a folder that only ends like another", "my-themes/a.md", POST, true],
  ])("%s", async (_, file, text, isPost) => {
    const { posts } = await read({ [file]: text })
    expect(posts.map(({ source }) => source.file)).toEqual(isPost ? [file] : [])
  })

  test("texts in `public/` are posts where there are no others, and there is no tool", async () => {
    const files = { "README.md": POST, "public/lake/index.md": POST }
    const { posts } = await read(files)
    expect(posts.map(({ slug, categories }) => [slug, categories])).toEqual([["lake", ["Blog"]]])
    expect((await read({ ...files, "a.md": POST })).posts.map(({ slug }) => slug)).toEqual(["a"])
    const { posts: none } = await read(files, { settings: { ...NO_TOOL, tool: TOOLS.hugo, file: "hugo.toml" } })
    expect(none).toEqual([])
  })

  test("a note that is given by name is a post, and a README is not", async () => {
    const files = { "Note.md": "Some text.", "README.md": POST, "other.md": POST }
    const { posts, leftOut } = await read(files, { paths: ["Note.md", "README.md"] })
    expect(posts.map(({ source }) => source.title)).toEqual(["Note"])
    expect(leftOut).toEqual([{ file: "README.md", line: 1, reason: NOTE }])
  })

  test("Markdown without a title and a date is left out, which the plan can say", async () => {
    const { leftOut } = await read({ "Note.md": "Some text.", "README.md": POST, "posts/a.md": POST })
    expect(leftOut).toEqual([{ file: "Note.md", line: 1, reason: NOTE }])
  })

  test("a folder that is given takes the posts below it, and no folder that only begins so", async () => {
    const { posts } = await read({ "a/x.md": POST, "a/b/y.md": POST, "ab/z.md": POST }, { paths: ["a"] })
    expect(posts.map(({ source }) => source.file)).toEqual(["a/b/y.md", "a/x.md"])
  })

  test.each([
    ["cafe\u0301.md", "caf\u00e9.md"],
    ["caf\u00e9.md", "cafe\u0301.md"],
  ])("a file %j is found by its name %j, in NFC and NFD", async (file, path) => {
    const { posts } = await read({ [file]: "Text." }, { paths: [path] })
    expect(posts.map(({ slug, source }) => [slug, source.file])).toEqual([["cafe", file]])
  })

  test("a file that cannot be read is an error of its post, and never makes a translation the source", async () => {
    const large = POST + "a".repeat(2 ** 20)
    const post = await readOne({ "a.md": large, "a.fr.md": POST })
    expect(brief(post)).toEqual(["error unreadable_file 1"])
    expect(post).toMatchObject({ isReadable: false, source: { file: "a.md" }, translations: { fr: {} } })
    const other = await readOne({ "a.md": POST, "a.fr.md": large })
    expect(brief(other)).toEqual(["error unreadable_file 1"])
    expect(other).toMatchObject({ isReadable: true, slug: "a" })
  })

  test("the guessed slug of a file with broken front matter is no duplicate of another post's", async () => {
    const { posts } = await read({ "x/a.md": "---\ntitle: 'A\n---\n", "y/a.md": POST })
    expect(posts.map(brief)).toEqual([["error front_matter 3"], []])
  })

  test("files that are not UTF-8, or hold a NUL character, are errors at their line", async () => {
    const latin = Buffer.from("---\ntitle: A\n---\n\ncaf\u00e9\n", "latin1")
    expect(brief(await readOne({ "a.md": latin }))).toEqual(["error not_utf8 5"])
    expect(brief(await readOne({ "a.md": `${POST}a\0b` }))).toEqual(["error nul_character 6"])
  })

  test("a front matter in JavaScript is an error, and is not run", async () => {
    const post = await readOne({ "a.md": "---js\nglobalThis.hacked = true\n---\nText.\n" })
    expect(brief(post)).toEqual(["error front_matter 1"])
    expect((globalThis as { hacked?: unknown }).hacked).toBeUndefined()
  })

  test("thousands of files are not opened at once", async () => {
    let open = 0
    let most = 0
    const files = Array.from({ length: 300 }, (_, i) => `p${i}.md`)
    const { readPosts } = await import("../../src/folder/posts.ts")
    const { folderOf, OPTIONS } = await import("./folder.ts")
    const { posts } = await readPosts(
      {
        ...folderOf({}),
        files,
        read: async () => {
          most = Math.max(most, ++open)
          await new Promise((done) => setTimeout(done, 1))
          open--
          return Buffer.from(POST)
        },
      },
      OPTIONS,
    )
    expect(posts.length).toBe(300)
    expect(most).toBeLessThan(100)
  })
})

describe("the slug", () => {
  test.each<[what: string, file: string, yaml: string, slug: string]>([
    ["of the front matter", "posts/a.md", "slug: My Own", "my-own"],
    ["of the file's name", "posts/Crossing_the_fjord.md", "", "crossing-the-fjord"],
    ["without the date", "_posts/2020-01-02-name.md", "", "name"],
    ["without a short date", "_posts/2020-1-2-name.md", "", "name"],
    ["of a name that is only a date", "daily/2020-01-02.md", "", "2020-01-02"],
    ["of the bundle's folder", "posts/mending/index.md", "", "mending"],
    ["of the bundle's folder, in a language", "posts/mending/index.en.md", "", "mending"],
    ["of the bundle's folder, without the date", "blog/2020-01-02-name/index.mdx", "", "name"],
    ["of a permalink", "posts/a.md", "permalink: /2020/name.html", "name"],
    ["of a permalink with a final slash", "posts/a.md", "permalink: /2020/name/", "name"],
    ["of `url`", "posts/a.md", "url: /2020/name/index.html", "name"],
    ["not of a pattern", "posts/a.md", "permalink: /:year/:title/", "a"],
    ["not of an alias", "posts/a.md", "aliases: [/old/]", "a"],
    ["with its zeros", "posts/a.md", "slug: 007", "007"],
    ["of the title, if the name has no letters", "posts/!!!.md", "", "the-title"],
    ["with dots of the name", "posts/node.js.md", "", "node-js"],
    // Ido is a language, but no other file is in it.
    ["with an ending that is no language here", "posts/socket.io.md", "", "socket-io"],
    ["without the primary language", "posts/name.en.md", "", "name"],
    ["never a reserved word", "posts/tags.md", "", "post-tags"],
  ])("is that %s", async (_, file, yaml, slug) => {
    expect((await readFront(`title: The title\n${yaml}`, {}, file)).slug).toBe(slug)
  })
})

test.each<[what: string, text: string, file: string, title: string]>([
  ["the front matter", "---\ntitle: T\n---\n\n# H\n", "posts/2024-01-02-a.md", "T"],
  ["the first heading", "Text.\n\n## Two\n\n# The *H*\n", "_posts/2024-01-02-a.md", "The H"],
  ["a heading after a comment", "{% comment %}\n# No\n{% endcomment %}\n\n# H\n", "_posts/2024-01-02-a.md", "H"],
  ["the file's name", "Text.\n", "_posts/2024-01-02-my-first_post.md", "my first post"],
  ["nothing", "Text.\n", "_posts/2024-01-02--.md", "Untitled"],
])("the title comes from %s", async (_, text, file, title) => {
  expect((await readOne({ [file]: text })).source.title).toBe(title)
})

test.each(["\n", "\r\n", "\r"])(
  "the text keeps its bytes but for line ends, of %j, and knows its first line",
  async (end) => {
    const { source } = await readOne({ "a.md": ["\uFEFF---", "title: A", "---", "", "  Text\t", ""].join(end) })
    expect(source).toMatchObject({ body: "\n  Text\t\n", bodyLine: 4 })
  },
)

describe("the category", () => {
  test.each<[file: string, yaml: string, category: string]>([
    ["posts/sailing/x.md", "categories: [Sea]", "Sea"],
    ["posts/sailing/x.md", "", "sailing"],
    ["posts/sailing/2024/x.md", "", "sailing"],
    ["content/blog/sailing/knots/index.md", "", "sailing"],
    ["posts/knots/index.md", "", "Blog"],
    ["posts/2024/x.md", "", "Blog"],
    ["src/content/posts/x.md", "", "Blog"],
    ["_posts/x.md", "", "Blog"],
    ["x.md", "", "Blog"],
    ["Sailing/x.md", "", "Sailing"],
    ["posts/it/x.md", "", "it"],
    ["posts/ /x.md", "", "Blog"],
    ["posts/a,b/x.md", "", "a b"],
    [`posts/${"c".repeat(70)}/x.md`, "", "c".repeat(64)],
  ])("of %s with %j is %s", async (file, yaml, category) => {
    expect((await readFront(`title: A\n${yaml}`, {}, file)).categories).toEqual([category])
  })

  test("that neither file nor folder nor configuration gives is Blog, which is said once", async () => {
    const post = await readFront("title: A", { category: null })
    expect([post.categories, brief(post)]).toEqual([["Blog"], ["warning default_category 1"]])
    expect(post.findings[0]?.message).toContain("edgepost.config.yaml")
    expect(brief(await readFront("title: A\ncategory: Sea", { category: null }))).toEqual([])
  })
})

describe("the paths at which an old site may have shown a post", () => {
  test.each<[file: string, yaml: string, paths: string[]]>([
    [
      "_posts/2020-01-02-name.md",
      "permalink: /own/name.html\nredirect_from: [/old/a/, https://x.example/old/b/]",
      ["/own/name.html", "/old/a", "/old/b", "/2020/01/02/name", "/2020/01/name", "/2020/name", "/name"],
    ],
    [
      "content/posts/name/index.md",
      "aliases: [/reindex.html]",
      ["/reindex.html", "/content/posts/name", "/posts/name", "/name"],
    ],
    ["src/content/blog/name.md", "", ["/blog/name", "/content/blog/name", "/name"]],
    [
      "posts/Name_One.md",
      "slug: other\ndate: 2020-01-02",
      ["/posts/Name_One", "/Name_One", "/other", "/2020/01/02/Name_One"],
    ],
  ])("%s", async (file, yaml, paths) => {
    const { oldPaths } = await readFront(`title: A\n${yaml}`, {}, file)
    expect(oldPaths).toEqual(expect.arrayContaining(paths))
    expect(oldPaths.filter((path) => !path.startsWith("/") || path.endsWith("/"))).toEqual([])
    expect(new Set(oldPaths).size).toBe(oldPaths.length)
  })

  test("have the day in UTC and in the zone of the site", async () => {
    const { oldPaths } = await readFront("title: A\ndate: 2020-01-02 00:30", { timezone: "Europe/Paris" })
    expect(oldPaths).toEqual(expect.arrayContaining(["/2020/01/01/a", "/2020/01/02/a"]))
  })

  test("have no pattern and no name", async () => {
    const { oldPaths } = await readFront("title: A\npermalink: /:year/{{ x }}/\naliases: [A note]")
    expect(oldPaths).toEqual(["/posts/a", "/a"])
  })
})
