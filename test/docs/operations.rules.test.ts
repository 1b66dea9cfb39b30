import { expect, it } from "vitest"

import operations from "../../docs/operations.md?raw"
import openapi from "../../public/openapi.json"

const sources = import.meta.glob<string>("../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true })

/** What the code writes into the log, by the texts at its calls. */
const messages = Object.values(sources).flatMap((source) =>
  [...source.matchAll(/\blog\([^{]+, \{([^]*?)\}\)/g)].flatMap(([, fields = ""]) =>
    [...(/message: ([^,]*(?:\n[^,]*)?),/.exec(fields)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, text]) => text),
  ),
)

it("names every message that the log may have", () => {
  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter((message) => !operations.includes(`\`${message}\``))).toEqual([])
})

it("every line of the log has a message", () => {
  const calls = Object.values(sources).flatMap((source) => [...source.matchAll(/\blog\(/g)])
  expect(messages.length).toBeGreaterThanOrEqual(calls.length)
})

it("names what /healthz/ says", () => {
  const fields = Object.keys(openapi.components.schemas.Health.properties).filter((field) => field !== "success")
  expect(fields.filter((field) => !operations.includes(`\`${field}\``))).toEqual([])
})
