import { expect, test } from "vitest"

import { NO_TOOL, readTool } from "../../src/tools/index.ts"
import { pelican } from "../../src/tools/pelican.ts"
import { folderOf, read } from "../folder/folder.ts"
import { desiredOf, planOf } from "../markdown/plan.ts"

/** Reads the posts of a folder with a configuration, one a line, and the files that are left out. */
const linesOf = async (configuration: string, files: Record<string, string>): Promise<string[]> => {
  const folder = { "pelicanconf.py": configuration, ...files }
  const { posts, leftOut } = await read(folder, { settings: await readTool(folderOf(folder), null) })
  const shown = posts.map(({ source: { file, title, bodyLine }, slug, published_at, categories }) =>
    [`${file}:${bodyLine}`, title, slug, published_at?.slice(0, 10), categories.join("+")].join(" | "),
  )
  return [...shown, ...leftOut.map(({ file, line, reason }) => `${file}:${line} | ${reason}`)]
}

const TEXT = "Title: A\nDate: 2024-01-02\n\nText."

test.each<[string, string, Record<string, string>, string[]]>([
  [
    "a date and a slug in names",
    String.raw`FILENAME_METADATA = r'(?P<date>\d{4}-\d{2}-\d{2})_(?P<slug>.*)'`,
    { "content/2024-01-03_b.md": "Title: A\n\nText.", "content/c.md": TEXT },
    ["content/2024-01-03_b.md:3 | A | b | 2024-01-03 | misc", "content/c.md:4 | A | c | 2024-01-02 | misc"],
  ],
  [
    "a pattern that takes long",
    `FILENAME_METADATA = '(?P<slug>(?:b)+)'`,
    { "content/bbx.md": TEXT },
    ["content/bbx.md:4 | A | bbx | 2024-01-02 | misc"],
  ],
  [
    "a category of the folder and of the file",
    "DEFAULT_CATEGORY = 'Sea'",
    { "content/x/y/a.md": TEXT, "content/b.md": TEXT, "content/x/c.md": `Category: Own\n${TEXT}` },
    [
      "content/b.md:4 | A | b | 2024-01-02 | Sea",
      "content/x/c.md:5 | A | c | 2024-01-02 | Own",
      "content/x/y/a.md:4 | A | a | 2024-01-02 | y",
    ],
  ],
  [
    "folders of articles and pages, and what the configuration leaves out",
    "PATH = 'src'\nARTICLE_PATHS = ['blog',]\nARTICLE_EXCLUDES = [\n    'blog/old',  # ('\n]\nPAGE_PATHS = ('about.md',)\nIGNORE_FILES = ['_*', 'tmp']\n",
    {
      "src/blog/a.md": TEXT,
      "src/blog/old/b.md": TEXT,
      "src/blog/_c.md": TEXT,
      "src/blog/tmp/d.md": TEXT,
      "src/other/e.md": TEXT,
      "src/about.md": "Title: About\n\nText.",
      "f.md": TEXT,
      "src/blog/g.mkd": TEXT,
    },
    [
      "src/about.md:3 | About | about |  | misc",
      "src/blog/a.md:4 | A | a | 2024-01-02 | blog",
      "f.md:1 | outside of src",
      "src/blog/_c.md:1 | `IGNORE_FILES` of the configuration",
      "src/blog/g.mkd:1 | .mkd is not read",
      "src/blog/old/b.md:1 | `ARTICLE_EXCLUDES` of the configuration",
      "src/blog/tmp/d.md:1 | `IGNORE_FILES` of the configuration",
      "src/other/e.md:1 | outside of `ARTICLE_PATHS`",
    ],
  ],
])("Pelican reads %s", async (_name, configuration, files, expected) => {
  expect(await linesOf(configuration, files)).toEqual(expected)
})

test("a pattern that takes long and may hide files stops, and is named", async () => {
  const configuration = "FILENAME_METADATA = '(?P<status>(?:draft)+)'"
  await expect(linesOf(configuration, { "content/draft.md": TEXT })).rejects.toThrow(/pelicanconf\.py: the pattern/)
})

test.each([
  ["a-fr.md", "a.md"],
  ["a.md", "a-fr.md"],
])("a text without a language is the one that others translate: %s before %s", async (french, other) => {
  const files = { [french]: `Slug: a\nLang: fr\n${TEXT}`, [other]: `Slug: a\n${TEXT}` }
  const folder = Object.fromEntries(Object.entries(files).map(([file, text]) => [`content/${file}`, text]))
  const configuration = { "pelicanconf.py": "" }
  const { posts } = await read(
    { ...configuration, ...folder },
    { settings: await readTool(folderOf(configuration), null) },
  )
  expect(posts.map(({ source, translations }) => [source.file, translations["fr"]?.file])).toEqual([
    [`content/${other}`, `content/${french}`],
  ])
})

test.each([
  ["{filename}b.md", "b.md"],
  ["{filename}/b.md#c", "/content/b.md#c"],
  ["|static|../a.png", "../a.png"],
  ["{attach}/a b.png", "/content/a b.png"],
  ["{category}Food, drinks", "{category}Food, drinks"],
  ["{unknown}a", "{unknown}a"],
  ["{{ a }}", "{{ a }}"],
  ["/a", "/a"],
])("Pelican means by the link %s the path %s", (href, path) => {
  expect(pelican.pathOfLink?.(href, { ...NO_TOOL, contentFolder: "content" })).toBe(path)
})

test("links and images of a text in Pelican lead to the posts and images of the folder", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>'
  const plan = await planOf(
    folderOf({
      "pelicanconf.py": "PATH = 'src'",
      "src/a.md": `${TEXT} [b]({filename}/x/b.md#c) ![c]({static}/img/c.svg)\n\n[d]: |filename|x/b.md\n\n[d] <a href="{filename}x/b.md">e</a>`,
      "src/x/b.md": TEXT,
      "src/img/c.svg": svg,
    }),
    { source: "bees" },
  )
  const { body } = desiredOf(plan, "a").source
  // Matches the hash of an image. Does not match `abc`.
  expect(body.replace(/[0-9a-f]{64}/, "…")).toBe(
    'Text. [b](/@you/b/#c) ![c](/media/you/blog_img/….webp)\n\n[d]: /@you/b/\n\n[d] <a href="/@you/b/">e</a>',
  )
})
