import { expect, test } from "vitest"

import { isCalmGlob, isCalmPattern } from "../../src/folder/calm.ts"
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
  // A glob that takes long hides all that begins as it does, and shows nothing.
  [["Posts/+(b|c).md"], "posts/a.md", true],
  [["posts/+(b|c).md"], "notes/b.md", false],
  [["posts/+(b|c).md"], "posts/b.md", false, { isShown: true }],
  [["**", "!posts/+(b|c).md"], "posts/a.md", false, { isShown: true }],
  [["**", "!posts/+(b|c).md"], "notes/a.md", true, { isShown: true }],
  [["**", "!posts/+(b|c).md"], "posts/b.md", true],
  [["a/*-*-*-*.x"], `a/${"n".repeat(250)}.md`, true],
  [["a/*-*-*-*.md"], `a/${"n-".repeat(120)}.md`, false, { isShown: true }],
  [Array.from({ length: 2001 }, (_, i) => `a${i}`), "b.md", true],
  [Array.from({ length: 2001 }, (_, i) => `a${i}`), "a1", false, { isShown: true }],
])("the globs %j match the path %s: %s", (globs, path, isMatch, options) => {
  expect(matcherOf(globs, options)(path)).toBe(isMatch)
})

test.each<[glob: string, path: string, isCalm: boolean, isLoose?: boolean]>([
  ["**/*.*.*", `content/${"long-name-".repeat(8)}.md`, true],
  ["**/drafts/**/*.draft.*", "a/b/c/d/e/f/g/h/drafts/i/a.draft.md", true],
  ["*.{jpg,jpeg,png,gif,webp,avif,svg,mp4,webm}", "a.md", true],
  ["**/!(*.wip).md", "posts/a/b.md", true],
  ["**/*.md", "a/".repeat(2000), true],
  ["*-*-*-*", "a".repeat(255), false],
  ["*-*-*", "a/".repeat(2000), true],
  ["*-*-*", "a/".repeat(2000), false, true],
  ["**/a/**/b/**/c/**", "d/".repeat(2000), false],
  ["+(a)", "", false],
  ["{a,b}+", "", false],
  ["{a,b}".repeat(30), "", false],
  ["?(a)".repeat(30), "", false],
  ["a".repeat(1001), "", false],
])("the glob %s is compared in few steps: %#", (glob, path, isCalm, isLoose) => {
  expect(isCalmGlob(glob, path, isLoose)).toBe(isCalm)
})

test.each<[pattern: string, length: number, isCalm: boolean]>([
  [String.raw`\.(?:bak|tmp|swp|orig)$`, 4000, true],
  [String.raw`(?P<date>\d{4}-\d{2}-\d{2})[-_](?P<slug>.*)`, 255, true],
  [String.raw`content/.*/.*\.draft\..*`, 200, true],
  [String.raw`[*+?]\*\+\?\(`, 4000, true],
  [".*-.*=", 200, true],
  [".*-.*=", 1000, false],
  ["^.*-.*=$", 1000, true],
  [".*-.*-.*=", 200, false],
  [".{0,99}-.{0,99}-.{0,99}-.{0,99}=", 200, false],
  ["(?:a)*b", 1, false],
  ["(?:a){2}b", 1, false],
  [String.raw`(a)\1`, 1, false],
  ["(?:a|b)".repeat(30), 1, false],
  ["a?".repeat(30), 1, false],
  ["a".repeat(1001), 1, false],
])("the pattern %s is searched for in a text of %d signs with few steps: %s", (pattern, length, isCalm) => {
  expect(isCalmPattern(pattern, length)).toBe(isCalm)
})
