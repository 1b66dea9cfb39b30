import { expect, test } from "vitest"

import { sendOddRequests } from "./single.ts"

test("700 generated odd requests to all API operations are answered as the OpenAPI document allows", async () => {
  expect(await sendOddRequests({ seed: 7, runs: 2 })).toBeGreaterThan(700)
})
