import { filesIn, readCode, underscoreRule } from "./configuration.ts"
import type { Tool } from "./tool.ts"
import { literal, literals } from "./values.ts"

/** Leaves out texts whose names begin with a low line. */
export const underscoredContent = underscoreRule("src/content")

export const astro: Tool = {
  name: "Astro",
  // Matches `astro.config.mjs`. Does not match `astro.mjs`.
  configs: [/^astro\.config\.[cm]?[jt]s$/],
  read: async (site) => {
    // Matches the files where themes keep title and language: `src/consts.ts`. Does not match `src/pages/config.ts`.
    const constants = filesIn(site, /^src\/(?:consts?|config|site|site\.config)\.\w+$/)
    const code = await readCode(site.folder, [site.file, ...constants])
    return {
      title: literal(code, "title", "SITE_TITLE"),
      url: literal(code, "site", "url", "website", "SITE_URL"),
      path: literal(code, "base"),
      timezone: literal(code, "timezone", "timeZone") ?? "UTC",
      languages: [literal(code, "defaultLocale", "language", "lang", "locale") ?? "", ...literals(code, "locales")],
      contentFolder: "src/content",
      data: {},
    }
  },
  skipsFile: () => underscoredContent,
  comments: ["{/*"],
}
