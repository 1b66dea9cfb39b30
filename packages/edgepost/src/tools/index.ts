import { isTimeZone } from "../folder/dates.ts"
import type { Folder } from "../folder/files.ts"
import { knownLanguage } from "../folder/languages.ts"
import { MARKDOWN } from "../folder/paths.ts"
import { astro } from "./astro.ts"
import { anyRule, folderAt } from "./configuration.ts"
import { dendron } from "./dendron.ts"
import { digitalGarden } from "./digital-garden.ts"
import { docusaurus } from "./docusaurus.ts"
import { eleventy } from "./eleventy.ts"
import { enveloppe } from "./enveloppe.ts"
import { folder } from "./folder.ts"
import { gatsby } from "./gatsby.ts"
import { hexo } from "./hexo.ts"
import { hugo } from "./hugo.ts"
import { iaWriter } from "./ia-writer.ts"
import { jekyll } from "./jekyll.ts"
import { joplin } from "./joplin.ts"
import { logseq } from "./logseq.ts"
import { middleman } from "./middleman.ts"
import { mkdocs } from "./mkdocs.ts"
import { nanoc } from "./nanoc.ts"
import { nikola } from "./nikola.ts"
import { askAboutNotes, breaksInApp, findApp, isApp } from "./notes-apps.ts"
import { notion } from "./notion.ts"
import { nuxt } from "./nuxt.ts"
import { org } from "./org.ts"
import { pandoc } from "./pandoc.ts"
import { pelican } from "./pelican.ts"
import { quartz } from "./quartz.ts"
import { askAboutBundles, textbundle } from "./textbundle.ts"
import type { Configuration, Site, Tool, ToolSettings } from "./tool.ts"
import { typora } from "./typora.ts"
import { nameUnknown } from "./unknown.ts"
import { usual } from "./usual.ts"
import { vitepress } from "./vitepress.ts"
import { vuepress } from "./vuepress.ts"
import { zola } from "./zola.ts"

/** Adds the rules that count in every folder, and those that count where a tool has none of its own. */
const withUsual = (tool: Tool): Tool => ({
  ...usual,
  ...tool,
  unread: (settings) => anyRule(tool.unread?.(settings), usual.unread()),
  skipsUnasked: (settings) => anyRule(tool.skipsUnasked?.(settings), usual.skipsUnasked(settings)),
  skipsFile: async (files, settings) => anyRule(await tool.skipsFile?.(files, settings), usual.skipsFile()),
})

/** The rooms of all tools, by the names that tools have in configurations and tests. */
export const ROOMS = {
  hugo,
  docusaurus,
  astro,
  eleventy,
  hexo,
  jekyll,
  pelican,
  nanoc,
  zola,
  nikola,
  middleman,
  vitepress,
  vuepress,
  nuxt,
  gatsby,
  mkdocs,
  quartz,
  "digital-garden": digitalGarden,
  enveloppe,
  "ia-writer": iaWriter,
  pandoc,
  joplin,
  notion,
  textbundle,
  logseq,
  dendron,
  org,
  typora,
  folder,
} satisfies Record<string, Tool>

/** All tools with the rules that count for them. */
export const TOOLS = Object.fromEntries(
  Object.entries<Tool>(ROOMS).map(([id, room]) => [id, withUsual(room.isOfNotes ? { ...folder, ...room } : room)]),
) as Record<keyof typeof ROOMS, Tool>

