import { describe, expect, it } from "vitest"

import {
  defaultLanguages,
  emptyText,
  fieldsToMake,
  hasText,
  isEmpty,
  listLanguages,
  queued,
  reconcile,
  staleFields,
  type Text,
} from "../../src/posts/text.ts"

const BEFORE = new Date("2026-01-01T00:00:00Z")
const NOW = new Date("2026-01-02T00:00:00Z")
const DUE = new Date("2026-01-02T00:00:05Z")

const all = (version: number) => ({ title: version, meta_description: version, body: version })

const text = (changes: Partial<Text> = {}): Text => ({ ...emptyText("post", "fr", BEFORE), ...changes })

const own = text({ lang_code: "en", versions: { title: 1, meta_description: 1, body: 2 } })

describe("a text exists once title, meta_description and body do", () => {
  it.each([
    [{}, false, true],
    [{ title: 1 }, false, false],
    [{ title: 1, body: 1 }, false, false],
    [all(1), true, false],
    [all(0), true, false],
  ])("versions %j: has text %s, is empty %s", (versions, has, empty) => {
    expect([hasText(text({ versions })), isEmpty(text({ versions }))]).toEqual([has, empty])
  })
})

describe("fields for an engine, and stale ones", () => {
  it.each<[string, Partial<Text>, string[], string[]]>([
    ["nothing there", {}, ["title", "meta_description", "body"], []],
    ["all of the own text as it is", { versions: own.versions }, [], []],
    ["a machine-made body behind", { versions: all(1) }, ["body"], []],
    ["a hand-edited body behind", { versions: all(1), edited: ["body"] }, [], ["body"]],
    [
      "a hand-edited title, the rest missing",
      { versions: { title: 1 }, edited: ["title"] },
      ["meta_description", "body"],
      [],
    ],
    [
      "all by hand, all behind",
      { versions: all(0), edited: ["title", "meta_description", "body"] },
      [],
      ["title", "meta_description", "body"],
    ],
    ["by hand in time", { versions: own.versions, edited: ["title", "body"] }, [], []],
  ])("%s", (_, changes, toMake, stale) => {
    expect([fieldsToMake(text(changes), own), staleFields(text(changes), own)]).toEqual([toMake, stale])
  })
})

it("queueing takes the text back from a run and starts its attempts anew", () => {
  const running = text({
    status: "running",
    claim: "run",
    attempts: 3,
    error: { code: "x", message: "y" },
    segments_done: 2,
  })
  expect(queued(running, DUE, NOW)).toEqual(text({ status: "queued", due_at: DUE, updated_at: NOW }))
})

describe("translations after a save", () => {
  const error = { code: "gave_up", message: "…" }
  const fresh = { versions: own.versions }
  const behind = { versions: all(1) }
  const waits = { status: "queued", due_at: DUE, claim: null } as const
  const peace = { status: "ready", due_at: null, claim: null } as const

  it.each<[string, Partial<Text> | null, { listed: boolean; touched: boolean }, Partial<Text> | null]>([
    ["listed, none yet", null, { listed: true, touched: false }, waits],
    ["listed and complete", fresh, { listed: true, touched: false }, peace],
    ["listed and behind", behind, { listed: true, touched: true }, waits],
    ["listed and failed", { status: "failed", error }, { listed: true, touched: false }, { ...waits, error: null }],
    [
      "listed and failed before, all by hand now",
      { ...fresh, status: "failed", error, segments_done: 1, segments_total: 3 },
      { listed: true, touched: true },
      { ...peace, error: null, segments_done: 0, segments_total: 0 },
    ],
    [
      "listed and queued, untouched",
      { status: "queued", due_at: BEFORE },
      { listed: true, touched: false },
      { status: "queued", due_at: BEFORE },
    ],
    [
      "listed and running, untouched",
      { status: "running", claim: "run", due_at: BEFORE },
      { listed: true, touched: false },
      { status: "running", claim: "run" },
    ],
    [
      "listed and running, touched",
      { status: "running", claim: "run", due_at: BEFORE },
      { listed: true, touched: true },
      waits,
    ],
    ["unlisted, none yet", { status: "queued", due_at: BEFORE }, { listed: false, touched: false }, null],
    ["unlisted and complete", fresh, { listed: false, touched: false }, peace],
    [
      "unlisted in the middle of a run",
      { ...behind, status: "running", claim: "run", due_at: BEFORE, segments_done: 1, segments_total: 3 },
      { listed: false, touched: false },
      { ...peace, ...behind, segments_done: 0, segments_total: 0 },
    ],
    [
      "unlisted with a part by hand",
      { versions: { title: 1 }, edited: ["title"], status: "queued", due_at: BEFORE },
      { listed: false, touched: false },
      { status: "failed", due_at: null, edited: ["title"] },
    ],
  ])("%s", (_, before, { listed, touched }, after) => {
    const translations = before ? [text(before)] : []
    const made = reconcile(translations, { own, listed: listed ? ["fr"] : [], due: DUE, now: NOW }, () => touched)
    expect(made).toMatchObject(after ? [{ lang_code: "fr", ...after }] : [])
  })

  it("come in the order of the list, unlisted ones behind", () => {
    const known = ["de", "fr", "it"].map((lang_code) => text({ lang_code, ...fresh }))
    const made = reconcile(known, { own, listed: ["it", "es", "fr"], due: DUE, now: NOW }, () => false)
    expect(made.map(({ lang_code }) => lang_code)).toEqual(["it", "es", "fr", "de"])
  })
})

describe("languages", () => {
  it.each([
    ["en", [], []],
    ["en", ["fr", "en", "de", "fr"], ["fr", "de"]],
    ["pt", ["pt-BR", "pt"], ["pt-BR"]],
  ])("of a post in %s, %j sent: %j listed", (language, sent, listed) => {
    expect(listLanguages(language, sent)).toEqual(listed)
  })

  it.each([
    [{}, "sv", ["da"]],
    [{ primary_language: "de" }, "de", ["da"]],
    [{ translation_languages: [] }, "sv", []],
    [{ primary_language: "de", translation_languages: ["fr"] }, "de", ["fr"]],
  ])("of a create with %j: %s, %j", (sent, primary, translations) => {
    const account = { primary_language: "sv", translation_languages: ["da"] }
    expect(defaultLanguages(account, sent)).toEqual({ primary, translations })
  })
})
