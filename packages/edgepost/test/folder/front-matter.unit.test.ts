import { describe, expect, test, vi } from "vitest"

import { FrontMatterError, splitFrontMatter } from "../../src/folder/front-matter.ts"

describe("a front matter is split from its text", () => {
  test.each<[form: string, file: string, data: object, body: string, bodyLine: number]>([
    ["YAML", "---\ntitle: A\n---\n\nText.\n", { title: "A" }, "\nText.\n", 4],
    ["YAML with CRLF", "---\r\ntitle: A\r\n---\r\nText.\r\n", { title: "A" }, "Text.\r\n", 4],
    ["YAML after a byte order mark", "\uFEFF---\ntitle: A\n---\nText.", { title: "A" }, "Text.", 4],
    ["YAML with blanks after the fences", "---  \ntitle: A\n--- \t\nText.", { title: "A" }, "Text.", 4],
    ["YAML without text", "---\ntitle: A\n---", { title: "A" }, "", 3],
    ["empty YAML", "---\n---\nText.", {}, "Text.", 3],
    ["YAML of a comment only", "---\n# a\n---\nText.", {}, "Text.", 4],
    ["`---yaml`", "---yaml\ntitle: A\n---\nText.", { title: "A" }, "Text.", 4],
    ["`---json` of Eleventy", '---json\n{ "title": "A" }\n---\nText.', { title: "A" }, "Text.", 4],
    ["`;;;` of Hexo", ';;;\n"title": "A"\n;;;\nText.', { title: "A" }, "Text.", 4],
    ["TOML of Hugo", '+++\ntitle = "A"\n+++\nText.', { title: "A" }, "Text.", 4],
    [
      "JSON of Hugo",
      '{\n  "title": "A}",\n  "x": { "y": "\\"" }\n}\nText.',
      { title: "A}", x: { y: '"' } },
      "Text.",
      5,
    ],
    ["YAML that ends with dots", "---\ntitle: A\n...\nText.\n---\n", { title: "A" }, "Text.\n---\n", 4],
    ["YAML with a key twice", "---\ntitle: A\ntags: a\ntitle: B\n---\nText.", { title: "B", tags: "a" }, "Text.", 6],
    [
      "YAML with a quoted text over lines",
      '---\ntitle: "A\nb, c"\nx: 1\n---\nText.',
      { title: "A b, c", x: "1" },
      "Text.",
      6,
    ],
    [
      "YAML with colons in a quoted text over lines",
      '---\na: "The first\nhere: it goes on: the rest\nlater."\nb: \'one\ntwo: "\'\nx: y\n---\nText.',
      { a: "The first here: it goes on: the rest later.", b: 'one two: "', x: "y" },
      "Text.",
      9,
    ],
    ["YAML with a plain text over lines", "---\ntitle: A\n  b\n---\nText.", { title: "A b" }, "Text.", 5],
    [
      "YAML with a list over lines",
      "---\ntags: [a,\nb,\n]\nx: y\n---\nText.",
      { tags: ["a", "b"], x: "y" },
      "Text.",
      7,
    ],
    ["YAML with a template for a date", "---\ndate: {{ date }}\n---\nText.", {}, "Text.", 4],
    [
      "TOML with a large number",
      "+++\nweight = 9223372036854775807\n+++\nText.",
      { weight: "9223372036854775807" },
      "Text.",
      4,
    ],
    ["none", "Text.\n\n---\n\nMore.\n", {}, "Text.\n\n---\n\nMore.\n", 1],
    ["an opening line only", "---\n\nText after a rule.\n", {}, "---\n\nText after a rule.\n", 1],
    ["a line of four hyphens", "----\ntitle: A\n----\n", {}, "----\ntitle: A\n----\n", 1],
    ["a shortcode that begins with braces", "{{< a >}}\nText.", {}, "{{< a >}}\nText.", 1],
    ["nothing", "", {}, "", 1],
  ])("%s", (_, file, data, body, bodyLine) => {
    expect(splitFrontMatter(file)).toMatchObject({ data, body, bodyLine })
  })
})

test.each<[yaml: string, value: unknown]>([
  ["date: 2026-11-20", "2026-11-20"],
  ["a: yes", "yes"],
  ["a: 012", "012"],
  ["a: 1_000", "1_000"],
  ["title: 1.10", "1.10"],
  ["slug: 007", "007"],
  ["title: 12345678901234567890", "12345678901234567890"],
  ["title: Null", "Null"],
  ["title: ~", null],
  ["title:", null],
  ["date: null", null],
  ["tags: null", null],
  ["tags: [3.10, 0x1F, 1e3, .inf, 0o17, null, ~]", ["3.10", "0x1F", "1e3", ".inf", "0o17", "null", null]],
  ["categories: [[2024, null]]", [["2024", "null"]]],
  ["draft: true", true],
])("YAML keeps the text that is written for dates, numbers and names: %s", (yaml, value) => {
  expect(Object.values(splitFrontMatter(`---\n${yaml}\n---\n`).data)).toEqual([value])
})

