import { cp, readFile, rm, symlink } from "node:fs/promises"
import { delimiter, join } from "node:path"

import { JUDGED, type ToolName } from "../tools/judged.ts"
import { debianRoot, isOfDebian, run, toolFolder } from "./install.ts"
import type { Judged } from "./judged.ts"

const QUIET = { ASTRO_TELEMETRY_DISABLED: "1", DISABLE_V8_COMPILE_CACHE: "1", CI: "1", LANG: "C.UTF-8" }

/** Lets a tool that is installed build the blog of a folder. @returns the folder of the site */
export const build = async (tool: ToolName, folder: string): Promise<string> => {
  const { command, env, site }: Judged = JUDGED[tool]
  // A blog's own file counts, such as the patterns of its collections.
  await cp(join(toolFolder(tool), "theme"), folder, { recursive: true, force: false })
  // Matches `timezone: Asia/Taipei`, not `# timezone: UTC`.
  const zone = /^timezone: (\S+)/m.exec(await readFile(join(folder, "edgepost.config.yaml"), "utf8").catch(() => ""))
  // The author's machine is in the zone that the author gave to edgepost.
  const all = { ...QUIET, TZ: zone?.[1] ?? "UTC", ...env }
  if (isOfDebian(tool)) {
    const root = debianRoot(tool)
    const blog = join(root, "blog")
    await rm(blog, { recursive: true, force: true })
    await cp(folder, blog, { recursive: true })
    run(folder, ["chroot", root, "env", "-C", "/blog", ...command], {
      ...all,
      HOME: "/blog",
      PATH: process.env["PATH"],
    })
    return join(blog, site)
  }
  const modules = join(toolFolder(tool), "node_modules")
  await symlink(modules, join(folder, "node_modules"))
  const path = [join(modules, ".bin"), process.env["PATH"]].join(delimiter)
  run(folder, command, { ...all, HOME: folder, PATH: path })
  return join(folder, site)
}
