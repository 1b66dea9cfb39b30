// Publishes blogs as a newcomer would, by `init`, `plan` and `publish` and nothing else, and counts the posts that readers see
// as their authors meant. Arguments name tools or `cases`; without any, an earlier commit is measured as well, for the table.
import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

import { Failure, main } from "../../../../scripts/cli.ts"
import { ROOT, runTool } from "../../../../scripts/tools.ts"
import { startService } from "../../../../test/e2e/child.ts"
import { draw, write } from "../blogs.ts"
import { readHtml } from "../oracle/page.ts"
import { checkOut, COMMIT, OLD } from "../upgrades/old.ts"
import { CASES, IMAGES } from "./cases.ts"
import { type DrawnBlog, drawBlog, type Known, type Shown } from "./draw.ts"
import { BASES } from "./kinds.ts"

const PAGE = join(import.meta.dirname, "README.md")
/** The table stands below it. */
const MARK = "<!-- `npm run blogs` writes the rest. -->"
const POSTS_OF_A_BLOG = 200
const SEEDS = [1, 2]

const run = promisify(execFile)

type Service = Awaited<ReturnType<typeof startService>>

/** A text of the service, as readers see it. */
interface Text extends Shown {
  date: string
  categories: string[]
  words: string
}

/** Calls the API. @returns the JSON of the answer */
const send = async (url: string, headers: Record<string, string>, method = "GET", json?: object) => {
  const body = json && JSON.stringify(json)
  const answer = await fetch(url, { method, headers: { ...headers, "Content-Type": "application/json" }, body })
  if (!answer.ok) throw new Failure(`${method} ${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** Makes an account. @returns its key */
const newKey = async ({ origin, operatorToken }: Service, username: string): Promise<string> => {
  const account = `${origin}/operator/api/accounts/${username}/`
  const headers = { Authorization: `Bearer ${operatorToken}` }
  await send(account, headers, "PATCH", { paid_until: "2099-01-01T00:00:00Z", translation_languages: [] })
  return (await send(`${account}keys/`, headers, "POST")).api_key
}

/** Reads all public texts of an account. */
const readTexts = async ({ origin }: Service, key: string): Promise<Text[]> => {
  const api = `${origin}/api/blogcontroller/posts/`
  const headers = { "X-API-KEY": key }
  const texts: Text[] = []
  let page: string | null = `${api}?limit=100&status=PB`
  while (page !== null) {
    const { posts, next_cursor } = await send(page, headers)
    for (const { slug, texts: languages } of posts)
      for (const language of Object.keys(languages)) {
        const { post } = await send(`${api}${slug}/?lang_code=${language}`, headers)
        const { title, html, published_at, categories, tags } = post
        texts.push({ title, date: published_at, categories, tags, language, words: readHtml(html).words })
      }
    page = next_cursor ? `${api}?limit=100&status=PB&cursor=${next_cursor}` : null
  }
  return texts
}

/** A blog to publish. */
interface Blog {
  /** The row of the table. */
  row: string
  known: Known[]
  copyTo: (folder: string) => Promise<void>
}

const drawn = (tool: string, seed: number): Blog => {
  const { files, known }: DrawnBlog = drawBlog(tool, seed, POSTS_OF_A_BLOG)
  const copyTo = async (folder: string) => {
    for (const [file, text] of Object.entries(files)) await write(join(folder, file), text)
  }
  return { row: tool, known, copyTo }
}

const real = (name: string, known: Known[]): Blog => ({
  row: "cases",
  known,
  copyTo: async (folder) => {
    await cp(join(import.meta.dirname, "real", name), folder, { recursive: true })
    for (const image of IMAGES[name] ?? []) await write(join(folder, image), await draw(image, 40, 30))
  },
})

const BLOGS: Blog[] = [
  ...Object.entries(CASES).map(([name, known]) => real(name, known)),
  // Each tool has other seeds, since slugs are unique on the service: nine authors at most get a slug from one name.
  ...Object.keys(BASES).flatMap((tool, i) => SEEDS.map((seed) => drawn(tool, i * SEEDS.length + seed))),
]

/** Matches what no reader should see of a tool's syntax: `{{ x }}`, `{% x %}`, `::: tip`, `title: A`. Does not match `10: 30`. */
const SYNTAX = /\{\{|\{%|:::|<!--|<<<<<<<|\b(?:title|date|status|draft): /i

/** Returns labels to compare: the service keeps the letters of the first post that has one. */
const sorted = (labels: string[]): string =>
  labels
    .map((one) => one.toLowerCase())
    .toSorted()
    .join("\n")

/** Returns what is wrong with a file after its blog was published; null if all is right. */
const wrongIn = ({ mark, shown }: Known, texts: Text[]): string | null => {
  const [text, ...more] = texts.filter(({ title, words }) => words.includes(mark) || title === mark)
  if (shown === null) return text === undefined ? null : "public"
  if (text === undefined) return "not public"
  if (more.length > 0) return "twice"
  if (text.title !== shown.title) return "title"
  if (shown.date !== null && Date.parse(text.date) !== Date.parse(shown.date)) return "date"
  if (shown.categories && sorted(text.categories) !== sorted(shown.categories)) return "categories"
  if (sorted(text.tags) !== sorted(shown.tags)) return "tags"
  if (text.language !== shown.language) return "language"
  return SYNTAX.test(text.words) ? "syntax" : null
}

/** What became of a file. */
interface Result {
  row: string
  kind: string
  wrong: string | null
}

/** Publishes a blog by the command line of a tree. */
const publish = async (blog: Blog, root: string, service: Service, username: string): Promise<Result[]> => {
  const folder = await mkdtemp(join(tmpdir(), "edgepost-blogs-"))
  try {
    await blog.copyTo(folder)
    const key = await newKey(service, username)
    // Git is needed, and the rest is as on a new machine.
    const env = { PATH: process.env["PATH"], EDGEPOST_URL: service.origin, EDGEPOST_API_KEY: key, TZ: "UTC" }
    for (const command of ["init", "plan", "publish"]) {
      const args = [join(root, "packages/edgepost/src/bin.ts"), command]
      // It ends with 1 if a post is blocked, and the others are published.
      const ended = run(process.execPath, args, { cwd: folder, env, maxBuffer: 2 ** 26 })
      const { stdout, stderr } = await ended.catch((error) => error)
      if (process.env["SHOW"] !== undefined) console.log(`$ edgepost ${command}\n${stdout}${stderr}`)
    }
    const texts = await readTexts(service, key)
    return blog.known.map((known) => ({ row: blog.row, kind: known.kind, wrong: wrongIn(known, texts) }))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Publishes all blogs by the command line of a tree, two at a time. */
const publishAll = async (blogs: Blog[], root: string): Promise<Result[]> => {
  const service = await startService("UPLOADS_PER_MINUTE:1000")
  const results: Result[] = []
  const queue = blogs.entries()
  const work = async () => {
    for (const [i, blog] of queue) {
      const all = await publish(blog, root, service, `blog-${i}`)
      console.error(`${blog.row}: ${all.length} posts, ${shareOf(all)} right`, ...listWrong(all))
      results.push(...all)
    }
  }
  try {
    await Promise.all([work(), work()])
  } finally {
    await service.stop()
  }
  return results
}

const shareOf = (results: Result[]): string =>
  `${((100 * results.filter(({ wrong }) => wrong === null).length) / results.length).toFixed(1)} %`

/** Lists what is not right, by kind. */
const listWrong = (results: Result[]): string[] => {
  const kinds = Map.groupBy(
    results.filter(({ wrong }) => wrong !== null),
    ({ row, kind, wrong }) => `- ${row}, ${kind}: ${wrong}`,
  )
  return [...kinds].map(([kind, { length }]) => `${kind} (${length})`).toSorted()
}

/** Writes the table, and what is not right at the end. */
const tableOf = (names: string[], before: Result[] | null, after: Result[]): string => {
  const rowOf = (title: string, isMeant: (result: Result) => boolean) => {
    const now = after.filter(isMeant)
    return `| ${title} | ${now.length} | ${before ? shareOf(before.filter(isMeant)) : ""} | ${shareOf(now)} |`
  }
  return [
    "| blogs | posts | before | after |",
    "| --- | --: | --: | --: |",
    ...names.map((name) => rowOf(name, ({ row }) => row === name)),
    rowOf("all", () => true),
    "",
    "Not right after:",
    "",
    ...listWrong(after),
  ].join("\n")
}

await main(async () => {
  const names = process.argv.slice(2)
  const all = [...new Set(BLOGS.map(({ row }) => row))]
  const rows = names.length === 0 ? all : all.filter((row) => names.includes(row))
  if (rows.length === 0) throw new Failure(`There are: ${all.join(", ")}.`)
  const blogs = BLOGS.filter(({ row }) => rows.includes(row))
  const after = await publishAll(blogs, ROOT)
  if (names.length > 0) return console.log(tableOf(rows, null, after))
  await checkOut()
  const table = tableOf(rows, await publishAll(blogs, OLD), after)
  const [about = ""] = (await readFile(PAGE, "utf8")).split(MARK)
  await writeFile(PAGE, `${about}${MARK}\n\nBefore: ${COMMIT.slice(0, 8)}.\n\n${table}\n`)
  runTool("oxfmt", [PAGE])
})
