// Fails unless each test that docs/reference/standards.md names is there, and each row that does something names one.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

const PAGE = "docs/reference/standards.md"
/** Matches `| 3 Link | Several | | [a](../../a.test.ts) "b" |`. Does not match `| section | does | does not | test |`. */
const ROW = /^\| (?!section|---)(.+?) \| (.*?)\| .*?\| (.*)\|$/gm
/** Matches `[read](../../test/a.test.ts) "GET answers"`. Does not match `[webhooks](../webhooks.md)`. */
const TEST = /\]\(\.\.\/\.\.\/([^)]+\.ts)\) "([^"]+)"/g

const read = (path: string): string => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "")

await main(() => {
  const rows = [...read(PAGE).matchAll(ROW)]
  const wrong = rows.flatMap(([, section, does = "", tests = ""]) => {
    const named = [...tests.matchAll(TEST)]
    if (does !== "" && named.length === 0) return [`${section}: names no test.`]
    return named.flatMap(([, path = "", title = ""]) =>
      read(path).includes(title) ? [] : [`${section}: there is no test ${JSON.stringify(title)} in ${path}.`],
    )
  })
  if (rows.length === 0 || wrong.length > 0) throw new Failure(`${PAGE}:\n${wrong.join("\n")}`)
})
