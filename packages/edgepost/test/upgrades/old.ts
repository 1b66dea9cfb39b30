import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { ROOT } from "../../../../scripts/tools.ts"

/** The earlier commit that this one is compared with. */
export const COMMIT = readFileSync(join(import.meta.dirname, "commit.txt"), "utf8").trim()
/** The tree of that commit, kept with its packages. Node runs no TypeScript below `node_modules`. */
export const OLD = join(tmpdir(), `edgepost-${COMMIT}`)

/** Writes the tree of that commit and installs its packages, if they are not there. */
export const checkOut = async (): Promise<void> => {
  // npm writes it last.
  if (existsSync(join(OLD, "node_modules/.package-lock.json"))) return
  const archive = execFileSync("git", ["archive", COMMIT], { cwd: ROOT, maxBuffer: 2 ** 30 })
  await mkdir(OLD, { recursive: true })
  execFileSync("tar", ["-x"], { cwd: OLD, input: archive })
  execFileSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: OLD, stdio: ["ignore", 2, 2] })
}
