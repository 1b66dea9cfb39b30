// Publishes the folder examples/, as `npm start` and `npm run demo` do: by the command line of packages/edgepost.
import { spawn } from "node:child_process"
import { join } from "node:path"

import { Failure } from "./cli.ts"
import { ROOT } from "./tools.ts"

const CLI = join(ROOT, "packages/edgepost/src/bin.ts")

/** The slug of the example post. */
export const EXAMPLE = "reading-the-tide"

interface Access {
  origin: string
  key: string
}

/** Runs `edgepost` in the repository. @param output where its output goes @throws Failure unless it exits with 0 */
export const edgepost = async (
  { origin, key }: Access,
  args: string[],
  output: "inherit" | "ignore" = "inherit",
): Promise<void> => {
  const env = { ...process.env, EDGEPOST_URL: origin, EDGEPOST_API_KEY: key }
  const child = spawn(process.execPath, [CLI, ...args], { cwd: ROOT, env, stdio: ["ignore", output, "inherit"] })
  const code = await new Promise((done, fail) => {
    child.once("error", fail)
    child.once("exit", done)
  })
  if (code !== 0) throw new Failure(`edgepost ${args.join(" ")} ended with ${String(code)}.`)
}

/** Publishes the examples unless the account has a post. Does not wait for translations. @returns whether it published */
export const publishExampleOnce = async ({ origin, key }: Access): Promise<boolean> => {
  const answer = await fetch(`${origin}/api/blogcontroller/posts/?limit=1`, { headers: { "X-API-KEY": key } })
  const { posts } = JSON.parse(await answer.text()) as { posts: unknown[] }
  if (posts.length > 0) return false
  await edgepost({ origin, key }, ["publish", "examples"], "ignore")
  return true
}
