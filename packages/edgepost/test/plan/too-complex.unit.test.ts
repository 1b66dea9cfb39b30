import { expect, test } from "vitest"

import { cpuSecondsOf } from "../../../../test/cpu.ts"
import type { Plan } from "../../src/plan/plan.ts"
import { folderOf } from "../folder/folder.ts"
import { planOf } from "../markdown/plan.ts"

test.each([
  ["nested emphasis", "*a ".repeat(40_000) + "a* ".repeat(40_000), "too_complex"],
  ["comments that nothing ends", "a\n\n<!--\n\n".repeat(9000), "too_complex"],
  ["comments in one line", `a ${"<!--".repeat(60_000)}`, "too_complex"],
  ["tags of other tools that nothing ends", "{% ".repeat(80_000), undefined],
])(
  "a file of %s is read or blocked within seconds of CPU time, and the other one is planned",
  async (_, text, code) => {
    const head = "---\ntitle: A\ndate: 2024-01-02\n---\n\nWords.\n\n"
    const folder = folderOf({ "a.md": head + text, "b.md": `${head.replace("A", "B")}Text.\n` })
    let plan: Plan | undefined
    expect(
      await cpuSecondsOf(async () => {
        plan = await planOf(folder)
      }),
    ).toBeLessThan(8)
    const found = plan?.entries.map(({ action, findings }) => [action, findings[0]?.code])
    expect(found).toEqual([code ? ["blocked", code] : ["checked", undefined], ["checked", undefined]])
  },
)
