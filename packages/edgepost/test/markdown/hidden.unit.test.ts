import { expect, test } from "vitest"

import { planOne } from "./plan.ts"

test.each([
  ["the converted text", "{{% note %}}\nNo.\n{{% /note %}}\n\nA [[Note|boat]] &amp; more.", "A boat & more."],
  ["the title if the text has no words", "![](a.png)", "T"],
])("the description comes from %s", async (_, body, description) => {
  const { source } = await planOne("a.md", `---\ntitle: T\n---\n${body}`)
  expect(source.meta_description).toBe(description)
})
