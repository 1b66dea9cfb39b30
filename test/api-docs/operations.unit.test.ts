import { expect, it } from "vitest"

import operations from "../../docs/operations.md?raw"
import openapi from "../../public/openapi.json"

const sources = import.meta.glob<string>("../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true })

/** The messages of each log() call in the code: one, or several alternatives. */
const calls = Object.values(sources).flatMap((source) =>
  [...source.matchAll(/\blog\(([^]*?)\}\)/g)].map(([, call = ""]) =>
    [...(/message: ([^,]*(?:\n[^,]*)?),/.exec(call)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, text]) => text),
  ),
)
const messages = calls.flat()

it("docs/operations.md names every log message of the service", () => {
  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter((message) => !operations.includes(`\`${message}\``))).toEqual([])
})

it("every log() call in the source code has a message", () => {
  expect(calls.filter((texts) => texts.length === 0)).toEqual([])
})

it("docs/operations.md names every field in the answer of /healthz/", () => {
  const fields = Object.keys(openapi.components.schemas.Health.properties).filter((field) => field !== "success")
  expect(fields.filter((field) => !operations.includes(`\`${field}\``))).toEqual([])
})
