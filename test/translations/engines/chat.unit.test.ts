import { describe, expect, it } from "vitest"

import { readChat } from "../../../src/translations/engines/chat.ts"

const answer = (...entries: [id: unknown, text: unknown][]) => ({
  translations: entries.map(([id, text]) => ({ id, text })),
})

const ALL = answer([1, "un"], [2, "deux"], [3, "trois"])
const TEXTS = ["un", "deux", "trois"]
const NONE = [null, null, null]
const JSON_TEXT = JSON.stringify(ALL)

describe("readChat of a complete answer", () => {
  it.each<[string, unknown]>([
    ["an object", ALL],
    ["JSON", JSON_TEXT],
    ["JSON over many lines", JSON.stringify(ALL, null, 2)],
    ["JSON in a code fence", `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ["JSON between words", `Here you are: ${JSON_TEXT} I hope it helps.`],
    ["after reasoning", `<think>They want {"translations":[{"id":1,"text":"no"}]}, I think.</think>\n${JSON_TEXT}`],
    ["after reasoning without its start tag", `They want {JSON}.</think>${JSON_TEXT}`],
    ["in another order", answer([3, "trois"], [1, "un"], [2, "deux"])],
    ["ids as text", answer(["1", "un"], ["2", "deux"], ["3", "trois"])],
    [
      "more than was asked for",
      { ...ALL, note: "Done.", translations: ALL.translations.map((t) => ({ ...t, lang: "fr" })) },
    ],
  ])("readChat returns every text of a chat model's answer: %s", (_, content) =>
    expect(readChat(content, 3)).toEqual(TEXTS),
  )

  it("readChat returns a chat model's text unchanged, with tags, references and emoji", () => {
    const text = ' <g id="1">a</g> &lt;b&gt; "c"\n{d} \u{1F600} '
    expect(readChat(JSON.stringify(answer([1, text])), 1)).toEqual([text])
  })
})

it("readChat returns null only for a text that the chat model left out", () => {
  expect(readChat(answer([1, "un"], [3, "trois"]), 3)).toEqual(["un", null, "trois"])
  expect(readChat(answer([3, "trois"]), 3)).toEqual([null, null, "trois"])
})

describe("readChat of an answer with wrong ids", () => {
  it.each<[string, unknown]>([
    ["the last id is missing", answer([1, "un deux"], [2, "trois"])],
    ["an id is repeated", answer([1, "un"], [2, "deux"], [2, "trois"])],
    ["an id is repeated and all ids are present", answer([1, "un"], [2, "deux"], [2, "deux"], [3, "trois"])],
    ["ids count from 0", answer([0, "un"], [1, "deux"], [2, "trois"])],
    ["an id is unknown", answer([1, "un"], [2, "deux"], [3, "trois"], [4, "quatre"])],
    ["an id is not a number", answer([1, "un"], ["b", "deux"], [3, "trois"])],
    ["an id is not an integer", answer([1, "un"], [1.5, "deux"], [3, "trois"])],
    ["an id is null", answer([null, "un"], [2, "deux"], [3, "trois"])],
  ])("readChat returns no texts of a chat model's answer if %s", (_, content) =>
    expect(readChat(content, 3)).toEqual(NONE),
  )
})

describe("readChat of an unusable answer", () => {
  it.each<[string, unknown]>([
    ["truncated inside a text", JSON_TEXT.slice(0, -12)],
    ["truncated after an entry", JSON_TEXT.slice(0, -2)],
    ["truncated inside reasoning", `<think>${JSON_TEXT}`.slice(0, 20)],
    ["an empty string", ""],
    ["null", null],
    ["undefined", undefined],
    ["a number", 3],
    ["words", "I cannot translate this."],
    ["a refusal in JSON", { error: "no" }],
    ["a list of texts", TEXTS],
    ["a text that is null", answer([1, "un"], [2, null], [3, "trois"])],
    ["an object of texts", { translations: { 1: "un", 2: "deux", 3: "trois" } }],
    ["HTML", "<!doctype html><style>p { color: red }</style>"],
  ])("readChat returns no texts for an unusable answer of a chat model: %s", (_, content) =>
    expect(readChat(content, 3)).toEqual(NONE),
  )
})
