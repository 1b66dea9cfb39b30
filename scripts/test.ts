// Runs a test suite: without an option the one that needs only npm, --full what needs Debian packages, --soak long searches,
// --extension the extension in Chromium and Firefox.
// All other arguments go to vitest.
import { main } from "./cli.ts"
import { runTool } from "./tools.ts"

const SUITES = ["full", "soak", "extension"]

const vitest = (...args: string[]) => runTool("vitest", ["run", ...args], "inherit").status

await main(() => {
  const args = process.argv.slice(2)
  const suite = SUITES.find((name) => args[0] === `--${name}`)
  process.exitCode = (suite ? vitest("--config", `vitest.${suite}.config.ts`, ...args.slice(1)) : vitest(...args)) ?? 1
})
