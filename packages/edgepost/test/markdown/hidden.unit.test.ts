import { readdir } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { openFolder } from "../../src/folder/files.ts"
import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { desiredOf, planOf, planOne } from "./plan.ts"
import { converted } from "./texts.ts"

const SAMPLES = join(import.meta.dirname, "../samples")
const listFiles = async (folder: string): Promise<string[]> =>
  (await readdir(join(SAMPLES, folder))).filter((file) => file.endsWith(".md") || file.endsWith(".mdx"))

describe.each(["comments", "description-leak"])("the folder %s", async (name) => {
  const plan = await planOf(await openFolder(join(SAMPLES, name)))

  /** Text that Hugo itself shows: a shortcode that is escaped. */
  const SHOWN = "{{< x SECRET40 >}}"
  /** Files that are blocked: their tags belong to a theme, or have no beginning. */
  const BLOCKED = new Set(["hexo-hide.md", "toml-cmt.md"])

  test.each(await listFiles(name))("%s shows nothing that its author hid", (file) => {
    const entry = plan.entries.find((one) => one.file === file)
    expect(entry?.action).toBe(BLOCKED.has(file) ? "blocked" : "checked")
    if (BLOCKED.has(file)) return
    const { source } = desiredOf(plan, entry?.slug ?? "")
    expect(Object.values(source).join("\n").replaceAll(SHOWN, "")).not.toMatch(/SECRET|LEAK/)
  })
})

test.each<[what: string, text: string, body: string]>([
  ["HTML without an end", "A.\n\n<!-- SECRET\n\nSECRET", "A.\n\n"],
  ["HTML before text", "<!-- SECRET -->     *A*", "*A*"],
  ["HTML in a code element", "A <code>b<!-- SECRET --></code> c.", "A <code>b</code> c."],
  ["HTML in raw text", "{% raw %}A <!-- SECRET -->{{ b }}{% endraw %}", "A {{ b }}"],
  ["HTML between lists", "- a\n\n<!-- SECRET -->\n\n- b", "- a\n\n<!-- -->\n\n- b"],
  ["HTML over list items", "- a\n  <!--\n- SECRET\n-->\n\nb", "- a\n  \n\nb"],
  ["HTML in alternative text", "![a<!-- SECRET --> b](https://e.x/c.png)", "![a b](https://e.x/c.png)"],
  ["Liquid", "A{%- comment -%}SECRET{% x %}\n\nSECRET{%- endcomment -%}b", "Ab"],
  ["Nunjucks", "A {# SECRET #}b{#- SECRET\n\nSECRET -#}{#SECRET#}c", "A bc"],
  ["Handlebars", "A {{!-- SECRET }} --}}b", "A b"],
  ["Go templates", "A {{/* SECRET {{ x }} */}}b{{- /*\nSECRET\n*/ -}}c", "A bc"],
  ["MDX", "A {/* SECRET */}b{ /* SECRET\n\nSECRET */ }c", "A bc"],
  ["kramdown in one tag", "A {::comment SECRET /}b {::options SECRET=1 /} c", "A b  c"],
  ["Nunjucks before code", "¶ {# ` SECRET #} `¶` {# ` SECRET #} ¶", "¶  `¶`  ¶"],
  ["kramdown before code", "{::comment}`SECRET{:/} `¶` {::comment}`SECRET{:/} ¶", " `¶`  ¶"],
  ["MDX in the title of a container", ":::note ¶ {# SECRET #}{/* SECRET */}\nA\n:::", "> [!NOTE]\n> **¶**\n>\n> A\n"],
  ["HTML after the title of a callout", "> [!tip] A <!-- SECRET\n> SECRET -->\n> b", "> [!tip] A \n> b"],
  ["PHP", "A <?php if (b > c) SECRET ?> d\n\n<?php SECRET > SECRET\n\n?>\ne", "A  d\n\n\ne"],
  ["a declaration", "A <!ENTITY SECRET > b\n\n<!DOCTYPE SECRET>\n\nc", "A  b\n\n\n\nc"],
  ["Obsidian in a line", "A %%SECRET `a %% b` SECRET%% b", "A  b"],
  ["Obsidian beside words", "A%%SECRET%%b and 2024%%SECRET%%c", "Ab and 2024c"],
  ["Obsidian in a list", "- A\n- %% SECRET\n  SECRET %% b", "- A\n-  b"],
  ["Obsidian without an end", "A\n\n> %%\n> SECRET\n\nSECRET", "A\n\n> "],
  ["a definition", '[//]: # (SECRET)\n[SECRET]: <> "SECRET"\n\nA', "\n\n\nA"],
  ["a second definition", "[a]\n\n[a]: https://e.x/b\n[a]: /SECRET", "[a]\n\n[a]: https://e.x/b\n"],
  ["a line like a definition", "> A\n>\n> [//]: # SECRET\n> [comment]: <> (SECRET (a) b)", "> A\n>\n> \n> "],
  ["a footnote without a reference", "A[^a]\n\n[^a]: b\n\n[^c]: SECRET\n\n    SECRET", "A[^a]\n\n[^a]: b\n\n"],
  ["a hidden element", "<div hidden>\n\n<div>\nSECRET\n</div>\n\nSECRET\n</div>\n\nA", "\n\nA"],
  ["an element that is not displayed", "A<p style='display: none'>SECRET</p>", "A"],
  ["a template", "<template>SECRET</template>A <img hidden src=SECRET.png><i class='a hidden'>SECRET</i>b", "A b"],
  ["percentages", "1%% and 2%%.\n\n%%SECRET%%A 5%% or 6%% b %%SECRET%% c", "1%% and 2%%.\n\nA 5%% or 6%% b  c"],
  ["a hidden container", ":::: {.hidden}\n::: note\nSECRET\n:::\n::::\n\nA\n\n:::hidden\n{{< x >}}\n:::", "\n\nA\n\n"],
])("a comment of %s stays in the folder", async (_, text, body) => {
  const { source } = await planOne("a.md", `---\ntitle: T\n# SECRET\n---\n${text}`)
  expect(source.body).toBe(body)
  expect(source.meta_description).not.toContain("SECRET")
})

