import { expect, it, vi } from "vitest"

import { writePhrasing } from "../../../src/translations/document/phrasing.ts"
import { translate } from "../documents.ts"

vi.mock("../../../src/translations/document/phrasing.ts", { spy: true })

it("4,000 dollars beside math in a translation are written as one text node", async () => {
  const markdown = `$a$ one ${"$ ".repeat(4000)}two`
  expect(await translate(markdown)).toBe(`$a$ one·fr ${String.raw`\$ `.repeat(4000)}two·fr`)
  const [call] = vi.mocked(writePhrasing).mock.calls
  expect(call?.[1]).toHaveLength(2)
})

it.each([
  ["after a backslash", String.raw`$a$ one \\\$ two`, String.raw`$a$ one·fr \\\$ two·fr`],
  ["in emphasis", "$a$ *$ one* _two $_", String.raw`$a$ *\$ one·fr* _two·fr \$_`],
  ["beside a hard break", "$a$ one $\\\n$ two", "$a$ one·fr \\$\\\n\\$ two·fr"],
])("a dollar in a translated paragraph with math is escaped %s", async (_, markdown, expected) => {
  expect(await translate(markdown)).toBe(expected)
})

it("a kramdown attribute line such as {: .wide } between two emphasized lines keeps its own line when translated", async () => {
  expect(await translate("**one $*\n{: .wide }\ntwo*")).toContain("\n{: .wide }\n")
})
