import { spawn } from "node:child_process"
import { cp, readFile, symlink } from "node:fs/promises"
import { delimiter, join } from "node:path"

import type { ToolName } from "./blogs.ts"

/** The day on which all blogs are built, so that a future post stays one. */
const TODAY = "2026-11-01T00:00:00Z"

interface Tool {
  command: string[]
  env?: Record<string, string>
  /** The folder of the built site. */
  site: string
}

/** How each tool builds a blog with the theme of `themes/`, which prints each page's data before its text. */
const TOOLS: Record<ToolName, Tool> = {
  hugo: {
    command: ["hugo", "--clock", TODAY, "--theme", "oracle"],
    // Blogs with HTML in their posts switch it on.
    env: {
      HUGO_MARKUP_GOLDMARK_RENDERER_UNSAFE: "true",
      HUGO_REFLINKSERRORLEVEL: "WARNING",
      HUGO_MARKUP_HIGHLIGHT_NOCLASSES: "false",
      HUGO_DISABLEKINDS: "taxonomy term section home RSS sitemap 404",
    },
    site: "public",
  },
  jekyll: { command: ["jekyll", "build", "--config", "_config.yml,_oracle.yml"], site: "_site" },
  eleventy: { command: ["eleventy", "--config=oracle.config.js"], site: "_site" },
  hexo: { command: ["hexo", "generate"], site: "public" },
  astro: { command: ["astro", "build", "--config", "oracle.config.js"], site: "dist" },
  docusaurus: {
    command: ["docusaurus", "build", "--no-minify", "--config", "oracle.config.js"],
    env: { DOCUSAURUS_NO_DUPLICATE_TITLE_WARNING: "true" },
    site: "build",
  },
}

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
  const { command, env, site } = TOOLS[tool]
  await cp(join(import.meta.dirname, "themes", tool), folder, { recursive: true })
  await symlink(MODULES, join(folder, "node_modules"))
  // Matches `timezone: Asia/Taipei`, not `# timezone: UTC`.
  const zone = /^timezone: (\S+)/m.exec(await readFile(join(folder, "edgepost.config.yaml"), "utf8").catch(() => ""))
  // The author's machine is in the zone that the author gave to edgepost.
  await run(folder, command, { TZ: zone?.[1] ?? "UTC", ...env })
  return join(folder, site)
}
