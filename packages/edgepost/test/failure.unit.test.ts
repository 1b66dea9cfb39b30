import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdir, mkdtemp, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { EdgepostError } from "../src/client/index.ts"
import { loginFile, readConfig, readLogins } from "../src/config.ts"
import { failureOf } from "../src/failure.ts"
import { FolderError } from "../src/folder/files.ts"
import { asksForJson } from "../src/options.ts"
import { UsageError } from "../src/usage-error.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "edgepost-failure-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

const systemError = (code: string, errno: number, path?: string): Error =>
  Object.assign(new Error(`${code}: …, open`), { code, errno, syscall: "open", ...(path && { path }) })

describe("how a command ends", () => {
  test.each<[string, () => unknown, ReturnType<typeof failureOf>["exitCode"], string, string, string]>([
    ["a wrong use", () => new UsageError("No.", "Do."), 2, "No.", "Do.", "usage"],
    [
      "a file that cannot be written",
      () => systemError("EACCES", -13, "/posts/a\u001B.md"),
      1,
      "/posts/a\uFFFD.md: permission denied.",
      "Give this user the right to use it, then run the command again.",
      "file_error",
    ],
    [
      "a full disk",
      () => systemError("ENOSPC", -28),
      1,
      "no space left on device.",
      "Make room on the disk, then run the command again.",
      "file_error",
    ],
    [
      "a file that is not there",
      () => thrownBy(() => readFileSync("/nowhere/a.md")),
      1,
      "/nowhere/a.md: no such file or directory.",
      "Correct the path or give another one, then run the command again.",
      "file_error",
    ],
    [
      "a file that leads out of the folder",
      () => new FolderError("It leads out of the folder."),
      1,
      "It leads out of the folder.",
      "Correct the file, then run the command again.",
      "file_error",
    ],
    [
      "a key of a smaller scope",
      () => new EdgepostError({ code: "insufficient_scope", status: 403, detail: "The key is too small." }),
      1,
      "The key is too small.",
      "Make a key with the scope publish on the settings page, then run `edgepost login` or set EDGEPOST_API_KEY.",
      "insufficient_scope",
    ],
  ])("after %s", (_, makeError, exitCode, message, advice, code) => {
    expect(failureOf(makeError())).toEqual({ exitCode, message, advice, error: expect.objectContaining({ code }) })
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

test.each(["null", "[]", '{"https://blog.example":1}', "{", '"key"'])(
  "a file of keys that holds %s is named",
  async (text) => {
    const env = { XDG_CONFIG_HOME: folder }
    await mkdir(join(folder, "edgepost"), { recursive: true })
    writeFileSync(loginFile(env), text)
    expect(() => readLogins(env)).toThrow(`${loginFile(env)} holds no keys.`)
  },
)

test.each<[string, (file: string, outside: string) => Promise<void>]>([
  ["that is a folder", (file) => mkdir(file).then(() => undefined)],
  [
    "that is a link out of the folder",
    async (file, outside) => {
      writeFileSync(join(outside, "secret.json"), '{"auths": {}}')
      await symlink(join(outside, "secret.json"), file)
    },
  ],
  ["that is too large", async (file) => writeFileSync(file, `# ${"x".repeat(70_000)}`)],
])("a configuration file %s is refused, and nothing of it is shown", async (_, make) => {
  const root = await mkdtemp(join(folder, "config-"))
  await make(join(root, "edgepost.config.yaml"), folder)
  expect(failureOf(thrownBy(() => readConfig(root)))).toMatchObject({
    exitCode: 2,
    message: "edgepost.config.yaml is no file of the folder, or has more than 65536 bytes.",
  })
})

test("languages and the mark of a configuration file are read as the service stores them", async () => {
  const root = await mkdtemp(join(folder, "config-"))
  const text = "source: cafe\u0301\nprimary_language: pt-br\ntranslation_languages: [zh-hant, FR, fr]\n"
  writeFileSync(join(root, "edgepost.config.yaml"), text)
  expect(readConfig(root)).toMatchObject({
    source: "caf\u00e9",
    primary_language: "pt-BR",
    translation_languages: ["zh-Hant", "fr"],
  })
})

test.each([
  ["shortcodes: {a: null}", 'shortcodes must be names with a text each, such as `private: ""` and `file: keep`'],
  ["shortcodes: [a]", "shortcodes must be names"],
  [
    "variables: {a: 1}",
    "variables must be names with a text each, such as `site.license.url: https://license.example`",
  ],
])("a configuration with `%s` is refused with the field's name", async (text, message) => {
  const root = await mkdtemp(join(folder, "config-"))
  writeFileSync(join(root, "edgepost.config.yaml"), `category: Sea\n${text}\n`)
  expect(() => readConfig(root)).toThrow(`edgepost.config.yaml: ${message}`)
})
