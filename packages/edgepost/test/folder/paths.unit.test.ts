import { expect, test } from "vitest"

import { matcherOf } from "../../src/folder/paths.ts"

test.each<[globs: string[], path: string, isMatch: boolean, options?: Parameters<typeof matcherOf>[1]]>([
  [["drafts"], "drafts/a/b.md", true],
  [["drafts"], "my/drafts/b.md", false],
  [["./Drafts/"], "drafts/b.md", true],
  [["/posts/**"], "posts/a/b.md", true],
  [["/posts/**"], "/posts/a/b.md", true],
  [["posts/*"], "posts/a/b.md", true],
  [["posts/*"], "posts/a/b.md", false, { isWhole: true }],
  [["*.wip.md"], "a/b.wip.md", false],
  [["*.wip.md"], "a/b.wip.md", true, { isLoose: true }],
  [["*x-?.md"], "a/b-x-1.md", true, { isLoose: true }],
  [["**/*.wip.md"], "b.wip.md", true],
  [["{a,b}/*.md"], "b/c.md", true],
  [["{/a/b*}"], "a/bc.md", true],
  [["{/a,/b}"], "b/c.md", true],
  [["posts/(drafts)"], "posts/(drafts)/a.md", true],
  [["**/*.(md|mdx)"], "a/b.mdx", true, { isWhole: true }],
  [["**/[^_]*.md"], "a/_b.md", false, { isWhole: true }],
  [["a/**", "!a/b"], "a/b/c.md", false],
  [["a/**", "!a/b"], "a/c.md", true],
  [["!a"], "b.md", false],
  [[".a/**"], ".a/b.md", true],
  [["", "/"], "a.md", false],
  [["../a"], "a/b.md", false],
])("the globs %j match the path %s: %s", (globs, path, isMatch, options) => {
  expect(matcherOf(globs, options)(path)).toBe(isMatch)
})
