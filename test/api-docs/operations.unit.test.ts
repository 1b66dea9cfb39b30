import { expect, it } from "vitest"

import operations from "../../docs/operations.md?raw"
import openapi from "../../public/openapi.json"

const sources = import.meta.glob<string>("../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true })

/** What the code writes into the log at each of its calls: one message, or one of some. */
const calls = Object.values(sources).flatMap((source) =>
  [...source.matchAll(/\blog\(([^]*?)\}\)/g)].map(([, call = ""]) =>
    [...(/message: ([^,]*(?:\n[^,]*)?),/.exec(call)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, text]) => text),
  ),
)
const messages = calls.flat()

it("names every message that the log may have", () => {
  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter((message) => !operations.includes(`\`${message}\``))).toEqual([])
})

it("every line of the log has a message", () => {
  expect(calls.filter((texts) => texts.length === 0)).toEqual([])
})

it("names what /healthz/ says", () => {
  const fields = Object.keys(openapi.components.schemas.Health.properties).filter((field) => field !== "success")
  expect(fields.filter((field) => !operations.includes(`\`${field}\``))).toEqual([])
})
