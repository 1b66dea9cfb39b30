import { describe, expect, test } from "vitest"

import { blogOf, readBlogOf } from "./blog.ts"

const post = (yaml = "date: 2024-05-01"): string => `---\ntitle: T\n${yaml}\n---\nText.`

/** Lists what becomes of the files of a blog: a post, a page, or why it is left out. */
const statesOf = async (files: Record<string, string>, paths: string[] = []): Promise<Record<string, string>> => {
  const { posts, leftOut } = await readBlogOf(files, paths)
  return Object.fromEntries([
    ...posts.map(({ source, isPage }) => [source.file, isPage ? "page" : "post"]),
    ...leftOut.map(({ file, reason }) => [file, reason.split(":")[0]]),
  ]) as Record<string, string>
}

describe("pages are those of the tool", () => {
  test.each<[tool: string, configuration: string, states: Record<string, string>]>([
    [
      "hugo",
      "",
      {
        "content/about.md": "page",
        "content/me/index.md": "page",
        "content/posts/a.md": "post",
        "content/posts/b.md": "post",
      },
    ],
    [
      "hugo",
      "",
      { "content/about.fr.md": "page", "content/notes/2024/a.md": "post", "content/posts/b/index.md": "post" },
    ],
    ["hugo", "", { "content/a.md": "post", "content/b.md": "post", "content/legal/imprint.md": "post" }],
    [
      "hugo",
      '[params]\nmainSections = ["posts"]\n',
      { "content/about.md": "page", "content/b.md": "page", "content/posts/a.md": "post" },
    ],
    [
      "hugo",
      '[languages.en]\ncontentDir = "content/en"\n[languages.fr]\ncontentDir = "content/fr"\n',
      { "content/en/about.md": "page", "content/en/posts/a.md": "post", "content/fr/posts/b.md": "post" },
    ],
    ["hexo", "", { "source/_posts/a.md": "post", "source/about/index.md": "page", "source/_drafts/b.md": "post" }],
    ["jekyll", "", { "_posts/2024-05-01-a.md": "post", "about.md": "outside of _posts" }],
    ["astro", "", { "src/content/blog/a.md": "post", "src/pages/about.md": "page" }],
    [
      "docusaurus",
      "",
      {
        "blog/a.md": "post",
        "blog/docs/b.md": "post",
        "src/pages/imprint.md": "page",
        "docs/intro.md": "documentation",
        "versioned_docs/version-1.0/intro.md": "documentation",
        "api_versioned_docs/version-1.0/intro.md": "documentation",
        "i18n/fr/docusaurus-plugin-content-docs/current/intro.md": "documentation",
      },
    ],
    ["folder", "", { "docs/a.md": "post", "src/pages/b.md": "post", "about/index.md": "post" }],
  ])("%s %j %j", async (tool, configuration, states) => {
    const files = Object.fromEntries(Object.keys(states).map((file) => [file, post()]))
    expect(await statesOf(blogOf(tool, configuration, files))).toEqual(states)
  })

  test.each<[tool: string, files: Record<string, string>]>([
    ["hugo", { "content/posts/a.md": "page" }],
    ["eleventy", { "about.md": "page", "404.md": "page" }],
    ["astro", { "src/content/authors/ann.md": "page", "src/content/blog/2024-05-01-a.md": "post" }],
    ["zola", { "content/about.md": "page", "content/pages/contact.md": "page" }],
    ["jekyll", { "_posts/2024-05-01-a.md": "post" }],
  ])("of %s without a date %j", async (tool, states) => {
    const files = Object.fromEntries(Object.keys(states).map((file) => [file, post("")]))
    expect(await statesOf(blogOf(tool, "", files))).toEqual(states)
  })

  test("a draft without a date is no page: it gets its date later", async () => {
    const files = { "_posts/2024-05-01-a.md": post(), "_drafts/b.md": post(""), "_drafts/c.md": post("draft: true") }
    expect(await statesOf(blogOf("jekyll", "", files))).toEqual({
      "_posts/2024-05-01-a.md": "post",
      "_drafts/b.md": "post",
      "_drafts/c.md": "post",
    })
  })

  test.each([["docs"], ["docs/intro.md"]])("documentation that is asked for by %s is read", async (path) => {
    const files = blogOf("docusaurus", "", {
      "docs/intro.md": post(),
      "blog/a.md": post(),
      "versioned_docs/a.md": post(),
    })
    expect(await statesOf(files, [path])).toEqual({ "docs/intro.md": "post" })
  })

  test("documentation beside the folder of the site is left out", async () => {
    const files = {
      "website/docusaurus.config.js": "",
      "docs/a.md": post(),
      "website/docs/b.md": post(),
      "website/blog/c.md": post(),
    }
    expect(await statesOf(files)).toEqual({
      "docs/a.md": "documentation",
      "website/docs/b.md": "documentation",
      "website/blog/c.md": "post",
    })
  })
})
