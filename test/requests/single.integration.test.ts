import { expect, test } from "vitest"

import { documented } from "./document.ts"
import { sendOddRequests } from "./single.ts"

let sent = 0

test.each(documented.map((operation) => [operation.id, operation] as const))(
  "generated odd requests to the API operation %s are answered as the OpenAPI document allows",
  async (_, operation) => {
    const count = await sendOddRequests({ seed: 7, runs: 1, operations: [operation] })
    expect(count).toBeGreaterThan(0)
    sent += count
  },
)

test("1,300 generated odd requests to all API operations have been answered", () => {
  expect(sent).toBeGreaterThan(1300)
})
