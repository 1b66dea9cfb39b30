import { expect, it, vi } from "vitest"

import { writePhrasing } from "../../../src/translations/document/phrasing.ts"
import { translate } from "../documents.ts"

vi.mock("../../../src/translations/document/phrasing.ts", { spy: true })

it("thousands of dollars beside a formula are no nodes each", async () => {
  const markdown = `$a$ one ${"$ ".repeat(4000)}two`
  expect(await translate(markdown)).toBe(`$a$ one·fr ${String.raw`\$ `.repeat(4000)}two·fr`)
  const [call] = vi.mocked(writePhrasing).mock.calls
  expect(call?.[1]).toHaveLength(2)
})

it.each([
  ["behind a backslash", String.raw`$a$ one \\\$ two`, String.raw`$a$ one·fr \\\$ two·fr`],
  ["in emphasis", "$a$ *$ one* _two $_", String.raw`$a$ *\$ one·fr* _two·fr \$_`],
  ["beside a hard break", "$a$ one $\\\n$ two", "$a$ one·fr \\$\\\n\\$ two·fr"],
])("a dollar is escaped: %s", async (_, markdown, expected) => {
  expect(await translate(markdown)).toBe(expected)
})
