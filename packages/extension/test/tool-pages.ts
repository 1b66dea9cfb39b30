// Makes pages with the real tools that are installed, in a folder for tools.full.test.ts:
//
//   npm run tool-pages -w packages/extension -- /tmp/pages
//   TOOL_PAGES=/tmp/pages npm run test:extension -- packages/extension/test/tools.full.test.ts
//
// Debian has the tools (pandoc, asciidoctor, python3-docutils, python3-sphinx, furo, mkdocs, mkdocs-material, hugo, jekyll), and the
// documents of others (debian-policy, python3-doc, sqlite3-doc, git-doc, python-django-doc, postgresql-doc-15, rust-doc).
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const SENTENCES = [
  "The ferry to the outer islands leaves at six in the morning, and nobody on the quay seems to mind the rain.",
  "Its captain has crossed the strait for thirty years; she says that the tide tells more than the radio does.",
  "Two of the passengers carry cellos, one carries a dog, and the rest carry newspapers that are wet by now.",
]
/** Headings of whose words extractors take sections for what stands beside a text. */
const HEADINGS =
  "Tags|Metadata|Social media cards|Related work|Header files|Comments|Menus|Remarks|Share your data|Contact|The RSS feed|Promotion|Footer|Sidebar|Sponsors|Widgets|Archive|Pagination|Popup windows|Banner|Replies|Extra|Breadcrumbs|Hidden rocks".split(
    "|",
  )

const WORDS = HEADINGS.map(
  (heading, i) => `## ${heading}

${heading}: words of part ${i}. ${SENTENCES[i % 3]}
${i % 4 === 1 ? `\n- first of ${heading}\n- second of ${heading}\n` : ""}${i % 6 === 2 ? `\n### ${heading} in short\n\nA short one.\n` : ""}${i % 5 === 3 ? `\n\`\`\`c\n#include <part${i}.h>\n\`\`\`\n` : ""}`,
).join("\n")

const KINDS = `${SENTENCES[0]}

## Steps

1. Cut the rope to a length of 3 m
2. Wait for low water

- Boats
    - Cutter
    - Ketch

\`\`\`go
package main

func main() {}
\`\`\`

The claim stands here[^1] and another[^2] in one line.

Ebb
:   The water that falls

Flood
:   The water that rises

> We wait for nobody, said the captain.

| Day    | Height |
| ------ | ------ |
| Monday | 4.1    |

${SENTENCES[1]} ${SENTENCES[2]}

[^1]: The first note is short.

[^2]: The second note names a book.
`

const linksTo = (...names: string[]): string =>
  names.map((name) => `- [${name}](https://tide.example/${encodeURIComponent(name)})`).join("\n")

const LINKS = `${SENTENCES[1]}

## See also

${linksTo("The tide table", "Harbour rules", "Rope and knots")}

## Related documents

${linksTo("Pilot book, part one", "Pilot book, part two")}

## Share

${linksTo("Send it to a friend", "Print it")}

## Media

A film is made each year.

${SENTENCES[0]} ${SENTENCES[2]}
`

const ARTICLES = [
  { name: "words", title: "Harbour words", text: WORDS },
  { name: "kinds", title: "Kinds of water", text: KINDS },
  { name: "links", title: "Where to read on", text: LINKS },
]

const folder = resolve(process.argv[2] ?? "tool-pages")
const pages: { path: string; root: string }[] = []

const write = (path: string, text: string): string => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** Runs the steps of a tool, and lists its pages. A tool that is not installed is named. */
const use = (tool: string, root: string, make: () => void): void => {
  try {
    make()
    pages.push(...ARTICLES.map(({ name }) => ({ path: `${tool}/${name}.html`, root })))
  } catch (error) {
    console.error(`${tool} is left out: ${String(error).split("\n")[0]}`)
  }
}
const run = (command: string, ...args: string[]): string => execFileSync(command, args, { encoding: "utf8" })
/** Returns an article in another markup, which pandoc writes. */
const inMarkup = (format: string, { title, text }: (typeof ARTICLES)[number]): string =>
  run("pandoc", "-s", "-t", format, "-M", `title=${title}`, write("article.md", text))

for (const [tool, ...options] of [["pandoc"], ["pandoc-sections", "--section-divs", "--toc"]] as const)
  use(tool, "body", () => {
    for (const { name, title, text } of ARTICLES) {
      const page = write(`${tool}/${name}.html`, "")
      run("pandoc", "-s", ...options, "-M", `title=${title}`, "-o", page, write("article.md", text))
    }
  })
