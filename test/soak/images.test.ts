import { beforeAll, expect, it } from "vitest"

import { convertMutated } from "../images/mutated.ts"
import { watchCodecs } from "../images/watch.ts"

beforeAll(watchCodecs)

it("each of 5,000 mutated image files is converted or refused", async () => {
  const counts = await convertMutated(5000)
  console.info(counts)
  expect(Object.keys(counts)).toEqual(["201", "400"])
})
