// Writes docs/reference from the code: error codes, limits, variables and the rules of blog tools. With --check it only compares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { ROOMS } from "../packages/edgepost/src/tools/index.ts"
import type { Tool } from "../packages/edgepost/src/tools/tool.ts"
import { usual } from "../packages/edgepost/src/tools/usual.ts"
import { JUDGED } from "../packages/edgepost/test/tools/judged.ts"
import { PROBLEMS, TITLES } from "../src/http/errors.ts"
import * as limits from "../src/limits.ts"
import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

const FOLDER = join(ROOT, "docs/reference")

const readSource = (path: string): string => readFileSync(join(ROOT, path), "utf8")

const code = (text: string): string => `\`${text}\``

/** Writes a Markdown table. A bar in a cell would end the cell, so it is escaped. */
const table = (head: string[], rows: string[][]): string[] =>
  [head, head.map(() => "---"), ...rows].map(
    (row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  )

const page = (title: string, ...parts: string[][]): string => [[`# ${title}`], ...parts].map(paragraph).join("\n")

const paragraph = (lines: string[]): string => `${lines.join("\n")}\n`

const GENERATED = "<!-- `npm run reference` writes this page. Change the source instead. -->"

const errorsPage = (): string =>
  page(
    "Error codes",
    [GENERATED],
    ["Read `code` in your program; `title` is the name of the status. See [errors](../api.md#errors)."],
    table(
      ["code", "status", "title", "meaning"],
      Object.entries(PROBLEMS).map(([name, { status, about }]) => [code(name), String(status), TITLES[status], about]),
    ),
  )

/** From largest to smallest, the units that a value is also shown in. */
const UNITS: Record<string, [size: number, name: string][]> = {
  BYTES: [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ],
  SECONDS: [
    [86_400, "days"],
    [3600, "hours"],
    [60, "minutes"],
  ],
}

/** Writes a value as people read it: 5242880 of MAX_UPLOAD_BYTES is "5242880 (5 MiB)". */
const show = (name: string, value: unknown): string => {
  if (Array.isArray(value)) return value.map((item) => code(String(item))).join(", ")
  if (typeof value === "object" && value !== null) return Object.values(value).join(" to ")
  const number = Number(value)
  const units = UNITS[name.split("_").at(-1) ?? ""] ?? []
  const [size, unit] = units.find(([least]) => number === least || number >= 2 * least) ?? [0, ""]
  if (size === 0 || number % size !== 0) return String(number)
  // Matches the "s" of "days". Does not match "MiB".
  return `${number} (${number / size} ${number === size ? unit.replace(/s$/, "") : unit})`
}

// Matches `// ## Posts`, and `/** Bytes of a body. */` with `export const MAX_BODY_BYTES` in the next line.
// Does not match `// Posts`.
const LIMIT = /^\/\/ ## (.+)$|^(?:\/\*\* (.+) \*\/\n)?export const (\w+) = /gm

const limitsPage = (): string => {
  const values: Record<string, unknown> = { ...limits }
  const sections: { title: string; rows: string[][] }[] = []
  for (const [, title, comment, name = ""] of readSource("src/limits.ts").matchAll(LIMIT)) {
    if (title !== undefined) sections.push({ title, rows: [] })
    else if (comment === undefined)
      throw new Failure(`src/limits.ts: ${name} needs a doc comment on the line before it.`)
    else sections.at(-1)?.rows.push([code(name.toLowerCase()), show(name, values[name]), comment])
  }
  const listed = sections.flatMap(({ rows }) => rows).length
  if (listed !== Object.keys(values).length)
    throw new Failure(`src/limits.ts: ${listed} of ${Object.keys(values).length} limits were found.`)
  return page(
    "Limits",
    [GENERATED],
    [
      "`GET /api/blogcontroller/account/` answers the limits that a client needs.",
      "Some are only defaults: a deployment sets them as [variables](variables.md).",
    ],
    sections.map(({ title }) => `- [${title}](#${title.toLowerCase().replaceAll(" ", "-")})`),
    ...sections.flatMap(({ title, rows }) => [[`## ${title}`], table(["name", "value", "what it limits"], rows)]),
  )
}

// Matches `/** The model. */` and `OPENAI_MODEL: ` in the next line. Does not match `/** The model. */` before `model: `.
const VARIABLE = /^ +\/\*\* (.+) \*\/\n +([A-Z_]+): /gm
// Matches `UPLOADS_PER_MINUTE = "10"`. Does not match `# UPLOADS_PER_MINUTE = "10"`.
const DEFAULT = /^([A-Z_]+) = "(.*)"$/gm

const variablesPage = (): string => {
  // Without the lines of other sections of the file.
  const vars = readSource("wrangler.toml").split("\n[vars]\n")[1]?.split("\n[")[0] ?? ""
  const defaults = new Map([...vars.matchAll(DEFAULT)].map(([, name = "", value = ""]) => [name, value]))
  const rows = [...readSource("src/config.ts").matchAll(VARIABLE)].map(([, comment = "", name = ""]) => {
    const value = defaults.get(name)
    const cell = value === undefined ? "a secret" : value === "" ? "empty" : code(value)
    return [code(name), cell, comment]
  })
  const missing = [...defaults.keys()].filter((name) => !rows.some(([cell]) => cell === code(name)))
  if (missing.length > 0) throw new Failure(`src/config.ts: no doc comment is before ${missing.join(", ")}.`)
  return page(
    "Variables",
    [GENERATED],
    [
      "Set variables in `wrangler.toml` below `[vars]`. Set secrets with `npx wrangler secret put NAME`.",
      "For `npm start`, add `-- --var NAME:value`.",
    ],
    ["A wrong value fails the first request with 500 `misconfigured`, and `detail` names the variable."],
    table(["name", "default", "meaning"], rows),
  )
}

const PACKAGE = "packages/edgepost"
const TOOLS = `${PACKAGE}/test/tools`

/** Returns the version of a tool whose answers are there; null of a tool that was not run. */
const versionOf = (id: string): string | null => {
  const judged = Object.entries(JUDGED).find(([name]) => name === id)?.[1].package
  if (judged === undefined) return null
  if (existsSync(join(ROOT, TOOLS, id, "version.txt"))) return readSource(`${TOOLS}/${id}/version.txt`).trim()
  const { dependencies } = JSON.parse(readSource(`${TOOLS}/${id}/package.json`)) as {
    dependencies: Record<string, string>
  }
  return dependencies[judged] ?? null
}

// Matches `/** Reads a path. */` and `  translationOf?: ` in the next line. Does not match `  name: `.
const RULE = /^ {2}\/\*\* (.+) \*\/\n {2}(\w+)\??: /gm
// Matches `  // Below /blog.` and `  postsPath: ` or `  postsPath,` in the next line.
const ANSWER = /^ {2}\/\/ (.+)\n {2}(\w+)[:,]/gm

/** Writes how each tool answers the questions of `tool.ts`: the lines before its rules say it. */
const toolsPage = (): string => {
  const [, rules = ""] = readSource(`${PACKAGE}/src/tools/tool.ts`).split("export interface Tool {")
  const questions = new Map(
    [...rules.matchAll(RULE)].map(([, question = "", rule = ""]) => [rule, question.replace(/ @param .*/, "")]),
  )
  const rooms: Record<string, Partial<Tool>> = { ...ROOMS, usual }
  const sections = Object.entries(rooms).map(([id, tool]) => {
    const source = readSource(`${PACKAGE}/src/tools/${id}.ts`)
    const answers = new Map([...source.matchAll(ANSWER)].map(([, answer = "", rule = ""]) => [rule, answer]))
    const own = Object.keys(tool).filter((rule) => !["name", "read", "isOfNotes"].includes(rule))
    const unsaid = own.filter((rule) => !answers.has(rule))
    if (unsaid.length > 0) throw new Failure(`${PACKAGE}/src/tools/${id}.ts: no line is before ${unsaid.join(", ")}.`)
    const version = versionOf(id)
    const seen =
      version === null ? "" : `Run: version ${version}; its blogs and answers are in [${id}](../../${TOOLS}/${id}).`
    return [
      [`## ${id === "folder" ? "A folder without a configuration" : (tool.name ?? "Rules of every folder")}`],
      [`[Source](../../${PACKAGE}/src/tools/${id}.ts). ${seen}`],
      table(
        ["rule", "answer"],
        own.map((rule) => [questions.get(rule) ?? rule, answers.get(rule) ?? ""]),
      ),
    ]
  })
  return page(
    "Blog tools",
    [GENERATED],
    [
      "A folder is read by the rules of the tool that makes the blog. Below are those in which tools differ. Where a tool has no rule, the",
      "[rule of every folder](#rules-of-every-folder) counts. Files that these leave out are left out with every tool. The fields that hide a",
      "post with every tool are in [hides.ts](../../packages/edgepost/src/folder/hides.ts).",
    ],
    ...sections.flat(),
  )
}

const PAGES: Record<string, () => string> = {
  "tools.md": toolsPage,
  "errors.md": errorsPage,
  "limits.md": limitsPage,
  "variables.md": variablesPage,
}

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

await main(() => {
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, write] of Object.entries(PAGES)) {
    const path = join(FOLDER, name)
    if (!process.argv.includes("--check")) writeFileSync(path, write())
    else if (read(path) !== write())
      throw new Failure(`docs/reference/${name} is out of date: run \`npm run reference\` and commit it.`)
  }
})
