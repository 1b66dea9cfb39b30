import * as fc from "fast-check"

import { type Field, FIELDS } from "./model.ts"

// Each step is one request as plain data: a failing sequence can be printed and sent again.

export const LAST_SLUG = 3

const WORDS = ["alpha", "Beta two", "gamma 3"]
const LANGUAGES = ["en", "fr", "de", "FR"]
const LABELS = ["news", "News, tech", " a ,, B , a", ["x", " Y ", "x"], []]
/** Fields with values that are invalid by themselves. */
const INVALID: [string, unknown][] = [
  ["title", ""],
  ["title", null],
  ["title", "x".repeat(256)],
  ["meta_description", "x".repeat(301)],
  ["meta_description", "\uD800"],
  ["status", "pb"],
  ["categories", ","],
  ["tags", 1],
  ["tags", "x".repeat(65)],
]

const by = fc.constantFrom<number>(0, 1)
/** The caller: 0 is the post's author, 1 the other one. */
const who = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant<number>(1) })
/** The slug of a create; otherwise the n-th existing post, or LAST_SLUG even if it does not exist. */
const slug = fc.constantFrom<number>(0, 0, 1, 2, LAST_SLUG)
const lang = fc.constantFrom("en", "en", "fr", "fr", "de", "FR")
const languages = fc.subarray(LANGUAGES)
const words = fc.constantFrom(...WORDS)
/** The n-th uploaded image of either author, newest first; a number too high means none. */
const images = fc.array(fc.nat({ max: 4 }), { maxLength: 2, size: "max" })
const labels = fc.constantFrom(...LABELS)
const status = fc.constantFrom("DF", "PB")
/** Half of the values are undefined. */
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** Kinds of If-Match, relative to the post's version. */
const ifMatch = fc.constantFrom("current", "current", "weak", "any", "next", "nonsense")

const create = fc.record({
  do: fc.constant("create" as const),
  by,
  slug,
  status,
  categories: fc.constantFrom(...LABELS.filter((value) => value.length > 0)),
  tags: sometimes(labels),
  title: words,
  meta_description: words,
  body: words,
  shows: images,
  image_ids: sometimes(images),
  primary_language: rarely(lang),
  translation_languages: sometimes(languages),
  invalid: rarely(
    fc.constantFrom(...INVALID, ["body", " "] as [string, unknown], ["slug", "No slug"] as [string, unknown]),
  ),
})

const patch = fc.record({
  do: fc.constant("patch" as const),
  by: who,
  slug,
  isShort: fc.boolean(),
  lang,
  isListed: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  primary: fc.oneof({ weight: 3, arbitrary: fc.constant("en") }, { weight: 1, arbitrary: lang }),
  translations: languages,
  title: sometimes(words),
  meta_description: sometimes(words),
  body: sometimes(words),
  shows: images,
  image_ids: rarely(images),
  status: sometimes(status),
  categories: sometimes(fc.constantFrom(...LABELS.filter((value) => value.length > 0))),
  tags: sometimes(labels),
  invalid: rarely(fc.constantFrom(...INVALID, ["slug", "another"] as [string, unknown])),
  ifMatch: sometimes(ifMatch),
})

const upload = fc.record({ do: fc.constant("upload" as const), by })
const remove = fc.record({ do: fc.constant("delete" as const), by: who, slug, ifMatch: sometimes(ifMatch) })
const get = fc.record({ do: fc.constant("get" as const), by: who, slug, lang: sometimes(lang) })
const list = fc.record({
  do: fc.constant("list" as const),
  by,
  limit: fc.integer({ min: 1, max: 3 }),
  status: sometimes(status),
  tag: sometimes(fc.constantFrom("news", "B", "x", "tech")),
  category: sometimes(fc.constantFrom("news", "News", "x", "B")),
})
const translations = fc.record({ do: fc.constant("translations" as const), by: who, slug })
const retranslate = fc.record({
  do: fc.constant("retranslate" as const),
  by: who,
  slug,
  lang,
  discard: fc.oneof(fc.constant<Field[]>([]), fc.subarray(FIELDS)),
})
const removeTranslation = fc.record({ do: fc.constant("remove translation" as const), by: who, slug, lang })
const page = fc.record({ do: fc.constant("page" as const), by: who, slug, lang: sometimes(lang) })
const media = fc.record({ do: fc.constant("media" as const), by, image: fc.nat({ max: 4 }) })
/** Runs the queued translations. */
const engines = fc.record({ do: fc.constant("engines" as const) })
/** Waits longer than the life of an unused image, then runs the cron. */
const wait = fc.record({ do: fc.constant("wait" as const) })

const step = fc.oneof(
  { weight: 3, arbitrary: create },
  { weight: 14, arbitrary: patch },
  { weight: 3, arbitrary: upload },
  { weight: 1, arbitrary: remove },
  { weight: 2, arbitrary: get },
  { weight: 1, arbitrary: list },
  { weight: 1, arbitrary: translations },
  { weight: 4, arbitrary: retranslate },
  { weight: 2, arbitrary: removeTranslation },
  { weight: 2, arbitrary: page },
  { weight: 1, arbitrary: media },
  { weight: 2, arbitrary: engines },
  { weight: 1, arbitrary: wait },
)

/** A sequence of steps by two authors, 0 and 1. */
export const sequence = fc
  .tuple(fc.array(create, { minLength: 1, maxLength: 3 }), fc.array(step, { maxLength: 50, size: "max" }))
  .map((parts) => parts.flat())

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
export type StepOf<Kind extends Step["do"]> = Extract<Step, { do: Kind }>
