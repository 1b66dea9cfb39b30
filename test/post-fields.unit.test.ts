import { readFileSync } from "node:fs"
import { join } from "node:path"

import { expect, it } from "vitest"

import { CreatePost, PatchPost } from "../src/posts/input.ts"
import { PLAIN_FIELDS } from "../src/posts/post.ts"

const read = (file: string): string => readFileSync(join(import.meta.dirname, "..", file), "utf8")

interface Place {
  file: string
  /** Takes the plain fields from their list. */
  isDerived?: true
  /** Another word that stands for a field here; null: the field is not for this place. */
  words?: Record<string, string | null>
}

// A blog's folder has one `slug`, `lang` and `cover`, uploads its images by itself, and its configuration has the `source`.
const FOLDER = {
  cover_image_id: "cover",
  image_ids: null,
  primary_language: "lang",
  source: null,
  body: "body",
  translation_review: null,
}
/** The review is a setting of the service alone: folders have approved text. */
const NO_REVIEW = { translation_review: null }
const BY_LANGUAGE = { title: "TEXT_FIELDS", meta_description: "TEXT_FIELDS", body: "TEXT_FIELDS" }

/** The places that know each field of a post, in the order of docs/contributing.md. */
const PLACES: Place[] = [
  { file: "src/db/schema.ts" },
  { file: "src/posts/input.ts" },
  { file: "src/posts/post.ts", words: { image_ids: "images" } },
  { file: "src/posts/apply-patch.ts", isDerived: true, words: { ...BY_LANGUAGE, image_ids: "attach", slug: null } },
  { file: "src/posts/operations.ts", isDerived: true },
  { file: "src/posts/view.ts", isDerived: true },
  { file: "src/export/front-matter.ts", isDerived: true },
  { file: "scripts/archive.ts" },
  { file: "scripts/restore-plan.ts", isDerived: true },
  { file: "packages/edgepost/src/client/openapi.ts" },
  {
    file: "packages/edgepost/src/folder/field-names.ts",
    words: { ...FOLDER, body: null, primary_language: "language" },
  },
  { file: "packages/edgepost/src/folder/fields.ts", words: { ...FOLDER, body: null, status: "isDraft" } },
  { file: "packages/edgepost/src/folder/posts.ts", words: FOLDER },
  { file: "packages/edgepost/src/plan/desired.ts", words: { image_ids: null, ...NO_REVIEW } },
  { file: "packages/edgepost/src/plan/compare.ts", words: { image_ids: null, slug: null, ...NO_REVIEW } },
  { file: "packages/edgepost/src/commands/pull.ts", words: FOLDER },
  { file: "docs/api.md" },
]

const FIELDS = [...new Set([...Object.keys(CreatePost.shape), ...Object.keys(PatchPost.shape)])].filter(
  (field) => field !== "lang_code",
)

it("each place that docs/contributing.md lists for a field of a post knows all fields", () => {
  const forgotten = PLACES.flatMap(({ file, isDerived, words = {} }) => {
    const source = read(file)
    const isKnown = (field: string): boolean => {
      const word = field in words ? words[field] : field
      if (word === null || (isDerived && PLAIN_FIELDS.some((plain) => plain === field))) return true
      return new RegExp(`\\b${word}\\b`).test(source)
    }
    return FIELDS.filter((field) => !isKnown(field)).map((field) => `${file} has forgotten ${field}`)
  })
  expect(forgotten).toEqual([])
})

it("docs/contributing.md lists the places of a field of a post in the order in which they are to be changed", () => {
  const [, section = ""] = read("docs/contributing.md").split("## Add a field to a post")
  const at = PLACES.map(({ file }) => section.indexOf(file))
  expect(at.map((place, i) => (place < 0 ? PLACES[i]?.file : null)).filter((file) => file !== null)).toEqual([])
  expect(at).toEqual(at.toSorted((a, b) => a - b))
})
