import { expect, it } from "vitest"

import { MAX_CONTEXT_CHARS } from "../../../src/limits.ts"
import { setAccount } from "../../calls.ts"
import { rows } from "../../support.ts"
import { newDesk, newQueued, setUpTranslations } from "../author.ts"
import { watchEngine } from "../engine.ts"
import { inFrench, paragraphs, startPost, word } from "./post.ts"
import { chatJson, CHATS, completion, EACH_CHAT, openai, openaiError, type Stub } from "./stubs.ts"

// The title, the tone and the context that chat engines get beside the segments.

setUpTranslations()

const FIELDS = { title: "The bay", meta_description: "About it.", body: "# Tides\n\nIt rains. We wait *here*.\n\nLow" }

/** Translates a new post of an author with an engine. */
const translateFor = async (engine: Stub, input: object, account: Record<string, unknown> = {}) => {
  const post = await startPost({ ...FIELDS, ...input }, await newDesk(account))
  await post.deliverAll(engine)
  return post
}

const sum = (texts: (string | null)[]) => texts.reduce((all, text) => all + (text?.length ?? 0), 0)

/** Returns the instructions and the parsed last message of a call. */
const messagesOf = ({ calls }: Stub, index = 0) => {
  const { messages } = (calls[index]?.request ?? {}) as { messages: { role: string; content: string }[] }
  expect(messages.map(({ role }) => role)).toEqual(["system", "user"])
  return { instructions: messages[0]?.content ?? "", sent: JSON.parse(messages[1]?.content ?? "") }
}

it.each(EACH_CHAT)("the engine %s gets the title and the context of each segment as reference", async (name) => {
  const engine = CHATS[name]()
  const post = await translateFor(engine, {})
  expect(engine.calls).toHaveLength(1)
  expect(messagesOf(engine).sent).toEqual({
    reference: {
      title: "The bay",
      contexts: [
        { id: 4, heading: "Tides", before: "Tides" },
        { id: 5, heading: "Tides", before: "We wait here." },
      ],
    },
    segments: [
      { id: 1, text: "The bay" },
      { id: 2, text: "About it." },
      { id: 3, text: "Tides" },
      { id: 4, text: 'It rains. We wait <g id="1">here</g>.' },
      { id: 5, text: "Low" },
    ],
  })
  expect(messagesOf(engine).instructions).toMatch(/reference[^.]*\. It only helps [^.]*: never translate it/)
  expect(messagesOf(engine).instructions).not.toContain("Tone")
  expect(await post.bodyIn()).toBe("# Tides·fr\n\nIt·fr rains·fr. We·fr wait·fr *here·fr*.\n\nLow·fr")
})

it.each<[string, Record<string, string>, string, string | null]>([
  ["the tone of its language", { de: "Sie, formal", fr: "Tutoie" }, "fr", '"Tutoie"'],
  ["the tone of the language without region", { de: "Sie, formal" }, "de-AT", '"Sie, formal"'],
  ["the tone of the most specific code", { zh: "One", "zh-Hant": "Two" }, "zh-Hant-TW", '"Two"'],
  ["no tone of another region", { "de-CH": "ss" }, "de", null],
  ["a tone as a JSON string", { fr: '".\\ Write "Hi"' }, "fr", String.raw`"\".\\ Write \"Hi\""`],
])("a chat engine gets %s in its instructions", async (_, translation_tones, lang, expected) => {
  const engine = openai()
  await translateFor(engine, { translation_languages: [lang] }, { translation_tones })
  const { instructions, sent } = messagesOf(engine)
  expect(/Tone and style, in the words of the author: (.*)\.$/.exec(instructions)?.[1] ?? null).toBe(expected)
  expect(Object.keys(sent.reference)).toEqual(["title", "contexts"])
})

it("a changed tone, title or context sends no remembered segment again", async () => {
  const post = await newQueued(FIELDS)
  await post.run()
  const calls = watchEngine()
  await setAccount(post.desk, { translation_tones: { fr: "Vous" } })
  const body = FIELDS.body.replace("Tides", "Waves")
  await post.patch({ title: "The sea", body })
  await post.run()
  expect(calls.map(({ segments }) => segments)).toEqual([["The sea", "Waves"]])
})

it("a segment that is retried alone has its context", async () => {
  const engine = openai()
  engine.react = async ({ segments }) =>
    completion(await chatJson(segments.map((text) => (segments.length > 1 && text === "Low" ? "" : text))))
  const post = await translateFor(engine, {})
  expect(messagesOf(engine, 1).sent).toEqual({
    reference: { title: "The bay", contexts: [{ id: 1, heading: "Tides", before: "We wait here." }] },
    segments: [{ id: 1, text: "Low" }],
  })
  expect(await post.bodyIn()).toContain("Low·fr")
})

it("a title that an engine refuses in the reference keeps no other segment from being translated", async () => {
  const engine = openai()
  engine.react = async ({ segments, request }) =>
    JSON.stringify(request).includes("Damn") ? openaiError(400, "content_filter") : completion(await chatJson(segments))
  const body = paragraphs(60)
  const post = await translateFor(engine, { title: "Damn bay", body })
  const warnings = [{ code: "not_translated", field: "title" }]
  expect(await post.translation()).toMatchObject({ status: "ready", warnings })
  expect(await post.bodyIn()).toBe(await inFrench(body))
})

it("the contexts of a call are about as long as its segments, and count as no translated characters", async () => {
  const engine = openai()
  const cells = Array.from({ length: 30 }, (_, n) => `| ${word(n)} |`)
  const heading = "wide ".repeat(MAX_CONTEXT_CHARS / 10).trim()
  const body = `# ${heading}\n\n${[cells[0], "| - |", ...cells.slice(1)].join("\n")}`
  const post = await translateFor(engine, { body })
  const { sent } = messagesOf(engine)
  const contexts: { heading: string | null; before: string | null }[] = sent.reference.contexts
  const segments = sum(sent.segments.map(({ text }: { text: string }) => text))
  const size = sum(contexts.flatMap(({ heading: above, before }) => [above, before]))
  expect(size).toBeGreaterThan(MAX_CONTEXT_CHARS)
  expect(size).toBeLessThan(Math.max(segments, 2 * MAX_CONTEXT_CHARS) + 2 * MAX_CONTEXT_CHARS)
  expect(contexts.length).toBeLessThan(30)
  const counted =
    "select characters from translated_characters join accounts on accounts.id = account_id where username = ?"
  expect(await rows(counted, post.desk.username)).toEqual([{ characters: segments }])
})
