import { expect, test } from "vitest"

import { findWrong } from "./check.ts"
import { makeAll, write } from "./folders.ts"
import { DIALECTS } from "./places.ts"

test.each(Object.entries(DIALECTS))(
  "nothing that a blog of the tool %s hides is sent, and every word that it shows is",
  async (_, dialect) => {
    for (const folder of makeAll(dialect)) expect(await findWrong(write(folder))).toEqual([])
  },
)
