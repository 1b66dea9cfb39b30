import { expect, it } from "vitest"

import { rows } from "../support.ts"
import { newQueued, setUpTranslations } from "./author.ts"
import { watchEngine } from "./engine.ts"

setUpTranslations()

/** Creates a post and translates it into French. */
const translated = async (input: Record<string, unknown>) => {
  const { desk, slug, run, translation } = await newQueued(input)
  await run()
  return { text: await translation(), post: (await desk.get(slug, "fr")).json.post }
}

it("placeholders of other tools in a post reach no translation engine and stay byte for byte", async () => {
  const calls = watchEngine()
  const { post } = await translated({
    title: "Hello {{ user.name }}",
    meta_description: "%s messages for ${name}",
    body: "Hello {{ user.name }}, you have %s messages :rocket: in {0} and ${count}.",
  })
  expect(calls.map(({ segments }) => segments)).toEqual([
    [
      'Hello <x id="1"/>',
      '<x id="1"/> messages for <x id="2"/>',
      'Hello <x id="1"/>, you have <x id="2"/> messages <x id="3"/> in <x id="4"/> and <x id="5"/>.',
    ],
  ])
  expect(post).toMatchObject({
    title: "Hello·fr {{ user.name }}",
    meta_description: "%s messages·fr for·fr ${name}",
    body: "Hello·fr {{ user.name }}, you·fr have·fr %s messages·fr :rocket: in·fr {0} and·fr ${count}.",
  })
})

it("a post title that is only a placeholder is not sent to a translation engine", async () => {
  const calls = watchEngine()
  const { post } = await translated({ title: "{{ title }}" })
  expect(calls.flatMap(({ segments }) => segments).some((text) => text.startsWith("<x"))).toBe(false)
  expect(post.title).toBe("{{ title }}")
})

it("the explicit id of a heading stays in the translation of a post and in its HTML", async () => {
  const { post } = await translated({ body: "## The end {#fin}\n\nSee [it](#fin)." })
  expect(post.body).toBe("## The·fr end·fr {#fin}\n\nSee·fr [it·fr](#fin).")
  expect(post.html).toContain('<h2 id="fin">The·fr end·fr</h2>')
})

it("the warning html_not_translated has the number of HTML blocks with words and the first one's line", async () => {
  const { text } = await translated({
    body: 'One\n\n<!-- words -->\n\n<hr title="a > b">\n\n<script>\nlet word\n</script>\n\n&nbsp;\n\n<div>\nsome words\n</div>\n\n> <p>more</p>',
  })
  const message = expect.stringMatching(/^The text of 2 HTML blocks \(the first in line 13\) was not translated\./)
  expect(text.warnings).toEqual([{ field: "body", code: "html_not_translated", message }])
})

it.each([
  "<details>\n\nSome *words*\n\n</details>",
  "<!-- words\n\nof a comment -->",
  '<p title="words > more"></p>',
  "<style>\np { color: red }\n</style>",
  "<hr>\n\n&nbsp;<b>words</b>",
  "<script>never ended",
])("a translated post without words in HTML blocks has no warning html_not_translated: %j", async (html) => {
  const { text } = await translated({ body: `One\n\n${html}` })
  expect(text).toMatchObject({ status: "ready", warnings: [] })
})

it("the warning html_not_translated names the line of a single HTML block with words", async () => {
  const { text, post } = await translated({ body: "One\n\n<p>\n1 < 2 words\n</p>" })
  const message = expect.stringMatching(/^The text of the HTML block in line 3 was not translated\./)
  expect(text.warnings).toEqual([{ field: "body", code: "html_not_translated", message }])
  expect(post.body).toBe("One·fr\n\n<p>\n1 < 2 words\n</p>")
})

it("translating a source text too complex to parse fails with body_too_complex without an engine call", async () => {
  const calls = watchEngine()
  const { run, translation, body } = await newQueued()
  await rows("update texts set body = ? where body = ?", "*a* ".repeat(60_000), body)
  await run()
  expect(calls).toEqual([])
  expect(await translation()).toMatchObject({ status: "failed", error: { code: "body_too_complex" } })
})

it("a machine translation that is too complex to parse fails with body_too_complex", async () => {
  watchEngine(async (segments) => segments.map((text) => (text.length > 100_000 ? "[".repeat(120_000) : text)))
  const { text } = await translated({ body: "a ".repeat(60_000) })
  expect(text).toMatchObject({ status: "failed", error: { code: "body_too_complex" } })
})
