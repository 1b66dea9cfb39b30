import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"

import { Failure } from "../../../../scripts/cli.ts"
import { ROOT } from "../../../../scripts/tools.ts"
import { JUDGED, type ToolName } from "../tools/judged.ts"
import type { Judged } from "./judged.ts"

// Each tool is installed for itself: one of npm in its folder below `tools/`, one of Debian in a root folder that it runs in.

/** Returns the folder of a tool: its theme, its blogs and their answers. */
export const toolFolder = (tool: ToolName): string => join(import.meta.dirname, "../tools", tool)

const packageFile = (tool: ToolName): string => join(toolFolder(tool), "package.json")

/** Tells whether a tool comes from Debian and not from npm. */
export const isOfDebian = (tool: ToolName): boolean => !existsSync(packageFile(tool))

/** Returns the folder of the newest Debian with a tool. Paths in it are as on a machine of its own. */
export const debianRoot = (tool: ToolName): string => join(ROOT, "node_modules/.cache/oracle", tool)

/** Runs a command. @param env its whole environment @returns its output */
export const run = (cwd: string, [command = "", ...args]: string[], env: NodeJS.ProcessEnv = process.env): string => {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" })
  if (error) throw error
  if (status !== 0) throw new Failure(`${command} ended with ${status} in ${cwd}:\n${stdout}${stderr}`)
  return stdout
}

const modifiedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

// A mirror's list may be older than it says it is good for.
const MMDEBSTRAP = ["--mode=root", "--variant=essential", '--aptopt=Acquire::Check-Valid-Until "false"']

/** Installs the packages of npm of a folder, if they are not there yet. @returns their versions by name */
export const installPackages = (folder: string): Record<string, string> => {
  if (modifiedAt(join(folder, "node_modules/.package-lock.json")) < modifiedAt(join(folder, "package-lock.json")))
    run(folder, ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"])
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>
  }
  return dependencies
}

/** Installs a tool, if it is not there yet. @returns its version */
export const install = (tool: ToolName): string => {
  const { package: name, helper = "tzdata" }: Judged = JUDGED[tool]
  const folder = toolFolder(tool)
  if (!isOfDebian(tool)) return installPackages(folder)[name] ?? ""
  const root = debianRoot(tool)
  if (!existsSync(join(root, "usr/bin/env"))) {
    mkdirSync(root, { recursive: true })
    try {
      run(ROOT, ["mmdebstrap", ...MMDEBSTRAP, `--include=${name},${helper},tzdata`, "sid", root])
    } catch (error) {
      rmSync(root, { recursive: true })
      throw error
    }
  }
  return run(ROOT, ["chroot", root, "dpkg-query", "-W", "-f", "${Version}", name])
}
