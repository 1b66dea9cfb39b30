import { beforeAll, expect, it } from "vitest"

import { randomFrom } from "../random.ts"
import { API, call, encode, fileForm, newAuthor } from "../support.ts"
import { whiteImage } from "./files.ts"
import { convertMutated, noise, withChecksums } from "./mutated.ts"
import { MUTATIONS } from "./mutations.ts"
import { watchCodecs } from "./watch.ts"

const FORMATS = ["png", "jpeg", "webp"] as const

beforeAll(watchCodecs)

it("the test helper withChecksums leaves a valid PNG unchanged", () => {
  const whole = whiteImage("png", 20, 10)
  expect(withChecksums(whole.slice())).toEqual(whole)
})

it("convertUpload converts or refuses each of 500 mutated image files (5,000 in test/soak)", async () => {
  const counts = await convertMutated(500)
  expect(Object.keys(counts)).toEqual(["201", "400"])
  expect(counts[201]).toBeGreaterThan(50)
  expect(counts[400]).toBeGreaterThan(150)
})

it("each of 150 uploads of mutated image files answers 201 or 400", async () => {
  const random = randomFrom(7)
  for (let i = 0; i < 150; i += 10) {
    const { key } = await newAuthor()
    for (let j = 0; j < 10; j++) {
      const format = FORMATS[j % 3] ?? "png"
      const file = MUTATIONS[(i / 10 + j) % MUTATIONS.length]?.(encode(noise(random, 16), 16, 16, format), random)
      const { status } = await call("POST", `${API}/image-upload/`, { key, body: fileForm(file ?? new Uint8Array()) })
      expect([201, 400]).toContain(status)
    }
  }
})
