import { expect, it } from "vitest"

import { routes } from "../../src/routes.ts"
import { MANY } from "./fill.ts"
import { excessesOf, measureAll, show, unlimited } from "./report.ts"
import { PRICES } from "./requests.ts"

// What each route costs, in rows of D1. test/full/prices.integration.test.ts fills the quotas of an account and writes prices.txt.

it("every route has a price, and every price is that of a route or a job", () => {
  const names = routes.map(({ operation: { method, path } }) => `${method} ${path}`)
  // A job or a queue has no path.
  expect(
    Object.keys(PRICES)
      .filter((name) => !/^(?:job|queue): /.test(name))
      .toSorted(),
  ).toEqual(names.toSorted())
})

it(
  "the dearest accepted requests of each route stay within its price for an account of 2,000 posts",
  { timeout: 120_000 },
  async () => {
    const accounts = { many: MANY }
    const lines = await measureAll(accounts)
    expect(unlimited(lines), "routes in portions, or of the owner's whole, without a limit of their own").toEqual([])
    expect(excessesOf(lines, accounts).map(show).join("\n\n")).toBe("")
  },
)
