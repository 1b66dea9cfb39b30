import { describe, expect, it } from "vitest"

import type { Fault } from "./inject.ts"
import { operationNamed } from "./operations.ts"
import { type Operation, type Sabotage, searchFaults } from "./search.ts"

// The whole search is in test/soak/faults.test.ts.

describe("a call that fails after it took effect loses nothing and leaves nothing half done or stuck", () => {
  it.each([
    "create a post, with a key",
    "PATCH that adds, keeps and drops images",
    "PUT of an existing post with translations",
    "upload with a key",
    "upload of bytes whose first upload died before it stored the file",
    "translate",
    "rotate key, by the operator",
    "Stripe's checkout",
    "erase account, in the settings",
  ])("no data is lost, half done or stuck if any one storage call fails after its effect: %s", async (name) => {
    const { injections, missed, broken } = await searchFaults(operationNamed(name), { faults: ["after"] })
    expect(injections).toBeGreaterThan(0)
    expect(missed).toEqual([])
    expect(broken).toEqual([])
  })
})

const without =
  (safeguard: string, instead: string): Sabotage["rewrite"] =>
  (sql) =>
    sql.replaceAll(safeguard, instead)

describe("the fault search detects a missing safeguard", () => {
  it.each<[safeguard: string, operation: string, Fault, at: RegExp, Sabotage, found: string]>([
    [
      "the claim check on a late result",
      "translate, with a save meanwhile",
      "lost",
      /TRANSLATIONS\.send/,
      { rewrite: without('"lang_code" = ? and "texts"."claim" = ?', '"lang_code" = ? and ? is not null') },
      "a ready translation of an older text",
    ],
    [
      "the lease",
      "translate, by a message that comes again meanwhile",
      "lost",
      /TRANSLATIONS\.send/,
      { rewrite: without('"leases"."expires_at" <= ?', "? is not null") },
      "two calls of the engine at once",
    ],
    [
      "the comparison of the revision",
      "PATCH, with another one between its read and its write",
      "before",
      /update posts/,
      { rewrite: without('"posts"."revision" = ?', "? is not null") },
      "two saves left",
    ],
    ["the cron", "translate", "lost", /TRANSLATIONS\.send/, { noCron: true }, "a language that is stuck"],
    ["the cron", "upload", "after", /MEDIA\.put/, { noCron: true }, "an image that is being deleted for ever"],
    [
      "the stored result of an Idempotency-Key",
      "create a post, with a key",
      "after",
      /insert into posts/,
      { rewrite: without('do update set "made" = excluded.made', 'do update set "made" = null') },
      "repeated: 400 duplicate_slug",
    ],
    [
      "the single use of a sign-in link",
      "sign-in by link",
      "after",
      /update sign_in_links/,
      { rewrite: without('"sign_in_links"."session_hash" is null', "true") },
      'repeated, but: {"sessions":2}',
    ],
  ])(
    "a search that lets calls fail one by one notices if the service works without %s (operation: %s)",
    async (_, name, fault, at, sabotage, expected) => {
      const operation = operationNamed(name)
      const clean = await searchFaults(operation, { faults: [fault], at })
      expect([clean.injections > 0, clean.broken]).toEqual([true, []])
      const { broken } = await searchFaults(operation, { faults: [fault], at, sabotage })
      expect(broken.join("\n")).toContain(expected)
    },
  )

  it("the fault-injection search throws for an operation that changes nothing in storage", async () => {
    const answered = { status: 200, headers: new Headers(), text: "" }
    const scene = { run: () => Promise.resolve(answered), look: () => Promise.resolve("the same") }
    const idle: Operation = { name: "nothing", open: () => Promise.resolve(scene) }
    await expect(searchFaults(idle)).rejects.toThrow("changes nothing")
  })
})
