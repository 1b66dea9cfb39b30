import { readFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "./tools.ts"

// Matches `<!-- curl: read -->`, an empty line and the code block "```sh" after it. Does not match `<!-- run -->`.
const STEP = /<!-- curl: (\w+) -->\n+```sh\n([^]*?)```/g

const DOCUMENTS = ["README.md", "docs/api.md"]

/** Returns the documents' curl lines by the name of their step. The documents, `npm start` and the tests share this text. */
export const readWorkflow = (): Record<string, string> => {
  const text = DOCUMENTS.map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n")
  return Object.fromEntries([...text.matchAll(STEP)].map(([, name = "", lines = ""]) => [name, lines.trim()]))
}