use("asciidoctor", "#content, #footnotes", () => {
  for (const article of ARTICLES)
    run("asciidoctor", "-a", "toc", write(`asciidoctor/${article.name}.adoc`, inMarkup("asciidoctor", article)))
})
use("docutils", "main", () => {
  for (const article of ARTICLES) {
    const source = write(`docutils/${article.name}.rst`, inMarkup("rst", article))
    run("rst2html5", source, source.replace(".rst", ".html"))
  }
})
for (const theme of ["alabaster", "classic", "sphinx_rtd_theme", "furo"])
  use(`sphinx-${theme}`, "[itemprop=articleBody], div.body, article[role=main]", () => {
    const extension = theme === "furo" ? 'extensions = ["sphinx_basic_ng"]' : ""
    const source = dirname(write(`source/${theme}/conf.py`, `html_theme = "${theme}"\n${extension}\n`))
    write(`source/${theme}/index.rst`, ".. toctree::\n   :glob:\n\n   *\n")
    for (const article of ARTICLES) write(`source/${theme}/${article.name}.rst`, inMarkup("rst", article))
    run("sphinx-build", "-q", "-b", "html", source, join(folder, `sphinx-${theme}`))
  })
for (const theme of ["mkdocs", "readthedocs", "material"])
  use(`mkdocs-${theme}`, "article, [role=main], .col-md-9", () => {
    const settings = `site_name: Tide\nuse_directory_urls: false\ntheme: { name: ${theme} }\nmarkdown_extensions: [footnotes, def_list, tables, toc, fenced_code]\n`
    const file = write(`source/${theme}/mkdocs.yml`, settings)
    for (const { name, title, text } of ARTICLES) write(`source/${theme}/docs/${name}.md`, `# ${title}\n\n${text}`)
    run("mkdocs", "-q", "build", "-f", file, "-d", join(folder, `mkdocs-${theme}`))
  })
const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><header class="site-header"><nav><a href="/">Tide</a></nav></header><main><article class="post"><header class="post-header"><h1>${title}</h1><p class="post-meta">1 May 2024</p></header><div class="post-content">${content}</div></article></main><footer class="site-footer"><p>All rights are with the tide.</p></footer></body></html>`
use("hugo", ".post-content", () => {
  const source = dirname(write("source/hugo/hugo.toml", 'baseURL = "https://tide.example/"\nuglyURLs = true\n'))
  write("source/hugo/layouts/_default/single.html", page("{{ .Title }}", "{{ .Content }}"))
  for (const { name, title, text } of ARTICLES)
    write(`source/hugo/content/${name}.md`, `---\ntitle: ${title}\n---\n${text}`)
  run("hugo", "--quiet", "-s", source, "-d", join(folder, "hugo"))
})
use("jekyll", ".post-content", () => {
  const source = dirname(write("source/jekyll/_config.yml", "markdown: kramdown\n"))
  write("source/jekyll/_layouts/post.html", page("{{ page.title }}", "{{ content }}"))
  for (const { name, title, text } of ARTICLES)
    write(`source/jekyll/${name}.md`, `---\ntitle: ${title}\nlayout: post\n---\n${text}`)
  run("jekyll", "build", "-q", "-s", source, "-d", join(folder, "jekyll"))
})

/** Pages of Debian's packages, by what holds their article. */
const DOCUMENTS: Record<string, string[]> = {
  "div.body, [itemprop=articleBody]": [
    ...["docs", "opersys", "customized-programs", "relationships", "archive"].map(
      (name) => `debian-policy/policy.html/ch-${name}.html`,
    ),
    ...["tutorial/inputoutput", "library/email.header", "faq/general", "howto/sockets"].map(
      (name) => `python3.11/html/${name}.html`,
    ),
  ],
  body: ["lang_select", "whentouse", "faq", "cli"].map((name) => `sqlite3/${name}.html`),
  "#content": ["SubmittingPatches", "MyFirstContribution"].map((name) => `git-doc/${name}.html`),
  "#yui-main": ["topics/http/shortcuts", "ref/contrib/messages"].map((name) => `python-django-doc/html/${name}.html`),
  "div.sect1, div.refentry": ["tutorial-agg", "app-pgdump"].map((name) => `postgresql-doc-15/html/${name}.html`),
  main: ["ch04-01-what-is-ownership", "appendix-02-operators"].map((name) => `rust-doc/html/book/${name}.html`),
}
const documents = process.argv[3] ?? "/usr/share/doc"
for (const [root, paths] of Object.entries(DOCUMENTS))
  for (const path of paths.filter((each) => existsSync(join(documents, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(documents, path), join(folder, path), { dereference: true })
    pages.push({ path, root })
  }
write("pages.json", JSON.stringify(pages, null, 2))
console.info(`${pages.length} pages`)
