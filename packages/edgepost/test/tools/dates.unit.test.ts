import { describe, expect, test } from "vitest"

import { brief } from "../folder/folder.ts"
import { blogOf, readPostOf } from "./blog.ts"

/** Returns the date of a post in short: `2024-06-01`, with a time that is not midnight, and what is to say about the post. */
const dateOf = async (tool: string, configuration: string, file: string, yaml: string): Promise<string> => {
  const post = await readPostOf(blogOf(tool, configuration, { [file]: `---\ntitle: T\n${yaml}\n---\nText.` }), file)
  const date = post.published_at?.replace(/:00\.000Z$/, "").replace(/T00:00$/, "") ?? (post.isPage ? "page" : "none")
  return [date, ...brief(post).filter((text) => text.includes("date"))].join(", ")
}

describe("the date of a post is that of its tool", () => {
  test.each<[tool: string, file: string, yaml: string, date: string, configuration?: string]>([
    ["docusaurus", "blog/2024/06/01/x.md", "", "2024-06-01"],
    ["docusaurus", "blog/2024/06/01/x/index.md", "", "2024-06-01"],
    ["docusaurus", "blog/2024/03-05/x.md", "", "2024-03-05"],
    ["docusaurus", "blog/2024/06-01-x.md", "", "2024-06-01"],
    ["docusaurus", "blog/2024-06/1-x.md", "", "2024-06-01"],
    ["docusaurus", "blog/2024-01-02/2024-06-01-x.md", "", "2024-06-01"],
    ["docusaurus", "blog/2024/06/01/x.md", "date: 2023-01-01", "2023-01-01"],
    ["docusaurus", "blog/2024/06/01/x.md", "created: 2023-01-01", "2024-06-01"],
    ["docusaurus", "blog/2024/13/01/x.md", "", "page"],
    ["docusaurus", "blog/12024/06/01/x.md", "", "page"],
    ["hugo", "content/posts/x.md", "date: 2024-01-01\npublishDate: 2024-06-01", "2024-01-01"],
    ["hugo", "content/posts/x.md", "publishDate: 2024-06-01", "2024-06-01"],
    ["hugo", "content/posts/x.md", "pubdate: 2024-06-01\nlastmod: 2025-01-01", "2024-06-01"],
    ["hugo", "content/posts/x.md", "published: 2024-06-01", "2024-06-01"],
    ["hugo", "content/posts/x.md", "published: true\nlastmod: 2024-03-05", "2024-03-05"],
    ["hugo", "content/posts/x.md", "lastmod: 2024-03-05\nmodified: 2025-01-01", "2024-03-05"],
    ["hugo", "content/posts/x.md", "modified: 2024-03-05", "2024-03-05"],
    ["hugo", "content/posts/x.md", "date: 2024-01-01\npublishDate: 2027-01-01", "2027-01-01"],
    ["hugo", "content/posts/x.md", "date: 2027-01-01\npublishDate: 2024-01-01", "2024-01-01"],
    ["hugo", "content/posts/2024-06-01-x.md", "date: 2023-01-01", "2023-01-01"],
    [
      "hugo",
      "content/posts/2024-06-01-x.md",
      "date: 2023-01-01",
      "2024-06-01",
      '[frontmatter]\ndate = [":filename", ":default"]\n',
    ],
    [
      "hugo",
      "content/posts/x.md",
      "date: 2023-01-01",
      "2023-01-01",
      '[frontmatter]\ndate = [":filename", ":default"]\n',
    ],
    [
      "hugo",
      "content/posts/x.md",
      "date: 2023-01-01\nwhen: 2022-01-01",
      "2022-01-01",
      '[frontmatter]\ndate = "when"\n',
    ],
    ["jekyll", "_posts/2024-06-01-x.md", "created: 2023-01-01", "2024-06-01"],
    ["jekyll", "_posts/2024-06-01-x.md", "date: 2023-01-01", "2023-01-01"],
    ["eleventy", "posts/2024-06-01-trip/x.md", "", "2024-06-01"],
    ["eleventy", "posts/2024-06-01-trip/2024-07-01-x.md", "", "2024-06-01"],
    ["eleventy", "posts/x.md", "date: git Created", "none"],
    ["zola", "content/x.md", "path: 2018/04/06/x", "2018-04-06"],
    ["zola", "content/2018-04-06_x.md", "updated: 2024-01-01", "2018-04-06"],
    ["zola", "content/x.md", "path: blog/x", "page"],
    [
      "jekyll",
      "_recipes/x.md",
      "permalink: /2018/4/6/x/",
      "2018-04-06",
      "collections: { recipes: { output: true } }\n",
    ],
    ["jekyll", "_recipes/x.md", "permalink: /2018/2/30/x/", "page", "collections: { recipes: { output: true } }\n"],
    ["hexo", "source/_posts/x.md", "updated: 2024-03-05 10:00:00", "2024-03-05T10:00"],
    ["folder", "x.md", "created_at: 2024-03-05", "2024-03-05"],
    ["folder", "x.md", "created_at: 2024-03-05\nupdated: 2025-03-05", "2024-03-05"],
    ["folder", "x.md", "modified: 2024-03-05", "2024-03-05"],
    ["folder", "x.md", "updated: soon\nmodified: [a]", "none"],
    ["folder", "2024/06/01/x.md", "", "none"],
    ["folder", "x.md", "date: 2021-02-29", "none, error invalid_date 3"],
    ["jekyll", "_posts/2024-06-01-x.md", "date: 2024-01-02 00:10::00", "none, error invalid_date 3"],
    ["eleventy", "x.md", "date: 2024-01-02 12:42:33:16", "none, error invalid_date 3"],
  ])("of %s: %s with %j is %s", async (tool, file, yaml, date, configuration = "") => {
    expect(await dateOf(tool, configuration, file, yaml)).toBe(date)
  })
})

