#!/usr/bin/env node
import { EdgepostError } from "./client/index.ts"
import type { Command } from "./commands/context.ts"
import { type CommandName, helpOf, readArguments } from "./options.ts"
import { showError } from "./plan/screen.ts"
import { openTerminal, plain, toJson } from "./terminal.ts"
import { UsageError } from "./usage-error.ts"

/** Loads a command alone: the libraries of `publish` take longer to load than most commands to run. */
const COMMANDS: Record<CommandName, () => Promise<Command>> = {
  plan: async () => (await import("./commands/publish.ts")).plan,
  publish: async () => (await import("./commands/publish.ts")).publish,
  pull: async () => (await import("./commands/pull.ts")).pull,
  status: async () => (await import("./commands/posts.ts")).status,
  delete: async () => (await import("./commands/posts.ts")).remove,
  login: async () => (await import("./commands/login.ts")).login,
  whoami: async () => (await import("./commands/posts.ts")).whoami,
  init: async () => (await import("./commands/init.ts")).init,
  import: async () => (await import("./commands/import.ts")).importPosts,
}

const INTERRUPTED = 130

const adviceFor = ({ status: code, code: name }: EdgepostError): string => {
  if (name === "unreachable") return "Check the address and the network, then run the command again."
  if (code === 401) return "Make a key on the settings page, then run `edgepost login` or set EDGEPOST_API_KEY."
  if (code === 404) return "Check the slug: the settings' posts page lists all."
  return code === 403 ? "`edgepost whoami` shows the key and the account." : "Run the command again."
}

const terminal = openTerminal(process)
const interrupt = new AbortController()
process.once("SIGINT", () => interrupt.abort())

/** Runs the command of the arguments. @returns its exit code */
const run = async (args: string[]): Promise<number> => {
  let isJson = false
  try {
    const { command, operands, options } = readArguments(args)
    isJson = options.json ?? false
    if (command === null || options.help) {
      terminal.print(helpOf(command))
      return 0
    }
    const { env, stdin: input } = process
    const runCommand = await COMMANDS[command]()
    return await runCommand({
      operands,
      options,
      terminal,
      env,
      cwd: process.cwd(),
      input,
      now: new Date(),
      signal: interrupt.signal,
    })
  } catch (error) {
    terminal.progress("")
    if (interrupt.signal.aborted) {
      terminal.note("Interrupted. Run the command again: it goes on where this one stopped.")
      return INTERRUPTED
    }
    if (error instanceof UsageError) {
      terminal.note(`${plain(error.message)}\n${error.advice}`)
      return 2
    }
    if (!(error instanceof EdgepostError)) throw error
    if (isJson) terminal.print(toJson({ error: error.problem ?? { code: error.code, detail: error.message } }))
    terminal.note(`${showError(error)}\n${adviceFor(error)}`)
    return 1
  }
}

process.exitCode = await run(process.argv.slice(2))
