import type { TOOLS } from "../../src/tools/index.ts"
import type { Judged } from "../oracle/judged.ts"
import { astro } from "./astro/judged.ts"
import { docusaurus } from "./docusaurus/judged.ts"
import { eleventy } from "./eleventy/judged.ts"
import { gatsby } from "./gatsby/judged.ts"
import { hexo } from "./hexo/judged.ts"
import { hugo } from "./hugo/judged.ts"
import { jekyll } from "./jekyll/judged.ts"
import { nanoc } from "./nanoc/judged.ts"
import { nuxt } from "./nuxt/judged.ts"
import { pelican } from "./pelican/judged.ts"
import { vitepress } from "./vitepress/judged.ts"
import { vuepress } from "./vuepress/judged.ts"

/** The tools that are run, by their names in `TOOLS`. */
export const JUDGED = {
  hugo,
  jekyll,
  eleventy,
  hexo,
  astro,
  docusaurus,
  vitepress,
  vuepress,
  nuxt,
  gatsby,
  pelican,
  nanoc,
} satisfies Partial<Record<keyof typeof TOOLS, Judged>>

export type ToolName = keyof typeof JUDGED

export const TOOL_NAMES = Object.keys(JUDGED) as ToolName[]
