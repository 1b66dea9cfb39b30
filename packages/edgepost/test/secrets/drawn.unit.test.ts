import * as fc from "fast-check"
import { expect, test } from "vitest"

import { searchProperty } from "../../../../test/search.ts"
import { folderOf } from "../folder/folder.ts"
import { desiredOf, planOf } from "../markdown/plan.ts"
import { htmlOf } from "../markdown/service.ts"
import { type Drawing, DRAWINGS, SIGN, SIGN_IN_CODE } from "./drawn.ts"

const post = (blocks: string[]): string =>
  `---\ntitle: T\ndate: 2024-01-02\nslug: p\n---\n\n${["¶", ...blocks].join("\n\n")}\n`

/** Returns the text of HTML. */
const plain = (part: string): string =>
  part
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')

/** Returns the signs of markup that readers would see; none if the plan blocks the post or warns of it. */
const findSigns = async ({ path, files }: Drawing, blocks: string[]): Promise<string[]> => {
  const text = post(blocks).replaceAll("¶", "word")
  const plan = await planOf(folderOf({ ...files, [path("p")]: text }), { publish_by: "all" })
  const [entry] = plan.entries
  if (!entry || entry.findings.length > 0) return []
  const html = htmlOf(desiredOf(plan, entry.slug).source.body)
  // Matches code and formulas with their contents.
  const code = [...html.matchAll(/<(pre|code|math)\b[^>]*>[^]*?<\/\1>/g)].map(([whole]) => whole)
  const words = plain(code.reduce((all, part) => all.replace(part, ""), html))
  const found = [SIGN.exec(words), ...code.map((part) => SIGN_IN_CODE.exec(plain(part)))]
  return found.flatMap((match) => (match ? [match[0]] : []))
}

const all = Object.entries(DRAWINGS).flatMap(([tool, drawing]) =>
  drawing.blocks.map((block) => [tool, block, drawing] as const),
)

test.each(all)("in %s, no sign of %j reaches readers", async (_, block, drawing) =>
  expect(await findSigns(drawing, [block])).toEqual([]),
)

/** Puts a block into the text, or into an item of a list. */
const PLACES = ["", "", "- a\n\n  ", "1. a\n\n    "].map(
  (start) => (block: string) => start + block.replaceAll("\n", `\n${start.replace(/^.*\n\n/, "")}`),
)

const page = fc.constantFrom(...Object.entries(DRAWINGS)).chain(([, drawing]) => {
  const placed = fc
    .tuple(fc.constantFrom(...drawing.blocks), fc.constantFrom(...PLACES))
    .map(([block, place]) => place(block))
  return fc.record({
    drawing: fc.constant(drawing),
    blocks: fc.array(placed, { minLength: 1, maxLength: 6 }),
  })
})

test("generated pages of any dialect have no sign of markup that the tool draws in what readers get, unless the plan says so", async () => {
  const property = fc.asyncProperty(page, async ({ drawing, blocks }) => {
    expect(await findSigns(drawing, blocks)).toEqual([])
  })
  await searchProperty(300, property)
})
