import { expect, test } from "vitest"

import { checkFolders } from "./check.ts"

test("2,000 folders of posts in any dialect send nothing that is hidden, and every word that is shown", async () => {
  await expect(checkFolders(2000, 53)).resolves.toBeUndefined()
})
