import { readFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "./tools.ts"

// Matches `<!-- curl: read -->`, an empty line and the code block "```sh" after it. Does not match `<!-- run -->`.
const STEP = /<!-- curl: (\w+) -->\n+```sh\n([^]*?)```/g

/** Returns the README's curl lines by the name of their step. The README, `npm start` and the tests share this text. */
export const readWorkflow = (): Record<string, string> => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8")
  return Object.fromEntries([...readme.matchAll(STEP)].map(([, name = "", lines = ""]) => [name, lines.trim()]))
}
