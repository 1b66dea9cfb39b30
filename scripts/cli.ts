import { parseArgs, type ParseArgsConfig } from "node:util"

/** An error whose message is for the person at the terminal. It is printed without a stack. */
export class Failure extends Error {}

/** Returns the message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Reads the command line. @throws Failure with the usage for anything that `config` does not name */
export const readOptions = <T extends ParseArgsConfig>(config: T, usage: string) => {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new Failure(`${messageOf(error)}\n\n${usage}`)
  }
}

/** Runs a script's work. Prints any error it throws, and then ends the process with exit code 1. */
export const main = async (work: () => unknown): Promise<void> => {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
