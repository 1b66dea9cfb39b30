import { codesIn, outsideRule, readData } from "./configuration.ts"
import type { Tool } from "./tool.ts"
import { textAt } from "./values.ts"

export const zola: Tool = {
  name: "Zola",
  // Matches `config.toml`. Does not match `config/a.toml`.
  configs: [/^config\.toml$/],
  read: async ({ folder, file }) => {
    const data = await readData(folder, file)
    if (!("base_url" in data)) return null
    return {
      title: textAt(data, "title"),
      url: textAt(data, "base_url"),
      timezone: "UTC",
      languages: [textAt(data, "default_language") ?? "", ...codesIn(data["languages"])],
      contentFolder: "content",
      data,
    }
  },
  skipsFile: (_, settings) => outsideRule(settings),
  comments: [],
}
