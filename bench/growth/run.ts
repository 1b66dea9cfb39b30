// Counts the rows that D1 reads and writes for accounts of growing size. See README.md.
import { Failure, main } from "../../scripts/cli.ts"
import { runTool } from "../../scripts/tools.ts"
import { writeTables } from "./tables.ts"

await main(() => {
  const { status } = runTool("vitest", ["run", "--config", "bench/growth/vitest.config.ts", "--update"], "inherit")
  if (status !== 0) throw new Failure("The measurement has failed: see above.")
  writeTables()
  runTool("oxfmt", ["bench/growth"])
})
