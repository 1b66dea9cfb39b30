import { posix } from "node:path"

import { matchesPattern } from "../folder/paths.ts"
import { asList } from "../folder/values.ts"
import { anyRule, codesIn, filesIn, outsideRule, readData, underscoreRule } from "./configuration.ts"
import type { FileRule, Tool, ToolSettings } from "./tool.ts"
import { textAt } from "./values.ts"

const skipRenderRule = ({ contentFolder, data }: ToolSettings): FileRule => {
  const patterns = asList(data["skip_render"] ?? []).map((one) => posix.join(contentFolder ?? "", String(one)))
  return (file) => (patterns.some((one) => matchesPattern(file, one)) ? "`skip_render` of the configuration" : null)
}

/** Matches the folders of posts. Does not match `source/about/index.md`. */
const POST = /(?:^|\/)_(?:posts|drafts)\//

/** Leaves out posts whose names begin with an underscore. */
export const underscoredPosts = underscoreRule("source/_posts")

export const hexo: Tool = {
  name: "Hexo",
  read: async (site) => {
    const data = await readData(site.folder, site.file)
    if (!("source_dir" in data) && filesIn(site, /^source\/_posts\//).length === 0) return null
    return {
      title: textAt(data, "title"),
      url: textAt(data, "url"),
      // Without one, dates are in the zone of the machine.
      timezone: textAt(data, "timezone"),
      languages: codesIn(data["languages"] ?? data["language"]),
      contentFolder: textAt(data, "source_dir") ?? "source",
      permalink: textAt(data, "permalink"),
      data,
    }
  },
  // A file outside of `source_dir`; a file or a folder of posts whose name begins with an underscore; `skip_render`.
  skipsFile: (_, settings) => anyRule(outsideRule(settings), underscoredPosts, skipRenderRule(settings)),
  // A file outside of `_posts` and `_drafts`.
  isPageFile: (file) => !POST.test(file),
  // A post: the tool takes the time at which its file was made. It also drops the offset of a date, which counts here.
  isDatedByCommit: (file) => POST.test(file),
  // `{#`.
  comments: ["{#"],
}
