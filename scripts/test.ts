// Runs a test suite: without an option the one that needs only npm, --full what needs Debian packages, --soak long searches,
// --extension the extension in Chromium and Firefox.
// With --slowest `npm test` names its twenty slowest files at the end. All other arguments go to vitest.
import { main } from "./cli.ts"
import { runTool } from "./tools.ts"

const SUITES = ["full", "soak", "extension"]
const SLOWEST = "--slowest"

await main(() => {
  const args = process.argv.slice(2)
  const suite = SUITES.find((name) => args[0] === `--${name}`)
  const config = suite ? ["--config", `vitest.${suite}.config.ts`] : []
  const rest = args.slice(suite ? 1 : 0)
  const env: Record<string, string> = rest.includes(SLOWEST) ? { SLOWEST: "20" } : {}
  const vitest = runTool("vitest", ["run", ...config, ...rest.filter((each) => each !== SLOWEST)], "inherit", env)
  process.exitCode = vitest.status ?? 1
})
