import { describe, expect, it } from "vitest"

import { applyEdits, Lines } from "../../src/markdown/edits.ts"

describe("edits by position", () => {
  it("edits in any order replace, insert and delete, and keep all else", () => {
    const edits = [
      { start: 6, end: 6, text: "!" },
      { start: 2, end: 3, text: "CC" },
      { start: 0, end: 1, text: "" },
      { start: 3, end: 3, text: "x" },
      { start: 3, end: 3, text: "y" },
    ]
    expect(applyEdits("abcdef", edits).text).toBe("bCCxydef!")
  })

  it("an insertion stands before the text that replaces the next characters", () => {
    const edits = [
      { start: 1, end: 2, text: "B" },
      { start: 1, end: 1, text: "> " },
    ]
    expect(applyEdits("abc", edits).text).toBe("a> Bc")
  })

  it("each place of the new text has its place in the old one", () => {
    const { text, oldOffset } = applyEdits("a\nbb\nc", [
      { start: 0, end: 1, text: "x\ny\nz" },
      { start: 2, end: 4, text: "" },
    ])
    expect(text).toBe("x\ny\nz\n\nc")
    expect([..."x\ny\nz\n\nc"].map((_, i) => oldOffset(i))).toEqual([0, 0, 0, 0, 0, 1, 4, 5])
    expect(oldOffset(text.length)).toBe(6)
  })

  it("overlapping edits throw", () => {
    const edits = [
      { start: 0, end: 2, text: "" },
      { start: 1, end: 3, text: "" },
    ]
    expect(() => applyEdits("abc", edits)).toThrow("overlap")
  })

  it("lines have numbers, starts and ends with all line endings", () => {
    const lines = new Lines("a\r\nb\rc\n\nd")
    expect([0, 2, 3, 5, 7, 8, 9].map((at) => lines.numberOf(at))).toEqual([1, 1, 2, 3, 4, 5, 5])
    expect([0, 3, 5, 8].map((at) => [lines.start(at), lines.end(at)])).toEqual([
      [0, 1],
      [3, 4],
      [5, 6],
      [8, 9],
    ])
  })
})
