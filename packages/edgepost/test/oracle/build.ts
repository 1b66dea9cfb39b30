import { spawn } from "node:child_process"
import { cp, readFile, symlink } from "node:fs/promises"
import { delimiter, join } from "node:path"

import { JUDGED, type ToolName } from "../tools/judged.ts"
import type { Judged } from "./judged.ts"

const MODULES = join(import.meta.dirname, "node_modules")

const run = (cwd: string, [command = "", ...args]: string[], env: Record<string, string>): Promise<void> =>
  new Promise((done, fail) => {
    const path = [join(MODULES, ".bin"), process.env["PATH"]].join(delimiter)
    const quiet = { ASTRO_TELEMETRY_DISABLED: "1", DISABLE_V8_COMPILE_CACHE: "1", CI: "1", LANG: "C.UTF-8" }
    const child = spawn(command, args, { cwd, env: { HOME: cwd, ...quiet, ...env, PATH: path } })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text))
    child.once("error", fail)
    child.once("close", (code) =>
      code === 0 ? done() : fail(new Error(`${command} ended with ${code} in ${cwd}:\n${output}`)),
    )
  })

/** Lets a tool build the blog of a folder in place. @returns the folder of the site */
export const build = async (tool: ToolName, folder: string): Promise<string> => {
  const { command, env, site }: Judged = JUDGED[tool]
  await cp(join(import.meta.dirname, "../tools", tool, "theme"), folder, { recursive: true })
  await symlink(MODULES, join(folder, "node_modules"))
  // Matches `timezone: Asia/Taipei`, not `# timezone: UTC`.
  const zone = /^timezone: (\S+)/m.exec(await readFile(join(folder, "edgepost.config.yaml"), "utf8").catch(() => ""))
  // The author's machine is in the zone that the author gave to edgepost.
  await run(folder, command, { TZ: zone?.[1] ?? "UTC", ...env })
  return join(folder, site)
}
