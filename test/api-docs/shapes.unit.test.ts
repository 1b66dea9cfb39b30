import { expect, it } from "vitest"

import openapi from "../../public/openapi.json"
import { type Operation, operations, refName, type Schema, schemas } from "./told.ts"

// What generators of clients need of the OpenAPI document.

const contentsOf = ({ responses }: Operation): Schema[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content = {} }]) => [content["application/json"]?.schema ?? {}])

/** Returns every schema in a value, also those that are named. */
const namesIn = (value: unknown, found = new Set<string>()): Set<string> => {
  JSON.stringify(value, (key, inner: unknown) => {
    const name = key === "$ref" ? refName({ $ref: String(inner) }) : ""
    if (name === "" || found.has(name)) return inner
    found.add(name)
    namesIn(schemas[name], found)
    return inner
  })
  return found
}

it.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "all successes of %s have one shape: generated clients take that of one status for all",
  (_, operation) => {
    expect(new Set(contentsOf(operation).map((schema) => JSON.stringify(schema))).size).toBeLessThanOrEqual(1)
  },
)

it("a dry run is optional in the answer of each call that has one", () => {
  const dry = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === "dry_run"))
  expect(dry.length).toBeGreaterThan(4)
  for (const operation of dry)
    for (const schema of contentsOf(operation))
      expect(schemas[refName(schema)]?.required ?? [], operation.operationId).not.toContain("dry_run")
})

it("no request has the schema of an answer, nor a part of it: an answer has fields that a request may leave out", () => {
  const sent = namesIn(operations.map(({ requestBody }) => requestBody ?? null))
  const answered = namesIn(operations.map(({ responses }) => responses))
  expect([...sent].filter((name) => answered.has(name))).toEqual([])
  expect(sent).toContain("GlossaryEntryInput")
})

it("every field and parameter of the document has a type", () => {
  const untyped: string[] = []
  JSON.stringify(openapi, (key, value: unknown) => {
    if (!["properties", "schema"].includes(key) || typeof value !== "object" || value === null) return value
    const named = key === "schema" ? { schema: value } : value
    for (const [name, schema] of Object.entries<Schema>(named as Record<string, Schema>))
      if (!("type" in schema || "$ref" in schema || "anyOf" in schema || "enum" in schema)) untyped.push(name)
    return value
  })
  expect(untyped).toEqual([])
})

it.each([
  ["limit", { type: "integer", minimum: 1, maximum: 100 }],
  ["page", { type: "integer", minimum: 1 }],
  ["dry_run", { type: "boolean" }],
])("the parameter %s of a query has the type that it means", (wanted, expected) => {
  const found = operations.flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === wanted))
  expect(found.length).toBeGreaterThan(0)
  for (const { schema } of found) expect(schema).toMatchObject(expected)
})

it("numbers of the document are integers, and JSON that is no schema is an object", () => {
  expect(JSON.stringify(openapi).match(/"number"/g)).toBeNull()
  const { content } = openapi.paths["/{author}/feed.json"].get.responses[200]
  expect(content["application/feed+json"].schema.type).toBe("object")
})
