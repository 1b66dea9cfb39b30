import { type ParseArgsConfig, parseArgs } from "node:util"

import { nearest } from "./nearest.ts"
import { UsageError } from "./usage-error.ts"

type Options = NonNullable<ParseArgsConfig["options"]>

interface CommandUsage {
  /** The words after the name, such as `[PATH…]`. */
  operands: string
  about: string
  /** The fewest and the most operands. */
  count: [min: number, max: number]
  options: (keyof typeof OPTIONS)[]
}

const OPTIONS = {
  url: { type: "string", about: "Address of the service; else EDGEPOST_URL." },
  json: { type: "boolean", about: "Print one JSON object." },
  prune: { type: "boolean", about: "Remove what the folder or the file no longer has." },
  "allow-foreign": { type: "boolean", about: "Publish unknown shortcodes as they stand." },
  "allow-missing-images": { type: "boolean", about: "Publish though over a tenth of the images are missing." },
  as: { type: "string", about: "Tool by whose rules to read the folder." },
  "no-pages": { type: "boolean", about: "Leave out new pages, such as About." },
  "accept-changes": { type: "boolean", about: "Publish though posts change that may not be meant to." },
  "show-previews": { type: "boolean", about: "Print links of previews in continuous integration." },
  offline: { type: "boolean", about: "Check the folder alone, without a key and the service." },
  check: { type: "boolean", about: "Ask the service what readers would not get." },
  "exit-code": { type: "boolean", about: "Exit with 3 if there is something to do." },
  output: { type: "string", short: "o", about: "Folder to write to." },
  force: { type: "boolean", about: "Replace files that differ." },
  "download-images": { type: "boolean", about: "Save images that are on the web." },
  retranslate: { type: "boolean", about: "Translate posts with imported or removed terms again." },
  wait: { type: "boolean", about: "Wait until no translation is outstanding." },
  yes: { type: "boolean", about: "Do not ask." },
  "read-only": { type: "boolean", about: "Offer only tools that write nothing." },
  "enable-destructive": { type: "boolean", about: "Offer also the tool that deletes posts." },
  help: { type: "boolean", short: "h", about: "Show this help." },
  version: { type: "boolean", short: "v", about: "Show the version." },
} as const satisfies Record<string, Options[string] & { about: string }>

const BY_KEY = ["url", "json"] as const

const COMMANDS = {
  plan: {
    operands: "[PATH…]",
    about: "Show what `publish` would do with a folder of posts.",
    count: [0, Infinity],
    options: [
      ...BY_KEY,
      "prune",
      "allow-foreign",
      "allow-missing-images",
      "no-pages",
      "as",
      "accept-changes",
      "check",
      "offline",
      "exit-code",
    ],
  },
  publish: {
    operands: "[PATH…]",
    about: "Bring the posts of a blog in line with a folder.",
    count: [0, Infinity],
    options: [
      ...BY_KEY,
      "prune",
      "allow-foreign",
      "allow-missing-images",
      "no-pages",
      "as",
      "accept-changes",
      "show-previews",
    ],
  },
  pull: {
    operands: "-o DIR [SLUG…]",
    about: "Write posts of the service as Markdown files.",
    count: [0, Infinity],
    options: [...BY_KEY, "output", "force"],
  },
  status: {
    operands: "SLUG",
    about: "Show a post and its translations.",
    count: [1, 1],
    options: [...BY_KEY, "wait", "show-previews"],
  },
  delete: { operands: "SLUG", about: "Delete a post.", count: [1, 1], options: [...BY_KEY, "yes"] },
  login: { operands: "", about: "Keep a key: asks for it, or reads standard input.", count: [0, 0], options: ["url"] },
  whoami: { operands: "", about: "Show the account of the key.", count: [0, 0], options: [...BY_KEY] },
  init: { operands: "[FOLDER]", about: "Write a configuration file for a folder.", count: [0, 1], options: ["as"] },
  import: {
    operands: "KIND FILE",
    about: "Write posts of ghost, wordpress or medium as a folder.",
    count: [2, 2],
    options: ["json", "output", "force", "download-images"],
  },
  glossary: {
    operands: "ACTION [FILE]",
    about: "Import or export the terms of translations as CSV.",
    count: [1, 2],
    options: [...BY_KEY, "prune", "retranslate"],
  },
  mcp: {
    operands: "",
    about: "Let an assistant read and write posts, by MCP.",
    count: [0, 0],
    options: ["url", "read-only", "enable-destructive"],
  },
} as const satisfies Record<string, CommandUsage>

