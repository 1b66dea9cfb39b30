import { describe, expect, it } from "vitest"

import { readChat } from "../../../src/translations/engines/chat.ts"

const answer = (...entries: [id: unknown, text: unknown][]) => ({
  translations: entries.map(([id, text]) => ({ id, text })),
})

const ALL = answer([1, "un"], [2, "deux"], [3, "trois"])
const TEXTS = ["un", "deux", "trois"]
const NONE = [null, null, null]
const JSON_TEXT = JSON.stringify(ALL)

describe("an answer that says three texts", () => {
  it.each<[string, unknown]>([
    ["an object", ALL],
    ["JSON", JSON_TEXT],
    ["JSON over many lines", JSON.stringify(ALL, null, 2)],
    ["fenced", `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ["with words around it", `Here you are: ${JSON_TEXT} I hope it helps.`],
    ["thought aloud", `<think>They want {"translations":[{"id":1,"text":"no"}]}, I think.</think>\n${JSON_TEXT}`],
    ["thought aloud, the beginning of the thought left out", `They want {JSON}.</think>${JSON_TEXT}`],
    ["in another order", answer([3, "trois"], [1, "un"], [2, "deux"])],
    ["ids as text", answer(["1", "un"], ["2", "deux"], ["3", "trois"])],
    [
      "more than was asked for",
      { ...ALL, note: "Done.", translations: ALL.translations.map((t) => ({ ...t, lang: "fr" })) },
    ],
  ])("%s", (_, content) => expect(readChat(content, 3)).toEqual(TEXTS))

  it("the text is left as it is", () => {
    const text = ' <g id="1">a</g> &lt;b&gt; "c"\n{d} \u{1F600} '
    expect(readChat(JSON.stringify(answer([1, text])), 1)).toEqual([text])
  })
})

it("a text that was left out is missing, and no other", () => {
  expect(readChat(answer([1, "un"], [3, "trois"]), 3)).toEqual(["un", null, "trois"])
  expect(readChat(answer([3, "trois"]), 3)).toEqual([null, null, "trois"])
})

describe("which text is whose is not certain", () => {
  it.each<[string, unknown]>([
    ["the last ids are missing: segments were joined, and the rest counted anew", answer([1, "un deux"], [2, "trois"])],
    ["an id is doubled", answer([1, "un"], [2, "deux"], [2, "trois"])],
    ["an id is doubled, and all are there", answer([1, "un"], [2, "deux"], [2, "deux"], [3, "trois"])],
    ["counted from 0", answer([0, "un"], [1, "deux"], [2, "trois"])],
    ["an id is unknown", answer([1, "un"], [2, "deux"], [3, "trois"], [4, "quatre"])],
    ["an id is no number", answer([1, "un"], ["b", "deux"], [3, "trois"])],
    ["an id is no whole number", answer([1, "un"], [1.5, "deux"], [3, "trois"])],
    ["an id is null", answer([null, "un"], [2, "deux"], [3, "trois"])],
  ])("%s", (_, content) => expect(readChat(content, 3)).toEqual(NONE))
})

describe("no answer", () => {
  it.each<[string, unknown]>([
    ["cut off inside a text", JSON_TEXT.slice(0, -12)],
    ["cut off behind an entry", JSON_TEXT.slice(0, -2)],
    ["cut off inside a thought", `<think>${JSON_TEXT}`.slice(0, 20)],
    ["nothing", ""],
    ["null", null],
    ["undefined", undefined],
    ["a number", 3],
    ["words", "I cannot translate this."],
    ["a refusal in JSON", { error: "no" }],
    ["a list of texts", TEXTS],
    ["a text that is none", answer([1, "un"], [2, null], [3, "trois"])],
    ["an object of texts", { translations: { 1: "un", 2: "deux", 3: "trois" } }],
    ["HTML", "<!doctype html><style>p { color: red }</style>"],
  ])("%s", (_, content) => expect(readChat(content, 3)).toEqual(NONE))
})
