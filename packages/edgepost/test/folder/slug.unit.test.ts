import { describe, expect, test } from "vitest"

import { makeSlug } from "../../src/folder/slug.ts"
import { slugify } from "../../src/folder/slugify.ts"

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

describe("a text becomes a slug in Latin letters", () => {
  test.each<[text: string, slug: string]>([
    ["My first post", "my-first-post"],
    ["Crossing_the_fjord", "crossing-the-fjord"],
    ["v1.2 -- what's new?", "v1-2-whats-new"],
    ["Don’t “panic”", "dont-panic"],
    ["Größe über Öl", "groesse-ueber-oel"],
    ["Ünicode ÄRGER", "uenicode-aerger"],
    ["ÜBER", "ueber"],
    ["Crème brûlée à la carte", "creme-brulee-a-la-carte"],
    ["cafe\u0301", "cafe"],
    ["u\u0308ber", "ueber"],
    ["Łódź i Ærøskøbing", "lodz-i-aeroskobing"],
    ["Привет мир", "privet-mir"],
    ["Καλημέρα κόσμε", "kalimera-kosme"],
    ["烏龍茶的沖泡", "wu-long-cha-de-chong-pao"],
    ["東京タワーへの旅", "dong-jing-tawaheno-lu"],
    ["Vue3入門", "vue3-ru-men"],
    ["مرحبا بالعالم", "mrhb-bl-lm"],
    ["안녕하세요 세계", "annyeonghaseyo-segye"],
    ["--a--", "a"],
    ["...", ""],
    ["", ""],
  ])("%s", (text, slug) => {
    expect(slugify(text)).toBe(slug)
  })

  test.each<[script: string, text: string]>([
    ["Hebrew", "שלום עולם"],
    ["Hindi", "नमस्ते दुनिया"],
    ["Thai", "สวัสดีชาวโลก"],
  ])("%s has Latin letters", (_, text) => {
    const slug = slugify(text)
    expect(slug).toMatch(SLUG)
    expect(slug.length).toBeGreaterThan(6)
  })
})

test("a slug has at most 191 characters, and ends with none of its hyphens", () => {
  for (const text of [
    "ab ".repeat(100),
    "a".repeat(300),
    `${"a".repeat(190)} b`,
    `${"a".repeat(191)} b`,
    "茶".repeat(300),
  ]) {
    const slug = slugify(text)
    expect(slug).toMatch(SLUG)
    expect(slug.length).toBeLessThanOrEqual(191)
  }
})

test("the first text with letters counts; a path without any gets a hash of its own", () => {
  expect(makeSlug([null, "", "!!!", "The title"], "x.md")).toBe("the-title")
  const [one, other] = [makeSlug(["!!!"], "a/!!!.md"), makeSlug(["!!!"], "b/!!!.md")]
  expect(one).toMatch(/^post-[0-9a-f]{8}$/)
  expect(other).not.toBe(one)
})

test("a slug that the service keeps for itself gets post- before it", () => {
  for (const slug of [
    "posts",
    "image-upload",
    "account",
    "images",
    "translations",
    "tags",
    "categories",
    "search",
    "feed",
  ])
    expect(makeSlug([slug], "x.md")).toBe(`post-${slug}`)
})
