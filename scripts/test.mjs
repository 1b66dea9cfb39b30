import { main } from "./cli.mjs"
import { installPackages, runTool } from "./prepare.mjs"

const vitest = (...args) => runTool("vitest", ["run", ...args], { stdio: "inherit" }).status

await main(() => {
  installPackages()
  // Both always run: one failing says nothing of the other.
  const statuses = [vitest(...process.argv.slice(2)), vitest("--config", "vitest.e2e.config.ts")]
  process.exitCode = statuses.every((status) => status === 0) ? 0 : 1
})
