import { expect, test } from "vitest"

import * as service from "../../../src/limits.ts"
import * as limits from "../src/limits.ts"

test("the command line knows the limits of the service by their names and values", () => {
  expect(service).toMatchObject(limits)
})
