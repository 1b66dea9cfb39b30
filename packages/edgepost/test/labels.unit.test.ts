import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"
import { stringify } from "yaml"

import { newFolder } from "../../../test/after-file.ts"
import { LABELS, ODD_LABELS } from "../../../test/labels.ts"
import type { ListedPost } from "../src/client/index.ts"
import { compare } from "../src/plan/compare.ts"
import type { DesiredPost } from "../src/plan/desired.ts"
import { brief, readFront } from "./folder/folder.ts"
import { fileWith, wordpressPost, wxr } from "./import/files.ts"
import { run } from "./import/run.ts"

/** Returns a front matter with the same labels as categories and tags. */
const frontOf = (labels: unknown, more = {}) =>
  stringify({ title: "A", categories: labels, tags: labels, ...more }).trim()

describe.each(LABELS)("labels that arrive as $what", ({ sent, kept, item = kept, refused, isBroken }) => {
  test("in front matter are read", async () => {
    const post = await readFront(frontOf(sent))
    expect([post.categories, post.tags]).toEqual([kept, kept])
    const code = isBroken ? "not_a_list" : refused === "comma" ? "comma_in_label" : refused
    expect(brief(post).map((found) => found.split(" ")[1])).toEqual(code ? [code, code] : [])
  })

  test("in an export are one label for each name, and `publish` finds no fault with them", async () => {
    const names = [sent].flat()
    const labels = ["category", "post_tag"].flatMap((domain) =>
      names.map((name) => `<category domain="${domain}"><![CDATA[${name}]]></category>`),
    )
    const [file, folder] = [await fileWith("a.xml", wxr(wordpressPost("a", labels.join("")))), await newFolder()]
    const { screen } = await run("wordpress", file, folder)
    const [, front = ""] = /^---\n([^]*?)\n---/.exec(await readFile(join(folder, "posts/a.md"), "utf8")) ?? []
    const post = await readFront(front)
    // XML and HTML have blanks of their own.
    expect([post.categories, post.tags, brief(post)]).toEqual([item, item, []])
    expect(screen.includes("comma, which becomes a blank")).toBe(names.some((name) => name.includes(",")))
  })
})

test("a file of `edgepost pull` keeps labels of any form, and `publish` finds them unchanged", async () => {
  const labels = ODD_LABELS.map((label) => label.toLowerCase())
  const post = await readFront(frontOf(labels, { edgepost: "stored post" }))
  expect([post.categories, post.tags, brief(post)]).toEqual([labels, labels, []])
  const there = { categories: labels, tags: labels, texts: {} } as Partial<ListedPost>
  const fields = { categories: post.categories, tags: post.tags }
  const wanted = { fields, source: { title: "", meta_description: "", body: "" }, translations: {} }
  const { post: changes } = compare(wanted as unknown as DesiredPost, there as ListedPost)
  expect(changes.filter((name) => name === "categories" || name === "tags")).toEqual([])
})

test.each([
  ["lines", "one\ntwo，three", ["one", "two", "three"]],
  ["signs", "#one #two，#three", ["one", "two", "three"]],
  ["many signs and a name without one", `${"#a".repeat(20)} b`, [`${"a#".repeat(19)}a b`]],
  ["lines of a list of JSON", '[\n"one",\n"two"\n]', ["one", "two"]],
])("a text of labels with %s is divided by them", async (_, sent, kept) => {
  expect((await readFront(frontOf(sent))).tags).toEqual(kept)
})
