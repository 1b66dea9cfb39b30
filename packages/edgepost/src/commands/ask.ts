import { createInterface } from "node:readline"
import { Writable } from "node:stream"

import { PartlyDone } from "../failure.ts"
import type { Context } from "./context.ts"

const nowhere = () => new Writable({ write: (_, __, done) => done() })

/** Asks at the terminal for a yes. @throws PartlyDone at Ctrl-C */
export const confirm = async (context: Context, question: string): Promise<boolean> => {
  const answer = await ask(context, `${question} [y/N] `)
  // Matches `y` and `Yes`. Does not match `yeah`.
  return /^y(?:es)?$/i.test(answer?.trim() ?? "")
}

/**
 * Asks at the terminal for a line.
 * @returns null at the end of input, as by Ctrl-D
 * @throws PartlyDone at Ctrl-C
 */
export const ask = (
  { stdin: input, stderr, interrupt, signal }: Context,
  question: string,
  { isHidden = false } = {},
): Promise<string | null> => {
  const lines = createInterface(isHidden ? { input, output: nowhere(), terminal: true } : { input, output: stderr })
  return new Promise<string | null>((done, fail) => {
    const end = () => {
      // Without Enter the question's line has not ended.
      if (!isHidden) stderr.write("\n")
      done(null)
    }
    lines.once("close", end)
    // While the terminal hands over each key, Ctrl-C is a key. Elsewhere it is a signal.
    lines.once("SIGINT", () => interrupt.abort())
    signal.addEventListener("abort", () => fail(new PartlyDone("Nothing was changed.", signal.reason)), { once: true })
    // The question comes last, since keys are answers from then on.
    if (isHidden) stderr.write(question)
    lines.question(question, (line) => {
      lines.off("close", end)
      done(line)
    })
  }).finally(() => lines.close())
}
