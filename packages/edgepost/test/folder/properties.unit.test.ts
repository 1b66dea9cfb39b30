import {
  array,
  asyncProperty,
  boolean,
  constantFrom,
  dictionary,
  jsonValue,
  oneof,
  string,
  uint8Array,
} from "fast-check"
import { expect, test } from "vitest"

import { searchProperty } from "../../../../test/search.ts"
import type { LocalPost } from "../../src/folder/post.ts"
import { assignSlugs } from "../../src/plan/slugs.ts"
import { brief, read } from "./folder.ts"

const isLine = (text: string, max: number): boolean =>
  text.trim() !== "" && [...text].length <= max && text.isWellFormed() && !text.includes("\0")

const isInstant = (text: string): boolean => new Date(text).toISOString() === text

const isPlainLine = (text: string, max: number): boolean =>
  isLine(text, max) && !/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(text)

/** Names what the service would refuse of a post. */
const refused = (post: LocalPost): string[] => {
  const texts = [post.source, ...Object.values(post.translations)]
  const labels = [...post.tags, ...post.categories]
  const checks: Record<string, boolean> = {
    slug: /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(post.slug) && post.slug.length <= 191,
    title: texts.every(({ title }) => isLine(title, 255)),
    meta_description: texts.every(({ meta_description }) => meta_description === null || isLine(meta_description, 300)),
    line: texts.every(({ bodyLine }) => bodyLine > 0) && post.findings.every(({ line }) => line > 0),
    labels: labels.every((label) => isLine(label, 64) && !label.includes(",")),
    number: post.tags.length <= 20 && post.categories.length <= 10,
    published_at: post.published_at === null || isInstant(post.published_at),
    author_name: post.author_name === null || isPlainLine(post.author_name, 100),
    cover_alt: !post.cover_alt || isPlainLine(post.cover_alt, 500),
    cover_caption: !post.cover_caption || isPlainLine(post.cover_caption, 300),
    changed_at: texts.every(({ changed_at }) => changed_at === null || isInstant(changed_at)),
    canonical_url: post.canonical_url === null || URL.canParse(post.canonical_url),
    paths: post.oldPaths.every((path) => path.startsWith("/")),
  }
  return Object.keys(checks).filter((name) => !checks[name])
}

const NAMES =
  "edgepost title slug status date publishDate draft published unlisted expiryDate description cover image cover_alt cover_caption changed_at listed canonical_url author authors categories tags lang translation_languages permalink aliases params __proto__ constructor".split(
    " ",
  )
const words = oneof(
  constantFrom(
    "2024-01-02",
    "2024-02-30 25:61",
    "true",
    "/a/b/",
    "https://x.example/",
    "en",
    "[[a]]",
    "\0",
    "\u202E",
    "stored post",
    "",
  ),
  string({ unit: "binary", maxLength: 300 }),
  string({ unit: "grapheme", maxLength: 300 }),
)
const values = oneof(words, jsonValue({ maxDepth: 3, stringUnit: "binary" }), array(words, { maxLength: 30 }))
const fronts = dictionary(oneof(constantFrom(...NAMES), words), values, { maxKeys: 10 })
const fences = constantFrom("---\n", "---json\n", "+++\n", ";;;\n", "---js\n", "{", "\uFEFF---\r\n", "---\r\n")

test("any bytes as a file are a post within the limits", async () => {
  await searchProperty(
    500,
    asyncProperty(fences, uint8Array({ maxLength: 500 }), boolean(), async (fence, content, isClosed) => {
      const file = Buffer.concat([Buffer.from(fence), content, Buffer.from(isClosed ? `\n${fence}Text.` : "")])
      const { posts } = await read({ "a.md": file }, { paths: ["a.md"] })
      const texts = posts.filter((post) => !post.findings.some(({ code }) => code === "nul_character"))
      expect(posts.length).toBe(1)
      expect(texts.flatMap(refused)).toEqual([])
    }),
  )
})

test("any values in a front matter are a post within the limits", async () => {
  await searchProperty(
    1000,
    asyncProperty(fronts, string({ unit: "grapheme", maxLength: 300 }), async (front, body) => {
      const { posts } = await read({ "posts/2024-01-02-a.md": `---json\n${JSON.stringify(front)}\n---\n${body}` })
      expect(posts.flatMap(refused)).toEqual([])
    }),
  )
})

test("any names of files make posts with slugs of their own, or an error of both", async () => {
  const name = oneof(
    string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    constantFrom("en", "fr", "index", "a.fr"),
  )
  const paths = array(array(name, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
  await searchProperty(
    500,
    asyncProperty(paths, async (folders) => {
      const files = folders.map((parts) => `${parts.map((part) => part.replaceAll(/[/\0]/g, "x")).join("/")}.md`)
      const found = await read(Object.fromEntries(files.map((file) => [file, "---\ntitle: A\n---\nText."])))
      const posts = assignSlugs(found.all, "ann", new Map(), null)
      const shared = posts.filter(({ slug }, i) => posts.some((other, j) => i !== j && other.slug === slug))
      expect(posts.flatMap(refused)).toEqual([])
      expect(shared.filter((post) => !brief(post).includes("error duplicate_slug 1"))).toEqual([])
    }),
  )
})
