import { styleText } from "node:util"

/** What a command reads and writes besides files. */
export interface Terminal {
  /** Writes a result to standard output, with a line end. */
  print: (text: string) => void
  /** Writes a remark to standard error, with a line end. */
  note: (text: string) => void
  /** Shows how far a long task is, on a terminal only: replaces what it showed before. Empty text removes it. */
  progress: (text: string) => void
  style: (format: Parameters<typeof styleText>[0], text: string) => string
}

// Matches ESC, a line break, a C1 control and U+202E. Does not match `é` or an emoji.
const CONTROL = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Replaces characters by which a text from a file or from the network could change what a terminal shows. */
export const plain = (text: string): string => text.replace(CONTROL, "\uFFFD")

/** Returns data as JSON in which no character changes what a terminal shows. */
export const toJson = (data: object): string =>
  JSON.stringify(data, null, 2).replaceAll(CONTROL, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

/** Returns the columns of the terminal that a text of one line takes, cut if it is longer. */
const cut = (text: string, columns: number): string =>
  text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`

/** Opens the terminal of a process. Colours follow NO_COLOR and FORCE_COLOR, else whether standard output is a terminal. */
export const openTerminal = ({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Terminal => {
  let isShown = false
  const clear = () => {
    if (isShown) stderr.write("\r\u001B[K")
    isShown = false
  }
  return {
    print: (text) => {
      clear()
      stdout.write(`${text}\n`)
    },
    note: (text) => {
      clear()
      stderr.write(`${text}\n`)
    },
    progress: (text) => {
      if (!stderr.isTTY) return
      clear()
      if (text === "") return
      stderr.write(cut(text, stderr.columns || 80))
      isShown = true
    },
    style: (format, text) => styleText(format, text, { stream: stdout }),
  }
}
