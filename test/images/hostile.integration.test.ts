import { beforeAll, expect, it } from "vitest"

import { randomFrom } from "../random.ts"
import { note, search } from "../search.ts"
import { API, call, encode, fileForm, newAuthor, passSeconds, stopClock } from "../support.ts"
import { watchCodecs } from "./codecs.ts"
import { whiteImage } from "./files.ts"
import { convertMutated, noise, withChecksums } from "./mutated.ts"
import { MUTATIONS } from "./mutations.ts"

const FORMATS = ["png", "jpeg", "webp"] as const

beforeAll(watchCodecs)

it("the test helper withChecksums leaves a valid PNG unchanged", () => {
  const whole = whiteImage("png", 20, 10)
  expect(withChecksums(whole.slice())).toEqual(whole)
})

it("convertUpload converts a mutated image file, or refuses it with 400", async () => {
  const found = await convertMutated()
  expect(found).toContain("converted")
  expect(found.size).toBeGreaterThan(1)
})

it("an upload of a mutated image file answers 201 or 400", async () => {
  stopClock()
  const { key } = await newAuthor()
  await search(150, async (seed) => {
    // Keeps within ten uploads a minute.
    passSeconds(7)
    const random = randomFrom(seed)
    const [format = "png", by] = [FORMATS[seed % 3], Math.floor(random() * MUTATIONS.length)]
    const file = MUTATIONS[by]?.(encode(noise(random, 16), 16, 16, format), random) ?? new Uint8Array()
    const { status, json } = await call("POST", `${API}/image-upload/`, { key, body: fileForm(file) })
    expect([201, 400]).toContain(status)
    for (const kind of [format, `mutation ${by}`]) note(`${kind}: ${json.code}`)
  })
})
