import { existsSync } from "node:fs"

/** Returns the blog's own configuration, extended by a filter that puts each page's data before its text. */
export default async (eleventy) => {
  const own = existsSync("eleventy.config.js") ? await import("./eleventy.config.js") : { default: () => ({}) }
  const config = await own.default(eleventy)
  const data = new Map()
  eleventy.addGlobalData("eleventyComputed", {
    oracle: ({ page, title, lang, categories, tags, collections }) => {
      // Reading the list is what tells Eleventy to make it first.
      const all = collections.all ?? []
      const at = all.findIndex(({ inputPath }) => inputPath === page.inputPath)
      data.set(page.inputPath, {
        file: page.inputPath.slice(2),
        address: `https://blog.example${page.url}`,
        title,
        date: page.date,
        language: lang,
        categories,
        tags,
        newer: at >= 0 && all[at + 1] ? `https://blog.example${all[at + 1].url}` : null,
      })
    },
  })
  eleventy.addTransform("data", function (content) {
    const json = JSON.stringify(data.get(this.page.inputPath)).replaceAll("<", "\\u003c")
    return `<script type="application/json">${json}</script>\n${content}`
  })
  eleventy.addShortcode("gallery", () => "")
  return config
}
