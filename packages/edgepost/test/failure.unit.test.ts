import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, describe, expect, test } from "vitest"

import { EdgepostError } from "../src/client/index.ts"
import { loginFile, readConfig, readLogins } from "../src/config.ts"
import { failureOf } from "../src/failure.ts"
import { FolderError } from "../src/folder/folder-error.ts"
import { asksForJson } from "../src/options.ts"
import { UsageError } from "../src/usage-error.ts"

const folder = mkdtempSync(join(tmpdir(), "edgepost-failure-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Makes a folder with a configuration. */
const configure = (text: string): string => {
  const root = mkdtempSync(join(folder, "config-"))
  writeFileSync(join(root, "edgepost.config.yaml"), text)
  return root
}

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

const failed = (code: string, errno: number): Error =>
  Object.assign(new Error(`${code}: …, open`), { code, errno, syscall: "open" })

const again = (advice: string): string => `${advice}, then run the command again.`

describe("how a command ends", () => {
  const tooSmall = new EdgepostError({ code: "insufficient_scope", status: 403, detail: "The key is too small." })
  const scope =
    "Make a key with the scope publish, or draft for a plan, on the settings page, then run `edgepost login` or set EDGEPOST_API_KEY."
  test.each<[string, unknown, number, string, string, string]>([
    ["a wrong use", new UsageError("No.", "Do."), 2, "usage", "No.", "Do."],
    ["a key of a smaller scope", tooSmall, 1, "insufficient_scope", "The key is too small.", scope],
    ["a file out of the folder", new FolderError("No."), 1, "file_error", "No.", again("Correct the file")],
    ["a full disk", failed("ENOSPC", -28), 1, "file_error", "no space left on device.", again("Make room on the disk")],
    [
      "a file that cannot be written",
      Object.assign(failed("EACCES", -13), { path: "/posts/a\u001B.md" }),
      1,
      "file_error",
      "/posts/a\uFFFD.md: permission denied.",
      again("Give this user the right to use it"),
    ],
    [
      "a file that is not there",
      thrownBy(() => readFileSync("/nowhere/a.md")),
      1,
      "file_error",
      "/nowhere/a.md: no such file or directory.",
      again("Correct the path or give another one"),
    ],
  ])("after %s", (_, thrown, exitCode, code, message, advice) => {
    expect(failureOf(thrown)).toEqual({ exitCode, message, advice, error: expect.objectContaining({ code }) })
  })

  test("after a fault of edgepost, with the place where it arose", () => {
    const { exitCode, message, advice, error } = failureOf(new TypeError("x is no function"))
    expect([exitCode, message]).toEqual([1, expect.stringContaining("This is a fault of edgepost.")])
    expect(advice).toMatch(/^TypeError: x is no function\n {4}at /)
    expect(error).toEqual({ code: "internal", detail: "x is no function" })
  })
})

test.each([
  [["plan", "--json"], true],
  [["plan", "--wrong", "--json"], true],
  [["login", "--json"], true],
  [["status", "--", "--json"], false],
  [["plan", "--offline"], false],
])("the arguments %j ask for JSON: %j", (args, isJson) => {
  expect(asksForJson(args)).toBe(isJson)
})

test.each(["null", "[]", '{"https://blog.example":1}', "{", '"key"'])("a file of keys with %s is named", (text) => {
  const env = { XDG_CONFIG_HOME: folder }
  mkdirSync(join(folder, "edgepost"), { recursive: true })
  writeFileSync(loginFile(env), text)
  expect(() => readLogins(env)).toThrow(`${loginFile(env)} holds no keys.`)
})

test.each<[string, (file: string) => void]>([
  ["that is a folder", (file) => mkdirSync(file)],
  ["that is a link out of the folder", (file) => symlinkSync(join(folder, "secret.json"), file)],
  ["that is too large", (file) => writeFileSync(file, `# ${"x".repeat(70_000)}`)],
])("a configuration file %s is refused, and nothing of it is shown", (_, make) => {
  const root = configure("")
  writeFileSync(join(folder, "secret.json"), '{"auths": {}}')
  rmSync(join(root, "edgepost.config.yaml"))
  make(join(root, "edgepost.config.yaml"))
  const message = "edgepost.config.yaml is no file of the folder, or has more than 65536 bytes."
  expect(failureOf(thrownBy(() => readConfig(root)))).toMatchObject({ exitCode: 2, message })
})

test("languages and the mark of a configuration file are read as the service stores them", () => {
  const text = "source: cafe\u0301\nprimary_language: pt-br\ntranslation_languages: [zh-hant, FR, fr]\n"
  const languages = { primary_language: "pt-BR", translation_languages: ["zh-Hant", "fr"] }
  expect(readConfig(configure(text))).toMatchObject({ source: "caf\u00e9", ...languages })
})

test.each([
  ["shortcodes: {a: null}", 'shortcodes must be names with a text each, such as `private: ""` and `file: keep`'],
  ["shortcodes: [a]", "shortcodes must be names"],
  ["publish_by: [a]", "publish_by must be the name of a field such as publish, or all"],
  ["show_hidden_fields: perhaps", "show_hidden_fields must be true or false"],
  [
    "variables: {a: 1}",
    "variables must be names with a text each, such as `site.license.url: https://license.example`",
  ],
])("a configuration with `%s` is refused with the field's name", (text, message) => {
  const root = configure(`category: Sea\n${text}\n`)
  expect(() => readConfig(root)).toThrow(`edgepost.config.yaml: ${message}`)
})
