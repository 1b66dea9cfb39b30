import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

import { installPackages } from "../install.ts"
import { seenOf, type WriterAnswer, WRITERS } from "./writers.ts"

// Lets the tools in which people write show or convert one rich document, and writes what readers see to `answers.json`.

const FOLDER = import.meta.dirname

const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(createRequire(join(FOLDER, "package.json")).resolve(name)).href)) as T

interface Joplin {
  default: {
    MarkupToHtml: new (options: object) => {
      render: (language: number, text: string, theme: object, options: object) => Promise<{ html: string }>
    }
    MarkupLanguage: { Markdown: number }
  }
}

/** The settings that a new Joplin has. */
const PLUGINS = Object.fromEntries(
  ["softbreaks", "typographer", "sub", "sup", "emoji", "insert", "multitable", "deflist", "abbr"].map((name) => [
    name,
    { enabled: false },
  ]),
)

const showInJoplin = async (text: string): Promise<string> => {
  const { MarkupToHtml, MarkupLanguage } = (await load<Joplin>("@joplin/renderer")).default
  const renderer = new MarkupToHtml({ pluginOptions: PLUGINS, ResourceModel: { isResourceUrl: () => false } })
  return (await renderer.render(MarkupLanguage.Markdown, text, {}, { bodyOnly: true })).html
}

interface Hexo {
  default: new (
    folder: string,
    options: object,
  ) => {
    init: () => Promise<void>
    post: { render: (file: null, post: object) => Promise<{ content: string }> }
  }
}

const showInHexo = async (text: string, frame: Record<string, string>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "writers-"))
  try {
    for (const [file, content] of Object.entries(frame)) await writeFile(join(folder, file), content)
    await mkdir(join(folder, "source/_posts"), { recursive: true })
    await symlink(join(FOLDER, "node_modules"), join(folder, "node_modules"))
    const { default: Hexo } = await load<Hexo>("hexo")
    const hexo = new Hexo(folder, { silent: true })
    await hexo.init()
    return (await hexo.post.render(null, { content: text, engine: "md" })).content
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Pandoc {
  convert: (options: object, text: string, files: object) => Promise<{ stdout: string }>
}

interface Turndown {
  default: new (options: object) => { use: (plugin: unknown) => void; turndown: (html: string) => string }
}

/** Returns the document as edgepost gets it, and as the tool shows it in HTML. */
const answer = async (name: string, source: string, frame: Record<string, string>): Promise<[string, string]> => {
  if (name === "joplin") return [source, await showInJoplin(source)]
  if (name === "pandoc") {
    const { convert } = await load<Pandoc>("pandoc-wasm")
    const to = async (format: object) => (await convert({ from: "org", ...format }, source, {})).stdout
    return [await to({ to: "gfm" }), await to({ to: "html5", "html-math-method": { method: "mathml" } })]
  }
  if (name === "turndown") {
    const { default: Turndown } = await load<Turndown>("turndown")
    const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" })
    turndown.use((await load<{ default: { gfm: unknown } }>("turndown-plugin-gfm")).default.gfm)
    return [turndown.turndown(source), source]
  }
  return [source, await showInHexo(source, frame)]
}

/** Lets all tools answer. */
export const answerWriters = async (): Promise<void> => {
  const versions = installPackages(FOLDER)
  const answers: Record<string, WriterAnswer> = {}
  for (const [name, { source, package: of, frame }] of Object.entries(WRITERS)) {
    const [text, html] = await answer(name, await readFile(join(FOLDER, source), "utf8"), frame)
    answers[name] = { version: `${of} ${versions[of]}`, text, seen: seenOf(html) }
    console.log(`${name}: ${answers[name].version}`)
  }
  await writeFile(join(FOLDER, "answers.json"), `${JSON.stringify(answers, null, 2)}\n`)
}
