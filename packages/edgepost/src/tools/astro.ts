import { posix } from "node:path"

import { slug as githubSlug } from "github-slugger"

import type { Folder } from "../folder/files.ts"
import { matcherOf } from "../folder/paths.ts"
import { asText } from "../folder/values.ts"
import { below, withoutExtension } from "./addresses.ts"
import { filesIn, readCode, readTextFile, underscoreRule } from "./configuration.ts"
import type { Addressed, FileRule, Site, Tool, ToolSettings } from "./tool.ts"
import { literal, literals, readFacts, unreadNames } from "./values.ts"

/** Leaves out texts whose names begin with an underscore. */
export const underscoredContent = underscoreRule("src/(?:content|pages)")

/** A collection of posts. */
interface Collection {
  /** Its folder from that of the configuration. */
  folder: string
  /** The routes that show its posts, such as `blog/[...slug]`. */
  routes: string[]
}

/** Matches where a collection is defined, with its name. Does not match `defineCollection` where it is imported. */
const DEFINED = /(\w+)\s*[:=]\s*defineCollection\s*\(/g
/** Matches routes of pages, with a part that stands for many: `blog/[...slug].astro`. Does not match `index.astro`, and `tags/[tag].astro` that lists posts. */
const ROUTE = /^src\/pages\/.*\[(?!(?:tag|category|author|page|year)s?\])[\w.]+\]\.(?:astro|[jt]sx?)$/
/** Matches a part of a route that stands for many: `[slug]`, `[...slug]`. Does not match `blog`. */
const VARIABLE = /\[(?:\.\.\.)?(\w+)\]/g
const MAX_ROUTES = 100

