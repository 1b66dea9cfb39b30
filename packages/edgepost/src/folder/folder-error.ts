/** The code of a file that cannot be read, but for one that only stands for another. */
export const UNREADABLE = "unreadable_file"

/** A file of the folder that is not read, and why. */
export class FolderError extends Error {
  override name = "FolderError"
  /** The code of its finding. */
  readonly code: string

  constructor(message: string, code = UNREADABLE) {
    super(message)
    this.code = code
  }
}
