import { expect, test } from "vitest"

import { startChild } from "./child.ts"
import { bash } from "./support.ts"

test("npm run demo -- --keep publishes the example and leaves the service running", async () => {
  const ready = /^ {2}en {2}(\S+)$[^]*The service goes on/m
  const { ready: found, stop } = await startChild(["npm", "run", "demo", "--", "--keep"], "stdout", ready)
  try {
    const page = await fetch(found[1] ?? "")
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Reading the tide")])
  } finally {
    await stop()
  }
})

test.each(["--port 8788", "--keeps", "post.md"])(
  "npm run demo -- %s is an error that names the option",
  async (options) => {
    const output = await bash(`npm run -s demo -- ${options} 2>&1 || echo "exit $?"`)
    expect(output).toContain(options.split(" ")[0])
    expect(output).toContain("npm run demo [-- --keep]")
    expect(output).toContain("exit 1")
    expect(output).not.toContain("Starting")
  },
)