describe("a date without an offset is in the zone of the tool's configuration", () => {
  test.each<[tool: string, configuration: string, file: string, date: string]>([
    ["hugo", 'timeZone = "Asia/Tokyo"\n', "content/posts/x.md", "2024-07-01T15:00"],
    ["hugo", "", "content/posts/x.md", "2024-07-02"],
    ["hexo", "timezone: Asia/Tokyo\n", "source/_posts/x.md", "2024-07-01T15:00"],
    ["hexo", "", "source/_posts/x.md", "none, error date_without_timezone 3"],
    ["jekyll", "timezone: Asia/Tokyo\n", "_posts/2024-07-02-x.md", "2024-07-01T15:00"],
    ["eleventy", "", "x.md", "2024-07-02"],
    ["astro", "", "src/content/blog/x.md", "2024-07-02"],
    ["docusaurus", "", "blog/x.md", "2024-07-02"],
    ["zola", "", "content/x.md", "2024-07-02"],
    ["folder", "", "x.md", "none, error date_without_timezone 3"],
  ])("%s %j", async (tool, configuration, file, date) => {
    expect(await dateOf(tool, configuration, file, "date: 2024-07-02 00:00")).toBe(date)
  })
})

test.each<[tool: string, file: string, slug: string]>([
  ["docusaurus", "blog/2024/06-01-x.md", "x"],
  ["docusaurus", "blog/2024/06/01-x.md", "x"],
  ["docusaurus", "blog/2024/06/01/02-x.md", "02-x"],
  ["docusaurus", "blog/2024/06/01/index.md", "01"],
  ["docusaurus", "blog/2024/06-01-x/index.md", "x"],
  ["docusaurus", "blog/2024-06-01/01-x.md", "01-x"],
  ["eleventy", "posts/2024-06-01-trip/01-x.md", "01-x"],
  ["folder", "2024/06-01-x.md", "06-01-x"],
])("of %s the slug of %s has no part of the date: %s", async (tool, file, slug) => {
  const post = await readPostOf(blogOf(tool, "", { [file]: "---\ntitle: T\n---\nText." }), file)
  expect(post.slug).toBe(slug)
})

test.each<[yaml: string, changed_at: string | null, findings: string[]]>([
  ["lastmod: 2024-03-05", "2024-03-05T00:00:00.000Z", []],
  ["updated: 2024-03-05 10:00", "2024-03-05T10:00:00.000Z", []],
  ["modified: 2024-03-05\nchanged_at: 2024-03-06", "2024-03-06T00:00:00.000Z", []],
  ["updated: yes\nmodified: 2024-03-05", "2024-03-05T00:00:00.000Z", []],
  ["updated: soon", null, []],
  ["changed_at: soon", null, ["error invalid_date 4"]],
])("%j says when the text has changed", async (yaml, changed_at, findings) => {
  const post = await readPostOf({ "x.md": `---\ntitle: T\ndate: 2024-01-01\n${yaml}\n---\nText.` }, "x.md")
  expect(post.source.changed_at).toBe(changed_at)
  expect(brief(post)).toEqual(findings)
})

test("a note with only a day of change is no post", async () => {
  await expect(readPostOf({ "x.md": "---\nupdated: 2024-01-01\n---\nText." }, "x.md")).rejects.toThrow("no post")
})
