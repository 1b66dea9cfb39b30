import { describe, expect, it } from "vitest"

import { applyEdits, Lines } from "../../src/markdown/edits.ts"

const edit = (start: number, end: number, text: string) => ({ start, end, text })

describe("edits by position", () => {
  it("edits in any order replace, insert and delete, and keep all else", () => {
    const edits = [edit(6, 6, "!"), edit(2, 3, "CC"), edit(0, 1, ""), edit(3, 3, "x"), edit(3, 3, "y")]
    expect(applyEdits("abcdef", edits).text).toBe("bCCxydef!")
  })

  it("an insertion stands before the text that replaces the next characters", () =>
    expect(applyEdits("abc", [edit(1, 2, "B"), edit(1, 1, "> ")]).text).toBe("a> Bc"))

  it("each place of the new text has its place in the old one", () => {
    const { text, oldOffset } = applyEdits("a\nbb\nc", [edit(0, 1, "x\ny\nz"), edit(2, 4, "")])
    expect(text).toBe("x\ny\nz\n\nc")
    expect([..."x\ny\nz\n\nc", "end"].map((_, i) => oldOffset(i))).toEqual([0, 0, 0, 0, 0, 1, 4, 5, 6])
  })

  it("overlapping edits throw", () =>
    expect(() => applyEdits("abc", [edit(0, 2, ""), edit(1, 3, "")])).toThrow("overlap"))

  it("lines have numbers, starts and ends with all line endings", () => {
    const lines = new Lines("a\r\nb\rc\n\nd")
    expect([0, 2, 3, 5, 7, 8, 9].map((at) => lines.numberOf(at))).toEqual([1, 1, 2, 3, 4, 5, 5])
    const places = [0, 3, 5, 8]
    expect(places.map((at) => lines.start(at))).toEqual([0, 3, 5, 8])
    expect(places.map((at) => lines.end(at))).toEqual([1, 4, 6, 9])
  })
})