export type CommandName = keyof typeof COMMANDS

/** The options of a command, as given. */
export type Given = {
  [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]["type"] extends "string" ? string : boolean
}

export interface CommandLine {
  command: CommandName | null
  operands: string[]
  options: Given
}

const usageOf = (name: string): CommandUsage => COMMANDS[name as CommandName]

/** Tells whether a result is to be JSON, even if other arguments are wrong. */
export const asksForJson = (args: string[]): boolean =>
  parseArgs({ args, options: { json: OPTIONS.json }, strict: false, allowPositionals: true }).values.json === true

/** Returns a question for the known name that was meant: `: did you mean plan?`; "." if none is near. */
const askFor = (name: string, known: string[]): string => {
  const meant = nearest(name, known)
  return meant === undefined ? "." : `: did you mean ${meant}?`
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

/** Reads the arguments of the command line. @throws UsageError for anything that it does not know */
export const parseCommandLine = (args: string[]): CommandLine => {
  const [name, ...rest] = args
  if (name === undefined || name === "--help" || name === "-h" || name === "help")
    return { command: null, operands: [], options: { help: true } }
  if (name === "--version" || name === "-v") return { command: null, operands: [], options: { version: true } }
  if (!isCommand(name)) throw new UsageError(`There is no command \`${name}\`${askFor(name, Object.keys(COMMANDS))}`)
  const { options: allowed, count, operands } = usageOf(name)
  const options: Options = Object.fromEntries([...allowed, "help" as const].map((option) => [option, OPTIONS[option]]))
  const advice = `See \`edgepost ${name} --help\`.`
  try {
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true })
    const given = values as Given
    const isWrong = positionals.length < count[0] || positionals.length > count[1]
    if (isWrong && !given.help) throw new UsageError(`Usage: edgepost ${name} ${operands}`.trim(), advice)
    return { command: name, operands: positionals, options: given }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const [told = ""] = (error as Error).message.split(". ")
    // Matches `Unknown option '--prun'`. Does not match `Option '--url' argument is ambiguous`.
    const [, option] = /^Unknown option '--(.+)'$/.exec(told) ?? []
    const names = Object.keys(options).map((one) => `--${one}`)
    const meant = option === undefined ? "" : askFor(`--${option}`, names)
    // Other tools have such an option.
    throw new UsageError(told + meant, option === "dry-run" ? `\`edgepost plan\` shows it. ${advice}` : advice)
  }
}

const row = ([name, about]: [string, string]): string => `  ${name.padEnd(24)}${about}`

/** Returns the help of a command, or of all. */
export const helpOf = (command: CommandName | null): string => {
  if (command === null)
    return `Usage: edgepost COMMAND [OPTIONS]

${Object.entries(COMMANDS)
  .map(([name, { operands, about }]) => row([`${name} ${operands}`.trim(), about]))
  .join("\n")}

\`edgepost COMMAND --help\` shows the options of a command.
\`edgepost --version\` shows the version.
The key comes from EDGEPOST_API_KEY or from \`edgepost login\`.
Exit codes: 0 done, 1 failed or blocked, 2 wrong usage, 3 something to do
(\`plan --exit-code\`), 130 interrupted.`
  const { operands, about, options } = usageOf(command)
  const rows = [...options, "help" as const].map((name): [string, string] => {
    const option: { type: string; short?: string; about: string } = OPTIONS[name]
    const short = option.short ? `-${option.short}, ` : ""
    return [`${short}--${name}${option.type === "string" ? " VALUE" : ""}`, option.about]
  })
  return `Usage: ${`edgepost ${command} ${operands}`.trim()} [OPTIONS]\n\n${about}\n\n${rows.map(row).join("\n")}`
}
