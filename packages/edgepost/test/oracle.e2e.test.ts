import { readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"

import { expect, test } from "vitest"
import { parse } from "yaml"

import { API, call, newKey, origin } from "../../../test/e2e/support.ts"
import type { OldRedirect } from "../src/client/index.ts"
import { configFilesIn } from "../src/config.ts"
import { MARKDOWN } from "../src/folder/paths.ts"
import { slugOf } from "../src/folder/slugify.ts"
import type { Entry } from "../src/plan/entry.ts"
import { pathKey } from "../src/site.ts"
import { edgepost } from "./command.ts"
import { expectMoved } from "./moved.ts"
import { type Blog, BLOGS, copyOf } from "./oracle/blogs.ts"
import { compare, type Comparison, differencesIn } from "./oracle/compare.ts"
import { type Answer, type Page, readHtml } from "./oracle/page.ts"
import { JUDGED, TOOL_NAMES, type ToolName } from "./tools/judged.ts"

/** The path of each file of a blog by the SHA-256 of its bytes. */
type Files = Map<string, string>

const TOOLS = join(import.meta.dirname, "tools")

/** Runs a command with `--json`. */
const run = async (command: string, cwd: string, key: string): Promise<Entry[]> => {
  const { stdout } = await edgepost([command, "--json"], { cwd, env: { EDGEPOST_URL: origin, EDGEPOST_API_KEY: key } })
  return (JSON.parse(stdout) as { entries: Entry[] }).entries
}

/** Finds the file of a translation, which no entry names: its title stands in it. */
const findTranslation = async (folder: string, title: string, files: string[]): Promise<string | null> => {
  for (const file of files) if ((await readFile(join(folder, file), "utf8")).includes(title)) return file
  return null
}

const sorted = (labels: string[]): string[] => labels.map((label) => label.toLowerCase()).toSorted()

interface Text {
  title: string
  html: string
  published_at: string
  categories: string[]
  tags: string[]
  images: { image_url: string; source_sha256: string; original_sha256: string | null }[]
}

/** Reads what readers of the service see of a folder's posts, in their order. */
const readPages = async (
  { folder, byHash: files }: { folder: string; byHash: Files },
  username: string,
  key: string,
  entries: Entry[],
): Promise<Page[]> => {
  const headers = { "X-API-KEY": key }
  const sources = new Map(entries.map(({ slug, file }) => [slug, file ?? ""]))
  const named = new Set(sources.values())
  const others = [...files.values()].filter((file) => MARKDOWN.test(file) && !named.has(file))
  const { json } = await call("GET", `${API}/posts/?limit=100&status=PB`, { headers })
  const pages: Page[] = []
  for (const { slug, texts, published_at, primary_language, listed } of json.posts) {
    // Scheduled posts come later.
    if (Date.parse(published_at) > Date.now()) continue
    for (const language of Object.keys(texts)) {
      const answer = await call("GET", `${API}/posts/${slug}/?lang_code=${language}`, { headers })
      const { title, html, images, categories, tags }: Text = answer.json.post
      const found = language === primary_language ? null : await findTranslation(folder, title, others)
      const file = found ?? sources.get(slug) ?? slug
      const nameOf = (target: string): string => {
        const image = images.find(({ image_url }) => image_url === target)
        if (image) return files.get(image.original_sha256 ?? "") ?? files.get(image.source_sha256) ?? target
        // Matches `/@oracle/a-post/#part` and `#part`, not `/media/oracle/a.webp`.
        const [, post, rest] = new RegExp(`^(?:/@${username}/([^/]+)/)?(#.*)?$`).exec(target) ?? []
        if (post === undefined && rest === undefined) return target
        const fragment = rest === undefined || rest === "#" ? "" : decodeURI(rest)
        return `${post === undefined ? file : (sources.get(post) ?? post)}${fragment}`
      }
      const { words, links, images: shown, ...blocks } = readHtml(html)
      const date = `${new Date(published_at).toISOString().slice(0, 19)}Z`
      const address = `/${slug}/`
      const targets = { links: links.map(nameOf), images: shown.map(nameOf) }
      const labels = { categories: sorted(categories), tags: sorted(tags) }
      // A translation has the slug of its post.
      const own = language === primary_language ? slug : null
      pages.push({
        file,
        slug: own,
        address,
        aliases: null,
        title,
        date,
        listed: listed ? "yes" : "no",
        language,
        ...labels,
        newer: null,
        words,
        ...targets,
        ...blocks,
      })
    }
  }
  // The API lists what was made last first, as readers see posts of one moment.
  return pages.toSorted((one, other) => Date.parse(other.date ?? "") - Date.parse(one.date ?? ""))
}

interface Known {
  /** The slug by an old path. */
  leadsTo: Map<string, string>
  /** The category of posts without one. */
  category: string
}

/** Returns the last part of an address, in the form of a slug. */
// Matches `/2024/a-post.html`, `/2024/a-post/` and `/a.post`, whose ends `.html` and `/` are cut.
const lastPart = (address: string): string => slugOf(/([^/]*?)(?:\.html?|\/)?$/.exec(address)?.[1] ?? "")

/** Says of the tool's addresses, lists and missing categories that they are edgepost's as well, if they fit. @param pages in edgepost's order */
const fit = (pages: Page[], answers: Page[], { leadsTo, category }: Known): void => {
  for (const [at, page] of pages.entries()) {
    const same = answers.filter(({ file }) => file === page.file)
    const expected = same.find(({ language }) => language === page.language) ?? same[0]
    if (!expected) continue
    const slug = pathKey(page.address)
    // The service knows a translation's address by the language in it.
    const leadsHere = (address: string) =>
      [address, address.replace(`/${page.language}/`, "/")]
        .map(pathKey)
        .some(
          (way) => way === slug || [slug, `${slug}/${page.language}`.toLowerCase()].includes(leadsTo.get(way) ?? ""),
        )
    if (leadsHere(expected.address)) page.address = expected.address
    const aliases = expected.aliases?.filter(leadsHere) ?? []
    page.aliases = aliases.length === 0 ? null : aliases
    const newer = pages.findIndex(({ file }) => file === expected.newer)
    if (!expected.categories && page.categories?.join() === category.toLowerCase()) page.categories = null
    if (newer < at) page.newer = expected.newer
    page.slug ??= expected.slug
  }
}

/** Gives a blog a mark if it has none: without one no redirects are kept. @returns its mark, and the category of posts without one */
const markBlog = async (folder: string, mark: string): Promise<{ source: string; category: string }> => {
  const [path = join(folder, "edgepost.config.yaml")] = configFilesIn(folder).map((file) => resolve(folder, file))
  const own = parse(await readFile(path, "utf8").catch(() => "{}")) as { source?: string; category?: string }
  const config = { source: mark, category: "Blog", ...own }
  // JSON is YAML as well.
  await writeFile(path, JSON.stringify(config))
  return config
}

/** Publishes a blog, and compares its pages with the answers of its tool. */
const judge = async (blog: Blog): Promise<Comparison> => {
  const copy = await copyOf(blog)
  const { folder } = copy
  try {
    const username = `or-${blog.name}`
    const key = await newKey(username, { translation_languages: [] })
    const { source, category } = await markBlog(folder, username)
    const planned = await run("plan", folder, key)
    const entries = await run("publish", folder, key)
    expect(entries).toEqual(planned)
    const path = join(TOOLS, blog.tool, "answers", `${blog.name}.json`)
    const read = JSON.parse(await readFile(path, "utf8")) as Answer[]
    const knowsDates = read.some(({ date }) => date !== null)
    const answers = read.map((answer) => ({
      ...answer,
      slug: lastPart(answer.address),
      tables: answer.tables ?? null,
      notes: answer.notes ?? null,
      // A page without a date has no place in the lists of the service.
      ...(knowsDates && answer.date === null ? { listed: "no", newer: null } : { listed: null }),
    }))
    const pages = await readPages(copy, username, key, entries)
    const slugs = new Map(pages.map((page) => [page.file, pathKey(page.address)]))
    const addresses = answers.flatMap(({ file, address, aliases }): [address: string, slug: string][] => {
      const slug = slugs.get(file)
      return slug === undefined ? [] : [address, ...(aliases ?? [])].map((one) => [encodeURI(one), slug])
    })
    await expectMoved(username, addresses)
    const { json } = await call("GET", `${API}/account/redirects/?source=${source}`, { headers: { "X-API-KEY": key } })
    const redirects: OldRedirect[] = json.redirects
    fit(pages, answers, { category, leadsTo: new Map(redirects.map(({ from, to }) => [pathKey(from), pathKey(to)])) })
    return compare(answers, pages, differencesIn(JUDGED[blog.tool], blog.name))
  } finally {
    await rm(dirname(folder), { recursive: true })
  }
}

interface Sum extends Comparison {
  tool: ToolName
}

/** Returns the judge's table, and how often each reason counts. */
const toTable = (sums: Sum[]): string => {
  const rows = sums.map(({ tool, pages, equal, wanted, others }) =>
    [tool.padEnd(12), ...[pages, equal, wanted.length, others.length].map((count) => String(count).padStart(7))].join(
      "",
    ),
  )
  const reasons = Map.groupBy(
    sums.flatMap(({ wanted }) => wanted),
    (reason) => reason,
  )
  const counts = [...reasons].map(([reason, all]) => `${String(all.length).padStart(4)}  ${reason}`).toSorted()
  return ["tool          pages  equal wanted others", ...rows, "", ...counts, ""].join("\n")
}

test("every blog, published, shows what its own tool shows, but for the listed differences", async () => {
  const sums: Sum[] = TOOL_NAMES.map((tool) => ({ tool, pages: 0, equal: 0, wanted: [], others: [] }))
  const queue = BLOGS.values()
  const work = async () => {
    for (const blog of queue) {
      const { pages, equal, wanted, others } = await judge(blog)
      const sum = sums.find(({ tool }) => tool === blog.tool)
      if (!sum) continue
      sum.pages += pages
      sum.equal += equal
      sum.wanted.push(...wanted)
      sum.others.push(...others.map((one) => `${blog.name}: ${one}`))
    }
  }
  await Promise.all([work(), work(), work(), work()])
  expect(
    sums
      .flatMap(({ others }) => others)
      .toSorted()
      .join("\n"),
  ).toBe("")
  await expect(toTable(sums)).toMatchFileSnapshot("golden/oracle.txt")
})
