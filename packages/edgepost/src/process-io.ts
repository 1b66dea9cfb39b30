import type { Readable, Writable } from "node:stream"

/** Standard output or standard error. */
type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** The parts of its process that the command line uses. */
export interface ProcessIo {
  env: Record<string, string | undefined>
  /** Returns the folder that the command line was called in. */
  cwd: () => string
  stdin: Readable & { isTTY?: boolean }
  stdout: OutputStream
  stderr: OutputStream
  /** Aborted by Ctrl-C. */
  interrupt: AbortController
  /** Ends the process at once. */
  exit: (code: number) => never
}
