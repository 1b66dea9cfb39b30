/** An end that is no bug of ours: its message is for the person at the terminal, without a stack. */
export class Failure extends Error {}

/** Runs a script's work. Whatever it throws is printed and ends the process with 1. */
export const main = async (work) => {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
