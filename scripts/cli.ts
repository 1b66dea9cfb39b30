/** An error whose message is for the person at the terminal. It is printed without a stack. */
export class Failure extends Error {}

/** Runs a script's work. Prints any error it throws, and then ends the process with exit code 1. */
export const main = async (work: () => unknown): Promise<void> => {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
