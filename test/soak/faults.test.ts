import { afterAll, describe, expect, it } from "vitest"

import { routes } from "../../src/routes.ts"
import { operations } from "../faults/operations.ts"
import { type Found, routesOf, searchFaults } from "../faults/search.ts"

const all: Found[] = []

describe("with every fault at every call of a binding nothing is lost, half done or stuck:", () => {
  it.each(operations)(
    "no data is lost, half done or stuck after any fault at any storage call: $name",
    async (operation) => {
      const found = await searchFaults(operation)
      all.push(found)
      console.info(`${operation.name}: ${found.calls} calls, ${found.injections} injection points`)
      expect(found.injections).toBeGreaterThan(0)
      expect(found.missed).toEqual([])
      expect(found.broken).toEqual([])
    },
  )
})

it("the fault-injection search covers every route that writes", async () => {
  const searched = new Set<string>()
  for (const operation of operations) for (const route of await routesOf(operation)) searched.add(route)
  const writing = routes
    .map(({ operation: { method, path } }) => `${method} ${path.replace(/\/$/, "")}`)
    .filter((route) => !route.startsWith("GET "))
  expect(writing.filter((route) => !searched.has(route))).toEqual([])
})

afterAll(() => {
  const sum = (count: (found: Found) => number) => all.map(count).reduce((a, b) => a + b, 0)
  console.info(
    `${all.length} operations: ${sum(({ calls }) => calls)} calls, ${sum(({ injections }) => injections)} injection points in all`,
  )
})
