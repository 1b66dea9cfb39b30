// Files in which people write, and that are not read.

const PANDOC = (from: string) => `write it as Markdown: \`pandoc -f ${from} -t gfm\``

/** What to do with files, by their endings. */
const KINDS: [ending: RegExp, advice: string][] = [
  [/\.qmd$/i, "render it: `quarto render --to gfm`"],
  [/\.rmd$/i, "knit it to `github_document`"],
  [/\.ipynb$/i, "write it as Markdown: `jupyter nbconvert --to markdown`"],
  [/\.org$/i, "export it with ox-hugo, or as Markdown with `as: org`"],
  [/\.(?:adoc|asciidoc)$/i, "write it as Markdown: `npx downdoc`"],
  [/\.rst$/i, PANDOC("rst")],
  [/\.textile$/i, PANDOC("textile")],
  [/\.(?:docx|odt|rtf)$/i, "write it as Markdown: `pandoc -t gfm --extract-media=.`"],
  [/\.(?:enex|jex|bear2bk)$/i, "open it in its app, and export Markdown"],
  [/\.textpack$/i, "unpack it: it is a ZIP archive of a TextBundle"],
  [/\.(?:mkdn?|mdown|mdwn)$/i, "name it `.md`"],
]

/** Matches the folders in which tools look for posts. Does not match `docs/a.rst`. */
const OF_POSTS = /(?:^|\/)(?:_posts|_drafts|content|posts|blog)\//i
/** Matches files that are no texts of the author: `README.rst`, `_site/a.org`. */
const NO_TEXT =
  /(?:^|\/)(?:_site|dist|vendor|themes|examples?|tests?)\/|(?:^|\/)(?:readme|changelog|license|contributing)\.\w+$/i

/** Tells why a file in another format than Markdown is not read; null for others. @param isOfTool a tool makes the blog, and the file may be one of code */
export const unreadKind = (file: string, isOfTool: boolean): string | null => {
  const [, advice] = KINDS.find(([ending]) => ending.test(file)) ?? []
  if (advice === undefined || (isOfTool ? !OF_POSTS.test(file) : NO_TEXT.test(file))) return null
  return `${file.slice(file.lastIndexOf(".")).toLowerCase()} is not read: ${advice}`
}
