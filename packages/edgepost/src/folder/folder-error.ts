/** A file of the folder that is not read, and why. */
export class FolderError extends Error {
  override name = "FolderError"
  /** The code of its finding. */
  readonly code: string

  constructor(message: string, code = "unreadable_file") {
    super(message)
    this.code = code
  }
}
