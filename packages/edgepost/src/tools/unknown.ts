import type { Folder } from "../folder/files.ts"
import { readData } from "./configuration.ts"

// Tools that make blogs and have no rules here, by the files of their configuration, or by their packages of npm.

/** Names of tools, with their files from the folder's root and their packages. */
const UNKNOWN: [name: string, file: RegExp | null, ...packages: string[]][] = [
  ["Antora", /^antora(?:-playbook)?\.ya?ml$/],
  ["Bridgetown", /^bridgetown\.config\.ya?ml$/],
  ["Cobalt", /^_cobalt\.ya?ml$/],
  ["Cryogen", /^content\/config\.edn$/],
  ["DocFX", /^docfx\.json$/],
  ["DocPad", /^docpad\.(?:coffee|js|json)$/, "docpad"],
  ["Fumadocs", /^source\.config\.[jt]s$/, "fumadocs-mdx"],
  ["Gridsome", /^gridsome\.config\.js$/, "gridsome"],
  ["Hakyll", /^site\.hs$/],
  ["Harp", /^harp\.json$/, "harp"],
  ["HonKit", /^book\.json$/, "honkit", "gitbook-cli"],
  ["ikiwiki", /^ikiwiki\.setup$/],
  ["Jigsaw", /^config\.php$/],
  ["Lektor", /^[^/]+\.lektorproject$/],
  ["Lume", /^_config\.[jt]s$/],
  ["mdBook", /^book\.toml$/],
  ["Metalsmith", /^metalsmith\.\w+$/, "metalsmith"],
  ["MyST", /^myst\.ya?ml$/],
  ["Next.js", /^next\.config\.\w+$/, "next"],
  ["Publii", /^input\/config\/site\.config\.json$/],
  ["Quarto", /^_quarto\.ya?ml$/],
  ["R Markdown", /^_site\.ya?ml$/],
  ["Remix", /^remix\.config\.\w+$/, "@remix-run/dev", "@react-router/dev"],
  ["Retype", /^retype\.ya?ml$/],
  ["Rspress", /^rspress\.config\.\w+$/, "@rspress/core", "rspress"],
  ["Sculpin", /^app\/config\/sculpin_(?:site|kernel)\.ya?ml$/],
  ["Soupault", /^soupault\.(?:toml|conf)$/],
  ["Sphinx", /^(?:docs?\/)?(?:source\/)?conf\.py$/],
  ["SvelteKit", /^svelte\.config\.\w+$/, "@sveltejs/kit"],
  ["Vocs", /^vocs\.config\.\w+$/, "vocs"],
  ["Wintersmith", null, "wintersmith"],
  ["Zensical", /^zensical\.toml$/],
  ["Zine", /^zine\.ziggy$/],
]

/** Names the tool whose configuration a folder has, if its rules are not known here; null if there is none. */
export const nameUnknown = async (root: Folder): Promise<string | null> => {
  const { dependencies, devDependencies } = await readData(root, "package.json")
  const packages = new Set(Object.keys({ ...(dependencies as object), ...(devDependencies as object) }))
  const isOf = ([, file, ...names]: (typeof UNKNOWN)[number]) =>
    root.files.some((path) => file?.test(path)) || names.some((name) => packages.has(name))
  return UNKNOWN.find(isOf)?.[0] ?? null
}
