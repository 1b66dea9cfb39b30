import { getTableName, is } from "drizzle-orm"
import { SQLiteTable } from "drizzle-orm/sqlite-core"
import { expect, it } from "vitest"

import security from "../docs/security.md?raw"
import * as schema from "../src/db/schema.ts"

it("docs/security.md says for each table of the schema what bounds it", () => {
  const [, section = ""] = /^## Bounds$(.*?)^## /ms.exec(security) ?? []
  const bounded = [...section.matchAll(/^\| `(\w+)` +\| \S/gm)].map(([, name = ""]) => name)
  const tables = Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? [getTableName(value)] : []))
  expect(bounded.toSorted()).toEqual(tables.toSorted())
})
