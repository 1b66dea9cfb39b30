import { expect, it } from "vitest"

import openapi from "../../public/openapi.json"
import readme from "../../README.md?raw"
import { readConfig } from "../../src/config.ts"
import { PROBLEMS } from "../../src/http/errors.ts"
import * as limits from "../../src/limits.ts"
import { env } from "../support.ts"

/** The rows of the table under a heading, cell by cell, without backticks. */
const table = (heading: string): string[][] => {
  const [, section = ""] = readme.split(`\n## ${heading}\n`)
  const lines = section.split("\n## ")[0]?.split("\n") ?? []
  const cells = lines.filter((line) => line.startsWith("|")).map((line) => line.split("|").slice(1, -1))
  return cells.slice(2).map((row) => row.map((cell) => cell.trim()))
}

const plain = (cell = ""): string => cell.replaceAll("`", "")

it("lists every error code with its status and meaning", () => {
  const listed = table("Errors").map(([code, status, meaning]) => [plain(code), Number(status), meaning])
  expect(listed).toEqual(Object.entries(PROBLEMS).map(([code, { status, about }]) => [code, status, about]))
})

it("states every limit as the code has it", () => {
  const defaults = readConfig({ ...env, UPLOADS_PER_MINUTE: "10", IMAGE_ID_TTL_SECONDS: "1800" })
  const known: Record<string, unknown> = {
    ...limits,
    UPLOADS_PER_MINUTE: defaults.uploadsPerMinute,
    IMAGE_ID_TTL_SECONDS: defaults.imageIdTtlSeconds,
  }
  const listed = table("Limits").map(([name, value]) => [plain(name).toUpperCase(), Number(value)])
  expect(listed.length).toBeGreaterThan(20)
  expect(listed).toEqual(listed.map(([name]) => [name, known[name ?? ""]]))
})

it("lists every call", () => {
  const listed = table("Calls").map(([method, path]) => `${method} ${plain(path)}`)
  const documented = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(listed.toSorted()).toEqual(documented.toSorted())
})
