// Names that begin with a dot and that are read all the same, since they are settings of tools and no secrets.

/** Matches files of settings: `.eleventy.js`, `.gitignore`. Does not match `.env` and `.npmrc`. */
export const DOT_FILES = /^\.(?:eleventy\.[cm]?js|eleventyignore|gitignore|gitmodules)$/

/** Matches folders of settings, of which the files are listed, and those in `config` and `public`, but no Markdown: `.obsidian`. Does not match `.git`. */
export const DOT_FOLDERS = /^\.(?:obsidian|foam|vitepress|vuepress)$/
