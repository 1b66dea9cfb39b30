import { expect, it } from "vitest"

import { readLabels } from "../../packages/edgepost/src/labels.ts"
import type { Account } from "../../src/db/schema.ts"
import type { CreatePost } from "../../src/posts/input.ts"
import {
  buildPost,
  isSamePost,
  sourceText,
  type Post,
  readableLanguages,
  translationsOf,
  versioned,
} from "../../src/posts/post.ts"
import { emptyText, type Text } from "../../src/posts/text.ts"

const NOW = new Date("2026-01-01T00:00:00Z")
const LATER = new Date("2026-01-02T00:00:00Z")
const DUE = new Date("2026-01-01T00:00:05Z")

const account = { id: "account", primary_language: "en", translation_languages: ["fr", "en"] } as Account

const input: CreatePost = {
  title: "Title",
  slug: "slug",
  status: "DF",
  categories: readLabels(["a"]),
  meta_description: "About.",
  body: "Body.",
}

const draft = (changes: Partial<CreatePost> = {}): Post =>
  buildPost(
    { ...input, ...changes },
    { html: "<p>Body.</p>", body_sha256: "", image_ids: [] },
    { images: [], cover: null },
    { id: "post", account, due: DUE, now: NOW },
  )

const complete = { title: 1, meta_description: 1, body: 1 }

const withTexts = (post: Post, ...texts: Partial<Text>[]): Post => ({
  ...post,
  texts: [sourceText(post), ...texts.map((text) => ({ ...emptyText(post.id, "fr", NOW), ...text }))],
})

it("a new post has its source text ready and its translations queued", () => {
  const post = draft()
  expect(post).toMatchObject({ version: 1, primary_language: "en", translation_languages: ["fr"], tags: [] })
  expect(sourceText(post)).toMatchObject({ lang_code: "en", title: "Title", html: "<p>Body.</p>", status: "ready" })
  expect(translationsOf(post)).toMatchObject([{ lang_code: "fr", title: null, status: "queued", due_at: DUE }])
})

const TEXT = { versions: complete }

it.each<[string, Partial<Text>[], string[], string[]]>([
  ["the primary language alone", [], [], ["en"]],
  ["a listed language with a text", [TEXT], ["fr"], ["en", "fr"]],
  ["a listed language with half a text", [{ versions: { title: 1 } }], ["fr"], ["en"]],
  ["an unlisted language with a text", [{ versions: complete }], [], ["en"]],
  ["the old text of a failed language", [{ versions: complete, status: "failed" }], ["fr"], ["en", "fr"]],
  ["two, in the order of the list", [TEXT, { lang_code: "de", ...TEXT }], ["de", "fr"], ["en", "de", "fr"]],
])("readableLanguages of a post returns %s", (_, texts, listed, found) => {
  expect(readableLanguages({ ...withTexts(draft(), ...texts), translation_languages: listed })).toEqual(found)
})

const before = withTexts(draft(), { versions: complete, title: "Titre" })
const [own, fr] = before.texts as [Text, Text]

it.each<[string, Partial<Post>, 0 | 1]>([
  ["status", { status: "PB" }, 1],
  ["tags", { tags: ["b"] }, 1],
  ["the translation list", { translation_languages: [] }, 1],
  ["the source text", { texts: [{ ...own, title: "New" }, fr] }, 1],
  ["a hand edit", { texts: [own, { ...fr, edited: ["title"] }] }, 1],
  ["a removed translation", { texts: [own] }, 1],
  ["the images", { images: [{ id: "i", width: 1, height: 1, source_sha256: null, original_sha256: null }] }, 1],
  ["a language queued again", { texts: [own, { ...fr, status: "queued", due_at: DUE, updated_at: LATER }] }, 0],
  ["a language failed", { texts: [own, { ...fr, status: "failed", attempts: 5 }] }, 0],
  [
    "a language queued for the first time",
    { texts: [own, fr, { ...emptyText("post", "de", LATER), status: "queued" }] },
    0,
  ],
  ["the order of texts", { texts: [fr, own] }, 0],
])("versioned raises the revision of a post, and its version only for changes by a client: %s", (_, changes, risen) => {
  const after = versioned(before, { ...before, ...changes }, LATER)
  expect(after).toMatchObject({
    version: 1 + risen,
    revision: before.revision + 1,
    updated_at: risen ? LATER : NOW,
  })
})

it("versioned keeps a post's updated_at if the change is older than the last save", () => {
  const saved = { ...before, updated_at: LATER }
  expect(versioned(saved, { ...saved, tags: ["b"] }, NOW)).toMatchObject({ version: 2, updated_at: LATER })
})

it("isSamePost ignores the order of a post's texts", () => {
  expect(isSamePost(before, { ...before, texts: before.texts.toReversed() })).toBe(true)
  expect(isSamePost(before, { ...before, slug: "other" })).toBe(false)
})
