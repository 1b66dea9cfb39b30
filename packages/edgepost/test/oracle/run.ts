// Lets each tool build its blogs, and writes what readers see to `answers/` of its folder. Arguments name tools or blogs; without one all are built.
import { createHash } from "node:crypto"
import { readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

import { Failure, main } from "../../../../scripts/cli.ts"
import { JUDGED, TOOL_NAMES, type ToolName } from "../tools/judged.ts"
import { type Blog, BLOGS, copyOf, listFiles } from "./blogs.ts"
import { build } from "./build.ts"
import { judgeGit } from "./git/run.ts"
import { install, isOfDebian, toolFolder } from "./install.ts"
import { type Answer, readData, readHtml, readRedirect } from "./page.ts"
import { answerWriters } from "./writers/run.ts"

/** Returns a path as a server answers it: `/a/index.html` and `/a` are `/a/`. */
const normalPath = (path: string): string => {
  // Matches `/a/index.html`, not `/a/page.html`.
  const short = decodeURI(path).replace(/\/index\.html$/, "/")
  // Matches `/a/b`, not `/a/b.png` and `/a/b/`.
  return /\/[^/.]+$/.test(short) ? `${short}/` : short
}

/** The data that a theme prints before the text of a page. */
interface Data {
  file: string
  address: string
  /** YAML and Jekyll make a number or a boolean of some texts. */
  title?: string | number | boolean | null
  date: string | null
  language?: string | null
  categories?: unknown
  tags?: unknown
  /** Address of the next newer page. */
  newer?: string | null
}

/** Returns labels as the answers have them; null if there are none. */
const labelsOf = (value: unknown): string[] | null => {
  const labels = [value].flat(3).filter((label) => label !== null && label !== undefined && label !== "")
  return labels.length === 0 ? null : labels.map((label) => String(label).trim().toLowerCase()).toSorted()
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Reads the pages of a built site. @param byHash the path of each file of the blog by its SHA-256 */
const readSite = async (site: string, byHash: Map<string, string>): Promise<Answer[]> => {
  const found: { output: string; data: Data; source: string }[] = []
  const redirects = new Map<string, string>()
  const hashes = new Map<string, string>()
  for (const file of await listFiles(site)) {
    const output = normalPath(`/${file}`)
    const bytes = await readFile(join(site, file))
    hashes.set(output, hashOf(bytes))
    const source = bytes.toString()
    const data = readData(source)
    const redirect = data === null ? readRedirect(source) : null
    if (data !== null) found.push({ output, data: JSON.parse(data) as Data, source })
    if (redirect !== null) redirects.set(output, redirect)
  }
  const pages = new Map(found.map(({ data }) => [normalPath(new URL(data.address).pathname), data.file]))
  const [first] = found
  if (!first) return []
  const { origin, pathname } = new URL(first.data.address)
  // The path of a site below a host, such as `/blog`.
  const base = normalPath(pathname).slice(0, -first.output.length)
  /** Names what an address of the site is: a file of the blog, else its path. Another site's address stays. */
  const nameOf = (href: string, address: string): string => {
    if (href.startsWith("data:")) return byHash.get(hashOf(Buffer.from(href.split(",")[1] ?? "", "base64"))) ?? href
    if (!URL.canParse(href, address)) return href
    const url = new URL(href, address)
    if (url.origin !== origin) return href
    const path = normalPath(url.pathname)
    const output = path.startsWith(`${base}/`) ? path.slice(base.length) : path
    const redirect = redirects.get(output)
    if (redirect !== undefined) return nameOf(redirect, address)
    return `${pages.get(path) ?? byHash.get(hashes.get(output) ?? "") ?? `${origin}${decodeURI(url.pathname)}`}${decodeURI(url.hash)}`
  }
  /** Lists the addresses from which the site leads readers to one. */
  const aliasesOf = (address: string): string[] | null => {
    const path = normalPath(new URL(address).pathname)
    const from = [...redirects].filter(
      ([, to]) => URL.canParse(to, address) && normalPath(new URL(to, address).pathname) === path,
    )
    return from.length === 0 ? null : from.map(([output]) => `${base}${output}`).toSorted()
  }
  const toPage = ({ data, source }: (typeof found)[number]): Answer => {
    const { file, address, title, date, language = null } = data
    const { words, links, images, ...others } = readHtml(source)
    const name = (href: string) => nameOf(href, address)
    return {
      file,
      address: decodeURI(new URL(address).pathname),
      title: title === null || title === undefined ? null : String(title),
      date: date === null ? null : `${new Date(date).toISOString().slice(0, 19)}Z`,
      aliases: aliasesOf(address),
      language,
      categories: labelsOf(data.categories),
      tags: labelsOf(data.tags),
      newer: data.newer ? (pages.get(normalPath(new URL(data.newer).pathname)) ?? null) : null,
      words,
      links: links.map(name),
      // A fragment chooses no other file.
      images: images.map((src) => name(src).replace(/#.*$/, "")),
      ...others,
    }
  }
  return found.map(toPage).toSorted((one, other) => (one.file < other.file ? -1 : 1))
}

const answer = async (blog: Blog): Promise<void> => {
  const { folder, byHash } = await copyOf(blog)
  try {
    const pages = await readSite(await build(blog.tool, folder), byHash)
    const path = join(toolFolder(blog.tool), "answers", `${blog.name}.json`)
    await writeFile(path, `${JSON.stringify(pages, null, 2)}\n`)
    console.log(`${blog.name}: ${pages.length} pages`)
  } finally {
    if (process.env["KEEP"] === undefined) await rm(dirname(folder), { recursive: true })
  }
}

/** Installs a tool, and lets it build blogs. */
const answerAll = async (tool: ToolName, blogs: Blog[]): Promise<void> => {
  const version = install(tool)
  console.log(`${JUDGED[tool].package} ${version}`)
  const path = join(toolFolder(tool), "version.txt")
  const isWhole = blogs.length === BLOGS.filter((blog) => blog.tool === tool).length
  if (isOfDebian(tool) && !isWhole && (await readFile(path, "utf8").catch(() => "")) !== `${version}\n`)
    throw new Failure(`The other answers of ${tool} are of another version: run \`npm run oracle -- ${tool}\`.`)
  for (const blog of blogs) await answer(blog)
  if (isOfDebian(tool)) await writeFile(path, `${version}\n`)
}

await main(async () => {
  const names = process.argv.slice(2)
  if (names[0] === "git") return judgeGit(names.slice(1))
  if (names[0] === "writers") return answerWriters()
  const unknown = names.filter((name) => BLOGS.every((blog) => name !== blog.name && name !== blog.tool))
  if (unknown.length > 0)
    throw new Failure(`There is no tool or blog ${unknown.join(", ")}. Tools: ${TOOL_NAMES.join(", ")}.`)
  const isAsked = ({ name, tool }: Blog) => names.length === 0 || names.includes(tool) || names.includes(name)
  for (const tool of TOOL_NAMES) {
    const blogs = BLOGS.filter((blog) => blog.tool === tool && isAsked(blog))
    if (blogs.length > 0) await answerAll(tool, blogs)
  }
})
