import { expect, test } from "vitest"

import { toFindings } from "../../src/plan/remarks.ts"

const place = { file: "a.md", lineOf: (line: number) => line + 10 }

test.each([
  [
    "body",
    "Readers do not get this HTML: video (line 3), form (line 2). Use Markdown.",
    12,
    "Readers do not get this HTML: video (line 13), form (line 12). Use Markdown.",
  ],
  ["body", "Too complex near line 12: too many links.", 22, "Too complex near line 22: too many links."],
  ["body", "Readers see these formulas as TeX: on line 3.", 11, "Readers see these formulas as TeX: on line 3."],
  [
    "meta_description",
    "120 to 160 characters are recommended.",
    1,
    "meta_description: 120 to 160 characters are recommended.",
  ],
])("a remark about %s, %j, stands on line %d of the file", (field, message, line, expected) => {
  expect(toFindings([{ field, code: "c", message }], "warning", place)).toEqual([
    { level: "warning", code: "c", message: expected, file: "a.md", line },
  ])
})

test("a remark about an image is left out if the folder's findings have it, or the image is not uploaded yet", () => {
  const planned = `/media/ann/blog_img/${"0a".repeat(32)}.webp: This account has no such image.`
  const gone = "/media/ann/blog_img/01JABCDEFGHJKMNPQRSTVWXYZ0.webp: This account has no such image."
  const remarks = [
    { field: "body", code: "external_image", message: "https://e.example/a.png: Not an uploaded image." },
    { field: "body", code: "unknown_image", message: planned },
    { field: "body", code: "unknown_image", message: gone },
  ]
  expect(toFindings(remarks, "warning", place).map(({ message }) => message)).toEqual([gone])
})
