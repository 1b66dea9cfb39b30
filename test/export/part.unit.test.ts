import { describe, expect, it } from "vitest"

import { cutParts, partLength, type PostSize } from "../../src/export/part.ts"
import { MAX_EXPORT_IMAGE_BYTES as BYTES, MAX_EXPORT_IMAGES as PICTURES, MAX_EXPORT_POSTS } from "../../src/limits.ts"

const posts = (count: number, images = 0, bytes = 0): PostSize[] =>
  Array.from({ length: count }, (_, i) => ({ id: `P${i + 1}`, images, bytes }))

describe("partLength", () => {
  it.each<[string, PostSize[], number]>([
    ["no posts if there are none", [], 0],
    ["posts up to the post limit", posts(MAX_EXPORT_POSTS), MAX_EXPORT_POSTS],
    ["no post beyond the post limit", posts(MAX_EXPORT_POSTS + 1), MAX_EXPORT_POSTS],
    ["images up to the image limit", posts(4, PICTURES / 4), 4],
    ["no image beyond the image limit", posts(5, PICTURES / 4), 4],
    ["bytes up to the size limit", posts(4, 1, BYTES / 4), 4],
    ["no byte beyond the size limit", [...posts(4, 1, BYTES / 4), ...posts(1, 1, 1)], 4],
    ["posts without images after the size limit is reached", [...posts(4, 1, BYTES / 4), ...posts(3)], 7],
    ["only the post that exceeds the image limit", posts(2, PICTURES + 1), 1],
    ["only the post that exceeds the size limit", posts(2, 1, BYTES + 1), 1],
    [
      "only posts before the one that would exceed the size limit",
      [...posts(3), ...posts(1, 1, BYTES), ...posts(1, 1, 1)],
      4,
    ],
  ])("partLength: a part of a blog export holds %s", (_, all, length) => {
    expect(partLength(all)).toBe(length)
  })
})

describe("cutParts", () => {
  it("cutParts puts each post into one part of the blog export, in order, with the last post's id", () => {
    const sizes = [3, 1, 0, 2, 4, 5, 1, 0, 0, 1].map((quarters, i) => ({
      id: `P${i}`,
      images: 1,
      bytes: (quarters * BYTES) / 4,
    }))
    expect(cutParts("P", sizes, 99)).toEqual([
      { after: "P", until: "P2", posts: 3, bytes: BYTES },
      { after: "P2", until: "P3", posts: 1, bytes: BYTES / 2 },
      { after: "P3", until: "P4", posts: 1, bytes: BYTES },
      { after: "P4", until: "P5", posts: 1, bytes: (BYTES * 5) / 4 },
      { after: "P5", until: undefined, posts: 4, bytes: BYTES / 2 },
    ])
  })

  it("cutParts returns at most the requested number of export parts, each with its last post's id", () => {
    expect(cutParts(undefined, posts(2 * MAX_EXPORT_POSTS + 1), 2)).toEqual([
      { after: undefined, until: `P${MAX_EXPORT_POSTS}`, posts: MAX_EXPORT_POSTS, bytes: 0 },
      { after: `P${MAX_EXPORT_POSTS}`, until: `P${2 * MAX_EXPORT_POSTS}`, posts: MAX_EXPORT_POSTS, bytes: 0 },
    ])
  })

  it("cutParts returns no export parts for no posts", () => expect(cutParts(undefined, [], 9)).toEqual([]))
})
