import { beforeAll, expect, it } from "vitest"

import openapi from "../../public/openapi.json"
import { call } from "../support.ts"
import { elements, entriesOf, named, textOf, within } from "./reference.ts"
import { fieldsOf, needOf, operations, plain, refName, schemas, type Term, termsOf, unknownKeywords } from "./told.ts"

let all: ReturnType<typeof elements>
beforeAll(async () => {
  all = elements((await call("GET", "/docs/")).text)
})

const sectionOf = (id: string) => {
  const section = all.find(({ properties }) => properties.id === id)
  if (!section) throw new Error(`Nothing on the page is #${id}.`)
  return section
}

/** Returns the terms that no entry of a section explains completely. */
const untold = (id: string, terms: Term[]): string[] => {
  const entries = entriesOf(sectionOf(id))
  return terms
    .filter(
      ({ name, facts }) =>
        !entries.some(({ term, text }) => term === name && facts.every((fact) => text.includes(fact))),
    )
    .map(({ name, facts }) => `${name}: ${facts.join(" | ")}`)
}

it.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "the API reference page shows every documented detail of the operation %s",
  (id, operation) => {
    expect(untold(id, termsOf(operation))).toEqual([])
    const text = textOf(sectionOf(id))
    const { method, path, summary, description } = operation
    expect(text).toContain(`${method.toUpperCase()} ${path}`)
    for (const said of [summary, plain(description), id]) expect(text).toContain(said)
    for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)])
      for (const type of Object.keys(content)) expect(text).toContain(type)
    const links = new Set(within(sectionOf(id), "a").map(({ properties }) => properties.href))
    const codes = Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, { description: listed }]) =>
        [...listed.matchAll(/`(\w+)`/g)].map(([, code]) => `/docs/errors/#${code}`),
      )
    expect(codes.length).toBeGreaterThan(2)
    expect(codes.filter((link) => !links.has(link))).toEqual([])
  },
)

const sent = new Set(
  operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => refName(schema)),
  ),
)
it.each(Object.entries(schemas))(
  "the API reference page shows every documented detail of the schema %s",
  (name, schema) => {
    expect(untold(`schema-${name}`, fieldsOf(schema, sent.has(name)))).toEqual([])
    expect(textOf(sectionOf(`schema-${name}`))).toContain(plain(schema.description))
  },
)

it("the API reference page says how to authenticate, and for which operations", () => {
  const text = textOf(sectionOf("content"))
  for (const header of [
    "Authorization: Api-Key <API_KEY>",
    "X-API-KEY: <API_KEY>",
    "Authorization: Bearer OPERATOR_TOKEN",
  ])
    expect(text).toContain(header)
  const needs = (id: string) => /Needs [^.]*/.exec(textOf(sectionOf(id)))?.[0]
  expect(operations.map((operation) => [operation.operationId, needs(operation.operationId)])).toEqual(
    operations.map((operation) => [operation.operationId, needOf(operation)]),
  )
})

it("the API reference page has a curl example for every operation that needs credentials", () => {
  const withExample = operations.filter(({ operationId }) => within(sectionOf(operationId), "pre").length === 1)
  expect(withExample).toEqual(operations.filter(({ security }) => security.length > 0))
})

it("the OpenAPI document has no keyword that the tests of the API reference page do not check", () => {
  expect(unknownKeywords()).toEqual([])
})

it("the API reference page links to the OpenAPI document and to the error codes", () => {
  const links = named(all, "a").map(({ properties }) => properties.href)
  expect(links).toEqual(expect.arrayContaining(["/openapi.json", "/docs/errors/"]))
})

it("the API reference page escapes markup in texts of the OpenAPI document", async () => {
  const EVIL = `<img src=x onerror=alert(1)>"'&amp;`
  const poison = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return value + EVIL
    if (Array.isArray(value)) return value.map((item) => poison(item))
    if (typeof value !== "object" || value === null) return value
    const isNamed = ["paths", "properties", "schemas", "headers", "content"].includes(key)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [isNamed ? name + EVIL : name, poison(inner, name)]),
    )
  }
  const ASSETS = { fetch: async () => Response.json(poison(openapi)) } as unknown as Fetcher
  const { status, text } = await call("GET", "/docs/", { env: { ASSETS } })
  expect(status).toBe(200)
  expect(text.match(/onerror/g)?.length).toBeGreaterThan(500)
  expect(named(elements(text), "img", "script")).toEqual([])
  expect(
    elements(text)
      .flatMap(({ properties }) => Object.keys(properties))
      .filter((name) => name.startsWith("on")),
  ).toEqual([])
})

it("the API reference page answers misconfigured if openapi.json is missing", async () => {
  const ASSETS = { fetch: async () => new Response(null, { status: 404 }) } as unknown as Fetcher
  const { status, json } = await call("GET", "/docs/", { env: { ASSETS } })
  expect([status, json.code]).toEqual([500, "misconfigured"])
  expect(json.detail).toContain("openapi.json")
})
