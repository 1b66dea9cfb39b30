import { describe, expect, test } from "vitest"

import { chooseAddress } from "../src/images.ts"

const element = (attributes: Record<string, string>) => ({ getAttribute: (name: string) => attributes[name] ?? null })

describe("the address of an image", () => {
  test.each<[string, Record<string, string>, string | null]>([
    ["is its src", { src: "a.png" }, "a.png"],
    ["is the largest of srcset up to 2048 px", { src: "a", srcset: "s 400w, m.png 2048w, l 4000w" }, "m.png"],
    ["is the smallest of srcset if all are larger", { srcset: "l.png 4000w, m.png 3000w" }, "m.png"],
    ["is the densest of srcset", { src: "a.png", srcset: "a.png, b.png 2x" }, "b.png"],
    ["has no more than 2048 px by density", { width: "1500", srcset: "a.png 1x, b.png 2x" }, "a.png"],
    ["may have commas", { srcset: "w_1,h_2/a.png 800w,w_2,h_4/b.png 1600w" }, "w_2,h_4/b.png"],
    ["is that of a late image, not its placeholder", { src: "data:image/gif;base64,R0", "data-src": "a.png" }, "a.png"],
    ["is the best of a late srcset", { src: "tiny.png", "data-srcset": "a.png 400w, b.png 800w" }, "b.png"],
    ["skips placeholders of srcset", { src: "a.png", srcset: "data:image/gif;base64,R0 1x" }, "a.png"],
    ["is null without any", { alt: "x" }, null],
  ])("%s", (_, attributes, address) => {
    expect(chooseAddress(element(attributes))).toBe(address)
  })

  test("is that of the first source of a picture element", () => {
    const sources = [element({ srcset: "a.webp 800w, b.webp 1600w" }), element({ srcset: "c.png" })]
    expect(chooseAddress(element({ src: "d.png" }), sources)).toBe("b.webp")
  })
})
