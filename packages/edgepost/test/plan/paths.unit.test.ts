import { symlink } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { write } from "../blogs.ts"
import { edgepost } from "../command.ts"

test.each([
  ["a link to the folder", ["../link"], ["a", "b"]],
  ["a file through a link to the folder", ["../link/a.md"], ["a"]],
  ["the folder and one of its files", [".", "a.md"], ["a", "b"]],
])("a plan of %s has the posts there", async (_, paths, slugs) => {
  const parent = await newFolder()
  const cwd = join(parent, "blog")
  for (const file of ["a.md", "b.md"]) await write(join(cwd, file), "---\ntitle: T\ndate: 2024-01-02\n---\n\nText.\n")
  await write(join(cwd, "edgepost.config.yaml"), "category: Sea\n")
  await symlink(cwd, join(parent, "link"))
  const { stdout } = await edgepost(["plan", "--offline", "--json", ...paths], { cwd })
  expect(JSON.parse(stdout).entries.map(({ slug }: { slug: string }) => slug)).toEqual(slugs)
})
