import { expect, it } from "vitest"

const sources = import.meta.glob<string>("../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true })

/** Matches reads of input: `c.req.json()`, `req.query("cursor")`. Does not match `c.req.header("Accept")`. */
const READS_INPUT = /\breq\.(?:json|query|queries|param|parseBody|formData|text|arrayBuffer|blob|valid|bodyCache)\b/

it("only validate.ts and read-body.ts of src/http read declared request input, so that handlers receive typed values", () => {
  const readers = Object.entries(sources).filter(([, source]) => READS_INPUT.test(source))
  expect(Object.keys(sources).length).toBeGreaterThan(100)
  expect(readers.map(([path]) => path)).toEqual(["../../src/http/read-body.ts", "../../src/http/validate.ts"])
})
