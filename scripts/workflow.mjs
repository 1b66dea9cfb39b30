import { readFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "./prepare.mjs"

const STEP = /<!-- curl: (\w+) -->\n+```sh\n([^]*?)```/g

/** The README's curl lines by the name of their step, so that what is shown, printed and tested is one text. */
export const readWorkflow = () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8")
  return Object.fromEntries([...readme.matchAll(STEP)].map(([, name, lines]) => [name, lines.trim()]))
}