/** Names of configuration files from the site's folder, the surest first, with the tools that are asked whether it is theirs. */
const CONFIGS: [name: RegExp, tools: Tool[]][] = [
  // Matches `hugo.toml`. Does not match `hugo.md`.
  [/^hugo\.(?:toml|ya?ml|json)$/, [TOOLS.hugo]],
  // Matches `docusaurus.config.ts`. Does not match `docusaurus.ts`.
  [/^docusaurus\.config\.[cm]?[jt]s$/, [TOOLS.docusaurus]],
  // Matches `astro.config.mjs`. Does not match `astro.mjs`.
  [/^astro\.config\.[cm]?[jt]s$/, [TOOLS.astro]],
  // Matches `.eleventy.js`, `eleventy.config.cjs` and `buildawesome.config.js` of version 4. Does not match `eleventy.js`.
  [/^(?:\.eleventy|(?:eleventy|buildawesome)\.config)\.[cm]?[jt]s$/, [TOOLS["digital-garden"], TOOLS.eleventy]],
  // Matches `_config.yml`. Does not match `_config.dev.yml`.
  [/^_config\.ya?ml$/, [TOOLS.hexo, TOOLS.jekyll]],
  // Matches `pelicanconf.py`. Does not match `conf.py`.
  [/^pelicanconf\.py$/, [TOOLS.pelican]],
  [/^conf\.py$/, [TOOLS.nikola]],
  [/^config\.rb$/, [TOOLS.middleman]],
  // Matches `mkdocs.yml`. Does not match `mkdocs.md`.
  [/^mkdocs\.ya?ml$/, [TOOLS.mkdocs]],
  [/^quartz\.config\.ts$/, [TOOLS.quartz]],
  // Matches `nanoc.yaml` and `config.yaml`. Does not match `a.yaml`.
  [/^(?:nanoc|config)\.yaml$/, [TOOLS.nanoc]],
  // Matches `config.toml`. Does not match `config.yaml`.
  [/^(?:config|zola)\.toml$/, [TOOLS.zola]],
  // Matches `config.toml` and `config/_default/config.toml`. Does not match `config/a.toml`.
  [/^(?:config|config\/_default\/(?:hugo|config))\.(?:toml|ya?ml|json)$/, [TOOLS.hugo]],
  // Matches `.vitepress/config.mts` and `.vitepress/config/index.ts`. Does not match `.vitepress/theme/index.ts`.
  [/^\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/, [TOOLS.vitepress]],
  // Matches `.vuepress/config.ts`. Does not match `.vuepress/client.ts`.
  [/^\.vuepress\/config\.[cm]?[jt]s$/, [TOOLS.vuepress]],
  // Matches `nuxt.config.ts`. Does not match `content.config.ts`.
  [/^nuxt\.config\.[cm]?[jt]s$/, [TOOLS.nuxt]],
  // Matches `gatsby-config.js`. Does not match `gatsby-node.js`.
  [/^gatsby-config\.[cm]?[jt]s$/, [TOOLS.gatsby]],
]

/** Folders in which a configuration of a tool may lie, from the folder of its site. */
export const CONFIGURATION_FOLDERS = ["", "config/_default/", ".vitepress/", ".vitepress/config/", ".vuepress/"]

/** Matches a path in a folder that tools take for content: `blog/content/posts`, `_posts`. Does not match `contents`. */
export const OF_CONTENT = /(?:^|\/)(?:content|_posts|_drafts)(?:\/|$)/

/** Names the configuration of a tool that is not known. */
export const SOME_CONFIGURATION = "the configuration of its tool, such as hugo.toml or _config.yml,"

/** Matches the folders of themes and their examples. Does not match `site/`. */
export const OF_THEMES = /^(?:.*\/)?(?:themes?|exampleSite|examples?)\//

