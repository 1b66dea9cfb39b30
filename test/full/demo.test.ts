import { expect, test } from "vitest"

import { publishExampleOnce } from "../../scripts/example.ts"
import { startChild, startService } from "../e2e/child.ts"
import { bash, blogUrl, key, origin } from "../e2e/support.ts"

const TITLE = "Reading the tide without a table"

test("the first URL that `npm start` prints is that of the blog of the account demo", () => {
  expect(blogUrl).toBe(`${origin}/@demo/`)
})

test("`npm start` with an empty store publishes the example post", async () => {
  const page = await fetch(`${origin}/@demo/reading-the-tide/`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(TITLE)])
})

test("`npm start` publishes nothing if the account demo has a post", async () => {
  expect(await publishExampleOnce({ origin, key })).toBe(false)
})

test("`npm start` starts the service and prints the blog's URL if the example cannot be published", async () => {
  // The example has more text.
  const { stop, ...service } = await startService("MAX_STORED_TEXT_BYTES:1000")
  try {
    expect(service.blogUrl).toBe(`${service.origin}/@demo/`)
    expect((await fetch(`${service.origin}/healthz/`)).status).toBe(200)
    expect((await fetch(`${service.origin}/@demo/reading-the-tide/`)).status).toBe(404)
  } finally {
    await stop()
  }
})

test("npm run demo -- --keep publishes the example and leaves the service running", async () => {
  const ready = /^ {2}en {2}(\S+)$[^]*The service goes on/m
  const { ready: found, stop } = await startChild(["npm", "run", "demo", "--", "--keep"], "stdout", ready)
  try {
    const page = await fetch(found[1] ?? "")
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(TITLE)])
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
