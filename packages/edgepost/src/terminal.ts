import { randomUUID } from "node:crypto"
import { WriteStream } from "node:tty"
import { styleText } from "node:util"

import type { ProcessIo } from "./process-io.ts"

/** The output of a command, besides files. Of a text only line breaks and the styles of `style` take effect on a terminal. */
export interface Terminal {
  /** Writes a result to standard output, with a line end. The progress ends. */
  print: (text: string) => void
  /** Writes a remark to standard error, with a line end, above the progress. */
  note: (text: string) => void
  /**
   * Shows how far a long task is, on a terminal only: replaces what it showed before. Empty text removes it.
   * @param seconds after which it shows again what it showed before; without them the text stays
   */
  progress: (text: string, seconds?: number) => void
  style: (format: Parameters<typeof styleText>[0], text: string) => string
}

// Matches ESC, a line break, a C1 control and U+202E. Does not match `é` or an emoji.
const CONTROL = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Replaces characters by which a text from a file or from the network could change what a terminal shows. */
export const plain = (text: string): string => text.replace(CONTROL, "\uFFFD")

/** Returns the first names of a list, and how many more there are. */
export const some = (names: string[]): string => {
  const shown = names.slice(0, 3).map(plain).join(", ")
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

/** Stands for ESC in a styled text until it is written. No text from elsewhere can hold it. */
const STYLE = randomUUID()

/** Replaces the same characters of lines, but for line breaks and styles. */
const plainLines = (text: string): string => text.split("\n").map(plain).join("\n").replaceAll(STYLE, "\u001B")

/** Returns data as JSON in which no character changes what a terminal shows. */
export const toJson = (data: object): string =>
  JSON.stringify(data, null, 2).replaceAll(CONTROL, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

/** Returns a text in one line, cut if it is longer than a line of the terminal. */
const cut = (text: string, columns: number): string =>
  text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`

/** Opens the terminal of a process. Colours follow NO_COLOR and FORCE_COLOR, else whether standard output is a terminal. */
export const openTerminal = ({ env, stdout, stderr }: Pick<ProcessIo, "env" | "stdout" | "stderr">): Terminal => {
  // `styleText` itself looks at the variables of the process.
  const hasColours = () =>
    (env["FORCE_COLOR"] !== undefined || stdout.isTTY === true) && WriteStream.prototype.getColorDepth(env) > 2
  let shown = ""
  /** The text that stays until the next progress. */
  let lasting = ""
  const show = (text: string) => {
    if (shown !== "") stderr.write("\r\u001B[K")
    shown = cut(plain(text), stderr.columns || 80)
    if (shown !== "") stderr.write(shown)
  }
  return {
    print: (text) => {
      lasting = ""
      show("")
      stdout.write(`${plainLines(text)}\n`)
    },
    note: (text) => {
      show("")
      stderr.write(`${plainLines(text)}\n`)
      show(lasting)
    },
    progress: (text, seconds) => {
      if (!stderr.isTTY) return
      show(text)
      if (seconds === undefined) lasting = text
      else setTimeout(() => show(lasting), seconds * 1000).unref()
    },
    style: (format, text) =>
      hasColours()
        ? styleText(format, plain(text), { validateStream: false }).replaceAll("\u001B", STYLE)
        : plain(text),
  }
}