test("a key that YAML has twice is named, once", () => {
  expect(splitFrontMatter("---\na: 1\nb: 2\na: 3\na: 4\n---\n").repeated).toEqual(["a"])
})

test("a template in YAML prints no warning of Node", () => {
  const warn = vi.spyOn(process, "emitWarning")
  splitFrontMatter("---\ndate: {{ now }}\n---\n")
  expect(warn).not.toHaveBeenCalled()
})

test("TOML keeps each kind of date as it is written, whatever the zone of this machine", () => {
  const { data } = splitFrontMatter(
    "+++\na = 2024-01-02\nb = 2024-01-02T03:04:05\nc = 2024-01-02T03:04:05Z\nd = 2024-01-02 03:04:05+09:00\ne = [{ f = 2024-01-02 }]\n+++\n",
  )
  expect(data["a"]).toBe("2024-01-02")
  expect(data["b"]).toMatch(/^2024-01-02T03:04:05(?:\.000)?$/)
  expect(Date.parse(String(data["c"]))).toBe(Date.UTC(2024, 0, 2, 3, 4, 5))
  expect(Date.parse(String(data["d"]))).toBe(Date.UTC(2024, 0, 1, 18, 4, 5))
  expect(data["e"]).toEqual([{ f: "2024-01-02" }])
})

test("each field knows its line in the file", () => {
  expect(splitFrontMatter('---\ntitle: A\ntags:\n  - x\n"date": 2024\n---\n').lines).toMatchObject({
    title: 2,
    tags: 3,
    date: 5,
  })
  expect(splitFrontMatter('{\n  "title": "A"\n}\n').lines).toMatchObject({ title: 2 })
})

const bomb = (): string => {
  const names = "abcdefghi"
  const lines = [...names].map(
    (name, i) =>
      `${name}: &${name} [${Array<string>(9)
        .fill(i === 0 ? "x" : `*${names[i - 1]}`)
        .join()}]`,
  )
  return lines.join("\n")
}

test.each<[what: string, file: string, line: number, message: RegExp]>([
  ["a quote that does not end", '---\ntitle: A\nx: "b\n---\nText.\n', 4, /quote/i],
  ["a tab that indents", "---\na:\n\tb: c\n---\n", 3, /tab/i],
  ["a list", "---\n- a\n- b\n---\n", 2, /fields/],
  ["a word", "---\nword\n---\n", 2, /fields/],
  ["aliases that multiply", `---\n${bomb()}\n---\n`, 2, /alias/i],
  ["an alias of nothing", "---\na: *b\n---\n", 2, /alias/i],
  ["a quoted text that a field interrupts", '---\ntitle: "A\nb: c\n---\n', 4, /quote/i],
  ["no end", "---\ntitle: A\n\nText.\n", 1, /closing ---/],
  ["TOML that is wrong", "+++\na = 1\nb = \n+++\n", 3, /TOML/],
  ["a TOML key twice", "+++\na = 1\na = 2\n+++\n", 3, /TOML/],
  ["TOML without an end", "+++\na = 1\n", 1, /closing \+\+\+/],
  ["JSON that is wrong", "---json\n{ title: 1 }\n---\n", 2, /JSON/],
  ["code in JavaScript", "---js\nglobalThis.evaluated = true\n---\n", 1, /js is not read/],
  ["code in JavaScript, by its long name", "---javascript\nglobalThis.evaluated = true\n---\n", 1, /is not read/],
  ["code in CoffeeScript", "---coffee\nx\n---\n", 1, /is not read/],
  ["over 512 KB of JSON", `{"title": "${"a".repeat(2 ** 20)}"}\n`, 1, /524288/],
  ["over 512 KB", `---\ntitle: ${"a".repeat(2 ** 20)}\n---\n`, 1, /524288/],
])("a front matter with %s is an error at its line", (_, file, line, message) => {
  let error: unknown
  try {
    splitFrontMatter(file)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(FrontMatterError)
  expect(error).toMatchObject({ line, message: expect.stringMatching(message) as string })
  expect((globalThis as { evaluated?: unknown }).evaluated).toBeUndefined()
})

test.each([
  ["YAML lists", `---\na: ${"[".repeat(30_000)}${"]".repeat(30_000)}\n---\n`],
  ["YAML maps", `---\n${Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")} b\n---\n`],
  ["JSON", `{"a": ${'{"a":'.repeat(9000)}1${"}".repeat(9000)}}\n`],
  ["TOML", `+++\na = ${"[".repeat(30_000)}${"]".repeat(30_000)}\n+++\n`],
])("%s that are nested deeply are read, or are an error of the front matter", (_, file) => {
  const outcome = (() => {
    try {
      return splitFrontMatter(file)
    } catch (error) {
      return error instanceof FrontMatterError ? error : "another error"
    }
  })()
  expect(outcome).not.toBe("another error")
})

test("field names of JavaScript's objects are fields like others", () => {
  const { data } = splitFrontMatter("---\n__proto__: { title: A }\nconstructor: B\n---\n")
  expect(({} as { title?: string }).title).toBeUndefined()
  expect((data as { title?: string }).title).toBeUndefined()
})
