import { expect, it } from "vitest"

import api from "../../docs/api.md?raw"
import openapi from "../../public/openapi.json"

/** Returns the cells of the table under a heading, without backticks. */
const table = (heading: string): string[][] => {
  const [, section = ""] = api.split(`\n## ${heading}\n`)
  const lines = section.split("\n## ")[0]?.split("\n") ?? []
  const cells = lines.filter((line) => line.startsWith("|")).map((line) => line.split("|").slice(1, -1))
  return cells.slice(2).map((row) => row.map((cell) => cell.trim().replaceAll("`", "")))
}

it("the table of calls in docs/api.md lists every operation of the OpenAPI document", () => {
  const listed = table("Calls").map(([method, path]) => `${method} ${path}`)
  const documented = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(listed.toSorted()).toEqual(documented.toSorted())
})
