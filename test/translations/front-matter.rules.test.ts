import { describe, expect, it } from "vitest"

import { frontMatterEnd } from "../../src/translations/front-matter.ts"
import { translate } from "./documents.ts"

describe("front matter stays byte for byte, what follows is translated", () => {
  it.each([
    "---\ntitle: Hello world\nslug: my-post\n---\n",
    "---\r\ntitle: Hello world\r\n---\r\n",
    "---\rtitle: Hello world\r---\r",
    "\uFEFF---\ntitle: Hello\n---\n",
    "---\n# a comment\ntitle: Hello\n\ntags:\n- one *two*\n  - three\n'a key': b\ndate.x: >\n  Some words\n  ***\n---\n",
    "---\ntitle: '[a](/b \"c\")'\n---\n",
    "+++\ntitle = \"Hello *world*\"\ndraft=false\n[params]\nwords = [\n  'one',\n]\n+++\n",
    "---\ntítulo: Hello\n---\n",
    "---\ndate created: 2024-01-01\nname of its author: Ann\n---\n",
    "---\nauthors:\n-\n  name: Ann\n-\n  name: Bob\n---\n",
    "--- \ntitle: Hello\n---\t \n",
    "+++\t\r\ntitle = 'Hello'\r\n+++ \r\n",
    '+++\ndescription = """\nWords of *more* lines.\n\nIts \\""" is no end.\n"""\ndraft = false\n+++\n',
    "+++\r\nmore = '''Words\r\nof a path C:\\'''\r\n'a' = \"\"\"b\"\"\"\r\nc = 1\r\n+++\r\n",
    "+++\n\ntitle = 'Hello'\n+++\n",
    "---\ntitle: Hello\n...\n",
    "---\ntags:\n- Hello\n... \n",
    "---\ntitle: Hello\nog:title: Some words\ntwitter:card: summary\n---\n",
    "---\nauthor(s): Ann\n@id: b\n<<: *default\n_build: c\nd/e: f\n---\n",
    '+++\ntags = [\n"one", # of [them\n\'two ]\',\n[ 3 ]\n]\ntitle = "Hello"\n[[authors]]\nname = "[Ann"\n+++\n',
    '+++\nwords = {\none = "a \\" [",\n}\n+++\n',
  ])("%j", async (front) => {
    expect(await translate(front)).toBe(front)
    expect(await translate(`${front}one *two*`)).toBe(`${front}one·fr *two·fr*`)
    expect(await translate(`${front}\n# one\n\n- two`)).toBe(`${front}\n# one·fr\n\n- two·fr`)
  })
})

describe("what follows in mid-line of what a parser takes for one keeps its distance", () => {
  it.each([
    ['+++\ntitle = "Under $50"\n+++\nSave 5$', " today, *friends*", " today·fr, *friends·fr*"],
    ['+++\na = "*b"\n+++\none*', " two", " two·fr"],
    ['+++\na = "*b"\n+++\none*', " *two*", " *two·fr*"],
    ['+++\na = "*b"\n+++\none*', "\n  two\nthree", "\n  two·fr three·fr"],
    ['+++\na = "*b"\n+++\none*', "  \ntwo", "  \ntwo·fr"],
    ['---\na: "*b"\n...\none*', "\ttwo", "\ttwo·fr"],
    ["+++\na = 1\n+++\n", "  one", "  one·fr"],
  ])("%j%j", async (front, rest, expected) => {
    expect(await translate(front + rest)).toBe(front + expected)
  })
})

describe("what only looks like it is translated", () => {
  it.each([
    ["prose between rules", "---\nOne two\n\nKey: three\n\n---\n\nfour"],
    ["a heading between rules", "---\n\n# One\n\n---\n\ntwo"],
    ["a list between rules", "---\n- one\n- two\n\n---\n"],
    ["an address between rules", "---\nhttps://a.b\nKey: one\n\n---\n"],
    ["not at the beginning", "one\n\n---\nkey: two\n---\n"],
    ["behind a blank line", "\n---\nkey: two\n---\n"],
    ["not closed", "---\nkey: one\n\ntwo"],
    ["closed by another mark", "---\nkey: one\n+++\n"],
    ["a longer rule", "----\nkey: one\n----\n"],
    ["a note between rules", "---\n\nKey: one two.\n\n---\n\nthree"],
    ["a note behind a line of blanks", "---\r\n \t\r\nKey: one two.\r\n---\r\n"],
    ["some words before a colon, and a blank line", "---\nOne two: three.\n\nFour\n---\n"],
    ["many words before a colon", "---\nOne two three four key: one\n---\n"],
    ["words before a sign of TOML", "+++\none two = 3\n+++\n"],
    ["a string that ends", '+++\nkey = """one\ntwo"""\nthree four\n+++\n'],
    ["a bracket that nothing closes", "+++\nkey = [\none two\n\nthree\n+++\n"],
    ["markup before a colon", "---\n**one**: two\n---\n"],
    ["an address before a colon", "---\n<https://a.b> three: two\n---\n"],
    ["nothing between", "---\n---\none"],
  ])("%s", async (_, markdown) => {
    const translated = await translate(markdown)
    for (const word of markdown.match(/(?<!\/)\b(?:one|two|three|four|key)\b/gi) ?? [])
      expect(translated).toContain(`${word}·fr`)
  })
})

// Four times the most that is stored.
it.each(["a = [\n", 'a = "\\" \\"', "[", "'", "#", "a:", "a : "])("much of %j is read", async (atom) => {
  const inside = atom.repeat((1024 * 1024) / atom.length)
  for (const mark of ["---", "+++"]) expect(frontMatterEnd(`${mark}\n${inside}\n${mark}\n`)).toBeGreaterThanOrEqual(0)
})
