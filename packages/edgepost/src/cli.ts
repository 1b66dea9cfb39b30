import type { Command } from "./commands/context.ts"
import { failureOf, PartlyDone } from "./failure.ts"
import { asksForJson, type CommandName, helpOf, parseCommandLine } from "./options.ts"
import type { ProcessIo } from "./process-io.ts"
import { openTerminal, toJson } from "./terminal.ts"
import { readVersion } from "./version.ts"

/** Loads a command alone: the libraries of `publish` take longer to load than most commands to run. */
const COMMANDS: Record<CommandName, () => Promise<Command>> = {
  plan: async () => (await import("./commands/plan.ts")).plan,
  publish: async () => (await import("./commands/publish.ts")).publish,
  pull: async () => (await import("./commands/pull.ts")).pull,
  status: async () => (await import("./commands/posts.ts")).status,
  delete: async () => (await import("./commands/posts.ts")).remove,
  login: async () => (await import("./commands/login.ts")).login,
  whoami: async () => (await import("./commands/posts.ts")).whoami,
  init: async () => (await import("./commands/init.ts")).init,
  import: async () => (await import("./commands/import.ts")).importPosts,
  glossary: async () => (await import("./commands/glossary.ts")).glossary,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
}

const INTERRUPTED = 130
/** The code of a program that SIGPIPE ends. */
const PIPE_CLOSED = 141

/**
 * Runs the command line.
 * @param args the arguments after the name of the program
 * @returns the exit code
 */
export const main = async (args: string[], io: ProcessIo): Promise<number> => {
  const isJson = asksForJson(args)
  const terminal = openTerminal(io)
  const { signal } = io.interrupt

  /** Says why a command has ended before its end. @returns the exit code */
  const report = (thrown: unknown): number => {
    terminal.progress("")
    const { cause, message, step, result } = thrown instanceof PartlyDone ? thrown : new PartlyDone("", thrown)
    if (signal.aborted) {
      if (isJson) terminal.print(toJson({ ...result, interrupted: true }))
      terminal.note(`Interrupted. ${message || "Run the command again."}`)
      return INTERRUPTED
    }
    const failure = failureOf(cause)
    if (isJson) terminal.print(toJson({ ...result, error: failure.error }))
    terminal.note(`${step === "" ? "" : `${step}: `}${failure.message}\n${failure.advice}`)
    return failure.exitCode
  }

  for (const stream of [io.stdout, io.stderr])
    // A reader such as `head` closes the pipe when it has enough.
    stream.on("error", (error: NodeJS.ErrnoException) => io.exit(error.code === "EPIPE" ? PIPE_CLOSED : report(error)))

  try {
    const { command, operands, options } = parseCommandLine(args)
    if (command === null || options.help) {
      terminal.print(options.version ? readVersion() : helpOf(command))
      return 0
    }
    const runCommand = await COMMANDS[command]()
    return await runCommand({ ...io, operands, options, terminal, cwd: io.cwd(), now: new Date(), signal })
  } catch (error) {
    return report(error)
  }
}
