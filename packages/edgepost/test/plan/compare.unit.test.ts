import { expect, it } from "vitest"

import type { ListedPost } from "../../src/client/index.ts"
import { compare } from "../../src/plan/compare.ts"
import type { DesiredPost } from "../../src/plan/desired.ts"

const NONE = { cover_image_id: null, canonical_url: null, author_name: null, categories: [], tags: [] }

/** Returns what of the text in each language differs: in the file, and on the service. */
const changesOf = (wanted: string, stored: string) => {
  const body_sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  const there = { title: stored, meta_description: "What.", body_sha256, edited: [] }
  const text = { title: wanted, meta_description: "What.", body: "" }
  const post = { ...NONE, texts: { en: there, fr: there } } as unknown as ListedPost
  const desired = { fields: {}, source: text, translations: { fr: text }, primary_language: "en" }
  return compare(desired as unknown as DesiredPost, post)
}

it.each([
  ["Two\nlines", "Two\nlines", "of before, which the service keeps until it is sent"],
  ["Two\nlines", "Two lines", "which the service has made a blank"],
  ["Two \r\n lines\n", "Two lines", "with blanks, which the service has made one"],
])("a title of a file with a line break, %j, is that of the service, %j: %s", (wanted, stored) => {
  expect(changesOf(wanted, stored)).toEqual({ post: [], translations: {} })
})

it.each([
  ["Two lines", "Two\nlines"],
  ["Twolines", "Two lines"],
])("a title of a file, %j, differs from %j", (wanted, stored) => {
  expect(changesOf(wanted, stored)).toEqual({ post: ["title"], translations: { fr: ["title"] } })
})
