import { expect, test } from "vitest"

import { sendOddRequests } from "./single.ts"

test("1,300 generated odd requests to all API operations are answered as the OpenAPI document allows", async () => {
  expect(await sendOddRequests({ seed: 7, runs: 1 })).toBeGreaterThan(1300)
})
