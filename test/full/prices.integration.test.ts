import { expect, it } from "vitest"

import { FULL, SMALL } from "../prices/fill.ts"
import { excessesOf, measureAll, priceList, show, unlimited } from "../prices/report.ts"

// `npm run prices` writes prices.txt again.

it(
  "the price list is that of prices.txt, and an account that fills its quotas stays within it",
  { timeout: 300_000 },
  async () => {
    const accounts = { small: SMALL, full: FULL }
    const lines = await measureAll(accounts)
    await expect(priceList(lines, accounts)).toMatchFileSnapshot("../prices.txt")
    expect
      .soft(unlimited(lines), "routes in portions, or of the owner's whole, without a limit of their own")
      .toEqual([])
    expect(excessesOf(lines, accounts).map(show).join("\n\n")).toBe("")
  },
)
