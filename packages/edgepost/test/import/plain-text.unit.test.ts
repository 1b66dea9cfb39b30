import * as fc from "fast-check"
import { describe, expect, test } from "vitest"

import { searchProperty } from "../../../../test/search.ts"
import { writePlain } from "../../src/folder/description.ts"
import { clean } from "../../src/folder/values.ts"
import { parseHtml } from "../../src/html/parse.ts"
import { attribute, findTag } from "../../src/html/tree.ts"
import type { Writer } from "../../src/import/files.ts"
import { readGhost } from "../../src/import/ghost.ts"
import { readWordPress } from "../../src/import/wordpress.ts"
import { writeImported } from "../../src/import/write.ts"
import { fitLabels, readLabels } from "../../src/labels.ts"
import { escapeHtml } from "../../src/markdown/write.ts"
import { readOne } from "../folder/folder.ts"
import { htmlOf } from "../markdown/service.ts"
import { rewritten } from "../markdown/texts.ts"
import { ghostPost, wordpressPost, wxr } from "./files.ts"
import { NOW } from "./run.ts"

/** Texts that Markdown, HTML, YAML or a tool takes for something else. */
const SIGNS =
  "* ** _a_ __init__ ` ``x`` ~~b~~ # 1. - + > [ ] ( ) ![ [a](b) [[n]] [[f/n|t]] [^1] < <b> </b> <!-- --> & &amp; &#38; &lt; \\ \\* /\\; | == ==a== %% %%a%% {{ {{a}} {{<a>}} {% {a} {#a} {{% $ $a$ : @ ann@e.example www.e.example https://e.example/a_b_ ' \" , # !! ? null true 1.10 007 2024-01-31 12:30 0x1F <% %> :tea: ^a1 import"
const WORDS = "sea tide I snake_case 日本語 「重点」、 한국어 Ünïcode 🎉 é".split(" ")
const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...SIGNS.split(" ")),
  fc.string({ unit: "grapheme", maxLength: 4 }),
)
const text = fc
  .array(word, { minLength: 1, maxLength: 6 })
  .chain((words) => fc.constantFrom(" ", "").map((gap) => clean(words.join(gap))))
  // XML and the service have no such characters.
  .map((joined) => joined.replaceAll(/[\p{C}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, "").trim())
  .filter((joined) => joined !== "")
const fields = fc.record({
  title: text,
  description: text,
  label: text.map((one) => `a${one}`),
  alt: text,
  author: text.filter((one) => !one.includes("@")),
})
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never

const html = ({ alt }: Fields): string => `<p>a</p><img src="https://e.example/a.png" alt="${escapeHtml(alt)}">`
const cdata = (one: string): string => `<![CDATA[${escapeHtml(one)}]]>`

const EXPORTS = {
  ghost: (post: Fields) => {
    const image = "https://e.example/b.png"
    const data = {
      posts: [
        ghostPost("a", {
          id: 1,
          title: post.title,
          custom_excerpt: post.description,
          html: html(post),
          feature_image: image,
        }),
      ],
      posts_meta: [{ post_id: 1, feature_image_alt: post.alt, feature_image_caption: escapeHtml(post.description) }],
      tags: [{ id: 2, name: post.label }],
      posts_tags: [{ post_id: 1, tag_id: 2 }],
      users: [{ id: 3, name: post.author }],
      posts_authors: [{ post_id: 1, author_id: 3 }],
    }
    return readGhost({ db: [{ data }] }, NOW, null)
  },
  wordpress: (post: Fields) => {
    const more = `<excerpt:encoded>${cdata(post.description)}</excerpt:encoded><category domain="category">${cdata(post.label)}</category><category domain="author">${cdata(post.author)}</category>`
    return readWordPress(
      [Buffer.from(wxr(wordpressPost(html(post), more).replace("<title>A<", () => `<title>${cdata(post.title)}<`)))],
      NOW,
    )
  },
}

/** Imports a post. @returns what `publish` reads, and the file */
const readBack = async (kind: keyof typeof EXPORTS, post: Fields) => {
  const files: Record<string, string> = {}
  const writer: Writer = {
    results: new Map(),
    images: [],
    earlier: [],
    write: async (path, content) => void Object.assign(files, { [path]: String(content) }),
    read: async (path) => files[path] ?? "",
    close: async () => {},
  }
  await writeImported(EXPORTS[kind](post), writer, { hashOf: () => "", find: async () => null }, () => {})
  const name = Object.keys(files).find((path) => path.endsWith(".md")) ?? ""
  const { source, categories, author_name, cover_alt, cover_caption } = await readOne({ [name]: files[name] ?? "" })
  const context = { findPost: () => null, findImage: () => "/mine/a.png" }
  const [image] = findTag(parseHtml(htmlOf(rewritten(source.body, context, { file: name }).body)), "img")
  const read: Fields = {
    title: source.title,
    description: source.meta_description ?? "",
    label: categories.join(),
    alt: image ? attribute(image, "alt") : "",
    author: author_name ?? "",
  }
  return { read, cover: [cover_alt, cover_caption], file: files[name] }
}

const KINDS = Object.keys(EXPORTS) as (keyof typeof EXPORTS)[]

describe.each(KINDS)("plain texts of an export of %s", (kind) => {
  test("any title, description, label, author and alternative reads the same in publish", async () => {
    const property = fc.asyncProperty(fields, async (post) => {
      const { read, cover, file } = await readBack(kind, post)
      expect(read, file).toEqual({ ...post, label: fitLabels(readLabels([post.label])).labels.join() })
      expect(cover, file).toEqual(kind === "ghost" ? [post.alt, post.description] : [undefined, undefined])
    })
    await searchProperty(300, property)
  })

  test.each([
    "a <b>bold</b> claim",
    "_private_ names and *args*",
    "See [the docs](x) first",
    "a ~~b~~ c",
    "&amp; is an entity",
    "<!-- comment --> title",
    "_private_ names & *args* of `x` [a](b)",
    "signs \\*/\\; of _a_ \\",
    "[[Notes/a|b]] {{ c }} %%d%%",
    "# No heading, - no list",
  ])("%j stays as it is", async (one) => {
    const post = { title: one, description: one, label: `a ${one}`, alt: one, author: one }
    const { read } = await readBack(kind, post)
    expect(read).toEqual({ ...post, label: post.label.replaceAll(/[\s,]+/g, " ") })
  })
})

test("a text that reads the same is written as it is", () => {
  expect(["R&D, 50% [1] a_b", "__init__ & 2 < 3"].map((one) => writePlain(one))).toEqual([
    "R&D, 50% [1] a_b",
    "__init__ & 2 < 3",
  ])
})