test.each([
  ['<div className="hidden">SECRET</div>A', "A"],
  ["<b className={'a hidden'}>SECRET</b>A", "A"],
  ["<div style={{ color: 'red', display: 'none' }}>SECRET</div>A", "A"],
  ["Price {/* a */ price} b.\n\nc\n\n{/* SECRET */}\n\nd", "Price {/* a */ price} b.\n\nc\n\n\n\nd\n! 1 {/* a */"],
  ["A {{/* a */ b }} c {{/* SECRET */}}", "A {{/* a */ b }} c \n! 1 {{/* a */"],
])("of %j in MDX comes %j", (text, expected) => expect(converted(text, { file: "a.mdx" })).toBe(expected))

const removed = (line: number, sign: string) =>
  `\n! ${line} Text after ${sign} is left out as a comment, although the blog's tool shows it. Write \\${sign} to keep it.`

test.each([
  ["hugo", "a %%b%% c\n%%d%%", `a  c\n${removed(1, "%%")}`],
  ["hugo", "\na ^TODO", `\na ${removed(2, "^")}`],
  ["jekyll", "a {# b #} c {/* d */} e", `a  c  e${removed(1, "{#")}${removed(1, "{/*")}`],
  ["hexo", "a {#\n\nb #} c", "a  c"],
  ["eleventy", "a {# b #} c", "a  c"],
  ["astro", "a {/* b */} c", "a  c"],
  ["folder", "a https://e.x/b%%SECRET c%% d", "a https://e.x/b d"],
  ["folder", "a %%b%% {# c #} {/* d */} ^e1\n", "a    \n"],
  ["hugo", "In {# a.\n\nb.\n\n```jinja\n{# c #}\n```\n\nd.", null],
  ["hugo", "a %%b and\n\n```\n%%c\n```\n\nd %%e", null],
  ["hugo", "See https://e.x/a%%b and [q](https://e.x/c%%d).", null],
  ["hugo", "a \\%%b\\%% \\{# c #} \\{/* d */}", null],
] as const)("in a blog of %s, %j loses no text without a warning", (tool, text, expected) =>
  expect(converted(text, { theme: { settings: { ...NO_TOOL, tool: TOOLS[tool] } } })).toBe(expected ?? text),
)

test.each([
  [
    "obsidian/wiki.md",
    "wiki",
    "item one \n|footnote[^note-1] here|w](/media/|y](/media/|> [!NOTE]\n> **Own type**|[^note-1]: an inline note with *marks*",
    "^abc123|^item-1|^[|comment|my photo.png|[!custom]|[[",
  ],
  [
    "hexo-link/source/_posts/hl-link.md",
    "hl-link",
    "[Docs](https://x.example/docs)|[My docs](https://x.example/docs)|C text D|<https://dev.to/user/article>",
    "dev.to/Docs|dev.to/My",
  ],
])("the sample %s is written as its tool shows it", async (file, slug, shown, hidden) => {
  const [name = ""] = file.split("/")
  const { source } = desiredOf(await planOf(await openFolder(join(SAMPLES, name))), slug)
  expect(shown.split("|").filter((text) => !source.body.includes(text))).toEqual([])
  expect(hidden.split("|").filter((text) => source.body.includes(text))).toEqual([])
})

test.each([
  ["code", "```html\n<!-- a --> {# b #} {::comment}c{:/} %%d%%\n```\n\n`<!-- a -->` and `%%b%%`"],
  ["an empty or an open comment", "A<!-- -->b\n\nA <!-- b\n\nc --> d"],
  ["percentages", "50%% and 60%%\n\nA %%b"],
  ["definitions that links use", "A [b] and [c][d]\n\n[b]: https://e.x/e\n[d]: https://e.x/f"],
  ["shown elements", "<div data-hidden>\n\nA\n\n</div>\n\n<div class='hidden md:block'>A</div>"],
  ["titles", "<a href='https://e.x' title='a hidden place'>A</a>"],
  ["ids and formulas", "## A {#b}\n\n$a %% b$ and $c %% d$"],
])("%s: no comment is found, and the text stays", async (_, text) => {
  const { source } = await planOne("a.md", `---\ntitle: T\n---\n${text}`)
  expect(source.body).toBe(text)
})

test.each([
  "A {::comment}SECRET",
  "%% SECRET\n\nA",
  "A %% ` SECRET %% `b` %% ` SECRET %% c",
  "{# ` SECRET #} `A` ".repeat(22),
  "{{/* SECRET",
  "<p hidden>SECRET",
  "{% comment %}SECRET",
])("%j has no end that is sure, and blocks its post", async (text) =>
  expect((await planOne("a.md", `---\ntitle: T\n---\n${text}`)).action).toBe("blocked"),
)

test.each([
  ["the converted text", "{{% note %}}\nNo.\n{{% /note %}}\n\nA [[Note|boat]] &amp; more.", "A boat & more."],
  ["the title if the text has no words", "![](a.png)", "T"],
])("the description comes from %s", async (_, body, description) => {
  const { source } = await planOne("a.md", `---\ntitle: T\n---\n${body}`)
  expect(source.meta_description).toBe(description)
})
