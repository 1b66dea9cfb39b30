import { describe, expect, it } from "vitest"

import { PROBLEMS } from "../../src/http/errors.ts"
import { call } from "../support.ts"
import { elements, named } from "./reference.ts"

const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const PAGES = ["/docs/", "/docs/errors/"]

describe.each(PAGES)("documentation page %s", (path) => {
  it("a documentation page is cacheable for an hour and runs no script", async () => {
    const { status, headers, text } = await call("GET", path)
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"])
    expect(headers.get("Content-Security-Policy")).toBe(POLICY)
    expect(headers.get("Cache-Control")).toBe("public, max-age=3600")
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff")
    expect(text).not.toMatch(/<script|<style| style=| on\w+=/)
    expect((await call("GET", path.slice(0, -1))).text).toBe(text)
  })

  it("a documentation page has headings in order, one main element and no broken link", async () => {
    const { text } = await call("GET", path)
    const found = elements(text)
    const levels = named(found, "h1", "h2", "h3", "h4", "h5", "h6").map(({ tagName }) => Number(tagName[1]))
    expect(levels.filter((level) => level === 1)).toEqual([1])
    expect(levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)).toEqual([])
    expect(named(found, "main").length).toBe(1)
    const ids = found.map(({ properties }) => properties.id).filter((id) => id !== undefined)
    expect(ids.length).toBe(new Set(ids).size)
    const here = named(found, "a").map(({ properties }) => String(properties.href))
    expect(here.filter((href) => href.startsWith("#") && !ids.includes(href.slice(1)))).toEqual([])
    const codes = here.flatMap((href) => href.split("/docs/errors/#").slice(1))
    expect(codes.filter((code) => !(code in PROBLEMS))).toEqual([])
    expect(here[0]).toBe("#content")
  })
})

it.each(["/docs/x/", "/docs/vendor/swagger-ui.css", "/docs/errors/x/", "/docs/index.html"])(
  "GET of the unknown documentation path %s answers 404",
  async (path) => {
    const { status, json } = await call("GET", path)
    expect([status, json.code]).toEqual([404, "not_found"])
  },
)
