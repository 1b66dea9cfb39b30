import { describe, expect, test } from "vitest"

import { brief } from "../folder/folder.ts"
import { blogOf, readPostOf } from "./blog.ts"

const DEFAULTS = 'defaults: [{ scope: { path: "", type: posts }, values: { category: Far East } }]\n'
const PLURAL = 'defaults: [{ scope: { path: "", type: posts }, values: { categories: [Far East] } }]\n'
const POST = "_posts/2024-05-01-x.md"

/** Returns the categories of a post, and its tags after a bar. */
const labelsOf = async (
  tool: string,
  file: string,
  yaml: string,
  configuration: string,
  files: Record<string, string>,
): Promise<string> => {
  const post = await readPostOf(
    blogOf(tool, configuration, { ...files, [file]: `---\ntitle: T\ndate: 2024-01-01\n${yaml}\n---\nText.` }),
    file,
  )
  const warned = brief(post).filter((text) => !text.includes("default_category"))
  return [[post.categories.join(", "), post.tags.join(", ")].filter(Boolean).join(" | "), ...warned].join(", ")
}

describe("the labels of a post are those of its tool", () => {
  test.each<
    [tool: string, file: string, yaml: string, labels: string, configuration?: string, files?: Record<string, string>]
  >([
    ["jekyll", POST, "category: Ice cream\ntag: Sea food", "Ice cream | sea food"],
    ["jekyll", POST, "categories: Ice cream\ntags: sea food", "Ice, cream | sea, food"],
    ["jekyll", POST, "categories: [Ice cream, Boats]\ntags: [C++, .NET, 'C#']", "Ice cream, Boats | c++, .net, c#"],
    ["jekyll", POST, "tag: one tag\ntags: three four", "Blog | one tag"],
    ["jekyll", POST, "tag:\ntags: three four", "Blog | three, four"],
    ["jekyll", POST, "tags: green tea, cups", "Blog | green tea, cups"],
    ["jekyll", POST, "category: one more\ncategories: five six", "five, six, one more"],
    ["jekyll", POST, "category: [a b, c]", "a b, c"],
    ["jekyll", POST, "tags: a <!-- SECRET b --> c", "Blog | a, c"],
    ["jekyll", POST, "categories: '#tea #green'", "tea, green"],
    ["jekyll", `travel/asia/${POST}`, "category: food", "travel, asia, food"],
    ["jekyll", `src/all/${POST}`, "category: food", "food", "source: src\ncollections_dir: all\n"],
    ["jekyll", "_recipes/x.md", "", "Blog", "collections: { recipes: { output: true } }\n"],
    ["jekyll", "_recipes/cakes/x.md", "", "cakes", "collections: { recipes: { output: true } }\n"],
    ["jekyll", `travel/asia/${POST}`, "categories: [food, travel]", "travel, asia, food"],
    ["jekyll", `Ice cream/${POST}`, "", "Ice cream"],
    ["jekyll", `blog/${POST}`, "", "blog"],
    ["jekyll", `src/travel/${POST}`, "", "travel", "source: src\n"],
    ["jekyll", "_posts/travel/2024-05-01-x.md", "category: food", "food"],
    ["jekyll", "travel/_drafts/x.md", "category: food", "travel, food"],
    [
      "jekyll",
      "_recipes/soups/x.md",
      "category: Ice cream\ntags: sea food",
      "Ice cream | sea, food",
      "collections: { recipes: { output: true } }\n",
    ],
    ["jekyll", POST, "", "Far East", DEFAULTS],
    ["jekyll", POST, "category:", "Far East", DEFAULTS],
    ["jekyll", POST, "category: Ice cream", "Ice cream", DEFAULTS],
    ["jekyll", POST, "categories: [Ice cream, Boats]", "Ice cream, Boats, Far East", DEFAULTS],
    ["jekyll", `travel/${POST}`, "categories: [Boats]", "travel, Far East, Boats", PLURAL],
    ["folder", POST, "category: Ice cream\ntags: sea food", "Ice cream | sea, food"],
    ["folder", `site/travel/asia/${POST}`, "", "travel, asia"],
    ["folder", "Ice cream/x.md", "", "Ice cream"],
    ["folder", "x.md", "category: Ice cream\ntag: Sea food", "Ice cream | sea food"],
    ["hexo", "source/_posts/x.md", "category: Ice cream\ntags: Sea food", "Ice cream | sea food"],
    ["hexo", "source/_posts/x.md", "categories: p, q", "p, q"],
    ["hexo", "source/_posts/x.md", "categories: [[a, b], [a, c]]", "a, b, c"],
    ["hugo", "content/posts/x.md", "categories: [Ice cream]\ntags: [Sea food]", "Ice cream | sea food"],
    ["hugo", "content/posts/x.md", "labels: [a]\ntags: [b]", "Blog | a", '[taxonomies]\ntag = "labels"\n'],
    ["hugo", "content/posts/x.md", "tags: [b]", "Blog | b", '[taxonomies]\ntag = "labels"\n'],
    ["zola", "content/x.md", "taxonomies: { categories: [Ice cream], tags: [a] }", "Ice cream | a"],
    ["zola", "content/x.md", "extra: { category: Ice cream, tags: [a] }", "Ice cream | a"],
    ["astro", "src/content/blog/x.md", "category: Ice cream", "Ice cream"],
    [
      "docusaurus",
      "blog/x.md",
      "tags: [rel, other, { label: Clay, permalink: /clay }]",
      "Blog | release notes, other, clay",
      "",
      { "blog/tags.yml": "rel:\n  label: Release notes\n  permalink: /rel\nother:\n" },
    ],
    ["docusaurus", "blog/x.md", "tags: [rel]", "Blog | rel", "", { "blog/tags.yml": "rel: [" }],
    [
      "eleventy",
      "posts/x.md",
      "tags: [a]",
      "Blog | trip, a",
      "",
      { "posts/posts.json": '{ "tags": ["posts", "trip"] }' },
    ],
    ["eleventy", "posts/x.md", "", "Blog | trip", "", { "posts/posts.json": '{ "tags": "trip" }' }],
    [
      "eleventy",
      "posts/x.md",
      "tags: [c]",
      "Blog | a, b, c",
      "",
      { "posts/posts.json": '{ "tags": ["a"] }', "posts/x.json": '{ "tags": ["b"] }' },
    ],
  ])("of %s: %s with %j has %s", async (tool, file, yaml, labels, configuration = "", files = {}) => {
    expect(await labelsOf(tool, file, yaml, configuration, files)).toBe(labels)
  })
})

test("a file of pull has the labels that it names, whatever its folders and the tool say", async () => {
  const file = "travel/_posts/2024-05-01-x.md"
  const yaml = "edgepost: stored post\ncategory: food\ncategories: [Ice cream]\ntags: sea food"
  expect(await labelsOf("jekyll", file, yaml, DEFAULTS, {})).toBe("Ice cream | sea food")
})
