import { getSystemErrorMessage } from "node:util"

import { EdgepostError } from "./client/index.ts"
import { FolderError } from "./folder/folder-error.ts"
import { ImageError } from "./images/prepare.ts"
import { showError } from "./plan/screen.ts"
import { plain } from "./terminal.ts"
import { UsageError } from "./usage-error.ts"

/** The end of a command that fails. */
export interface Failure {
  exitCode: 1 | 2
  message: string
  /** Advice in one sentence. */
  advice: string
  /** The same as data for `--json`. */
  error: object
}

/** An error or an interrupt in the middle of a command: its cause, and what stands of the work. */
export class PartlyDone extends Error {
  override readonly name = "PartlyDone"
  /** The step that was under way, such as `tide: uploading boat.png`; empty if that says nothing. */
  readonly step: string
  /** The work that was done, as data for `--json`. */
  readonly result: object

  /** @param message what was done, in a sentence */
  constructor(message: string, cause: unknown, step = "", result: object = {}) {
    super(message, { cause })
    this.step = step
    this.result = result
  }
}

const LOGIN = "then run `edgepost login` or set EDGEPOST_API_KEY."

/** Says what to do about an error of the service or of the way to it. */
export const adviceFor = ({ status, code }: EdgepostError): string => {
  if (code === "unreachable") return "Check the address and the network, then run the command again."
  if (code === "insufficient_scope")
    return `Make a key with the scope publish, or draft for a plan, on the settings page, ${LOGIN}`
  if (status === 401) return `Make a key on the settings page, ${LOGIN}`
  if (status === 404) return "Check the slug: the settings' posts page lists all."
  return status === 403 ? "`edgepost whoami` shows the key and the account." : "Run the command again."
}

const NO_RIGHT = "Give this user the right to use it, then run the command again."
const FILE_ADVICE: Record<string, string> = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: NO_RIGHT,
  ENOSPC: "Make room on the disk, then run the command again.",
}

type SystemError = Error & { code: string; errno: number; path?: string }

/** Tells whether an error comes from the operating system. Errors of Node itself have a `code` as well. */
const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && "syscall" in error && "code" in error && "errno" in error

const fileFailure = (message: string, advice: string): Failure => ({
  exitCode: 1,
  message: plain(message),
  advice,
  error: { code: "file_error", detail: message, advice },
})

/** Says how a command ends by an error. One that nobody expected is a fault of edgepost, and shows where it arose. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof UsageError) {
    const { message, advice } = error
    return { exitCode: 2, message: plain(message), advice, error: { code: "usage", detail: message, advice } }
  }
  if (error instanceof EdgepostError) {
    const data = error.problem ?? { code: error.code, detail: error.message }
    return { exitCode: 1, message: showError(error), advice: adviceFor(error), error: data }
  }
  if (error instanceof FolderError || error instanceof ImageError)
    return fileFailure(error.message, "Correct the file, then run the command again.")
  if (isSystemError(error)) {
    const { code, errno, path } = error
    const advice = FILE_ADVICE[code] ?? "Correct the path or give another one, then run the command again."
    return fileFailure(`${path === undefined ? "" : `${path}: `}${getSystemErrorMessage(errno)}.`, advice)
  }
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
  return {
    exitCode: 1,
    message: "This is a fault of edgepost. Please report it with these lines:",
    advice: stack,
    error: { code: "internal", detail: message },
  }
}