/** Reads the collections of a site, and the routes that show their posts. */
const readCollections = async (site: Site): Promise<Collection[]> => {
  // The texts of globs look like comments.
  const [config = ""] = filesIn(site, /^src\/(?:content\.config|content\/config)\.\w+$/)
  const code = await readTextFile(site.folder, config)
  const [, exported = ""] = /collections\s*=\s*\{([^}]*)\}/.exec(code) ?? []
  const names = exported.matchAll(/["']?([\w-]+)["']?\s*:\s*(\w+)/g)
  const exportedAs = new Map(Array.from(names, ([, name = "", variable = ""]) => [variable, name] as const))
  const defined = [...code.matchAll(DEFINED)].map(({ 1: variable = "", index }, i, all) => {
    const base = literal(code.slice(index, all[i + 1]?.index), "base")
    const name = exportedAs.get(variable) ?? variable
    return [name, posix.join(base ?? `src/content/${name}`)] as const
  })
  const folders = new Map(defined)
  const routes = new Map<string, string[]>()
  // One after another: systems limit the files that are open.
  for (const file of filesIn(site, ROUTE).slice(0, MAX_ROUTES)) {
    const text = await readTextFile(site.folder, file)
    // A list in several pages shows no post.
    if (/\bpaginate\s*\(/.test(text)) continue
    const route = withoutExtension(file.slice(`${site.base}src/pages/`.length))
    for (const [, name = ""] of text.matchAll(/\bgetCollection\s*(?:<[^>]*>)?\(\s*["'`]([\w-]+)["'`]/g)) {
      routes.set(name, [...(routes.get(name) ?? []), route])
      if (!folders.has(name)) folders.set(name, `src/content/${name}`)
    }
  }
  return [...folders].map(([name, folder]) => ({
    folder: posix.join(site.base, folder),
    routes: routes.get(name) ?? [],
  }))
}

/** Returns the addresses of a post by the routes that show its collection, and of a page by its path. */
const addressesOf = ({ file, data }: Addressed, settings: ToolSettings): string[] => {
  const page = below("src/pages", posix.relative(settings.base, file))
  if (page !== null) return [`/${withoutExtension(page).replace(/(?:^|\/)index$/, "")}`]
  const collections = (settings.data["collections"] as Collection[] | undefined) ?? []
  const own = collections.filter(({ folder }) => below(folder, file) !== null)
  const root = settings.contentFolder ?? "src/content"
  const [name = "", ...inside] = below(root, file)?.split("/") ?? []
  // A collection that no code names is a folder of the content.
  const usual = inside.length > 0 ? { folder: posix.join(root, name), routes: [] } : null
  const found = own.toSorted((one, other) => other.folder.length - one.folder.length)[0] ?? usual
  if (!found) return []
  const path = withoutExtension(below(found.folder, file) ?? file)
  const id =
    asText(data["slug"]) ??
    path
      .split("/")
      .map((part) => githubSlug(part))
      .join("/")
      .replace(/(?:^|\/)index$/, "")
  const routes = found.routes.length > 0 ? found.routes : [`${posix.basename(found.folder)}/[id]`]
  return routes.flatMap((route) => {
    const variables = [...route.matchAll(VARIABLE)].map(([whole]) => whole)
    const [first = "", ...others] = id.split("/")
    // A route of two parts has the language first.
    if (variables.length === 2 && /lang|locale/.test(variables[0] ?? ""))
      return [`/${route.replace(variables[0] ?? "", first).replace(variables[1] ?? "", others.join("/"))}`]
    return variables.length === 1 ? [`/${route.replace(variables[0] ?? "", id)}`] : []
  })
}

/** Matches what a loader of content is given: `glob({ pattern: "**\/*.md", base: "./a" })`. Does not match `glob("a")`. */
const GLOB = /\bglob\(\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g

/** Reads the code of the content, and what its loaders are given. */
const readLoaders = async (site: Pick<Site, "folder" | "base">): Promise<{ code: string; given: string[] }> => {
  // Matches the file that names the collections, and those of constants. Does not match `src/content/blog/config.ts`.
  const code = await readCode(site.folder, filesIn(site, /^src\/(?:content[./])?(?:config|consts?)\.\w+$/))
  // Matches a name in a text: `./${PATH}`. Does not match `${a.b}`.
  const fill = (text: string) => text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => literal(code, name) ?? whole)
  return { code, given: Array.from(code.matchAll(GLOB), ([, text = ""]) => fill(text)) }
}

/** Makes a rule of loaders: below the folder of one, a file that is of no pattern is left out. */
const loaderRule = async (folder: Folder, { base }: ToolSettings): Promise<FileRule> => {
  const { code, given } = await readLoaders({ folder, base })
  const loaders = given.flatMap((text) => {
    const patterns = [literal(text, "pattern") ?? [], literals(text, "pattern")].flat()
    const place = literal(text, "base") ?? (/\bbase\b/.test(text) ? null : ".")
    if (place === null || patterns.length === 0) return []
    return [
      {
        place: posix.join(base, place, "/").replace(/^\.\//, ""),
        isMeant: matcherOf(patterns, { isWhole: true, isShown: true }),
      },
    ]
  })
  const isWhole = loaders.length > 0 && loaders.length === code.split(/\bdefineCollection\(/).length - 1
  return (file) => {
    const near = loaders.filter(({ place }) => file.startsWith(place))
    const isShown = near.some(({ place, isMeant }) => isMeant(file.slice(place.length)))
    if (near.length === 0) return isWhole && file.startsWith(`${base}src/content/`) ? "in no collection" : null
    return isShown ? null : "no `pattern` of the content"
  }
}

export const astro: Tool = {
  name: "Astro",
  // No: in themes it only hides buttons.
  hidesByShare: false,
  read: async (site) => {
    // Matches the files where themes keep title and language: `src/consts.ts`. Does not match `src/pages/config.ts`.
    const constants = filesIn(site, /^src\/(?:consts?|config|site|site\.config)\.\w+$/)
    const code = await readCode(site.folder, [site.file, ...constants])
    const inCode = readFacts(code)
    const data = { collections: await readCollections(site) }
    const { given } = await readLoaders(site)
    const unread = given.flatMap((text) => unreadNames(text, "pattern", "base"))
    return { ...inCode, contentFolder: inCode.contentFolder ?? "src/content", data, unread }
  },
  // Below the folder of a `glob` of the content, a file that is of no pattern, as far as these are texts; below `src/content`, a file of no collection.
  skipsFile: loaderRule,
  // A file below `src/pages`.
  isPageFile: (file) => /(?:^|\/)src\/pages\//.test(file),
  // The id of the post, by `slug` or its path, in the routes of `src/pages` that read its collection; the path of a page.
  addressesOf,
  // `{/*`.
  comments: ["{/*"],
  // Of braces those of values stay: it evaluates none.
  markup: () => ({ literalBraces: "values" }),
}
