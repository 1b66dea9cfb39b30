import { underscoredContent } from "./astro.ts"
import { anyRule, belowBaseRule } from "./configuration.ts"
import { AUTHORS, TRANSLATED, translationOf } from "./docusaurus.ts"
import { codeRule, isCollectionTag, isDateWord } from "./eleventy.ts"
import { underscoredPosts } from "./hexo.ts"
import { readCascades } from "./hugo.ts"
import { labelsOfPosts } from "./jekyll.ts"
import { mdxBlocks } from "./lines.ts"
import type { Tool } from "./tool.ts"

/** The rules that count where a tool has none of its own: a folder may hold what another tool has left there. */
export const usual = {
  // Data of Eleventy in code, `a.11tydata.js`.
  unread: () => codeRule,
  // A file or a folder whose name begins with an underscore, in `source/_posts` as of Hexo and in `src/content` and `src/pages` as of Astro.
  skipsFile: () => anyRule(underscoredPosts, underscoredContent),
  // A file beside the folder of the configuration, where that is not the root, and not in the folder of posts.
  skipsUnasked: belowBaseRule,
  // `cascade` of the configuration and of `_index` files, for `_target` and for a language, as Hugo.
  givenFields: readCascades,
  // `authors.yml`, as Docusaurus.
  authors: AUTHORS,
  // Below `_posts` and `_drafts`, but not in `source/`, as Jekyll.
  labelsOf: labelsOfPosts,
  // `posts` and `all`, as Eleventy.
  isCollection: isCollectionTag,
  // `Last Modified`, `Created`, `git Last Modified` and `git Created`, as Eleventy.
  isFileDate: isDateWord,
  // `i18n/<lang>/docusaurus-plugin-content-blog/`, as Docusaurus.
  translationOf,
  // `docusaurus-plugin-content-blog`.
  roots: [TRANSLATED],
  // Blanks before what stands between tags, in `.mdx`.
  blocks: mdxBlocks,
} satisfies Partial<Tool>
