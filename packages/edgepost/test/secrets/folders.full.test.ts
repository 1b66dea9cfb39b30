import { expect, test } from "vitest"

import { checkFolders } from "./check.ts"

test("200 folders of posts in any dialect send nothing that is hidden, and every word that is shown", async () => {
  await expect(checkFolders(200, 37)).resolves.toBeUndefined()
})
