import { main } from "./cli.mjs"
import { installPackages, runTool } from "./prepare.mjs"

await main(() => {
  installPackages()
  const args = ["run", "--config", "vitest.soak.config.ts", ...process.argv.slice(2)]
  process.exitCode = runTool("vitest", args, { stdio: "inherit" }).status
})
