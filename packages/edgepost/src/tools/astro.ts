import { filesIn, readCode, readFacts, underscoreRule } from "./configuration.ts"
import type { Tool } from "./tool.ts"

/** Leaves out texts whose names begin with an underscore. */
export const underscoredContent = underscoreRule("src/content")

export const astro: Tool = {
  name: "Astro",
  read: async (site) => {
    // Matches the files where themes keep title and language: `src/consts.ts`. Does not match `src/pages/config.ts`.
    const constants = filesIn(site, /^src\/(?:consts?|config|site|site\.config)\.\w+$/)
    const code = await readCode(site.folder, [site.file, ...constants])
    const inCode = readFacts(code)
    return { ...inCode, contentFolder: inCode.contentFolder ?? "src/content", data: {} }
  },
  // A file or a folder whose name begins with an underscore, below `src/content`.
  skipsFile: () => underscoredContent,
  // A file below `src/pages`.
  isPageFile: (file) => /(?:^|\/)src\/pages\//.test(file),
  // `{/*`.
  comments: ["{/*"],
}