/** Returns the address of a site below its base path; null for an address that is not of the web. */
const addressOf = (url: string | null, path: string | null): string | null => {
  // Matches `https://e.x`. Does not match `/` and `$URL`.
  if (url === null || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  // Matches `//`.
  return origin + `/${pathname}/${path ?? ""}/`.replaceAll(/\/{2,}/g, "/")
}

/** Returns the question about settings that hide files and are code; null if there are none. */
const askAboutCode = (tool: Tool, file: string, unread: string[]): string | null => {
  const id = Object.entries<Tool>(TOOLS).find(([, one]) => one === tool)?.[0]
  const names = [...new Set(unread)].map((name) => `\`${name}\``).join(", ")
  return names === ""
    ? null
    : `In ${file}, code says what ${names} is, and code is not run: files that ${tool.name} leaves out could become public. Write the texts themselves, or give --as ${id} to publish without what the code says.`
}

const toSettings = (tool: Tool, { folder: { files }, file, base }: Site, found: Configuration): ToolSettings => {
  const { title, url, path = null, timezone, languages, data } = found
  const contentFolder = folderAt(base, found.contentFolder)
  return {
    tool,
    file,
    base,
    title,
    url: addressOf(url, path),
    timezone: timezone !== null && isTimeZone(timezone) ? timezone : null,
    languages: [...new Set(languages.map(knownLanguage).filter((code) => code !== null))],
    contentFolder: files.some((one) => one.startsWith(`${contentFolder}/`)) ? contentFolder : null,
    data,
    question: askAboutCode(tool, file, found.unread ?? []),
    asksAgain: false,
    lineBreaks: (found.breaksLines ?? tool.breaksLines) ? "shown" : null,
    app: null,
  }
}

/** The settings of a folder without the configuration of a tool. */
export const NO_TOOL: ToolSettings = {
  tool: TOOLS.folder,
  file: null,
  base: "",
  title: null,
  url: null,
  timezone: null,
  languages: [],
  contentFolder: null,
  data: {},
  question: null,
  asksAgain: false,
  lineBreaks: null,
  app: null,
}

/** Returns the folder of a path, with `/` at its end, that has so many folders above it. */
const folderOf = (path: string, depth: number): string =>
  path
    .split("/")
    .slice(0, depth)
    .map((part) => `${part}/`)
    .join("")

/** Tells whether a path is one of a tool's configuration, at most two folders below the root. */
export const isConfiguration = (file: string): boolean =>
  [0, 1, 2].some((depth) => CONFIGS.some(([name]) => name.test(file.slice(folderOf(file, depth).length))))

/**
 * Lists the sites that a folder may be: those from a path in it upwards, then those below the root.
 * @param near path without `/` at its end; "" for the root
 * @param depths numbers of folders below the root, in turn
 */
function* sitesIn(root: Folder, near: string, depths = [0, 1, 2]): Generator<Site & { tools: Tool[] }> {
  const above = near === "" ? [] : near.split("/").map((_, i, parts) => folderOf(near, parts.length - i))
  for (const one of [...above, ...depths])
    for (const [name, tools] of CONFIGS)
      for (const file of root.files) {
        const base = typeof one === "number" ? folderOf(file, one) : one
        const isBelow = file.startsWith(base) && name.test(file.slice(base.length))
        if (isBelow && !OF_THEMES.test(base)) yield { folder: root, file, base, tools }
      }
}

/** Numbers of folders above a configuration by which nothing is read: it may be one of an example or a test. */
const DEEP = [3, 4, 5, 6]

/** Returns the question about a blog that lies deep in a folder; null if there is none with posts. */
const askAboutDeep = async (root: Folder, near: string): Promise<string | null> => {
  for (const { tools, ...site } of sitesIn(root, "", DEEP)) {
    const isMeant = site.base.startsWith(near === "" ? "" : `${near}/`)
    if (!isMeant || !root.files.some((file) => file.startsWith(site.base) && MARKDOWN.test(file))) continue
    for (const tool of tools)
      if (await tool.read?.(site).catch(() => null))
        return `The folder has a blog of ${tool.name}, by ${site.file}, which may hide posts. Give its folder, ${site.base}, or --as folder (\`as: folder\` in edgepost.config.yaml) to publish each post without \`draft: true\` and its like.`
  }
  return null
}

/** Names for `as`: those of all tools with rules. */
export const TOOL_NAMES = Object.keys(ROOMS)

/**
 * Finds the tool that makes a blog, by the configuration nearest to the posts.
 * @param as the name of the tool by whose rules the author wants the folder to be read; null without one
 * @param publishBy what the author says about which notes are public; null without it
 * @param near path of the posts asked for; "" for all
 */
export const readTool = async (
  root: Folder,
  as: string | null = null,
  publishBy: string | null = null,
  near = root.blog.slice(0, -1),
): Promise<ToolSettings> => {
  const given = as === null ? undefined : TOOLS[as as keyof typeof TOOLS]
  for (const { tools, ...site } of sitesIn(root, near))
    for (const tool of tools) {
      const found = !given || given === tool ? await tool.read?.(site) : null
      if (!found) continue
      // The author knows by the name of the tool what is read.
      const settings = toSettings(tool, site, given ? { ...found, unread: [] } : found)
      // A site may lie among notes.
      const beside = root.files.filter((file) => !file.startsWith(site.base))
      if (publishBy !== null || beside.length === 0) return settings
      const notes = await findApp({ ...root, files: beside })
      return { ...settings, question: notes ? askAboutNotes(notes.name) : settings.question }
    }
  const room = ROOMS[as as keyof typeof ROOMS] as Tool | undefined
  const app = room && isApp(room) ? room : room && room !== folder ? null : await findApp(root)
  // Without the configuration that asks for them, rules of an app change no post that the service has.
  const own = publishBy === null ? undefined : Object.entries<unknown>(ROOMS).find(([, one]) => one === app)?.[0]
  const tool = given ?? TOOLS[(own ?? "folder") as keyof typeof TOOLS]
  const unknown = given ? null : await nameUnknown(root)
  const unseen =
    !given && root.unseen
      ? `The folder is a part of a blog, and ${root.unseen} is not here, which may hide posts. Give the folder of the whole blog, or --as folder (\`as: folder\` in edgepost.config.yaml) to publish each post without \`draft: true\` and its like.`
      : null
  const question =
    unseen ??
    (given ? null : await askAboutDeep(root, near)) ??
    (unknown &&
      `The folder is one of ${unknown}, whose rules for drafts and hidden pages are not known here. Give --as folder to publish each post without \`draft: true\` and its like, or --as and the name of a tool with the same rules.`)
  const ofNotes = publishBy === null && app !== null ? askAboutNotes(app.name) : null
  return {
    ...NO_TOOL,
    base: root.blog,
    tool,
    question: question ?? ofNotes ?? (given ? null : askAboutBundles(root)),
    asksAgain: question === null && ofNotes !== null,
    lineBreaks: tool.breaksLines ? "shown" : tool === NO_TOOL.tool && (await breaksInApp(root)) ? "in the app" : null,
    app,
  }
}
