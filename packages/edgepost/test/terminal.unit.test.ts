import { Writable } from "node:stream"

import { afterEach, beforeEach, expect, test, vi } from "vitest"

import { openTerminal } from "../src/terminal.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens a terminal of 20 columns. @returns it, and a function that returns the lines which stay */
const open = (isTTY: boolean, env = {}) => {
  let output = ""
  const stream = Object.assign(new Writable(), { isTTY, columns: 20, write: (text: string) => (output += text) })
  const lines = () => output.split("\n").map((line) => line.split("\r\u001B[K").at(-1))
  return { terminal: openTerminal({ env, stdout: stream, stderr: stream }), lines }
}

test("the progress is shown again after a remark, and after another one for some seconds", () => {
  const { terminal, lines } = open(true)
  terminal.progress("1 of 3")
  terminal.note("Waiting for 60 s.")
  expect(lines()).toEqual(["Waiting for 60 s.", "1 of 3"])
  terminal.progress("Waiting for 5 s.", 5)
  expect(lines().at(-1)).toBe("Waiting for 5 s.")
  vi.advanceTimersByTime(5000)
  expect(lines().at(-1)).toBe("1 of 3")
})

test("a result ends the progress, and no wait brings it back", () => {
  const { terminal, lines } = open(true)
  terminal.progress("1 of 1")
  terminal.progress("Waiting for 5 s.", 5)
  terminal.print("created")
  vi.advanceTimersByTime(5000)
  expect(lines()).toEqual(["created", ""])
})

test("the progress takes one line, and cannot change the terminal", () => {
  const { terminal, lines } = open(true)
  terminal.progress("uploading a\u001B[2J and more than a line")
  expect(lines()).toEqual(["uploading a\uFFFD[2J an…"])
})

test("no text can change the terminal, whatever writes it, and styles still do", () => {
  const { terminal, lines } = open(false, { FORCE_COLOR: "1" })
  terminal.print(`${terminal.style("red", "a\u001B[2J")} \u001B[31m\u202E\r\u009B\nb`)
  terminal.note("c\u001B]0;d\u0007\ne")
  expect(lines()).toEqual([
    "\u001B[31ma\uFFFD[2J\u001B[39m \uFFFD[31m\uFFFD\uFFFD\uFFFD",
    "b",
    "c\uFFFD]0;d\uFFFD",
    "e",
    "",
  ])
})

test("without a terminal there is no progress", () => {
  const { terminal, lines } = open(false)
  terminal.progress("1 of 3")
  terminal.note("Waiting for 60 s.")
  expect(lines()).toEqual(["Waiting for 60 s.", ""])
})
