import { expect, test } from "vitest"

import { sendOddRequests } from "./single.ts"

test("700 requests that are odd at every place of every operation are answered as documented", async () => {
  expect(await sendOddRequests({ seed: 7, runs: 2 })).toBeGreaterThan(700)
})
