import { posix } from "node:path"

import { isTimeZone } from "../folder/dates.ts"
import type { Folder } from "../folder/files.ts"
import { knownLanguage } from "../folder/languages.ts"
import { astro } from "./astro.ts"
import { docusaurus } from "./docusaurus.ts"
import { eleventy } from "./eleventy.ts"
import { folder } from "./folder.ts"
import { hexo } from "./hexo.ts"
import { hugo } from "./hugo.ts"
import { jekyll } from "./jekyll.ts"
import type { Configuration, Site, Tool, ToolSettings } from "./tool.ts"
import { zola } from "./zola.ts"

/** All tools by their names in configurations and tests. Of two that may have the same file, the first asks first. */
export const TOOLS = { hugo, docusaurus, astro, eleventy, hexo, jekyll, zola, folder } satisfies Record<string, Tool>

/** Matches the folders of themes and their examples. Does not match `site/`. */
const THEMES = /^(?:.*\/)?(?:themes?|exampleSite|examples?)\//

/** Returns the address of a site below its base path; null for an address that is not of the web. */
const addressOf = (url: string | null, path: string | null): string | null => {
  // Matches `https://e.x`. Does not match `/` and `$URL`.
  if (url === null || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  // Matches `//`.
  return origin + `/${pathname}/${path ?? ""}/`.replaceAll(/\/{2,}/g, "/")
}

const toSettings = (tool: Tool, { folder: { files }, file, base }: Site, found: Configuration): ToolSettings => {
  const { title, url, path = null, timezone, languages, permalink = null, data } = found
  // Matches the `/` of `content/`.
  const contentFolder = posix.join(base, found.contentFolder).replace(/\/$/, "")
  return {
    tool,
    file,
    title,
    url: addressOf(url, path),
    timezone: timezone !== null && isTimeZone(timezone) ? timezone : null,
    languages: [...new Set(languages.map(knownLanguage).filter((code) => code !== null))],
    contentFolder: files.some((one) => one.startsWith(`${contentFolder}/`)) ? contentFolder : null,
    permalink,
    data,
  }
}

/** The settings of a folder without the configuration of a tool. */
export const NO_TOOL: ToolSettings = {
  tool: folder,
  file: null,
  title: null,
  url: null,
  timezone: null,
  languages: [],
  contentFolder: null,
  permalink: null,
  data: {},
}

/** Lists the files that may be a tool's configuration: in the folder's root or at most two folders below it, the surest first. */
function* candidatesIn({ files }: Folder) {
  for (const depth of [0, 1, 2])
    for (const rank of [0, 1])
      for (const tool of Object.values<Tool>(TOOLS))
        for (const file of files) {
          const folders = file.split("/").slice(0, depth)
          const base = folders.map((part) => `${part}/`).join("")
          if (tool.configs[rank]?.test(file.slice(base.length)) && !THEMES.test(base)) yield { tool, file, base }
        }
}

/** Finds the tool that makes a blog, by the configuration nearest to the folder's root. */
export const readTool = async (files: Folder): Promise<ToolSettings> => {
  for (const { tool, file, base } of candidatesIn(files)) {
    const site = { folder: files, file, base }
    const found = await tool.read(site)
    if (found) return toSettings(tool, site, found)
  }
  return NO_TOOL
}
