import { PATH_DATE } from "../folder/field-names.ts"
import { codesIn, mainFirst, outsideRule, readData } from "./configuration.ts"
import type { Tool } from "./tool.ts"
import { textAt } from "./values.ts"

export const zola: Tool = {
  name: "Zola",
  read: async ({ folder, file }) => {
    const data = await readData(folder, file)
    if (!("base_url" in data)) return null
    return {
      title: textAt(data, "title"),
      url: textAt(data, "base_url"),
      timezone: "UTC",
      languages: mainFirst(data, data["languages"], codesIn(data["languages"])),
      contentFolder: "content",
      data,
    }
  },
  // A file outside of the content.
  skipsFile: (_, settings) => outsideRule(settings),
  // `date`, else the date of the name.
  dateFields: () => ["date", PATH_DATE],
  // None of them.
  comments: [],
}
