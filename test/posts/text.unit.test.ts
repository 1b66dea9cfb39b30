import { expect, it } from "vitest"

import {
  emptyText,
  fieldsToMake,
  isComplete,
  isEmpty,
  targetLanguages,
  queued,
  reconcile,
  staleFields,
  type Text,
} from "../../src/posts/text.ts"

const BEFORE = new Date("2026-01-01T00:00:00Z")
const NOW = new Date("2026-01-02T00:00:00Z")
const DUE = new Date("2026-01-02T00:00:05Z")

const FIELDS = ["title", "meta_description", "body"] as Text["edited"]
const all = (version: number) => ({ title: version, meta_description: version, body: version })

const text = (changes: Partial<Text> = {}): Text => ({ ...emptyText("post", "fr", BEFORE), ...changes })

const error = { code: "gave_up", message: "…" }
const source = text({ lang_code: "en", versions: { title: 1, meta_description: 1, body: 2 } })

it.each([
  [{}, false, true],
  [{ title: 1 }, false, false],
  [{ title: 1, body: 1 }, false, false],
  [all(1), true, false],
  [all(0), true, false],
])("a post's text with the field versions %j has isComplete %s and isEmpty %s", (versions, has, empty) => {
  expect([isComplete(text({ versions })), isEmpty(text({ versions }))]).toEqual([has, empty])
})

it.each<[string, Partial<Text>, string[], string[]]>([
  ["no fields yet", {}, FIELDS, []],
  ["all fields up to date", { versions: source.versions }, [], []],
  ["an outdated machine-made body", { versions: all(1) }, ["body"], []],
  ["an outdated hand-edited body", { versions: all(1), edited: ["body"] }, [], ["body"]],
  ["a hand-edited title, the rest missing", { versions: { title: 1 }, edited: ["title"] }, FIELDS.slice(1), []],
  ["all fields hand-edited and outdated", { versions: all(0), edited: FIELDS }, [], FIELDS],
  ["hand-edited and up to date", { versions: source.versions, edited: ["title", "body"] }, [], []],
])(
  "fieldsToMake and staleFields list the missing and outdated fields of a translation: %s",
  (_, changes, toMake, stale) => {
    expect([fieldsToMake(text(changes), source), staleFields(text(changes), source)]).toEqual([toMake, stale])
  },
)

it("queued() takes a text from its translation run and resets its attempts", () => {
  const taken = text({ status: "running", claim: "run", attempts: 3, error, segments_done: 2 })
  expect(queued(taken, DUE, NOW)).toEqual(text({ status: "queued", due_at: DUE, updated_at: NOW }))
})

const fresh = { versions: source.versions }
const outdated = { versions: all(1) }
const waits = { status: "queued", due_at: DUE, claim: null } as const
const idle = { status: "ready", due_at: null, claim: null } as const

const running = { status: "running", claim: "run", due_at: BEFORE } as const
const waited = { status: "queued", due_at: BEFORE } as const
const half = { segments_done: 1, segments_total: 3 }
const none = { error: null, segments_done: 0, segments_total: 0 }
const started = { versions: { title: 1 }, edited: ["title" as const] }

it.each<[string, Partial<Text> | null, listed: string[], touched: boolean, Partial<Text> | null]>([
  ["listed and missing", null, ["fr"], false, waits],
  ["listed and complete", fresh, ["fr"], false, idle],
  ["listed and outdated", outdated, ["fr"], true, waits],
  ["listed and failed", { status: "failed", error }, ["fr"], false, { ...waits, error: null }],
  ["listed, failed and edited", { ...fresh, status: "failed", error, ...half }, ["fr"], true, { ...idle, ...none }],
  ["listed and queued, untouched", waited, ["fr"], false, waited],
  ["listed and running, untouched", running, ["fr"], false, { status: "running", claim: "run" }],
  ["listed and running, touched", running, ["fr"], true, waits],
  ["unlisted and empty", waited, [], false, null],
  ["unlisted and complete", fresh, [], false, idle],
  ["unlisted, in a run", { ...outdated, ...running, ...half }, [], false, { ...idle, ...outdated, ...none }],
  ["unlisted, half edited", { ...started, ...waited }, [], false, { ...started, status: "failed", due_at: null }],
])("reconcile updates, after a save of the post, a translation that is %s", (_, before, listed, touched, after) => {
  const made = reconcile(before ? [text(before)] : [], touched ? ["fr"] : [], { source, listed, due: DUE, now: NOW })
  expect(made).toMatchObject(after ? [{ lang_code: "fr", ...after }] : [])
})

it("reconcile orders translations as translation_languages does, unlisted ones last", () => {
  const known = ["de", "fr", "it"].map((lang_code) => text({ lang_code, ...fresh }))
  const made = reconcile(known, [], { source, listed: ["it", "es", "fr"], due: DUE, now: NOW })
  expect(made.map(({ lang_code }) => lang_code)).toEqual(["it", "es", "fr", "de"])
})

it.each([
  ["en", [], []],
  ["en", ["fr", "en", "de", "fr"], ["fr", "de"]],
  ["pt", ["pt-BR", "pt"], ["pt-BR"]],
])("targetLanguages for a post in %s whose request names %j returns %j", (language, sent, listed) => {
  expect(targetLanguages(language, sent)).toEqual(listed)
})
