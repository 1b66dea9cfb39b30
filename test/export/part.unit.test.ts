import { describe, expect, it } from "vitest"

import { cutParts, partLength, type PostSize } from "../../src/export/part.ts"
import {
  MAX_EXPORT_PICTURE_BYTES as BYTES,
  MAX_EXPORT_PICTURES as PICTURES,
  MAX_EXPORT_POSTS,
} from "../../src/limits.ts"

const posts = (count: number, pictures = 0, bytes = 0): PostSize[] =>
  Array.from({ length: count }, (_, i) => ({ id: `P${i + 1}`, pictures, bytes }))

describe("a part holds", () => {
  it.each<[string, PostSize[], number]>([
    ["nothing of nothing", [], 0],
    ["as many posts as it may", posts(MAX_EXPORT_POSTS), MAX_EXPORT_POSTS],
    ["no post more", posts(MAX_EXPORT_POSTS + 1), MAX_EXPORT_POSTS],
    ["as many pictures as it may", posts(4, PICTURES / 4), 4],
    ["no picture more", posts(5, PICTURES / 4), 4],
    ["as many bytes as it may", posts(4, 1, BYTES / 4), 4],
    ["no byte more", [...posts(4, 1, BYTES / 4), ...posts(1, 1, 1)], 4],
    ["posts without pictures behind that", [...posts(4, 1, BYTES / 4), ...posts(3)], 7],
    ["a post of too many pictures alone", posts(2, PICTURES + 1), 1],
    ["a post of too large pictures alone", posts(2, 1, BYTES + 1), 1],
    ["nothing that would come with too much", [...posts(3), ...posts(1, 1, BYTES), ...posts(1, 1, 1)], 4],
  ])("%s", (_, all, length) => {
    expect(partLength(all)).toBe(length)
  })
})

describe("parts", () => {
  it("hold each post once, in order, and name their ends", () => {
    const sizes = [3, 1, 0, 2, 4, 5, 1, 0, 0, 1].map((quarters, i) => ({
      id: `P${i}`,
      pictures: 1,
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

  it("are no more than asked for, and the last of those names its end, too", () => {
    expect(cutParts(undefined, posts(2 * MAX_EXPORT_POSTS + 1), 2)).toEqual([
      { after: undefined, until: `P${MAX_EXPORT_POSTS}`, posts: MAX_EXPORT_POSTS, bytes: 0 },
      { after: `P${MAX_EXPORT_POSTS}`, until: `P${2 * MAX_EXPORT_POSTS}`, posts: MAX_EXPORT_POSTS, bytes: 0 },
    ])
  })

  it("of no posts are none", () => expect(cutParts(undefined, [], 9)).toEqual([]))
})
