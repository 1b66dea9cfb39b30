import { underscoredContent } from "./astro.ts"
import { anyRule } from "./configuration.ts"
import { AUTHORS, TRANSLATED, translationOf } from "./docusaurus.ts"
import { codeRule, isCollectionTag, isDataOfFolder, isDateWord, readDataOfFolders } from "./eleventy.ts"
import { underscoredPosts } from "./hexo.ts"
import { readCascades } from "./hugo.ts"
import { categoryBeforePosts, isBelowPosts } from "./jekyll.ts"
import type { Tool } from "./tool.ts"

/** Stands for the tool of a folder without a configuration: notes, or a part of a blog. So the rules of all tools count that leave other folders alone. */
export const folder: Tool = {
  name: "folder",
  configs: [],
  read: () => Promise.resolve(null),
  unread: () => codeRule,
  skipsFile: () => anyRule(underscoredPosts, underscoredContent),
  givenFields: async (files, settings) => {
    const given = await readDataOfFolders(files, files.files.filter(isDataOfFolder))
    // `a/a.json` may be anything here.
    return [...(await readCascades(files, settings)), ...given.filter(({ fields }) => !(fields instanceof Error))]
  },
  authors: AUTHORS,
  // One of the tools has the same folders below `source`, and separates nothing by blanks.
  splitsAtBlanks: (file) => isBelowPosts(file) && !/(?:^|\/)source\//.test(file),
  isCollection: isCollectionTag,
  categoryOf: categoryBeforePosts,
  isFileDate: isDateWord,
  hidesByShare: true,
  translationOf,
  roots: [TRANSLATED],
  comments: ["%%", "^", "{#", "{/*"],
}
